// What tests of several screens look at: the events that a screen received, and the parts that it shows.
import type { Page } from 'playwright-core';

/** Records the events of the stream, and drops timers of twenty seconds and more, so that pages do not poll. */
export const WITHOUT_POLLS = `
  window.heard = [];
  window.EventSource = class extends EventSource {
    addEventListener(name, tell) {
      super.addEventListener(name, (event) => {
        window.heard.push(name);
        tell(event);
      });
    }
  };
  const after = window.setTimeout.bind(window);
  window.setTimeout = (what, ms, ...more) => (ms >= 20_000 ? 0 : after(what, ms, ...more));
`;

/** The names of the events that a page with `WITHOUT_POLLS` has received. */
export const heard = (page: Page) => page.evaluate<string[]>('window.heard');

/** The text of a part of the page; empty while it is hidden. */
export const part = (selector: string) => (page: Page) =>
  page
    .locator(selector)
    .first()
    .evaluate((place: HTMLElement) => (place.checkVisibility() ? place.innerText : ''));
