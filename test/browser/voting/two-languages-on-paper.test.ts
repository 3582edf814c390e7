// Slips and letters of a club with a second language, as they are printed.
import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, openTab } from '#test/support/browser/browser-service.ts';
import { addElection } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

const GERMAN = {
  RATE_LIMIT_GENERAL: '10000',
  CLUB_LANGUAGE: 'de',
  LOCALE: 'de-DE',
  CLUB_NAME: 'Ruder- und Schwimmverein am Alten Hafen e. V.',
};
const LONG = 'Soll der Verein das Bootshaus verkaufen und den Erlös anlegen?';
const LONGUE = 'Le club doit-il vendre le hangar à bateaux et placer le produit ?';

/** The lines that a slip of a trial and with a name has besides, in pixels. */
const MORE_LINES = 26;

/** What of a slip would be cut off on paper: the code is on each, whatever else it says. */
const cutOff = (page: Page) =>
  page.locator('.slip').evaluateAll(
    (slips, room) =>
      slips.flatMap((slip) => {
        const { bottom, right } = slip.getBoundingClientRect();
        return [...slip.children].filter((part) => {
          const own = part.getBoundingClientRect();
          return own.bottom + room > bottom + 0.5 || own.right > right + 0.5;
        });
      }).length,
    MORE_LINES,
  );

/** Makes French the second language of a German club, and opens a tab that prints. */
async function inTwoLanguages(service: TestApp) {
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const headers = await appoint(service, 'olga@club.example', 'owner');
  const second = { second_language: 'fr' };
  await service.request({ method: 'PUT', url: '/api/admin/settings', payload: second, headers });
  const page = await openTab(browser, origin, DESK);
  await page.emulateMedia({ media: 'print' });
  return { page, origin };
}

const pagesOf = async (page: Page) =>
  (await page.pdf({ preferCSSPageSize: true })).toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length;

test('a slip says everything in both languages of the club, and fits', async () => {
  await using service = await testApp(GERMAN);
  const { page, origin } = await inTwoLanguages(service);
  const translations = { fr: { title: LONGUE } };
  const question = { ballot_type: 'SIMPLE_TRIPLE', title: LONG, translations };
  const period = { open_at: '2026-12-01T10:00', close_at: '2026-12-02T10:00' };
  const more = { fr: { title: LONGUE.repeat(3) } };
  const whole = {
    title: LONG.repeat(3),
    translations: more,
    ...period,
    questions: Array.from({ length: 8 }, () => question),
  };
  const paper = `/admin/papers/${(await service.post('/admin/papers', whole)).json().id}`;
  const election = `/admin/elections/${await addElection(service, { title: LONG, translations })}`;
  const address = `${origin}/as-it-was-answered`;
  for (const path of [paper, election])
    for (const format of ['short', 'uuid']) {
      const { tokens } = (await service.post(`${path}/tokens`, { count: 9, format })).json();
      const { body } = await service.submit(`${path}/tokens/print`, { tokens });
      await page.route(address, (route) => route.fulfill({ body, contentType: 'text/html' }));
      await page.goto(address);
      expect([path, format, await cutOff(page)]).toEqual([path, format, 0]);
      const slip = page.locator('.slip').first();
      expect(await slip.getAttribute('lang')).toBe('de');
      expect(await slip.locator('[lang="fr"]').allInnerTexts()).toEqual([
        expect.stringMatching(LONGUE.slice(0, 30)),
        expect.stringContaining('votre vote est secret'),
      ]);
      expect(await pagesOf(page)).toBe(2);
    }
});

test('a letter says everything in both languages, with the number for the door once, on one page', async () => {
  const one = await openRoom({ title: 'Mitgliederversammlung', place: 'Bootshaus' }, ['Ann', 'Bob'], GERMAN);
  await using service = one.service;
  const { page } = await inTwoLanguages(service);
  for (const title of ['Begrüßung', 'Bericht des Vorstands', 'Entlastung', LONG, 'Verschiedenes'])
    await one.add({ kind: 'text', title });
  expect((await service.submit(`${one.base}/letters`, {})).statusCode).toBe(303);
  await page.goto(`${one.base}/letters`);
  const letter = page.locator('.letter').first();
  expect(await letter.getAttribute('lang')).toBe('de');
  expect(await letter.locator('.slip-code').count()).toBe(1);
  expect(await letter.locator('section[lang="fr"] h2').innerText()).toBe('Mitgliederversammlung');
  expect(await pagesOf(page)).toBe(2);
});
