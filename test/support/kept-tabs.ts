import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { openTab, PHONE, resize } from './browser-service.ts';

/**
 * Tabs that the tests of a file use one after another; called at its top. A page whose files are in the tab's cache takes
 * a third of the time of one in a new tab. For pages that keep nothing in the browser: cookies, listeners and scripts
 * that a test adds stay until the last test.
 * @returns a function like `openTab`, which gives a tab again for the same origin and options; viewport and script differ
 */
export function keptTabs(): (origin: string, options?: BrowserContextOptions) => Promise<Page> {
  async function open(origin: string, options: BrowserContextOptions) {
    const page = await openTab(await sharedBrowser(), origin, options);
    return { page, devtools: await page.context().newCDPSession(page) };
  }
  const tabs = new Map<string, ReturnType<typeof open>>();
  afterAll(async () => {
    for (const tab of tabs.values()) await (await tab).page.context().close();
  });
  return async (origin, options = {}) => {
    const { viewport, javaScriptEnabled = true, ...others } = { ...PHONE, ...options };
    const key = JSON.stringify([origin, others]);
    const opened = tabs.get(key) ?? open(origin, others);
    tabs.set(key, opened);
    const { page, devtools } = await opened;
    await devtools.send('Emulation.setScriptExecutionDisabled', { value: !javaScriptEnabled });
    if (viewport) await resize(page, viewport);
    return page;
  };
}
