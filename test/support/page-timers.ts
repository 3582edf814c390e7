import type { Page } from 'playwright-core';
import { MINUTE } from '#kernel/clock.ts';

/** From now on the page's timers fire when the test moves its clock. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + MINUTE);
}

/** What the init script leaves on the window for the test to call. */
interface Fired {
  fireTimers(): Promise<void>;
  armedTimers(): number;
}

export interface PageTimers {
  /** Waits until the page has set such a timer, fires it, and waits until all that it started is done. */
  fire(): Promise<void>;
  /** How many such timers are set now. */
  armed(): Promise<number>;
}

/** Makes the page's timers of `everyMs` fire only when the test says. Call it before the page is opened. */
export async function timersByHand(page: Page, everyMs: number): Promise<PageTimers> {
  await page.addInitScript((every) => {
    const [realSet, realClear] = [window.setTimeout.bind(window), window.clearTimeout.bind(window)];
    const armed = new Map<number, () => unknown>();
    let lastId = 0;
    let wake = () => {};
    const set = (run: () => unknown, ms?: number) => {
      if (ms !== every) return realSet(run, ms);
      // Below zero: no id of a real timer.
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
    // A timer may leave the page, after which nothing reports that it is done.
    fire: () =>
      page
        .evaluate(() => (window as unknown as Fired).fireTimers())
        .catch((error: Error) => {
          if (!error.message.includes('context was destroyed')) throw error;
        }),
    armed: () => page.evaluate(() => (window as unknown as Fired).armedTimers()),
  };
}
