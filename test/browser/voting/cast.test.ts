import type { Page, Request } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { stopClock } from '#test/support/browser/page-timers.ts';
import { addElection, addPoll, addRanked, addTokens, castAll } from '#test/support/factories.ts';
import { shared } from '#test/support/shared-app.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { button, heading, words } from './election-steps.ts';
import { type Fault, FaultyProxy } from './faulty-proxy.ts';

const THANKS = '.thanks h1';
/** Words that a voter whose ballot was recorded must never read. */
const ALARM = /\bnot\b[^.]*\b(counted|recorded|cast|sent)\b|fail|error|lost|went wrong|problem/i;
const theService = shared(() => listeningService());
const theProxy = shared(async () => FaultyProxy.open((await theService()).origin));
/** The origin of the tab does not matter: addresses are absolute. A stopped clock stays stopped in its tab. */
const openTab = keptTabs();
const [RUNNING, STOPPED] = ['http://running', 'http://stopped'] as const;
/** What a tab has shown since the last review page. */
const shown = new WeakMap<Page, string[]>();

interface LastLook {
  id: string;
  origin: string;
  /** Whether the page's clock is moved only by the test. */
  stopped?: boolean;
  plain?: boolean;
}

/** Opens the review page of a voter; `read` collects every text of the page from then on. */
async function atTheLastLook(
  service: ListeningService,
  { id, origin, stopped = false, plain = false }: LastLook,
): Promise<{ page: Page; read: string[] }> {
  const [token] = await addTokens(service, id, 1);
  const page = await openTab(stopped ? STOPPED : RUNNING, { javaScriptEnabled: !plain });
  await page.goto(`${origin}/e/${id}/vote?t=${token}`);
  await page.getByRole('radio').first().check();
  await button(page, 'Review my choice').click();
  await heading(page, 'Is this your vote?').waitFor();
  // Until its script has run, the page casts the ballot as a plain form.
  await page.waitForLoadState();
  const read: string[] = [];
  if (plain) return { page, read };
  if (!shown.has(page)) {
    await page.exposeFunction('read', (text: string) => shown.get(page)?.push(text));
    if (stopped) await stopClock(page);
  }
  shown.set(page, read);
  await page.evaluate(() => {
    const { read } = window as unknown as { read(text: string): void };
    new MutationObserver(() => read(document.body.innerText)).observe(document.body, {
      childList: true,
      subtree: true,
      characterData: true,
    });
  });
  return { page, read };
}

async function ballotsIn(service: ListeningService, id: string): Promise<{ ballots: number; used: number }> {
  const { turnout } = (await service.get(`/admin/elections/${id}`)).json();
  return { ballots: countBallots(service.ctx.db, id), used: turnout.used };
}

describe('the connection fails after the ballot was recorded', () => {
  test.each<[how: string, fault: Fault]>([
    ['before a byte of the answer came back', 'lost'],
    ['in the middle of the answer', 'cut'],
  ])('%s', async (_, fault) => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start([fault]);
    const id = await addElection(service);
    const { page, read } = await atTheLastLook(service, { id, origin: proxy.origin });
    await button(page, 'Cast my vote').click();
    await page.locator(THANKS).waitFor();
    expect(proxy.ballots).toBe(2);
    expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    expect(read.join('\n')).toContain('Sending …');
    expect(read.join('\n')).not.toMatch(ALARM);
  });

  test('three times in a row, on a poll', async () => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start(['cut', 'cut', 'cut']);
    const { id } = await addPoll(service, ['Mystic Seaport', 'Hudson Valley']);
    const { page, read } = await atTheLastLook(service, { id, origin: proxy.origin, stopped: true });
    await button(page, 'Cast my vote').click();
    for (const wait of ['in a second', 'in 2 seconds', 'in 4 seconds']) {
      await page.getByRole('status').getByText(`Still sending … Your choice is kept.`).waitFor();
      await page.getByText(`it tries again ${wait}.`).waitFor();
      expect(await button(page, 'Change my answer').isDisabled()).toBe(true);
      await page.clock.fastForward(5_000);
    }
    await page.locator(THANKS).waitFor();
    expect(proxy.ballots).toBe(4);
    expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    expect(read.join('\n')).not.toMatch(ALARM);
  });

  test('and voting closes before the page can retry', async () => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start(['cut']);
    const id = await addElection(service);
    const { page, read } = await atTheLastLook(service, { id, origin: proxy.origin, stopped: true });
    await button(page, 'Cast my vote').click();
    await page.getByText('Still sending … Your choice is kept.').waitFor();
    await service.post(`/admin/elections/${id}/close`);
    await page.clock.runFor(5_000);
    await page.locator(THANKS).waitFor();
    expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    expect(read.join('\n')).not.toMatch(ALARM);
  });

  test('and without script the voting link then says that the vote counts', async () => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start(['cut', 'cut', 'cut', 'cut']);
    const id = await addElection(service);
    const { page } = await atTheLastLook(service, { id, origin: proxy.origin, plain: true });
    const token = await page.locator('input[name=token]').first().inputValue();
    await Promise.all([page.waitForEvent('requestfailed'), button(page, 'Cast my vote').click()]);
    await page.goto(`${proxy.origin}/e/${id}/vote?t=${token}`);
    await heading(page, 'A ballot was already recorded with this link').waitFor();
    expect(await words(page)).toContain('all is well: your vote counts');
    expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
  });
});

describe('the service answers late', () => {
  test('the page says that it is waiting, and cannot be submitted again', async () => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start(['held']);
    const id = await addElection(service);
    const { page, read } = await atTheLastLook(service, { id, origin: proxy.origin });
    await Promise.all([
      page.waitForRequest((request) => request.url().endsWith('/vote')),
      button(page, 'Cast my vote').dblclick(),
    ]);
    expect(await button(page, 'Sending …').isDisabled()).toBe(true);
    expect(await button(page, 'Change my answer').isDisabled()).toBe(true);
    await expect.poll(() => ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    proxy.release();
    await page.locator(THANKS).waitFor();
    expect(proxy.ballots).toBe(1);
    expect(read.join('\n')).not.toMatch(ALARM);
  });

  test('later than the timeout of the page: the page retries and gets the same answer', async () => {
    const service = await theService();
    const proxy = await theProxy();
    proxy.start(['held']);
    const id = await addElection(service);
    const { page, read } = await atTheLastLook(service, { id, origin: proxy.origin });
    await page.evaluate(() => {
      const patience = new AbortController();
      AbortSignal.timeout = () => patience.signal;
      addEventListener('patience-over', () => {
        AbortSignal.timeout = () => new AbortController().signal;
        patience.abort(new DOMException('', 'TimeoutError'));
      });
    });
    await button(page, 'Cast my vote').click();
    await expect.poll(() => ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    await page.evaluate(() => dispatchEvent(new Event('patience-over')));
    await page.locator(THANKS).waitFor();
    expect(proxy.ballots).toBe(2);
    expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
    expect(read.join('\n')).not.toMatch(ALARM);
  });
});

test('a phone that is offline keeps the ballot, and sends it when it is online again', async () => {
  const service = await theService();
  const id = await addElection(service);
  const { page, read } = await atTheLastLook(service, { id, origin: service.origin, stopped: true });
  // With the clock stopped only the network can end the wait.
  await page.context().setOffline(true);
  await button(page, 'Cast my vote').click();
  await page.getByRole('status').getByText('Still sending … Your choice is kept.').waitFor();
  expect(await ballotsIn(service, id)).toEqual({ ballots: 0, used: 0 });
  await page.context().setOffline(false);
  await page.locator(THANKS).waitFor();
  expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
  expect(read.join('\n')).not.toMatch(ALARM);
});

test('after a 429 the page waits as long as the response says, then retries', async () => {
  await using service = await listeningService({ RATE_LIMIT_GENERAL: '10' });
  const id = await addElection(service);
  const { page, read } = await atTheLastLook(service, { id, origin: service.origin, stopped: true });
  const code = await page.locator('input[name=token]').first().inputValue();
  const looks = await Promise.all(Array.from({ length: 10 }, () => service.get(`/e/${id}?t=${code}`)));
  expect(looks.some(({ statusCode }) => statusCode === 429)).toBe(true);
  await button(page, 'Cast my vote').click();
  await page.getByText('Busy at the moment … Your choice is kept.').waitFor();
  await page.getByText('it tries again in 60 seconds.').waitFor();
  service.clock.now += MINUTE;
  await page.clock.fastForward(MINUTE);
  await page.locator(THANKS).waitFor();
  expect(await ballotsIn(service, id)).toEqual({ ballots: 1, used: 1 });
  expect(read.join('\n')).not.toMatch(ALARM);
});

test('a ballot that is refused because voting has closed is reported as refused', async () => {
  const service = await theService();
  const id = await addElection(service);
  await castAll(service, id, [{ choice: 'no' }]);
  const { page } = await atTheLastLook(service, { id, origin: service.origin });
  await service.post(`/admin/elections/${id}/close`);
  await button(page, 'Cast my vote').click();
  await heading(page, 'Your ballot was not counted').waitFor();
  expect(await words(page)).toContain('No more ballots are accepted.');
  expect((await ballotsIn(service, id)).ballots).toBe(1);
});

/** The lengths of the body that was sent, and of the body of the answer. */
async function lengthsOf(request: Request): Promise<[sent: number, answered: number]> {
  const { requestBodySize, responseBodySize } = await request.sizes();
  return [requestBodySize, responseBodySize];
}

describe.each([
  ['with script', true],
  ['without script', false],
])('what is sent, %s', (_what, javaScriptEnabled) => {
  type Kind = [name: string, add: () => Promise<string>, fill: ((page: Page) => Promise<unknown>)[]];
  const radio = (label: string) => (page: Page) => page.getByRole('radio', { name: label }).check();
  const tick = (names: string[]) => async (page: Page) => {
    for (const name of names) await page.getByRole('checkbox', { name }).check();
  };
  const rank = (names: string[]) => async (page: Page) => {
    if (javaScriptEnabled) for (const name of names) await button(page, `Add ${name} to your order`).click();
    else
      for (const [index, name] of names.entries())
        await page.getByLabel(name).selectOption(String(index + 1));
  };
  const three = ['Jo', 'Anne-Sophie Ltd', 'Zed'];
  const kinds: Kind[] = [
    ['yes or no', async () => addElection(await theService()), ['Yes', 'No', 'Abstain'].map(radio)],
    [
      'a poll with several answers',
      async () =>
        (await addPoll(await theService(), three, { settings: { poll_response_type: 'multiple' } })).id,
      [['Jo'], three].map(tick),
    ],
    [
      'a partial ranking',
      async () => (await addRanked(await theService(), three, { settings: { ranking: 'partial' } })).id,
      [['Jo'], three].map(rank),
    ],
  ];

  test.each(kinds)('has the same length for every choice: %s', async (_kind, add, fills) => {
    const service = await theService();
    const id = await add();
    const lengths: number[][] = [];
    for (const fill of fills) {
      const [token] = await addTokens(service, id, 1);
      const page = await openTab(RUNNING, { javaScriptEnabled });
      const posts: Request[] = [];
      const note = (request: Request) => request.method() === 'POST' && posts.push(request);
      page.on('request', note);
      await page.goto(`${service.origin}/e/${id}/vote?t=${token}`);
      await fill(page);
      await button(page, 'Review my choice').click();
      await heading(page, 'Is this your vote?').waitFor();
      await button(page, 'Change my answer').click();
      await button(page, 'Review my choice').click();
      await heading(page, 'Is this your vote?').waitFor();
      await button(page, 'Cast my vote').click();
      await page.locator(THANKS).waitFor();
      page.off('request', note);
      const answered = await Promise.all(posts.map(lengthsOf));
      const [[, first] = [], ...rest] = answered;
      lengths.push([first ?? 0, ...rest.slice(0, 1).flat(), ...rest.at(-1)!]);
      // Without script the first form has a random length.
      if (javaScriptEnabled) lengths.at(-1)!.push(...answered[0]!);
    }
    expect(new Set(lengths.map(String)).size, JSON.stringify(lengths)).toBe(1);
    expect(lengths[0]!.every((length) => length > 0)).toBe(true);
  });
});
