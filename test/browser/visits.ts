// Visits of pages, each looked at as everybody would: by machine in light and dark, small, enlarged, by keyboard.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { fitProblems, loadAxe, paperProblems, unfold, violations } from '#test/support/accessible.ts';
import { NOON } from '#test/support/app.ts';
import { openTab, sendForm, watch } from '#test/support/browser-house.ts';

export interface Visit {
  name: string;
  open(page: Page): Promise<unknown>;
  /** What is new on it, where the rest is a page that was visited before. */
  part?: string;
  /** Whether people print it. */
  printed?: boolean;
}

/** Visits to plain addresses, which answer with `status`. */
export function at({ origin }: { origin: string }, paths: Record<string, string>, status = 200): Visit[] {
  return Object.entries(paths).map(([name, path]) => ({
    name,
    async open(page) {
      const answer = await page.goto(origin + path);
      if (answer?.status() !== status) throw new Error(`${name} answered ${answer?.status()}`);
    },
  }));
}

/** The answer to a form, which is sent from the page before. */
export function form(
  { origin }: { origin: string },
  name: string,
  path: string,
  fields: Record<string, string | string[]>,
): Visit {
  return { name, open: (page) => sendForm(page, origin + path, fields) };
}

/** Visits to pages that people print. */
export const toPrint = (visits: Visit[]): Visit[] => visits.map((visit) => ({ ...visit, printed: true }));

/** Complaints about the pages, which may come from `origins` only. The visits go in order, in one tab. */
export async function problemsOf(
  browser: Browser,
  visits: readonly Visit[],
  origins: string[],
  options: BrowserContextOptions,
): Promise<string[]> {
  const page = await openTab(browser, '', options);
  await loadAxe(page);
  const troubles = watch(page.context(), origins);
  // The hour of the house: what plays there now plays on its pages.
  await page.clock.setFixedTime(NOON);
  const problems: string[] = [];
  for (const { name, open, part, printed } of visits) {
    await open(page);
    // Leaving before the fonts are there would cut them off, and look like a trouble of the page.
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await unfold(page);
    const found = [
      ...(await violations(page, part)),
      ...(await fitProblems(page)),
      ...(printed ? await paperProblems(page) : []),
      ...troubles.splice(0),
    ];
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  await page.context().close();
  return problems;
}
