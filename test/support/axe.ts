// axe-core on a page: every rule in light, those about colours in dark as well. Three rules take longer than all others
// together; they are asked about those elements only in which they can find something that they have not seen yet.
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

/** The attribute that names, in words, which of the three rules an element is asked about. */
const ASKED = 'data-asked';
const SETUP: Spec = {
  // To write down the source of every element that is right takes longer than to find that it is.
  noHtml: true,
  rules: [
    { id: 'color-contrast', selector: `[${ASKED}~=look]` },
    { id: 'link-in-text-block', selector: `[${ASKED}~=link]` },
    { id: 'target-size', selector: `[${ASKED}~=target]` },
  ],
};

/** Results as they are, with the elements themselves: the usual ones give each element a selector of its own. */
const AS_THEY_ARE = `axe.addReporter('as they are', (results, options, resolve) => resolve(results), true)`;

/** Looks of text that `color-contrast` has passed in this process: colours are the same on every page. */
const readable = new Set<string>();

interface InPage {
  axe: { run(at: string, rules: RunOptions): Promise<RawResult[]> };
  doubts(part: string, known: ReadonlySet<string>): Doubts;
}

/** Loads axe-core with every page that is opened from now on, past the page's policy. */
export async function loadAxe(page: Page): Promise<void> {
  // Sent once and compiled once: half a megabyte for each page would take longer than its rules.
  await page.addInitScript(
    `${AXE};axe.configure(${JSON.stringify(SETUP)});${AS_THEY_ARE};globalThis.doubts = ${doubts}`,
  );
}

/**
 * Violations on the page as it stands: every rule in light, those about colours in dark. `part` is a selector.
 * The page was opened after `loadAxe`, and is in light.
 */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  const light = await run(page, part, { rules: EVERY_RULE, dear: ['look', 'link', 'target'] });
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await run(page, part, { rules: COLOURS, dear: ['look', 'link'], onlyDear: true });
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

interface Run {
  rules: RunOptions;
  /** Those of the three rules that are among them, by their words. */
  dear: ('look' | 'link' | 'target')[];
  onlyDear?: true;
}

async function run(page: Page, part: string, how: Run): Promise<string[]> {
  const given = { ...how, part, known: [...readable].join('\n'), attribute: ASKED };
  const { found, passed } = await page.evaluate(runInPage, given);
  for (const look of passed) readable.add(look);
  return found.map(({ id, html }) => `${id}: ${html.map((one) => one.slice(0, 160)).join(' | ')}`);
}

async function runInPage(given: Run & { part: string; known: string; attribute: string }) {
  const { axe, doubts } = globalThis as unknown as InPage;
  const { looks, targets, links } = doubts(given.part, new Set(given.known.split('\n')));
  const doubted = { look: [...looks.values()].flat(), link: links, target: targets };
  const asked = given.dear.flatMap((word) => doubted[word].map((element) => ({ element, word })));
  if (given.onlyDear && asked.length === 0) return { found: [], passed: [] };
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
