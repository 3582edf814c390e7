// Opens pages and audits each: axe-core in light and dark, small and enlarged viewports, keyboard, print.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { NOON } from '#test/support/app.ts';
import { fitChecks, NARROW, paperProblems, runChecks } from '#test/support/browser/accessible.ts';
import { colourViolations, loadAxe, ruleViolations } from '#test/support/browser/axe.ts';
import { openTab, PHONE, sendForm, watch } from '#test/support/browser/browser-service.ts';
import { englishOn } from './left-in-english.ts';

/** The narrowest phone: a page that passes here is not checked at larger sizes. */
export const SMALL: BrowserContextOptions = { ...PHONE, viewport: NARROW };

export interface AuditedPage {
  name: string;
  open(page: Page): Promise<unknown>;
  /** A selector for the new part, if the rest of the page was audited before. */
  part?: string;
  /** Whether it is checked for print as well. */
  printed?: boolean;
  /** What is entered on it, in whatever language. */
  entered?: readonly string[];
}

/** Pages at plain addresses, which must answer with `status`. */
export function at(
  { origin }: { origin: string },
  paths: Record<string, string>,
  status = 200,
): AuditedPage[] {
  return Object.entries(paths).map(([name, path]) => ({
    name,
    async open(page) {
      const answer = await page.goto(origin + path);
      if (answer?.status() !== status) throw new Error(`${name} answered ${answer?.status()}`);
    },
  }));
}

/** The response to a form, which is submitted from the previous page. */
export function form(
  { origin }: { origin: string },
  name: string,
  path: string,
  fields: Record<string, string | string[]>,
): AuditedPage {
  return {
    name,
    open: (page) => sendForm(page, origin + path, fields),
    entered: Object.values(fields).flat(),
  };
}

/** The same pages, checked for print as well. */
export const toPrint = (pages: AuditedPage[]): AuditedPage[] =>
  pages.map((audited) => ({ ...audited, printed: true }));

/** Stops the date of pages at the service's, so that the current song is shown as playing now. Timers still run. */
function setDate(page: Page, atMs: number): Promise<unknown> {
  return page.addInitScript((now) => {
    globalThis.Date = class extends Date {
      constructor(...given: [number]) {
        super(...(given.length > 0 ? given : ([now] as const)));
      }
      static override now = () => now;
    } as DateConstructor;
  }, atMs);
}

/**
 * Waits for the fonts, because leaving before they are loaded aborts their requests, which counts as a problem of the
 * page; and opens every `details`, so that it is checked too. From then on the page is laid out but not painted, which
 * the checks do not need.
 */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
    await document.fonts.ready;
    const sheet = new CSSStyleSheet();
    // axe-core does not treat this shape as hidden.
    sheet.replaceSync('html { clip-path: polygon(0 0) }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** The language of the pages, if it is not English: their texts and their room are looked at, the rest is the same. */
const LANGUAGE = process.env.TEST_LANGUAGE;

/** Runs axe-core in the present colour scheme, then the rules of colours in the other one, which the page keeps. */
async function axeProblems(page: Page, part: string | undefined, first: ColorScheme): Promise<string[]> {
  const found = await ruleViolations(page, part);
  const second = otherScheme(first);
  await page.emulateMedia({ colorScheme: second });
  const coloured = await colourViolations(page, part);
  return [...found.map((text) => `${first}: ${text}`), ...coloured.map((text) => `${second}: ${text}`)];
}

type ColorScheme = 'light' | 'dark';
const otherScheme = (scheme: ColorScheme): ColorScheme => (scheme === 'light' ? 'dark' : 'light');

/**
 * Opens the pages in order, in one tab. Every change of size or colours lays the page out again, so each page is first
 * checked at the size and in the colours in which the page before it was checked last.
 * @returns the problems of the pages, which may load only from `origins`
 */
export async function auditPages(
  browser: Browser,
  pages: readonly AuditedPage[],
  origins: string[],
  options: BrowserContextOptions,
): Promise<string[]> {
  const page = await openTab(browser, '', options);
  await loadAxe(page);
  const failures = watch(page.context(), origins);
  await setDate(page, NOON);
  const own = page.viewportSize() ?? NARROW;
  let scheme: ColorScheme = 'light';
  const problems: string[] = [];
  const known: string[] = [];
  for (const { name, open, part, printed, entered = [] } of pages) {
    known.push(...entered);
    await open(page);
    await settle(page);
    const axe = { size: own, problems: () => axeProblems(page, part, scheme) };
    const words = { size: own, problems: () => englishOn(page, known) };
    const found = await runChecks(page, [LANGUAGE === undefined ? axe : words, ...fitChecks(page)]);
    if (LANGUAGE === undefined) scheme = otherScheme(scheme);
    if (printed) found.push(...(await paperProblems(page, scheme)));
    problems.push(...[...found, ...failures.splice(0)].map((problem) => `${name}: ${problem}`));
  }
  await page.context().close();
  return problems;
}
