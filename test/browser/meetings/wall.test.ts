import type { Browser, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { englishOn } from '#test/browser/accessibility/left-in-english.ts';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { openTab, resize } from '#test/support/browser/browser-service.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

const SIZES = [
  { width: 1366, height: 768 },
  { width: 1920, height: 1080 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
  { width: 1280, height: 720 },
  { width: 1080, height: 1920 },
];
const words = (count: number) => Array.from({ length: count }, (_, at) => `motion${at} paid`).join(' ');

/** What is smaller than a thirtieth of the height, outside the picture, or over something else. */
const problems = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('main :is(h1, h2, p, li, .qr)')].filter(
      (one) => one.getClientRects().length > 0 && !one.querySelector('p, li, h1, h2'),
    );
    // That of an upright screen when it is turned to landscape.
    const height = innerWidth > innerHeight ? innerHeight : (innerHeight * 9) / 16;
    const box = (one: Element) => one.getBoundingClientRect();
    const name = (one: Element) => `${one.className} ${one.textContent?.slice(0, 20)}`;
    const letters = [...document.querySelectorAll<HTMLElement>('main *')].filter((one) =>
      [...one.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== ''),
    );
    const small = letters.filter(
      (one) =>
        one.getClientRects().length > 0 &&
        !one.closest('svg') &&
        Number.parseFloat(getComputedStyle(one).fontSize) < height / 30 - 1e-3,
    );
    const outside = shown.filter(
      (one) => box(one).bottom > innerHeight + 1 || box(one).right > innerWidth + 1,
    );
    const over = shown.flatMap((one, at) =>
      shown
        .slice(at + 1)
        .filter((other) => {
          const [a, b] = [box(one), box(other)];
          return a.bottom > b.top + 2 && b.bottom > a.top + 2 && a.right > b.left + 2 && b.right > a.left + 2;
        })
        .map((other) => `${name(one)} and ${name(other)}`),
    );
    return [
      ...small.map((one) => `small: ${name(one)}`),
      ...outside.map((one) => `outside: ${name(one)}`),
      ...over,
    ];
  });

test('the wall of a meeting is large, whole and covers nothing with very long texts', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const origin = await one.service.app.listen({ port: 0, host: '127.0.0.1' });
  const text = `${words(200)}\n\n${words(200)}`;
  const title = words(40).slice(0, 490);
  const motion = await one.add({ kind: 'motion', title, text });
  const options = Array.from({ length: 12 }, (_, at) => `${at} ${words(14)}`.slice(0, 180));
  const question = {
    ballot_type: 'POLL',
    options,
    settings: { seats: 6, max_choices: 6, min_choices: 1, poll_response_type: 'multiple' },
  };
  const office = await one.add({ kind: 'election', title, question });
  const page = await openTab(browser, origin, { viewport: SIZES[0]! });
  const look = async (part: string) => {
    await page.goto(`/m/${one.id}/wall`);
    await page.locator(part).first().waitFor();
    expect(await englishOn(page)).toEqual([]);
    await page.evaluate(() => document.fonts.ready);
    for (const size of SIZES) {
      await resize(page, size);
      await expect.poll(() => problems(page), { timeout: 20_000 }).toEqual([]);
    }
  };
  await one.act(motion.id, 'call');
  await look('[data-wall-more]');
  await one.service.post(`${one.base}/speakers`, { name: words(12).slice(0, 190) });
  await one.service.post(`${one.base}/speakers/next`);
  await one.act(motion.id, 'open', { seconds: 60 });
  await look('.wall-turnout');
  await one.vote(one.codes[0]!, motion.election_id, { choice: 'yes' });
  await one.act(motion.id, 'close');
  await one.act(motion.id, 'declare');
  await look('.wall-outcome');
  await one.act(office.id, 'open');
  const { questions } = (await one.service.get(`/p/${await one.paper()}`)).json();
  const ids = questions
    .find(({ id }: { id: string }) => id === office.election_id)
    .options.map(({ id }: { id: string }) => id);
  await one.vote(one.codes[0]!, office.election_id, { selected_options: ids.slice(0, 6) });
  await one.act(office.id, 'close');
  await one.act(office.id, 'declare');
  await look('.wall-outcome');
});

test('the wall shows who is tied for the last seat behind six long names', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const origin = await one.service.app.listen({ port: 0, host: '127.0.0.1' });
  const options = [
    'Katharina Obermeier-Schulz',
    'Maximilian Brandenburger',
    'Wilhelmina Oosterhuis-Smit',
    'Bartholomew Featherstone',
    'Anastasia Papadopoulou-Lee',
    'Christopher Hollingsworth',
    'Margaretha Vandenberghe',
    'Alexandra Montgomery-Hill',
    'Konstantin Rachmaninow',
  ];
  const settings = { seats: 7, max_choices: 7, min_choices: 1, poll_response_type: 'multiple' };
  const question = { ballot_type: 'POLL', options, settings };
  const office = await one.add({ kind: 'election', title: 'Members of the committee', question });
  await one.act(office.id, 'open');
  const { questions } = (await one.service.get(`/p/${await one.paper()}`)).json();
  const ids: string[] = questions[0].options.map(({ id }: { id: string }) => id);
  const six = ids.slice(0, 6);
  for (const [at, last] of [ids[6]!, ids[7]!].entries())
    await one.vote(one.codes[at]!, office.election_id, { selected_options: [...six, last] });
  await one.act(office.id, 'close');
  await one.act(office.id, 'declare');

  const page = await openTab(browser, origin, { viewport: SIZES[0]! });
  await page.goto(`/m/${one.id}/wall`);
  const outcome = page.locator('.wall-outcome');
  await outcome.getByText(/Margaretha Vandenberghe \S+ Alexandra Montgomery-Hill/).waitFor();
  await page.evaluate(() => document.fonts.ready);
  for (const size of SIZES) {
    await resize(page, size);
    await expect.poll(() => problems(page), { timeout: 20_000 }).toEqual([]);
    const cut = await outcome.evaluate((one) => [
      one.scrollHeight - one.clientHeight,
      getComputedStyle(one).webkitLineClamp,
    ]);
    expect([size, ...cut]).toEqual([size, 0, 'none']);
  }
});
