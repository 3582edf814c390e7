import type { Browser } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { fitProblems, NARROW, unfold } from '#test/support/accessible.ts';
import { loadAxe, violations } from '#test/support/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { unpainted } from '#test/support/browser-service.ts';
import { everyInvitationPage } from './admin/invitations-samples.ts';
import { everyOfficerPage } from './admin/samples.ts';
import { openAnsweredTab } from './answered-tab.ts';
import { everyPage } from './samples.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaftskapitän of the Committee for the Repair of the Skittle Alley';
const LONG_ADDRESS = `${'wolfeschlegelsteinhausenbergerdorff'.repeat(2)}@club.example of the Committee`;
let browser: Browser;

beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

// Other tests run axe on the real pages of voters and officers; this one is about the length of words.
test.each([
  { area: 'voter', pages: everyPage(LONG), looks: [fitProblems] },
  { area: 'officer', pages: everyOfficerPage(LONG), looks: [fitProblems] },
  { area: 'invitation', pages: everyInvitationPage(LONG_ADDRESS), looks: [violations, fitProblems] },
])('every $area page fits the longest words, at 320 px and at 200 %', async ({ pages, looks }) => {
  const options = { viewport: NARROW, reducedMotion: 'reduce' } as const;
  const tab = await openAnsweredTab(browser, ({ path }) => pages[decodeURIComponent(path.slice(1))], options);
  await (looks.includes(violations) ? loadAxe(tab) : unpainted(tab));
  tab.on('dialog', (dialog) => void dialog.accept());
  const problems: string[] = [];
  for (const name of Object.keys(pages)) {
    await tab.goto(`/${encodeURIComponent(name)}`);
    await tab.evaluate(() => document.querySelector('[data-sending]')?.removeAttribute('hidden'));
    await unfold(tab);
    for (const look of looks) problems.push(...(await look(tab)).map((problem) => `${name}: ${problem}`));
  }
  expect(problems).toEqual([]);
});
