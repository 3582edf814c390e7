import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { readDueSources } from '#content/ical/sources/reading.ts';
import { calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type AuditedPage, at, auditPages, form, SMALL } from './page-audit.ts';

const PAGE = '/admin/content/ical';
const LONG = 'unbreakable'.repeat(6);

const as = (headers: Record<string, string>, pages: AuditedPage[]): AuditedPage[] =>
  pages.map((audited) => ({
    ...audited,
    open: async (page) => {
      await page.setExtraHTTPHeaders(headers);
      await audited.open(page);
    },
  }));

async function service() {
  const day = ['UID:x', 'DTSTART;VALUE=DATE:20261225', `SUMMARY:${LONG}`];
  const host = await calendarHost((path) =>
    path === '/down' ? { status: 404 } : { body: calendarText([day, eventLines(LONG, '20269999')]) },
  );
  const full = await listeningService();
  const empty = await listeningService();
  const editor = await appoint(full, 'eve@club.example', 'events');
  const reader = await appoint(full, 'bob@club.example', 'tender');
  await appoint(empty, 'eve@club.example', 'events');
  const input = { name: LONG, address: `${host.url}/x`, goes_to: 'holidays', place: 'Pub' };
  await full.post('/api/admin/ical', input, editor);
  const filter = { field: 'title', contains: LONG };
  await full.post(
    '/api/admin/ical',
    { ...input, address: `${host.url}/down`, goes_to: ['screens'], filter },
    editor,
  );
  const shown = { ...input, address: `${host.url}/shown`, goes_to: ['screens'] };
  const { id } = (await full.post('/api/admin/ical', shown, editor)).json();
  await readDueSources(full.ctx);
  const pages = at(full, {
    'calendars of others': `${PAGE}?done=saved`,
    'what one brings': `${PAGE}/${id}`,
  });
  const refused = { form: 'new', name: ' ', address: 'ftp://x', goes_to: 'screens', filter_field: 'title' };
  return {
    origins: [full.origin, empty.origin],
    pages: [
      ...as(editor, [...pages, form(full, 'a calendar refused', PAGE, refused)]),
      ...as(editor, at(empty, { 'calendars of others, none': PAGE })),
      ...as(
        reader,
        at(full, { 'calendars of others, to look at': PAGE, 'what one brings, to look at': `${PAGE}/${id}` }),
      ),
    ],
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await full[Symbol.asyncDispose]();
      await empty[Symbol.asyncDispose]();
    },
  };
}

let browser: Browser;
let audited: Awaited<ReturnType<typeof service>>;

beforeAll(async () => {
  [browser, audited] = await Promise.all([sharedBrowser(), service()]);
});
afterEach(() => closePages(browser));
afterAll(() => audited[Symbol.asyncDispose]());

test('the pages of external calendars are accessible', { timeout: 900_000 }, async () => {
  expect(await auditPages(browser, audited.pages, audited.origins, SMALL)).toEqual([]);
});
