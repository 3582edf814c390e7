import type { CDPSession, Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { MINUTE } from '#kernel/clock.ts';
import { makeSignInLink } from '#people/sign-in-links.ts';
import { button } from '#test/browser/voting/election-steps.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { localhostService, watch } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession, codeMailTo } from '#test/support/people/people.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';

const openTab = keptTabs();
const atEnd = afterLast();
const theService = shared(async () => {
  const mails = await startMailServer({}, atEnd);
  const service = await localhostService({
    MAILER_URL: mails.url,
    MAILER_API_KEY: 'a key',
    FROM_EMAIL: 'The Anchor <v@club.example>',
    LOCAL_BYPASS: 'off',
    RATE_LIMIT_SIGN_IN: '10000',
  });
  return Object.assign(service, { mails });
});

interface Visit {
  /** The owner of the test. */
  email: string;
  page: Page;
  service: Awaited<ReturnType<typeof theService>>;
}

/** Opens a tab without cookies for a new owner. A tab for `clicks` never offers a passkey by itself. */
async function begin(name: string, { clicks = false, plain = false } = {}): Promise<Visit> {
  const service = await theService();
  const email = `${name}@club.example`;
  await appoint(service, email, 'owner');
  // Only the locale tells the tabs apart.
  const page = await openTab(service.origin, {
    javaScriptEnabled: !plain,
    locale: clicks ? 'en-GB' : 'en-US',
  });
  if (clicks) await page.addInitScript(CLICKED_ONLY);
  await leave(page);
  return { service, email, page };
}

/** Adds a virtual authenticator that confirms the presence of its owner at once. */
async function addDevice(page: Page, options: object = {}) {
  const cdp: CDPSession = await page.context().newCDPSession(page);
  onTestFinished(() => cdp.detach());
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      ...options,
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

/** Signs the owner in with a link. */
async function arrive({ service, page, email }: Visit) {
  const link = await makeSignInLink(service.ctx, email, { ip: 'the test', at: service.clock.now });
  await page.goto(link);
  await button(page, `Sign in as ${email}`).click();
  await page.waitForURL('**/me');
}

/** Signs the owner in without opening a page. */
async function comeSignedIn({ service, page, email }: Visit) {
  const [owner] = listPeopleOf(service.ctx.db, email);
  const token = await addSession(service, owner?.id ?? '');
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

/** Signs the owner in and adds a passkey to the device. */
async function comeWithPasskey(visit: Visit) {
  const { page } = visit;
  await comeSignedIn(visit);
  await page.goto('/me/passkeys/new');
  await addPasskey(page);
}

const CLICKED_ONLY = () => {
  PublicKeyCredential.isConditionalMediationAvailable = async () => false;
};

test('the e-mail field offers the passkey as autofill', async () => {
  const visit = await begin('oda');
  const { page } = visit;
  const device = await addDevice(page);
  await comeWithPasskey(visit);
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
  const visit = await begin('otto');
  const { service, page } = visit;
  await addDevice(page);
  await comeWithPasskey(visit);
  service.clock.now += 11 * MINUTE;
  await page.goto('/admin/pub/roles');
  await page.locator('summary', { hasText: 'New role' }).click();
  const form = page.locator('form', { has: page.getByLabel('E-mail address') });
  await form.getByLabel('E-mail address').fill('ann@club.example');
  await form.getByRole('checkbox', { name: /^DJ/ }).check();
  await form.getByRole('button', { name: 'Give these roles' }).click();
  await button(page, 'Confirm with a passkey').click();
  await page.getByText('The roles were changed.').waitFor();
  expect(await page.getByText('ann@club.example').count()).toBeGreaterThan(0);
});

test('a page whose sudo has expired asks for it before a passkey is created or removed', async () => {
  const visit = await begin('ole');
  const { service, email, page } = visit;
  await addDevice(page);
  await comeSignedIn(visit);
  await page.goto('/me/passkeys/new');
  service.clock.now += 11 * MINUTE;
  await button(page, 'Add a passkey').click();
  await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
  await button(page, 'Send me a code').click();
  await page.getByLabel('Code').fill((await codeMailTo(service.mails, email, 1)).code);
  await button(page, 'Confirm and continue').click();
  await button(page, 'Add a passkey').click();
  await page.getByText('not used yet').waitFor();

  service.clock.now += 11 * MINUTE;
  await page.getByRole('button', { name: /^Remove/ }).click();
  await button(page, 'Confirm with a passkey').click();
  await page.getByText('You have none.').waitFor();
});

test('the page reports a device that already has a passkey, and one that did not verify its owner', async () => {
  const visit = await begin('orla', { clicks: true });
  const { page } = visit;
  const device = await addDevice(page);
  await comeWithPasskey(visit);
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
  const visit = await begin('odo', { clicks: true });
  const { service, page } = visit;
  const device = await addDevice(page);
  await comeWithPasskey(visit);
  await leave(page);
  await device.goBack();
  await page.goto('/sign-in');
  await button(page, 'Sign in with a passkey').click();
  await page.getByRole('alert').getByText('This passkey does not fit').waitFor();
  await expect.poll(() => service.mails.mails.at(-1)?.headers.subject).toContain('A passkey was refused');
});

test('without script there is no button, and a passkey cannot be created', async () => {
  const visit = await begin('ona', { plain: true });
  const { page } = visit;
  await page.goto('/sign-in');
  expect(await page.getByText('Sign in with a passkey').isVisible()).toBe(false);
  await arrive(visit);
  await page.goto('/me/passkeys/new');
  await page.getByText('Where there is no button').waitFor();
  expect(await button(page, 'Add a passkey').count()).toBe(0);
});

// The last test, because it closes the mail server.
test('an owner creates a passkey and signs in with it while no mail can be sent', async () => {
  const visit = await begin('olga', { clicks: true });
  const { service, email, page } = visit;
  const troubles = watch(page.context(), service.origin);
  const device = await addDevice(page, { defaultBackupEligibility: true, defaultBackupState: true });
  await arrive(visit);
  await page.goto('/me/passkeys');
  await page.getByRole('link', { name: 'New passkey' }).click();
  await addPasskey(page);
  await page.getByText('My phone').first().waitFor();
  await page.getByText('Synced').waitFor();
  expect(await device.credentials()).toMatchObject([{ rpId: 'localhost', userName: email }]);
  await expect
    .poll(() => service.mails.mails.filter(({ recipients }) => recipients.includes(email)).length)
    .toBe(1);

  await service.mails[Symbol.asyncDispose]();
  await page.goto('/me');
  await button(page, 'Sign out').click();
  await page.waitForURL((url) => url.pathname === '/');
  await page.goto('/me/passkeys');
  await button(page, 'Sign in with a passkey').click();
  await page.getByText('last used').waitFor();
  expect(troubles).toEqual([]);
});
