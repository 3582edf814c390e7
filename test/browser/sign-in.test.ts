import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { listeningService, openTab, SCRIPT } from '#test/support/browser-service.ts';
import { appoint } from '#test/support/patrons.ts';
import { codeMailTo } from '#test/support/people.ts';
import { button } from './election-steps.ts';

const OLGA = 'olga@club.example';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

describe.each(SCRIPT)('%s', (_, options) => {
  test('an owner signs in by mail, and a change continues after a confirmation', async () => {
    const mails = await startMailServer();
    await using service = await listeningService({
      ...{ MAILER_URL: mails.url, MAILER_API_KEY: 'a key', FROM_EMAIL: 'The Anchor <v@club.example>' },
      ...{ LOCAL_BYPASS: 'off', BASE_URL: '' },
    });
    await appoint(service, OLGA, 'owner');
    const page = await openTab(browser, service.origin, options);
    await page.goto('/admin/pub/roles');
    await page.getByLabel('E-mail address').fill(OLGA);
    await button(page, 'Send me a code').click();
    await page.getByLabel('Code').fill('no code');
    await button(page, 'Sign in').click();
    await page.getByRole('alert').getByText('This code does not fit').waitFor();
    await page.getByLabel('Code').fill((await codeMailTo(mails, OLGA, 1)).code);
    await button(page, 'Sign in').click();
    await page.waitForURL('**/admin/pub/roles');

    service.clock.now += 11 * MINUTE;
    const form = page.locator('form', { has: page.getByLabel('E-mail address') });
    await form.getByLabel('E-mail address').fill('ann@club.example');
    await form.getByRole('checkbox', { name: /^DJ/ }).check();
    await form.getByRole('button', { name: 'Give these roles' }).click();
    await page.getByRole('heading', { name: 'Confirm that it is you' }).waitFor();
    await button(page, 'Send me a code').click();
    await page.getByLabel('Code').fill((await codeMailTo(mails, OLGA, 2)).code);
    await button(page, 'Confirm and go on').click();

    await page.getByText('The roles were changed.').waitFor();
    expect(await page.getByText('ann@club.example').count()).toBeGreaterThan(0);
  });
});
