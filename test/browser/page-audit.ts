// Opens pages and audits each: axe-core in light and dark, small and enlarged viewports, keyboard, print.
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { fitProblems, NARROW, paperProblems, unfold } from '#test/support/accessible.ts';
import { NOON } from '#test/support/app.ts';
import { loadAxe, violations } from '#test/support/axe.ts';
import { openTab, PHONE, sendForm, watch } from '#test/support/browser-service.ts';

/** The narrowest phone: a page that passes here is not checked at larger sizes. */
export const SMALL: BrowserContextOptions = { ...PHONE, viewport: NARROW };

export interface AuditedPage {
  name: string;
  open(page: Page): Promise<unknown>;
  /** A selector for the new part, if the rest of the page was audited before. */
  part?: string;
  /** Whether it is checked for print as well. */
  printed?: boolean;
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
  return { name, open: (page) => sendForm(page, origin + path, fields) };
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
 * Waits for the fonts: leaving before they are loaded aborts their requests, which counts as a problem of the page.
 * From then on the page is laid out but not painted, which the checks do not need.
 */
function settle(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready;
    const sheet = new CSSStyleSheet();
    // axe-core does not treat this shape as hidden.
    sheet.replaceSync('html { clip-path: polygon(0 0) }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** @returns the problems of the pages, which may load only from `origins`. They are opened in order, in one tab. */
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
  const problems: string[] = [];
  for (const { name, open, part, printed } of pages) {
    await open(page);
    await settle(page);
    await unfold(page);
    const found = [
      ...(await violations(page, part)),
      ...(await fitProblems(page)),
      ...(printed ? await paperProblems(page) : []),
      ...failures.splice(0),
    ];
    problems.push(...found.map((problem) => `${name}: ${problem}`));
  }
  await page.context().close();
  return problems;
}
