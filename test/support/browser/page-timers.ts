import type { Page } from 'playwright-core';
import { MINUTE } from '#kernel/clock.ts';

/** Pauses the page's clock: its timers fire only when the test moves it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE);
}

/** The functions that the init script adds to the window. */
interface Fired {
  fireTimers(): Promise<void>;
  armedTimers(): number;
}

export interface PageTimers {
  /** Waits until the page has set such a timer, fires it, and waits until its callback is done. */
  fire(): Promise<void>;
  /** How many such timers are set now. */
  armed(): Promise<number>;
}

/** Makes the page's timers of `everyMs` fire only on `fire()`. Call it before the page is opened. */
export async function timersByHand(page: Page, everyMs: number): Promise<PageTimers> {
  await page.addInitScript((every) => {
    const [realSet, realClear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
    const armed = new Map<number, () => unknown>();
    let lastId = 0;
    let wake = () => {};
    const set = (run: () => unknown, ms?: number) => {
      if (ms !== every) return realSet(run, ms);
      // Negative, so that it is never the id of a real timer.
      armed.set(--lastId, run);
      wake();
      return lastId;
    };
    const clear = (id?: number) => void (armed.delete(id ?? 0) || realClear(id));
    const fireTimers = async () => {
      while (armed.size === 0) await new Promise<void>((resolve) => (wake = resolve));
      const due = [...armed.values()];
      armed.clear();
      await Promise.all(due.map((run) => run()));
    };
    Object.assign(window, {
      setTimeout: set,
      clearTimeout: clear,
      fireTimers,
      armedTimers: () => armed.size,
    });
  }, everyMs);
  return {
    // A timer may leave the page, which destroys the context that would report its end.
    fire: () =>
      page
        .evaluate(() => (window as unknown as Fired).fireTimers())
        .catch((error: Error) => {
          if (!error.message.includes('context was destroyed')) throw error;
        }),
    armed: () => page.evaluate(() => (window as unknown as Fired).armedTimers()),
  };
}
