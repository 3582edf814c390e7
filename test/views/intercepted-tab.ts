// Pages without a server: the requests of a tab are intercepted and answered by the test, assets from the disk.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import type { Html } from '#kernel/html.ts';
import { PATIENCE_MS } from '#test/support/browser-service.ts';

export const ORIGIN = 'http://localhost';

const CSP =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'";
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const { resolve } = createRequire(import.meta.url);

/** What a test answers: a page, or a status with headers, or nothing at all. */
export type Answer = Html | { status: number; headers?: Record<string, string>; body?: Html } | 'no answer';

/** Opens a tab whose every request is answered by `answer`, under the content security policy of the service. */
export async function openInterceptedTab(
  browser: Browser,
  answer: (path: string, request: Request) => Answer | undefined,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 375, height: 812 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = pathname.match(/^\/assets\/[^/]+\/(.+)$/)?.[1];
    if (file)
      return route.fulfill({ body: readAsset(file), contentType: TYPES[extname(file)] ?? 'text/plain' });
    const given = answer(pathname, route.request());
    if (given === undefined) return route.fulfill({ status: 404, body: '' });
    if (given === 'no answer') return route.abort('connectionreset');
    const { status = 200, headers = {}, body } = 'status' in given ? given : { body: given };
    return route.fulfill({
      status,
      headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': CSP, ...headers },
      body: String(body ?? ''),
    });
  });
  return context.newPage();
}

function readAsset(file: string): Buffer {
  const font = file.match(/^views\/assets\/fonts\/((\w+)-.+)$/);
  if (!font) return readFileSync(join(import.meta.dirname, '../..', file));
  return readFileSync(join(dirname(resolve(`@fontsource/${font[2]}/package.json`)), 'files', font[1] ?? ''));
}
