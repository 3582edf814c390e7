// Runs axe-core on a page: every rule in light mode, the colour rules in dark mode as well. Three rules take longer
// than all others together; they check only those elements in which they may find something new.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { DqElement, RawResult, RunOptions, Spec } from 'axe-core';
import type { Page } from 'playwright-core';
import { type Doubts, doubts } from './axe-doubts.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const QUICK: RunOptions = { preload: false, iframes: false };
const EVERY_RULE: RunOptions = {
  ...QUICK,
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
const COLOURS: RunOptions = { ...QUICK, runOnly: ['color-contrast', 'link-in-text-block'] };

/** The attribute that lists which of the three rules check an element. */
const ASKED = 'data-asked';
const SETUP: Spec = {
  // Recording the HTML of every passing element takes longer than checking it.
  noHtml: true,
  rules: [
    { id: 'color-contrast', selector: `[${ASKED}~=look]` },
    { id: 'link-in-text-block', selector: `[${ASKED}~=link]` },
    { id: 'target-size', selector: `[${ASKED}~=target]` },
  ],
};

/** A reporter of raw results with the elements themselves: the default one computes a selector for each element. */
const AS_THEY_ARE = `axe.addReporter('as they are', (results, options, resolve) => resolve(results), true)`;

/** Looks of text that passed `color-contrast` in this process: all pages share the same colours. */
const readable = new Set<string>();

interface InPage {
  axe: { run(at: string, rules: RunOptions): Promise<RawResult[]> };
  doubts(part: string, known: ReadonlySet<string>): Doubts;
}

/** Loads axe-core into every page opened from now on, bypassing the page's content security policy. */
export async function loadAxe(page: Page): Promise<void> {
  // Sent and compiled once: doing so with half a megabyte for each page would take longer than the rules.
  await page.addInitScript(
    `${AXE};axe.configure(${JSON.stringify(SETUP)});${AS_THEY_ARE};globalThis.doubts = ${doubts}`,
  );
}

/**
 * Returns the violations on the current page: every rule in light mode, the colour rules in dark mode. `part` is a
 * selector. The page must have been opened after `loadAxe`, and be in light mode.
 */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  // With its stylesheets.
  await page.waitForLoadState();
  const light = await ruleViolations(page, part);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await colourViolations(page, part);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

/** Returns the violations of every rule on the current page, in its present colours. */
export const ruleViolations = (page: Page, part = 'html'): Promise<string[]> =>
  run(page, part, { rules: EVERY_RULE, slow: ['look', 'link', 'target'] });

/** Returns the violations of the colour rules on the current page, in its present colours. */
export const colourViolations = (page: Page, part = 'html'): Promise<string[]> =>
  run(page, part, { rules: COLOURS, slow: ['look', 'link'], onlySlow: true });

interface Run {
  rules: RunOptions;
  /** Which of the three slow rules are among them. */
  slow: ('look' | 'link' | 'target')[];
  onlySlow?: true;
}

async function run(page: Page, part: string, how: Run): Promise<string[]> {
  const given = { ...how, part, known: [...readable].join('\n'), attribute: ASKED };
  const { found, passed } = await page.evaluate(runInPage, given);
  for (const look of passed) readable.add(look);
  return found.map(({ id, html }) => `${id}: ${html.map((one) => one.slice(0, 160)).join(' | ')}`);
}

async function runInPage(given: Run & { part: string; known: string; attribute: string }) {
  const { axe, doubts } = globalThis as unknown as InPage;
  // Tabs make pages transparent so that nothing is painted; axe-core would take their text for invisible.
  if (getComputedStyle(document.documentElement).opacity === '0') document.adoptedStyleSheets = [];
  const { looks, targets, links } = doubts(given.part, new Set(given.known.split('\n')));
  const doubted = { look: [...looks.values()].flat(), link: links, target: targets };
  const asked = given.slow.flatMap((word) => doubted[word].map((element) => ({ element, word })));
  if (given.onlySlow && asked.length === 0) return { found: [], passed: [] };
  for (const { element, word } of asked)
    element.setAttribute(given.attribute, `${element.getAttribute(given.attribute) ?? ''} ${word}`);
  const results = await axe.run(given.part, given.rules);
  for (const { element } of asked) element.removeAttribute(given.attribute);

  const elementsOf = (nodes: { node: unknown }[] = []) =>
    nodes.map(({ node }) => (node as DqElement).element);
  const contrast = results.find(({ id }) => id === 'color-contrast');
  const good = new Set(elementsOf(contrast?.passes));
  const bad = new Set(elementsOf(contrast?.violations));
  return {
    found: results
      .filter(({ violations }) => violations.length > 0)
      .map(({ id, violations }) => ({ id, html: elementsOf(violations).map(({ outerHTML }) => outerHTML) })),
    passed: [...looks]
      .filter(([look, elements]) => look.startsWith('aside') || elements.some((one) => good.has(one)))
      .filter(([, elements]) => !elements.some((one) => bad.has(one)))
      .map(([look]) => look),
  };
}
