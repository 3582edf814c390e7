import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import type { Html } from '#kernel/html.ts';
import { fitChecks, NARROW, type SizedCheck, unfold } from '#test/support/browser/accessible.ts';
import { colourViolations, loadAxe, ruleViolations } from '#test/support/browser/axe.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { resize } from '#test/support/browser/browser-service.ts';
import { everyInvitationPage } from './admin/invitations-samples.ts';
import { everyOfficerPage } from './admin/samples.ts';
import { openAnsweredTab } from './answered-tab.ts';
import { everyPage } from './samples.ts';

const LONG =
  'Donaudampfschifffahrtsgesellschaftskapitän of the Committee for the Repair of the Skittle Alley';
const LONG_ADDRESS = `${'wolfeschlegelsteinhausenbergerdorff'.repeat(2)}@club.example of the Committee`;
/** Further states of an election's page: what is not about invitations was checked with its other states elsewhere. */
const SAME_ELECTION = ['invitations, refused', 'invitations, no mail', 'invitations, closed'];
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

/**
 * Opens the pages and runs the checks. A change of size lays a page out again, so each page is first checked at the
 * size at which the page before it was checked last.
 */
async function problemsOf(
  tab: Page,
  names: string[],
  checksOf: (name: string) => SizedCheck[],
): Promise<string[]> {
  const problems: string[] = [];
  for (const name of names) {
    await tab.goto(`/${encodeURIComponent(name)}`);
    await tab.evaluate(() => document.querySelector('[data-sending]')?.removeAttribute('hidden'));
    await unfold(tab);
    const away = ({ size }: SizedCheck) => Number(size.width !== tab.viewportSize()?.width);
    for (const check of checksOf(name).toSorted((one, other) => away(one) - away(other))) {
      await resize(tab, check.size);
      problems.push(...(await check.problems()).map((problem) => `${name}: ${problem}`));
    }
  }
  return problems;
}

/** Runs axe-core in the present colours, then its rules of colours in the others, which the page keeps. */
function axeCheck(tab: Page, part: string): SizedCheck {
  return {
    size: NARROW,
    async problems() {
      const found = await ruleViolations(tab, part);
      const dark = await tab.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
      await tab.emulateMedia({ colorScheme: dark ? 'light' : 'dark' });
      return [...found, ...(await colourViolations(tab, part))];
    },
  };
}

// Other tests run axe on the real pages of voters and officers; this one is about the length of words.
test('every page of voters and officers fits the longest words, at 320 px and at 200 %', async () => {
  const officers = Object.entries(everyOfficerPage(LONG)).map(([name, page]) => [`officer, ${name}`, page]);
  const pages = { ...everyPage(LONG), ...Object.fromEntries(officers) };
  const tab = await tabFor(pages);
  expect(await problemsOf(tab, Object.keys(pages), () => fitChecks(tab))).toEqual([]);
});

test('every page about invitations fits the longest addresses and is accessible', async () => {
  const pages = everyInvitationPage(LONG_ADDRESS);
  const tab = await tabFor(pages);
  await loadAxe(tab);
  const checksOf = (name: string) => [
    axeCheck(tab, SAME_ELECTION.includes(name) ? '#invitations' : 'html'),
    ...fitChecks(tab),
  ];
  expect(await problemsOf(tab, Object.keys(pages), checksOf)).toEqual([]);
});
