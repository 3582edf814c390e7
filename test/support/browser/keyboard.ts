// Uses pages by keyboard alone: Tab, and the keys of the element with focus.
import type { Page } from 'playwright-core';

/** More tab stops than any page has. */
const MOST = 120;

/** The accessible name of the element with focus; empty for the page itself. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    if (!element || element === document.body) return '';
    const [label] = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
    const name = label?.querySelector('.choice-name') ?? label ?? element;
    const words = element.getAttribute('aria-label') ?? name.textContent ?? '';
    return words.replace('(optional)', '').replaceAll(/\s+/g, ' ').trim();
  });
}

/** Presses Tab or Shift+Tab several times. */
export async function pressTab(page: Page, key: 'Tab' | 'Shift+Tab', presses: number): Promise<void> {
  for (let press = 0; press < presses; press++) await page.keyboard.press(key);
}

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Until the stylesheets are there, the browser may still move the focus to the part that the address names.
  await page.waitForLoadState();
  for (let presses = 0; presses < MOST; presses++) {
    if ((await focused(page)) === name) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${name} cannot be reached with ${key}`);
}

/** Goes to a button, link, summary or checkbox, and activates it. */
export async function pressOn(page: Page, name: string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Goes to a field and replaces its text. */
export async function typeInto(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.insertText(text);
}

/** Goes to a field for a date and a time, and types both as an American keyboard does: `11212026`, `0900AM`. */
export async function typeTime(page: Page, label: string, date: string, time: string): Promise<void> {
  await tabTo(page, label);
  await page.keyboard.type(date);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.type(time);
}
