// Looks at a page as a person with a small screen, a broad finger or a keyboard would; each answers with complaints.
import type { Page } from 'playwright-core';

const INTERACTIVE = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]';

export async function sidewaysScrolling(page: Page): Promise<string[]> {
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  return over > 0 ? [`scrolls sideways by ${over} px`] : [];
}

/** What is to be touched has at least 44 by 44 px; a link inside a sentence is as high as its line. */
export function smallTargets(page: Page): Promise<string[]> {
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

/** Whatever takes the focus from a keyboard shows it, by an outline of at least 2 px on itself or its row. */
export async function unseenFocus(page: Page): Promise<string[]> {
  // The first Tab tells the browser that a keyboard is in use.
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
