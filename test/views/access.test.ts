import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallScreenProblems } from '../support/accessible.ts';
import { launch } from '../support/browser.ts';
import { everyInvitationPage } from './admin/invitations-samples.ts';
import { everyOfficerPage } from './admin/samples.ts';
import { ORIGIN, openHouse } from './house.ts';
import { everyPage } from './samples.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaftskapitän of the Committee for the Repair of the Skittle Alley';
const LONG_ADDRESS = `${'wolfeschlegelsteinhausenbergerdorff'.repeat(2)}@club.example of the Committee`;
const TARGETS =
  '.button, select, summary, .input, .choice, .desk-nav a, .filters a, input:not([type=hidden], .choice input, .visually-hidden)';
let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

test.each([
  ['voter', everyPage(LONG)],
  ['officer', everyOfficerPage(LONG)],
  ['invitation', everyInvitationPage(LONG_ADDRESS)],
])('every %s page is accessible at 320 px, light and dark', async (_area, pages) => {
  const options = { viewport: { width: 320, height: 700 }, reducedMotion: 'reduce' } as const;
  const tab = await openHouse(browser, (path) => pages[decodeURIComponent(path.slice(1))], options);
  tab.on('dialog', (dialog) => void dialog.accept());
  const problems: string[] = [];
  for (const name of Object.keys(pages)) {
    await tab.goto(`${ORIGIN}/${encodeURIComponent(name)}`);
    await tab.evaluate(() => {
      if (document.querySelector('[data-sending]'))
        for (const fold of document.querySelectorAll('details')) fold.open = true;
      document.querySelector('[data-sending]')?.removeAttribute('hidden');
    });
    problems.push(...(await smallScreenProblems(tab, TARGETS)).map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});
