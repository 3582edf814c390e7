import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab, watch } from '#test/support/browser/browser-service.ts';

afterAll(async () => closePages(await sharedBrowser()));

const FONT = '<style>@font-face { font-family: f; src: url(/part) } body { font-family: f }</style>Words';
const FRAME = '<iframe src="/part" loading="lazy"></iframe>';
const ASKING_FRAME = '<iframe srcdoc="<script>fetch(\'/part\')</script>"></iframe>';

it.each([
  ['a font that a page was still loading when it was left is no trouble', FONT, false, []],
  ['nor is the page in a frame', FRAME, false, []],
  ['nor what that page asks for', ASKING_FRAME, false, []],
  [
    'a font that the server breaks off is one',
    FONT,
    true,
    [expect.stringMatching(/^request failed: .*\/part/)],
  ],
  ['as is the page in a frame', FRAME, true, [expect.stringMatching(/^request failed: .*\/part/)]],
  ['and what that page asks for', ASKING_FRAME, true, [expect.stringMatching(/^request failed: .*\/part/)]],
])('%s', async (_name, html, isBroken, expected) => {
  const asked = Promise.withResolvers<http.ServerResponse>();
  const server = http.createServer(({ url }, answer) => {
    if (url === '/part') return asked.resolve(answer);
    answer.setHeader('content-type', 'text/html');
    return answer.end(url === '/' ? html : 'The next page');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  const page = await openTab(await sharedBrowser(), origin);
  const troubles = watch(page.context(), origin);

  await page.goto('/', { waitUntil: 'commit' });
  const answer = await asked.promise;
  const failed = page.waitForEvent('requestfailed');
  if (isBroken) answer.writeHead(200, { 'content-length': '9' }).write('part', () => answer.destroy());
  else await page.goto('/next', { waitUntil: 'commit' });
  await failed;
  expect(troubles).toEqual(expected);
  server.closeAllConnections();
  server.close();
});
