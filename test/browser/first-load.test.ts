// The requests of a browser for its first page: the page names all modules and style sheets, and these are bundled.
import type { Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import {
  DESK,
  type ListeningService,
  listeningService,
  openTab,
  watch,
} from '#test/support/browser/browser-service.ts';
import { addRanked, addTokens } from '#test/support/factories.ts';

let service: ListeningService;
/** Of its own for each page: no file is kept, and nothing is asked for that another page has begun. */
let tab: Page;
let troubles: string[];

beforeAll(async () => {
  service = await listeningService({ NOW_SHOWING_ENABLED: 'on' });
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  tab = await openTab(await sharedBrowser(), service.origin, DESK);
  troubles = watch(tab.context(), service.origin);
});
afterEach(() => tab.context().close());

test.each([
  ['the home page', async () => '/'],
  ['the current song', async () => '/now'],
  ['a ranked ballot', rankedBallot],
  ['the officers’ elections', async () => '/admin'],
  ['the main screen', async () => '/tv'],
  ['the projector', async () => '/tv/projector'],
])('%s names every module and style sheet that it needs', async (_name, addressOf) => {
  const address = await addressOf();
  const asked: string[] = [];
  const listen = (request: Request) => {
    if (['script', 'stylesheet'].includes(request.resourceType())) asked.push(request.url());
  };
  tab.on('request', listen);
  const answer = await tab.goto(address);
  tab.off('request', listen);
  const named = [
    ...((await answer?.text()) ?? '').matchAll(
      /<(?:script|link rel="(?:stylesheet|modulepreload)")[^>]* (?:src|href)="([^"]+)"/g,
    ),
  ].map(([, url]) => service.origin + url);

  expect(named.length).toBeGreaterThan(0);
  expect(asked.toSorted()).toEqual(named.toSorted());
  expect(named.filter((url) => url.endsWith('.css')).length).toBeLessThanOrEqual(3);
  expect(troubles).toEqual([]);
});

async function rankedBallot(): Promise<string> {
  const { id } = await addRanked(service, ['Ale', 'Bitter', 'Cider']);
  const [token] = await addTokens(service, id, 1);
  return `/e/${id}/vote?t=${token}`;
}
