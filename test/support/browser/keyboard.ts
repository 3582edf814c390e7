// Uses pages by keyboard alone: Tab, and the keys of the element with focus.
import type { CDPSession, Page } from 'playwright-core';

/** More tab stops than any page has. */
const MOST = 120;
/** Keys sent at once: one at a time, most of the time would be spent on waiting. */
const AT_ONCE = 8;

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/** Presses Tab or Shift+Tab several times, as a key that is held down does, without waiting for each. */
export async function pressTab(page: Page, key: 'Tab' | 'Shift+Tab', presses: number): Promise<void> {
  const session = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, session);
  const devtools = await session;
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9, modifiers: key === 'Tab' ? 0 : 8 };
  await Promise.all(
    Array.from({ length: presses }, () =>
      devtools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
    ),
  );
}

/** The accessible name of the element with focus; empty for the page itself. Runs in the page. */
function nameOfFocus(): string {
  const { activeElement: element } = document;
  if (!element || element === document.body) return '';
  const [label] = 'labels' in element ? [...((element.labels as NodeListOf<Element> | null) ?? [])] : [];
  const name = label?.querySelector('.choice-name') ?? label ?? element;
  const words = element.getAttribute('aria-label') ?? name.textContent ?? '';
  return words.replace('(optional)', '').replaceAll(/\s+/g, ' ').trim();
}

/** The accessible name of the element with focus; empty for the page itself. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(nameOfFocus);
}

/** Presses Tab until an element with this name has the focus. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  // Once the element has the focus, further presses are ignored.
  const arrived = await page.evaluateHandle(`{
    const nameOfFocus = ${nameOfFocus};
    const state = { arrived: nameOfFocus() === ${JSON.stringify(name)} };
    const stay = (event) => {
      state.arrived ||= nameOfFocus() === ${JSON.stringify(name)};
      if (!state.arrived || event.key !== 'Tab') return;
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('keydown', stay, { capture: true });
    state.check = () => {
      state.arrived ||= nameOfFocus() === ${JSON.stringify(name)};
      if (state.arrived) removeEventListener('keydown', stay, { capture: true });
      return state.arrived;
    };
    state;
  }`);
  const check = () => arrived.evaluate((state) => (state as { check(): boolean }).check());
  let isThere = await check();
  for (let presses = 0; !isThere && presses < MOST; presses += AT_ONCE) {
    await pressTab(page, key, AT_ONCE);
    isThere = await check();
  }
  if (!isThere) throw new Error(`${name} cannot be reached with ${key}`);
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
