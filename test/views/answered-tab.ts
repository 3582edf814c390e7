// Pages without the service: a small server answers the requests of a tab as the test says, assets from the disk.
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll } from 'vitest';
import type { Html } from '#kernel/html.ts';
import { openTab } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { pageText } from '#test/support/page-text.ts';
import { TYPED_MODULES } from '#views/assets.ts';
import { joinedText } from '#views/joined-modules.ts';
import { JOINED_STYLESHEETS } from '#views/stylesheets.ts';

const PAGE = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'",
  'cache-control': 'no-store',
  // A browser repeats a request by itself if a connection that it had used before is cut.
  connection: 'close',
};
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ts': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
const { resolve } = createRequire(import.meta.url);

/** What a test answers: a page, or a status with headers, or nothing at all. */
export type Answer = Html | Reply | 'no answer';

interface Reply {
  status: number;
  headers?: Record<string, string>;
  body?: Html;
}

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}

/**
 * Opens a tab whose requests are all answered by `answer`, under the content security policy of the service. Its
 * addresses are given as paths.
 */
export async function openAnsweredTab(
  browser: Browser,
  answer: (asked: Asked) => Answer | undefined,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const server = http.createServer((request, response) => void reply(request, response, answer));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const tab = await openTab(browser, `http://127.0.0.1:${port}`, options);
  tab.context().on('close', () => {
    server.closeAllConnections();
    server.close();
  });
  return tab;
}

/** As `openAnsweredTab`, for the tests of a file one after another: tabs are reused as by `keptTabs`. */
export function keptAnsweredTabs() {
  const open = keptTabs();
  let current: (asked: Asked) => Answer | undefined = () => undefined;
  const server = http.createServer(
    (request, response) => void reply(request, response, (one) => current(one)),
  );
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return async (
    answer: (asked: Asked) => Answer | undefined,
    options: BrowserContextOptions = {},
  ): Promise<Page> => {
    if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening');
    const tab = await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, options);
    // The page of the test before asks nothing any more.
    await tab.goto('about:blank');
    current = answer;
    return tab;
  };
}

async function reply(
  request: IncomingMessage,
  response: ServerResponse,
  answer: (asked: Asked) => Answer | undefined,
): Promise<void> {
  const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://localhost');
  const file = path.match(/^\/assets\/[^/]+\/(.+)$/)?.[1];
  if (file) {
    const type = TYPES[extname(file)] ?? 'text/plain';
    const kept = { 'content-type': type, 'cache-control': 'public, max-age=31536000, immutable' };
    const [, script] = /\/joined\/(.+\.js)$/.exec(path) ?? [];
    const made = JOINED_STYLESHEETS.get(path) ?? TYPED_MODULES.get(path);
    const body = made?.() ?? (script && joinedText(script)) ?? readAsset(file);
    return void response.writeHead(200, { ...kept, connection: 'close' }).end(body);
  }
  const { method = '', headers } = request;
  const given = answer({ method, path, query, headers, body: await text(request) });
  if (given === 'no answer') return void request.socket.destroy();
  const { status = 200, headers: more, body } = replyOf(given);
  response.writeHead(status, { ...PAGE, ...more }).end(body && pageText(body));
}

function replyOf(given: Exclude<Answer, string> | undefined): Partial<Reply> {
  if (given === undefined) return { status: 404 };
  return 'status' in given ? given : { body: given };
}

function readAsset(file: string): Buffer {
  const font = file.match(/^views\/assets\/fonts\/((\w+)-.+)$/);
  if (!font) return readFileSync(join(import.meta.dirname, '../..', file));
  return readFileSync(join(dirname(resolve(`@fontsource/${font[2]}/package.json`)), 'files', font[1] ?? ''));
}
