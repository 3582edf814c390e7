// axe-core on a page: every rule in light, those about colours in dark as well. Three rules take longer than all others
// together; they are asked about those elements only in which they can find something that they have not seen yet.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ElementContext, Result, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { type Doubts, doubts } from './axe-doubts.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const COLOURS = ['color-contrast', 'link-in-text-block'];
const DEAR = [...COLOURS, 'target-size'];
const QUICK: RunOptions = { preload: false, iframes: false };
const OTHERS: RunOptions = {
  ...QUICK,
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  rules: Object.fromEntries(DEAR.map((rule) => [rule, { enabled: false }])),
};

/** Looks of text that `color-contrast` has passed in this process: colours are the same on every page. */
const readable = new Set<string>();

interface InPage {
  axe: { run(at: ElementContext, how: RunOptions): Promise<AxeResults> };
  doubts(part: string, known: ReadonlySet<string>): Doubts;
}

/** Loads axe-core with every page that is opened from now on, past the page's policy. */
export async function loadAxe(page: Page): Promise<void> {
  // Sent once and compiled once: half a megabyte for each page would take longer than its rules.
  await page.addInitScript(`${AXE};globalThis.doubts = ${doubts}`);
}

/**
 * Violations on the page as it stands: every rule in light, those about colours in dark. `part` is a selector.
 * The page was opened after `loadAxe`, and is in light.
 */
export async function violations(page: Page, part = 'html'): Promise<string[]> {
  const light = await run(page, part, DEAR, OTHERS);
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await run(page, part, COLOURS);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...light.map((text) => `light: ${text}`), ...dark.map((text) => `dark: ${text}`)];
}

async function run(page: Page, part: string, dear: string[], others?: RunOptions): Promise<string[]> {
  const how: RunOptions = {
    ...QUICK,
    resultTypes: ['violations', 'passes'],
    runOnly: { type: 'rule', values: dear },
    elementRef: true,
  };
  const known = [...readable].join('\n');
  const { found, passed } = await page.evaluate(runInPage, { part, how, others, known });
  for (const look of passed) readable.add(look);
  return found.map(({ id, html }) => `${id}: ${html.map((one) => one.slice(0, 160)).join(' | ')}`);
}

async function runInPage({
  part,
  how,
  others,
  known,
}: {
  part: string;
  how: RunOptions;
  others: RunOptions | undefined;
  known: string;
}) {
  const { axe, doubts } = globalThis as unknown as InPage;
  const { looks, targets, links } = doubts(part, new Set(known.split('\n')));
  const asked = [...new Set([...looks.values(), others ? targets : [], links].flat())];
  const rest = others ? (await axe.run(part, others)).violations : [];
  const { violations, passes } =
    asked.length > 0 ? await axe.run(asked, how) : { violations: [], passes: [] };
  const inContrast = (results: Result[]): Set<unknown> =>
    new Set(
      results
        .filter(({ id }) => id === 'color-contrast')
        .flatMap(({ nodes }) => nodes.map(({ element }) => element)),
    );
  const [good, bad] = [inContrast(passes), inContrast(violations)];
  return {
    found: [...rest, ...violations].map(({ id, nodes }) => ({ id, html: nodes.map(({ html }) => html) })),
    passed: [...looks]
      .filter(([look, elements]) => look.startsWith('aside') || elements.some((one) => good.has(one)))
      .filter(([, elements]) => !elements.some((one) => bad.has(one)))
      .map(([look]) => look),
  };
}
