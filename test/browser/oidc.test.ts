import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createPerson } from '#people/persons.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { CLIENT, startOpenIdProvider } from '#test/stand-ins/openid-provider.ts';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { listeningService, openTab, PHONE, SCRIPT } from '#test/support/browser-service.ts';
import { codeMailTo } from '#test/support/people.ts';
import { button } from './election-steps.ts';
import { type AuditedPage, at, auditPages } from './page-audit.ts';

const ANN = 'ann@club.example';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** Starts the service and its provider; each needs the address of the other. */
async function startBoth(env: Record<string, string>) {
  const settings = {
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'The Anchor ID',
  };
  const anywhere = { OIDC_ISSUER: 'http://127.0.0.1:1', BASE_URL: 'http://127.0.0.1:1' };
  const service = await listeningService({ ...env, ...settings, ...anywhere, LOCAL_BYPASS: 'off' });
  const { origin } = service;
  const provider = await startOpenIdProvider(`${origin}/sign-in/oidc/callback`, `${origin}/`);
  Object.assign(service.ctx.config, { BASE_URL: origin, OIDC_ISSUER: provider.issuer });
  await service.ctx.write((tx) => createPerson(tx, { name: 'Ann Doe', email: ANN }, { ip: 'test', at: 1 }));
  return { service, provider };
}

describe.each(SCRIPT)('%s', (_, options) => {
  test('a user links an account, signs in with it alone, adds another, and signs out at both', async () => {
    const mails = await startMailServer();
    const { service, provider } = await startBoth({
      ...{ MAILER_URL: mails.url, MAILER_API_KEY: 'a key', FROM_EMAIL: 'The Anchor <v@club.example>' },
    });
    await using _service = service;
    provider.signInAs('ann-1');
    const page = await openTab(browser, service.origin, options);
    await page.goto('/me');
    await page.getByRole('link', { name: 'Sign in with The Anchor ID', exact: true }).click();
    await page.getByLabel('E-mail address').fill(ANN);
    await button(page, 'Send me a code').click();
    await page.getByLabel('Code').fill((await codeMailTo(mails, ANN, 1)).code);
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
});

test('the pages for sign-in with a provider are accessible', async () => {
  const { service, provider } = await startBoth({});
  await using _service = service;
  provider.signInAs('somebody');
  provider.accounts.set('somebody', { email: 'a.very.long.address.of.somebody@elsewhere.example' });
  const pages: AuditedPage[] = [
    ...at(service, { 'sign-in with a provider': '/sign-in', 'signed out': '/sign-out/oidc' }),
    ...at(service, { 'nobody came back': '/sign-in/oidc/callback' }, 401),
    ...at(service, { 'an account that nobody knows': '/sign-in/oidc' }),
  ];
  expect(await auditPages(browser, pages, [service.origin, provider.issuer], PHONE)).toEqual([]);
});
