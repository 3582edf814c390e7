import { afterEach, expect, test } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';

afterEach(async () => closePages(await sharedBrowser()));

test('a field of a day and a time shows both whole, with AM or PM', async () => {
  await using service = await listeningService();
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const page = await openTab(await sharedBrowser(), service.origin, { extraHTTPHeaders: owner });
  for (const path of ['/admin/elections/new', '/admin/meetings/new']) {
    await page.goto(path);
    const short = await page.locator('input[type=datetime-local]:visible').evaluateAll((fields) =>
      fields
        .filter((field) => {
          const { font, paddingLeft, paddingRight } = getComputedStyle(field);
          const pen = document.createElement('canvas').getContext('2d')!;
          pen.font = font;
          const icon = 28;
          const padding = Number.parseFloat(paddingLeft) + Number.parseFloat(paddingRight);
          return pen.measureText('12/26/2026, 10:00 AM').width + icon + padding > field.clientWidth;
        })
        .map(({ id }) => id),
    );
    expect([path, short]).toEqual([path, []]);
  }
});
