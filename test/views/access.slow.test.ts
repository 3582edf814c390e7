import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Html } from '#kernel/html.ts';
import { fitChecks, NARROW, runChecks, type SizedCheck, unfold } from '#test/support/browser/accessible.ts';
import { colourViolations, loadAxe, ruleViolations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
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

/** Opens a tab on a narrow phone that is answered with these pages, by name. */
async function tabFor(pages: Record<string, Html>): Promise<Page> {
  const options = { viewport: NARROW, reducedMotion: 'reduce' } as const;
  const tab = await openAnsweredTab(browser, ({ path }) => pages[decodeURIComponent(path.slice(1))], options);
  tab.on('dialog', (dialog) => void dialog.accept());
  return tab;
}

/** Opens the pages and runs the checks on each. */
async function problemsOf(tab: Page, names: string[], checks: SizedCheck[]): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    await tab.goto(`/${encodeURIComponent(name)}`);
    await tab.evaluate(() => document.querySelector('[data-sending]')?.removeAttribute('hidden'));
    await unfold(tab);
    problems.push(...(await runChecks(tab, checks)).map((problem) => `${name}: ${problem}`));
  }
  return problems;
}

/** Runs axe-core in the present colours, then its rules of colours in the others, which the page keeps. */
function axeCheck(tab: Page): SizedCheck {
  return {
    size: NARROW,
    async problems() {
      const found = await ruleViolations(tab);
      const dark = await tab.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
      await tab.emulateMedia({ colorScheme: dark ? 'light' : 'dark' });
      return [...found, ...(await colourViolations(tab))];
    },
  };
}

// Other tests run axe on the real pages of voters and officers; this one is about the length of words.
test('every page of voters and officers fits the longest words, at 320 px and at 200 %', async () => {
  const officers = Object.entries(everyOfficerPage(LONG)).map(([name, page]) => [`officer, ${name}`, page]);
  const pages = { ...everyPage(LONG), ...Object.fromEntries(officers) };
  const tab = await tabFor(pages);
  expect(await problemsOf(tab, Object.keys(pages), fitChecks(tab))).toEqual([]);
});

test('every page about invitations fits the longest addresses and is accessible', async () => {
  const pages = everyInvitationPage(LONG_ADDRESS);
  const tab = await tabFor(pages);
  await loadAxe(tab);
  const checks = [axeCheck(tab), ...fitChecks(tab)];
  expect(await problemsOf(tab, Object.keys(pages), checks)).toEqual([]);
});
