import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { sharedBrowser } from './browser.ts';
import { openTab, PHONE, resize } from './browser-service.ts';

/**
 * Keeps tabs for reuse by the tests of a file; call it at the top of the file. With cached files a page takes a third
 * of the time that it takes in a new tab. Only for pages that store nothing in the browser: cookies, listeners, scripts
 * that a test adds stay until the last test.
 * @returns a function like `openTab` that reuses tabs by origin and options, except for viewport and script
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
