// Accessibility checks in addition to axe-core: small and enlarged viewports, target sizes, visible focus, print.
// Each returns the problems it found.
import type { Page, ViewportSize } from 'playwright-core';
import { PSEUDO } from '../pseudo-language.ts';
import { drawn, resize } from './browser-service.ts';
import { findMisfits } from './misfits.ts';

/** The narrowest phone. */
export const NARROW = { width: 320, height: 640 };
/** The viewport of a screen of 1280 by 800 px at 200 %. */
const ENLARGED = { width: 640, height: 400 };
/** A usual screen, whose columns English fits into where it fits at the other sizes. */
const WIDE = { width: 1280, height: 800 };
/** The printable area of an A4 sheet, and the larger one of voting slips, which have narrower margins. */
const SHEET = { width: 673, height: 1002 };
const SLIPS = { width: 719, height: 1047 };

const IS_MADE = process.env.TEST_LANGUAGE === PSEUDO;

const INTERACTIVE =
  'a[href], button, input:not([type=hidden], [tabindex="-1"]), select, textarea, summary, [tabindex="0"]';

/** A check of a page at one size of the viewport. */
export interface SizedCheck {
  size: ViewportSize;
  problems(): Promise<string[]>;
}

/**
 * Runs checks, those at the present size first: every change of size lays the page out again.
 * @returns their problems
 */
export async function runChecks(page: Page, checks: SizedCheck[]): Promise<string[]> {
  const width = page.viewportSize()?.width;
  const isPresent = ({ size }: SizedCheck) => size.width === width;
  const found: string[] = [];
  for (const { size, problems } of checks.toSorted((a, b) => Number(isPresent(b)) - Number(isPresent(a)))) {
    await resize(page, size);
    found.push(...(await problems()));
  }
  return found;
}

/** Checks at 200 % and on a phone of 320 px: what does not fit, small targets, invisible focus; in other languages wide too. */
export const fitChecks = (page: Page): SizedCheck[] => [
  { size: NARROW, problems: async () => (await narrowProblems(page)).map((text) => `at 320 px: ${text}`) },
  {
    size: ENLARGED,
    problems: async () => (await page.evaluate(findMisfits, IS_MADE)).map((text) => `at 200 %: ${text}`),
  },
  ...(process.env.TEST_LANGUAGE === undefined
    ? []
    : [
        {
          size: WIDE,
          problems: async () => {
            // A wall fits its texts after its size has changed.
            await drawn(page);
            return (await page.evaluate(findMisfits, IS_MADE)).map((text) => `at 1280 px: ${text}`);
          },
        },
      ]),
];

/** Returns the problems that `fitChecks` finds; the page has its size again afterwards. */
export async function fitProblems(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  const found = await runChecks(page, fitChecks(page));
  if (before) await resize(page, before);
  return found;
}

async function narrowProblems(page: Page): Promise<string[]> {
  const misfits = await page.evaluate(findMisfits, IS_MADE);
  const small = await page.evaluate(findSmallTargets, INTERACTIVE);
  // Focus is the same in every language.
  if (process.env.TEST_LANGUAGE !== undefined) return [...misfits, ...small];
  // After a Tab the browser shows focus as it does for keyboard users.
  await page.keyboard.press('Tab');
  return [...misfits, ...small, ...(await page.evaluate(findUnseenFocus, INTERACTIVE))];
}

/**
 * Returns problems of the printed page: wider than an A4 sheet, not black on white, or with controls on it.
 * @param scheme the colours of the page, which it has again afterwards
 */
export async function paperProblems(page: Page, scheme: 'light' | 'dark' = 'light'): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize((await page.locator('.slips, .voting-cards').count()) > 0 ? SLIPS : SHEET);
  // Pages in dark colours have to print on white as well.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const found = [
    ...(await page.evaluate(findMisfits, IS_MADE)),
    ...(await page.evaluate(() => {
      const { color, backgroundColor, colorScheme } = getComputedStyle(document.body);
      const colours = `${color} on ${backgroundColor}, ${colorScheme}`;
      const useless = [...document.querySelectorAll('nav, button, form, input, select, textarea')];
      const headsNothing = [...document.querySelectorAll<HTMLElement>('main section:has(h2)')].filter(
        (section) =>
          section.checkVisibility() &&
          section.innerText.trim() === section.querySelector('h2')?.innerText.trim(),
      );
      return [
        ...headsNothing.map((section) => `prints a heading over nothing: ${section.innerText}`),
        ...(colours === 'rgb(0, 0, 0) on rgb(255, 255, 255), light' ? [] : [colours]),
        ...useless
          .filter((one) => one.checkVisibility())
          .map((one) => `prints ${one.outerHTML.slice(0, 140)}`),
      ];
    })),
  ];
  await page.emulateMedia({ media: 'screen', colorScheme: scheme });
  if (before) await page.setViewportSize(before);
  return found.map((text) => `on paper: ${text}`);
}

/** Opens every `details`, so that it is checked too. */
export function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) {
      // One that closes when another one opens is looked at too.
      fold.removeAttribute('name');
      fold.open = true;
    }
  });
}

/** Finds targets smaller than 44 by 44 px; links inside a sentence are exempt. */
function findSmallTargets(selector: string): string[] {
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility() || element.matches('.skip, [role=region], ol, pre')) continue;
    const words = element.textContent.trim();
    const around = element.closest('nav')
      ? words
      : (element.closest('p, li, dd')?.textContent.trim() ?? words);
    if (element.matches('a:not(.button)') && around !== words) continue;
    const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
    if (width < 44 || height < 44)
      found.push(`${Math.round(width)} by ${Math.round(height)} px: ${element.outerHTML.slice(0, 140)}`);
  }
  return found;
}

/** Finds elements that take no focus, show no 2 px outline on themselves or their row, or are off screen. */
function findUnseenFocus(selector: string): string[] {
  const outlined = (element: Element) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor);
  };
  const found: string[] = [];
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    if (!element.checkVisibility() || element.matches(':disabled, fieldset:disabled *')) continue;
    element.focus();
    const row = element.closest('label');
    const { left, right, top } = (row ?? element).getBoundingClientRect();
    if (document.activeElement !== element) found.push(`takes no focus: ${element.outerHTML.slice(0, 140)}`);
    else if (!outlined(element) && !(row && outlined(row)))
      found.push(`shows no focus: ${element.outerHTML.slice(0, 140)}`);
    else if (right <= 0 || left >= innerWidth || top < -1)
      found.push(`is not on the screen with the focus: ${element.outerHTML.slice(0, 140)}`);
  }
  return found;
}
