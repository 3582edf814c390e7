// Reads what the pages about the music show.
import type { Page } from 'playwright-core';

const part = (page: Page, name: string) => page.locator(`[data-part=${name}]`);
export const text = (page: Page, name: string) => part(page, name).textContent();
export const shows = (page: Page, name: string) => part(page, name).isVisible();
export const state = (page: Page) => page.evaluate(() => document.body.dataset.state);
export const songs = (page: Page) => page.locator('[data-song] strong').allTextContents();
export const sung = (page: Page) =>
  page.evaluate(() => document.querySelector('li[aria-current]')?.textContent);

/** Distance of the current line from the middle of its box, in pixels. */
export const offCentre = (page: Page) =>
  page.evaluate(() => {
    const line = document.querySelector<HTMLElement>('li[aria-current]')!;
    const middle = (element: Element) => {
      const { top, height } = element.getBoundingClientRect();
      return top + height / 2;
    };
    return Math.abs(middle(line) - middle(line.closest('ol')!.parentElement!));
  });

export const lineHeight = (page: Page) =>
  page.evaluate(() =>
    Number.parseFloat(getComputedStyle(document.querySelector('li[aria-current]')!).fontSize),
  );
