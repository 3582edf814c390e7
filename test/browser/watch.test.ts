import { once } from 'node:events';
import http from 'node:http';
import type net from 'node:net';
import { afterAll, expect, it } from 'vitest';
import { closePages, sharedBrowser } from '#test/support/browser.ts';
import { openTab, watch } from '#test/support/browser-service.ts';

afterAll(async () => closePages(await sharedBrowser()));

it.each([
  ['a font that a page was still loading when it was left is no trouble', false, []],
  [
    'a font that the server breaks off is one',
    true,
    [expect.stringMatching(/^request failed: .*font\.woff2/)],
  ],
])('%s', async (_name, isBroken, expected) => {
  const asked = Promise.withResolvers<http.ServerResponse>();
  const server = http.createServer(({ url }, answer) => {
    if (url === '/font.woff2') return asked.resolve(answer);
    answer.setHeader('content-type', 'text/html');
    const font = '@font-face { font-family: f; src: url(/font.woff2) } body { font-family: f }';
    return answer.end(url === '/' ? `<style>${font}</style>Words` : 'The next page');
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
