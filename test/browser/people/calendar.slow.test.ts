import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { program, readWithIcalJs, readWithNodeIcal } from '#test/calendar/feed/readers.ts';
import { ADMIN, codeIn, subscribe } from '#test/calendar/fixtures.ts';
import { startUpstream } from '#test/calendar/upstream.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, NOON, testApp } from '#test/support/app.ts';
import { listeningService, SCRIPT, watch } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';

const PROGRAMS_DB = '9'.repeat(32);
const openTab = keptTabs();
const atEnd = afterLast();
/** The service with a mail server, and a workspace that is unreachable now but was read before. */
/** Of all tests of this file: a service whose folder is gone saves nothing. */
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'calendar-'));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const theService = shared(async () => {
  const stored = { DATABASE_URL: `file:${folder}/publichouse.db` };
  await storeProgramme(stored);
  return mailing({
    ...stored,
    WORKSPACE_API_KEY: 'key',
    WORKSPACE_API_URL: 'http://127.0.0.1:9',
    WORKSPACE_PROGRAMS_DATABASE_ID: PROGRAMS_DB,
  });
});

async function mailing(env: Record<string, string>) {
  const mail = await startMailServer({}, atEnd);
  const service = await listeningService({
    ...mailTo(mail.url),
    PUB_ADMIN_TOKEN: ADMIN['x-admin-token'],
    ...env,
  });
  // Links in its mails lead to this port.
  service.ctx.config.BASE_URL = service.origin;
  return Object.assign(service, { mail });
}

/** Stores the programme as read by an earlier run of the service, which is restored at the start. */
async function storeProgramme(env: Record<string, string>): Promise<void> {
  await using earlier = await testApp(env);
  const content = {
    database: PROGRAMS_DB,
    content: [
      program({ title: 'Quiz night', start: NOON + 5 * HOUR }),
      program({
        id: 'b',
        title: 'Reading group',
        start: NOON + 50 * HOUR,
        cancelled: true,
        description: 'Words. '.repeat(80),
      }),
    ],
  };
  const row = { source: 'programs', content: JSON.stringify(content), read_at: NOON };
  await earlier.ctx.write((tx) => tx.run(build.insertInto('workspace_content').values(row)));
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function fill(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Your name').fill(name);
  await page.getByLabel('Your e-mail address').fill(email);
  await button(page, 'Send me the link').click();
}

/** Troubles of the tab of the next two tests. */
let troubles: string[] | undefined;

describe.each(SCRIPT)('%s', (kind, options) => {
  const script = kind === 'with script';

  test('a member subscribes from the programme page, reads the feed and unsubscribes', async () => {
    const service = await theService();
    const [name, email] = script ? ['Jane', 'jane@club.example'] : ['Ann', 'ann@club.example'];
    const feeds = () => service.ctx.db.all(build.selectFrom('feed_tokens').selectAll());
    const before = feeds();
    const page = await openTab(service.origin, options);
    troubles ??= watch(page.context(), service.origin);

    await page.goto('/programme');
    await page.getByRole('heading', { name: 'Quiz night' }).waitFor();
    await page.getByRole('main').getByRole('link', { name: 'In your calendar' }).click();
    await fill(page, name, email);
    await heading(page, 'Check your mail').waitFor();

    await page.goto('/subscribe-programs');
    await fill(page, name, email);
    if (script) {
      await page.getByRole('alert').getByText('You can ask again in 60 seconds.').waitFor();
      expect(await page.getByLabel('Your e-mail address').inputValue()).toBe(email);
    } else await page.getByText('You can try again in 60 seconds').waitFor();

    const mail = service.mail.mails.find(({ recipients }) => recipients.includes(email));
    await page.goto(`/subscribe-programs/confirm?v=${codeIn(mail)}`);
    await page.waitForLoadState();
    expect(feeds()).toEqual(before);
    await button(page, 'Confirm').click();
    await heading(page, 'Choose your calendar').waitFor();

    const href = async (calendar: string) =>
      (await page.getByRole('link', { name: calendar, exact: true }).getAttribute('href')) ?? '';
    const address = (await page.locator('#feed-address').textContent()) ?? '';
    expect(address.startsWith(`${service.origin}/cal/programs.ics?token=`)).toBe(true);
    expect(await href('Apple Calendar')).toBe(address.replace('http:', 'webcal:'));
    expect(new URL(await href('Google Calendar')).searchParams.get('cid')).toBe(
      address.replace('http:', 'webcal:'),
    );
    expect(new URL(await href('Outlook')).searchParams.get('url')).toBe(address);
    const feed = await fetch(address);
    const body = await feed.text();
    expect(readWithIcalJs(body).map(({ summary }) => summary)).toEqual(['Quiz night', 'Reading group']);
    expect(readWithNodeIcal(body)).toEqual(readWithIcalJs(body));
    if (script) {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: /^Copy/ }).click();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(address);
    }

    // The same link again shows the same calendar.
    await page.goto(`/subscribe-programs/confirm?v=${codeIn(mail)}`);
    await button(page, 'Confirm').click();
    await heading(page, 'Choose your calendar').waitFor();
    expect(await page.locator('#feed-address').textContent()).toBe(address);

    await page.getByText('Stop the calendar', { exact: true }).click();
    await button(page, 'Stop my calendar').click();
    await heading(page, 'Your calendar has stopped').waitFor();
    expect((await fetch(address)).status).toBe(404);
    // The browser reports the refused form as a failed request.
    expect(troubles.filter((trouble) => !trouble.includes('answer 429'))).toEqual([]);
  });
});

test('an officer finds a subscriber, stops them, and allows them again, without any script', async () => {
  const service = await theService();
  const { feed } = await subscribe(service, { name: 'Jim', email: 'jim@club.example' });
  await subscribe(service, { name: 'Amy', email: 'amy@club.example' });
  const page = await openTab(service.origin, { javaScriptEnabled: false });
  await page.setExtraHTTPHeaders(ADMIN);

  await page.goto('/admin/calendar');
  await page.getByText('amy@club.example').first().waitFor();
  await page.getByLabel('Name or e-mail address').fill('JIM');
  await button(page, 'Search').click();
  await expect.poll(() => page.getByText('amy@club.example').count()).toBe(0);
  await page.locator('summary', { hasText: 'jim@club.example' }).click();
  await button(page, 'Stop Jim').click();
  await page.getByRole('status').getByText('The subscriber was stopped.').waitFor();
  expect((await service.get(feed)).statusCode).toBe(403);
  await page.getByRole('button', { name: /^Allow again/ }).click();
  await page.getByRole('status').getByText('may sign up again').waitFor();
  await page.locator('summary', { hasText: 'Switch off: Club programme' }).click();
  await page.getByRole('button', { name: /^Switch off ?: Club programme/ }).click();
  await page.getByRole('status').getByText('The calendar is off.').waitFor();
  await page.setExtraHTTPHeaders({});
  await page.goto('/subscribe-programs');
  await page.getByText('The calendar is switched off at the moment.').waitFor();
});

test('the form shows the challenge of another host and sends its answer', async () => {
  const provider = await startUpstream((response, body) => {
    if (body === '') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(
        `const place = document.querySelector('.cf-turnstile'); const field = document.createElement('input');
         Object.assign(field, { type: 'hidden', name: place.dataset.responseFieldName, value: 'solved ' + place.dataset.sitekey });
         place.append(field);`,
      );
    } else {
      const success = new URLSearchParams(body).get('response') === 'solved the-key';
      response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }));
    }
  });
  await using service = await mailing({
    CHALLENGE_SITE_KEY: 'the-key',
    CHALLENGE_SECRET_KEY: 'secret',
    CHALLENGE_VERIFY_URL: `${provider.url}/v0/siteverify`,
  });
  const page = await openTab((await theService()).origin);
  const failures = watch(page.context(), [service.origin, provider.url]);

  await page.goto(`${service.origin}/subscribe-programs`);
  await page.locator('input[name=turnstile_token]').waitFor({ state: 'attached' });
  await fill(page, 'Jane', 'jane@club.example');
  await heading(page, 'Check your mail').waitFor();

  expect(service.mail.mails).toHaveLength(1);
  expect(provider.requests.map(({ path }) => path)).toEqual(['/v0/api.js', '/v0/siteverify']);
  expect(failures).toEqual([]);
});
