// Sign-in with a code by mail, and with an account of a provider.
import { describe, expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { createPerson } from '#people/persons.ts';
import { type AuditedPage, at, auditPages } from '#test/browser/accessibility/page-audit.ts';
import { button } from '#test/browser/voting/election-steps.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { CLIENT, startOpenIdProvider } from '#test/stand-ins/openid-provider.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, PHONE, SCRIPT } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { onPage } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { codeMailTo } from '#test/support/people/people.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';

const openTab = keptTabs();
const atEnd = afterLast();

/** The service and its provider; each needs the address of the other. */
const theService = shared(async () => {
  const mails = await startMailServer({}, atEnd);
  const service = await listeningService({
    MAILER_URL: mails.url,
    MAILER_API_KEY: 'a key',
    FROM_EMAIL: 'The Anchor <v@club.example>',
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'The Anchor ID',
    OIDC_ISSUER: 'http://127.0.0.1:1',
    BASE_URL: 'http://127.0.0.1:1',
    LOCAL_BYPASS: 'off',
  });
  const { origin } = service;
  const provider = await startOpenIdProvider(`${origin}/sign-in/oidc/callback`, `${origin}/`, atEnd);
  Object.assign(service.ctx.config, { BASE_URL: origin, OIDC_ISSUER: provider.issuer });
  return Object.assign(service, { mails, provider });
});

describe.each(SCRIPT)('%s', (_, options) => {
  test('an owner signs in by mail, and a change continues after a confirmation', async () => {
    const service = await theService();
    const { mails } = service;
    const plain = options.javaScriptEnabled === false;
    const [olga, dora] = plain
      ? ['ola@club.example', 'dan@club.example']
      : ['olga@club.example', 'dora@club.example'];
    await appoint(service, olga, 'owner');
    const page = await openTab(service.origin, options);
    await page.context().clearCookies();
    await page.goto('/admin/pub/roles');
    await page.getByLabel('E-mail address').fill(olga);
    await button(page, 'Send me a code').click();
    await page.getByLabel('Code').fill('no code');
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText(onPage('code_does_not_fit')).waitFor();
    await page.getByLabel('Code').fill((await codeMailTo(mails, olga, 1)).code);
    await button(page, 'Sign in').click();
    await page.waitForURL('**/admin/pub/roles');

    service.clock.now += 11 * MINUTE;
    await page.locator('summary', { hasText: 'New role' }).click();
    const form = page.locator('form', { has: page.getByLabel('E-mail address') });
    await form.getByLabel('E-mail address').fill(dora);
    await form.getByRole('checkbox', { name: /^DJ/ }).check();
    await form.getByRole('button', { name: 'Give these roles' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await button(page, 'Send me a code').click();
    await page.getByLabel('Code').fill((await codeMailTo(mails, olga, 2)).code);
    await button(page, 'Confirm and continue').click();

    await page.getByText('The roles were changed.').waitFor();
    expect(await page.getByText(dora).count()).toBeGreaterThan(0);
  });
});

// These pages have no script of their own.
test('a user links an account, signs in with it alone, adds another, and signs out at both', async () => {
  const service = await theService();
  const { mails, provider } = service;
  const email = 'ann@club.example';
  await service.ctx.write((tx) => createPerson(tx, { name: 'Ann Doe', email }, { ip: 'test', at: 1 }));
  provider.signInAs('ann-1');
  const page = await openTab(service.origin, { javaScriptEnabled: false });
  await page.context().clearCookies();
  await page.goto('/me');
  await page.getByRole('link', { name: 'Sign in with The Anchor ID', exact: true }).click();
  await page.getByLabel('E-mail address').fill(email);
  await button(page, 'Send me a code').click();
  await page.getByLabel('Code').fill((await codeMailTo(mails, email, 1)).code);
  await button(page, 'Sign in').click();
  await page.getByRole('heading', { name: 'Ann Doe' }).waitFor();

  await button(page, 'Sign out').click();
  await page.getByRole('link', { name: 'Sign out at The Anchor ID' }).waitFor();
  await page.goto('/sign-in');
  await page.getByRole('link', { name: 'Sign in with The Anchor ID', exact: true }).click();
  await page.getByRole('heading', { name: 'Ann Doe' }).waitFor();

  await page.context().clearCookies({ name: /^_session|^_interaction/ });
  provider.signInAs('ann-2');
  await page.getByRole('link', { name: 'Accounts that sign you in' }).click();
  await button(page, 'Add an account at The Anchor ID').click();
  await page.getByRole('link', { name: 'Go on at The Anchor ID' }).click();
  await page.getByText('The account signs you in from now on.').waitFor();
  expect(await page.getByRole('button', { name: 'Remove' }).count()).toBe(2);
});

test('the pages for sign-in with a provider are accessible', async () => {
  const service = await theService();
  const { provider } = service;
  provider.signInAs('somebody');
  provider.accounts.set('somebody', { email: 'a.very.long.address.of.somebody@elsewhere.example' });
  const pages: AuditedPage[] = [
    ...at(service, { 'sign-in with a provider': '/sign-in', 'signed out': '/sign-out/oidc' }),
    ...at(service, { 'nobody came back': '/sign-in/oidc/callback' }, 401),
    ...at(service, { 'an account that nobody knows': '/sign-in/oidc' }),
  ];
  expect(await auditPages(await sharedBrowser(), pages, [service.origin, provider.issuer], PHONE)).toEqual(
    [],
  );
});
