import type { Page } from 'playwright-core';

/** A page that looks again every so many milliseconds does so when the test says. Call it before the page is opened. */
export async function refreshByHand(page: Page, everyMs: number): Promise<() => Promise<void>> {
  await page.addInitScript((every) => {
    const later = window.setTimeout.bind(window);
    const wait = (run: () => void, ms?: number) => {
      if (ms !== every) return later(run, ms);
      document.addEventListener('look-now', () => run(), { once: true });
      return 0;
    };
    Object.assign(window, { setTimeout: wait });
  }, everyMs);
  return () => page.evaluate(() => void document.dispatchEvent(new Event('look-now')));
}
