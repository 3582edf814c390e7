import type {
  Browser,
  BrowserContext,
  BrowserContextOptions,
  Locator,
  Page,
  Request,
  ViewportSize,
} from 'playwright-core';
import { type TestApp, testApp } from '#test/support/app.ts';
import { freePort } from '#test/support/process/free-port.ts';

/** Without animation, so that nothing is measured while it moves. */
const STILL = { reducedMotion: 'reduce' } as const;
export const PHONE: BrowserContextOptions = { ...STILL, viewport: { width: 375, height: 812 } };
export const DESK: BrowserContextOptions = { ...STILL, viewport: { width: 1280, height: 800 } };

/** How long a tab waits for an element: less than the test timeout, so that the error says what was missing. */
export const PATIENCE_MS = 60_000;

/** A page that changes by itself waits this long for a button to be released. */
export const LONGEST_PRESS_MS = 2_000;

/** Election tests run with and without script. */
export const SCRIPT: [name: string, options: BrowserContextOptions][] = [
  ['with script', {}],
  ['without script', { javaScriptEnabled: false }],
];

export interface ListeningService extends TestApp {
  /** The address it listens on, without a slash at the end. */
  origin: string;
}

/** Starts the whole service on a free local port, with rate limits that no test reaches by accident. */
export async function listeningService(env: Record<string, string> = {}): Promise<ListeningService> {
  const limits = { RATE_LIMIT_GENERAL: '10000', RATE_LIMIT_VOTE: '10000', RATE_LIMIT_ADMIN: '10000' };
  const service = await testApp({ ...limits, ...env });
  const origin = await service.app.listen({ port: 0, host: '127.0.0.1' });
  return Object.assign(service, { origin });
}

/** Starts the same at http://localhost, where browsers allow passkeys, with that address as BASE_URL. */
export async function localhostService(env: Record<string, string> = {}): Promise<ListeningService> {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const service = await testApp({ RATE_LIMIT_GENERAL: '10000', BASE_URL: origin, ...env });
  await service.app.listen({ port, host: '127.0.0.1' });
  return Object.assign(service, { origin });
}

/** Opens a tab with its own, empty cookies and storage. Addresses are relative to `origin`. */
export async function openTab(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return (await openDevice(browser, origin, options)).newPage();
}

/**
 * Opens a browser context for several tabs, which share cookies, storage, clock and cached files. Its pages are laid
 * out but not painted, because painting takes much of the time of a page; axe-core looks at colours all the same.
 */
export async function openDevice(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const device = await browser.newContext({
    ...PHONE,
    ...(origin && { baseURL: origin }),
    ...(process.env.TEST_LANGUAGE && {
      extraHTTPHeaders: { 'accept-language': process.env.TEST_LANGUAGE },
    }),
    ...options,
  });
  device.setDefaultTimeout(PATIENCE_MS);
  device.on('page', keepFrameNumber);
  device.on('page', actAfterScripts);
  await device.addInitScript(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { opacity: 0 }');
    document.adoptedStyleSheets = [sheet];
  });
  return device;
}

/** The part of Playwright's own objects that numbers the frames of a page. */
interface Numbering {
  frameManager: { _allocateFrameSeq(): number };
}

/**
 * Keeps the number of a tab's frame. Playwright runs a script of 330 kB in each page, and writes that number into it;
 * with another number for each page, the browser would compile the script anew each time.
 */
function keepFrameNumber(page: Page): void {
  const { _connection } = page as unknown as { _connection: { toImpl(page: Page): Numbering } };
  _connection.toImpl(page).frameManager._allocateFrameSeq = () => 0;
}

/** Acts by which a person uses a page; what they do is often decided by its scripts. */
const ACTS = ['click', 'press', 'check', 'fill', 'selectOption'] as const;
type Act = (this: Locator, ...args: unknown[]) => Promise<unknown>;

/**
 * Makes keys and clicks wait until the scripts of the page have run. A heading is there earlier: a key that is pressed
 * right after it would reach nobody.
 */
function actAfterScripts(page: Page): void {
  const { keyboard } = page;
  for (const name of ['press', 'type'] as const) {
    const own = keyboard[name].bind(keyboard);
    keyboard[name] = async (...args) => {
      await page.waitForLoadState('domcontentloaded');
      await own(...args);
    };
  }
  const acts = Object.getPrototypeOf(page.locator('html')) as Record<string, Act>;
  if (patched.has(acts)) return;
  patched.add(acts);
  for (const name of ACTS) {
    const own = acts[name]!;
    acts[name] = async function (...args) {
      await this.page().waitForLoadState('domcontentloaded');
      return own.apply(this, args);
    };
  }
}
const patched = new WeakSet<object>();

/** Resizes the viewport of a page, unless it already has this size. */
export async function resize(page: Page, size: ViewportSize): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  if (width !== size.width || height !== size.height) await page.setViewportSize(size);
}

/** Waits for two frames: the page has reacted to the pointer, and to the change of layout that followed. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))),
  );
}

/** Submits a form from the open page, and waits until the next page has loaded. */
export async function sendForm(
  page: Page,
  action: string,
  fields: Record<string, string | string[]>,
): Promise<void> {
  const pairs = Object.entries(fields).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  await Promise.all([
    page.waitForEvent('domcontentloaded'),
    page.evaluate(
      ([to, values]) => {
        const form = document.createElement('form');
        form.method = 'post';
        form.action = to;
        for (const [name, value] of values) {
          const input = document.createElement('input');
          Object.assign(input, { type: 'hidden', name, value });
          form.append(input);
        }
        document.body.append(form);
        form.submit();
      },
      [action, pairs] as [string, [string, string][]],
    ),
  ]);
  await page.waitForLoadState();
}

/**
 * Tells whether an aborted request is a problem. Leaving a page aborts its pending loads, which is harmless except for
 * the page itself and for requests of its scripts; not those by which a screen stores pictures in the background.
 */
function countsWhenAborted(request: Request): boolean {
  const type = request.resourceType();
  if (!['document', 'fetch', 'xhr'].includes(type)) return false;
  // A page that is left takes its frames along.
  if (!request.serviceWorker() && request.frame().parentFrame()) return false;
  return !new URL(request.url()).pathname.startsWith('/api/image/');
}

/** Collects failed requests, requests to other hosts and errors of a browser context, as lines in a growing list. */
export function watch(context: BrowserContext, origins: string | string[]): string[] {
  const troubles: string[] = [];
  const own = [origins].flat();
  context.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (!own.includes(origin) && !['data:', 'blob:'].includes(protocol))
      troubles.push(`request to another host: ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // Closing a page aborts its stream.
    if (request.resourceType() === 'eventsource') return;
    // Without script, module preloads fail with `csp`. Real violations of the policy are also written to the console.
    const reason = request.failure()?.errorText;
    if (reason === 'csp') return;
    if (reason === 'net::ERR_ABORTED' && !countsWhenAborted(request)) return;
    troubles.push(`request failed: ${request.url()} ${reason}`);
  });
  context.on('response', (response) => {
    // The page itself may be an error page; its subresources may not fail.
    if (response.status() >= 400 && !response.request().isNavigationRequest())
      troubles.push(`answer ${response.status()}: ${response.url()}`);
  });
  context.on('console', (message) => {
    const ownStatus = message.text().startsWith('Failed to load resource');
    if (['error', 'warning'].includes(message.type()) && !ownStatus)
      troubles.push(`console: ${message.text()}`);
  });
  context.on('weberror', (error) => troubles.push(`script: ${error.error().message}`));
  return troubles;
}
