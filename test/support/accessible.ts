// Checks of a page for accessibility beside axe-core: small and enlarged viewports, size of targets, visible focus,
// print. Each returns the problems it found.
import type { Page } from 'playwright-core';

/** The narrowest phone. */
export const NARROW = { width: 320, height: 640 };
/** The viewport of a screen of 1280 by 800 px at 200 %. */
const ENLARGED = { width: 640, height: 400 };
/** A sheet of A4 within its margins, and within the narrower ones of voting slips. */
const SHEET = { width: 673, height: 1002 };
const SLIPS = { width: 719, height: 1047 };

const INTERACTIVE =
  'a[href], button, input:not([type=hidden], [tabindex="-1"]), select, textarea, summary, [tabindex="0"]';

/** Problems at 200 %, and on a phone of 320 px: what does not fit, small targets, invisible focus. */
export async function fitProblems(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  // A page that is narrow already is laid out twice, not three times.
  const narrowFirst = before?.width === NARROW.width ? await narrowProblems(page) : undefined;
  await page.setViewportSize(ENLARGED);
  const enlarged = await misfits(page);
  if (!narrowFirst) await page.setViewportSize(NARROW);
  const narrow = narrowFirst ?? (await narrowProblems(page));
  if (before) await page.setViewportSize(before);
  return [...enlarged.map((text) => `at 200 %: ${text}`), ...narrow.map((text) => `at 320 px: ${text}`)];
}

const narrowProblems = async (page: Page): Promise<string[]> => [
  ...(await misfits(page)),
  ...(await smallTargets(page)),
  ...(await unseenFocus(page)),
];

/** What is wrong with a page on paper: wider than a sheet of A4, not black on white, or with something to press. */
export async function paperProblems(page: Page): Promise<string[]> {
  const before = page.viewportSize();
  await page.setViewportSize((await page.locator('.slips').count()) > 0 ? SLIPS : SHEET);
  // Pages in dark colours have to print on white as well.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const found = [
    ...(await misfits(page)),
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
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  if (before) await page.setViewportSize(before);
  return found.map((text) => `on paper: ${text}`);
}

/** Opens every `details`, so that it is checked too. */
export function unfold(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const fold of document.querySelectorAll('details')) fold.open = true;
  });
}

/** A page that scrolls sideways, and words that are cut off where nothing scrolls. */
function misfits(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const { scrollWidth } = document.documentElement;
    const found = scrollWidth > innerWidth ? [`scrolls sideways by ${scrollWidth - innerWidth} px`] : [];
    for (const element of document.querySelectorAll<HTMLElement>('body :not(input, select, svg *)')) {
      if (element.scrollWidth <= element.clientWidth + 1) continue;
      const { overflowX, clipPath } = getComputedStyle(element);
      // An element clipped to nothing is for screen readers only; one that is hidden from them is for nobody.
      if (element.closest('[aria-hidden=true]')) continue;
      if (/^(hidden|clip)$/.test(overflowX) && clipPath === 'none')
        found.push(`cuts off: ${element.outerHTML.slice(0, 140)}`);
    }
    return found;
  });
}

/** Targets have at least 44 by 44 px; a link inside a sentence is as high as its line. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
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
  }, INTERACTIVE);
}

/** Every element with keyboard focus shows an outline of at least 2 px, on itself or its row. */
async function unseenFocus(page: Page): Promise<string[]> {
  // After a Tab the browser shows focus as for a keyboard.
  await page.keyboard.press('Tab');
  return page.evaluate((selector) => {
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
      if (document.activeElement !== element)
        found.push(`takes no focus: ${element.outerHTML.slice(0, 140)}`);
      else if (!outlined(element) && !(row && outlined(row)))
        found.push(`shows no focus: ${element.outerHTML.slice(0, 140)}`);
      else if (right <= 0 || left >= innerWidth || top < -1)
        found.push(`is not on the screen with the focus: ${element.outerHTML.slice(0, 140)}`);
    }
    return found;
  }, INTERACTIVE);
}
