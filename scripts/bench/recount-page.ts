// npm run bench:recount-page: measures the page that recounts an election, in headless Chromium slowed down to a phone.

import { newRandomId } from '#kernel/ids.ts';
import { sharedBrowser } from '#test/support/browser/browser.ts';
import { listeningService, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { addRanked } from '#test/support/factories.ts';
import { insertBallots } from '#voting/ballots/ballot-store.ts';
import { figure } from './figures.ts';

const BALLOTS = 10_000;
const SLOWED = 4;
const names = Array.from({ length: 20 }, (_, index) => `Candidate number ${index + 1}`);
const numbers = names.map((_, index) => index + 1);

const service = await listeningService();
const { id } = await addRanked(service, names);
const ballots = Array.from({ length: BALLOTS }, () => ({
  election_id: id,
  id: newRandomId(),
  receipt: null,
  choice: JSON.stringify(numbers.toSorted(() => Math.random() - 0.5)),
}));
await service.ctx.write((tx) => insertBallots(tx, ballots));
await service.post(`/admin/elections/${id}/close`);

const browser = await sharedBrowser();
const page = await openTab(browser, service.origin, PHONE);
const devtools = await page.context().newCDPSession(page);
await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
const start = performance.now();
await page.goto(`/e/${id}/recount`);
await page.locator('[data-counted=fingerprint]').getByText('Agrees').waitFor();
figure({
  name: 'ballots loaded, counted and hashed on a phone',
  value: (performance.now() - start) / 1_000,
  unit: 's',
  target: { atMost: 5 },
});
await browser.close();
await service[Symbol.asyncDispose]();
