import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { MINUTE } from '#kernel/clock.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { type ListeningService, localhostService, openTab, watch } from '#test/support/browser-service.ts';
import { appoint } from '#test/support/patrons.ts';
import { addSession, codeMailTo } from '#test/support/people.ts';
import { button } from './election-steps.ts';

const OLGA = 'olga@club.example';

let browser: Browser;
let mails: MailServer;
let service: ListeningService;
beforeAll(async () => {
  browser = await sharedBrowser();
});
beforeEach(async () => {
  mails = await startMailServer();
  service = await localhostService({
    ...{ MAILER_URL: mails.url, MAILER_API_KEY: 'a key', FROM_EMAIL: 'The Anchor <v@club.example>' },
    LOCAL_BYPASS: 'off',
  });
  await appoint(service, OLGA, 'owner');
});
afterEach(async () => {
  await closePages(browser);
  await service[Symbol.asyncDispose]();
});

/** Adds a virtual authenticator that confirms the presence of its owner at once. */
async function addDevice(page: Page, options: object = {}) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', ctap2Version: 'ctap2_1', transport: 'internal' },
      ...{ hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
      ...{ automaticPresenceSimulation: true, ...options },
    },
  });
  const device = { authenticatorId };
  return {
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', device)).credentials,
    isThere: (enabled: boolean) =>
      cdp.send('WebAuthn.setAutomaticPresenceSimulation', { ...device, enabled }),
    isVerified: (isUserVerified: boolean) =>
      cdp.send('WebAuthn.setUserVerified', { ...device, isUserVerified }),
    /** Resets the key's signature counter to 0. */
    async goBack() {
      const [credential] = (await cdp.send('WebAuthn.getCredentials', device)).credentials;
      await cdp.send('WebAuthn.removeCredential', { ...device, credentialId: credential!.credentialId });
      await cdp.send('WebAuthn.addCredential', { ...device, credential: { ...credential!, signCount: 0 } });
    },
  };
}

/** Signs Olga in with a link. */
async function arrive(page: Page) {
  const link = await makeSignInLink(service.ctx, OLGA, { ip: 'the test', at: service.clock.now });
  await page.goto(link);
  await button(page, `Sign in as ${OLGA}`).click();
  await page.waitForURL('**/me');
}

/** Signs Olga in without opening a page. */
async function comeSignedIn(page: Page) {
  const [olga] = listPeopleOf(service.ctx.db, OLGA);
  const token = await addSession(service, olga?.id ?? '');
  await page.context().addCookies([{ name: 'publichouse', value: token, url: service.origin }]);
}

/** Clears all cookies, which ends the session in the browser. */
const leave = (page: Page) => page.context().clearCookies();

/** Adds a passkey on the page for a new one. */
async function addPasskey(page: Page) {
  await page.getByLabel('Name').fill('My phone');
  await button(page, 'Add a passkey').click();
  await page.getByText('not used yet').waitFor();
}

/** Signs Olga in and adds a passkey to her device. */
async function comeWithPasskey(page: Page) {
  await comeSignedIn(page);
  await page.goto('/me/passkeys/new');
  await addPasskey(page);
}

const CLICKED_ONLY = () => {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
};

test('an owner creates a passkey and signs in with it while no mail can be sent', async () => {
  const page = await openTab(browser, service.origin);
  const troubles = watch(page.context(), service.origin);
  await page.addInitScript(CLICKED_ONLY);
  const device = await addDevice(page, { defaultBackupEligibility: true, defaultBackupState: true });
  await arrive(page);
  await page.goto('/me/passkeys');
  await page.getByRole('link', { name: 'Add a passkey' }).click();
  await addPasskey(page);
  await page.getByText('My phone').first().waitFor();
  await page.getByText('Synced').waitFor();
  expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', userName: OLGA }]);
  await expect.poll(() => mails.mails.length).toBe(1);

  await mails[Symbol.asyncDispose]();
  await page.goto('/me');
  await button(page, 'Sign out').click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/me/passkeys');
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('last used').waitFor();
  expect(troubles).toEqual([]);
});

test('the e-mail field offers the passkey as autofill', async () => {
  const page = await openTab(browser, service.origin);
  const device = await addDevice(page);
  await comeWithPasskey(page);
  await leave(page);
  await device.isThere(false);
  const asked = page.waitForResponse('**/sign-in/passkey/options');
  await page.goto('/sign-in?next=/me/devices');
  await asked;
  expect(await page.getByLabel('E-mail address').getAttribute('autocomplete')).toBe('username webauthn');
  // The button replaces the pending request of the field.
  await device.isThere(true);
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
  await leave(page);
  await page.goto('/sign-in?next=/me/devices');
  await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor();
});

test('an interrupted action continues after confirmation with a passkey', async () => {
  const page = await openTab(browser, service.origin);
  await addDevice(page);
  await comeWithPasskey(page);
  service.clock.now += 11 * MINUTE;
  await page.goto('/admin/pub/roles');
  const form = page.locator('form', { has: page.getByLabel('E-mail address') });
  await form.getByLabel('E-mail address').fill('ann@club.example');
  await form.getByRole('checkbox', { name: /^DJ/ }).check();
  await form.getByRole('button', { name: 'Give these roles' }).click();
  await button(page, 'Confirm with a passkey').click();
  await page.getByText('The roles were changed.').waitFor();
  expect(await page.getByText('ann@club.example').count()).toBeGreaterThan(0);
});

test('a page whose sudo has expired asks for it before a passkey is created or removed', async () => {
  const page = await openTab(browser, service.origin);
  await addDevice(page);
  await comeSignedIn(page);
  await page.goto('/me/passkeys/new');
  service.clock.now += 11 * MINUTE;
  await button(page, 'Add a passkey').click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await button(page, 'Send me a code').click();
  await page.getByLabel('Code').fill((await codeMailTo(mails, OLGA, 1)).code);
  await button(page, 'Confirm and go on').click();
  await button(page, 'Add a passkey').click();
  await page.getByText('not used yet').waitFor();

  service.clock.now += 11 * MINUTE;
  await page.getByRole('button', { name: /^Remove/ }).click();
  await button(page, 'Confirm with a passkey').click();
  await page.getByText('You have none.').waitFor();
});

test('the page reports a device that already has a passkey, and one that did not verify its owner', async () => {
  const page = await openTab(browser, service.origin);
  await page.addInitScript(CLICKED_ONLY);
  const device = await addDevice(page);
  await comeWithPasskey(page);
  await page.goto('/me/passkeys/new');
  await page.getByLabel('Name').press('Enter');
  await page.getByRole('alert').getByText('This device has a passkey of yours already.').waitFor();
  await leave(page);
  await page.goto('/sign-in');
  await device.isVerified(false);
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').getByText('Nothing was confirmed. Try again.').waitFor();
  await device.isVerified(true);
  await button(page, 'Sign in with a passkey').click();
  await page.waitForURL('**/me');
});

test('a key whose signature counter went back is refused', async () => {
  const page = await openTab(browser, service.origin);
  await page.addInitScript(CLICKED_ONLY);
  const device = await addDevice(page);
  await comeWithPasskey(page);
  await leave(page);
  await device.goBack();
  await page.goto('/sign-in');
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').getByText('This passkey does not fit').waitFor();
  await expect.poll(() => mails.mails.at(-1)?.headers.subject).toContain('A passkey was refused');
});

describe('without script', () => {
  test('there is no button, and a passkey cannot be created', async () => {
    const page = await openTab(browser, service.origin, { javaScriptEnabled: false });
    await page.goto('/sign-in');
    expect(await page.getByText('Sign in with a passkey').isVisible()).toBe(false);
    await arrive(page);
    await page.goto('/me/passkeys/new');
    await page.getByText('Where there is no button').waitFor();
    expect(await button(page, 'Add a passkey').count()).toBe(0);
  });
});
