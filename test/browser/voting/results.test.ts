import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ListeningService,
  listeningService,
  PHONE,
  resize,
} from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import { addRanked, castAll, send } from '#test/support/factories.ts';

const openTab = keptTabs();
let service: ListeningService;

beforeAll(async () => {
  service = await listeningService({ BASE_URL: 'https://vote.club.example' });
});
afterAll(() => service[Symbol.asyncDispose]());

/** An election of candidates with long names whose ballots rank one candidate, or all; it is closed. */
async function closedElection(names: string[], ballots: number, title: string): Promise<string> {
  const { id, ids } = await addRanked(service, names, { title, settings: { ranking: 'partial' } });
  const ballot = (index: number) => {
    const first = names.at(index % names.length)!;
    const rest = index % 2 === 0 ? [] : names.filter((name) => name !== first);
    return { ranking: [first, ...rest].map((name) => ids[name]) };
  };
  await castAll(
    service,
    id,
    Array.from({ length: ballots }, (_, index) => ballot(index)),
  );
  const close_at = new Date(service.clock.now + 1_000).toISOString();
  await send(service, 'PATCH', `/admin/elections/${id}`, { close_at });
  service.clock.now += 2_000;
  return id;
}

test.each([
  [1920, 1080],
  [1366, 768],
])(
  'the wall of %i by %i shows all of the result above its code, in the order of the ranking',
  async (width, height) => {
    const names = ['Archibald', 'Beatrice', 'Cornelius', 'Dorothea', 'Edith', 'Ferdinand'].map(
      (name) => `${name} Featherstonehaugh-Cholmondeley of the lower landing stage`,
    );
    const title =
      'Who shall chair the committee for the restoration of the glass pavilion by the lower landing stage?';
    const id = await closedElection(names, 12, title);
    const page = await openTab(service.origin, { viewport: { width, height } });
    await page.goto(`/e/${id}/results?wall=1`);
    await page.evaluate(() => document.fonts.ready);

    const boxes = () =>
      page.evaluate(() => ({
        footer: document.querySelector('footer')!.getBoundingClientRect().top,
        rows: [...document.querySelectorAll('.wall-bars li')].map((row) => {
          const { left, top, bottom } = row.getBoundingClientRect();
          return { left, top, bottom };
        }),
      }));
    await expect
      .poll(async () => {
        const { footer, rows } = await boxes();
        return rows.length === 6 && rows.every(({ bottom }) => bottom <= footer);
      })
      .toBe(true);
    const { rows } = await boxes();
    const inColumns = rows.toSorted((a, b) => a.left - b.left || a.top - b.top);
    expect(rows).toEqual(inColumns);
  },
);

test('the last column of a wide matrix is printed, and not covered', async () => {
  const names = Array.from({ length: 14 }, (_, index) => `Candidate number ${index + 1}`);
  const id = await closedElection(names, 12, 'Fourteen candidates');
  const page = await openTab(service.origin);
  await page.goto(`/e/${id}`);
  const shade = () =>
    page.evaluate(() => getComputedStyle(document.querySelector('.matrix-frame')!, '::after').display);
  expect(await shade()).not.toBe('none');

  await page.emulateMedia({ media: 'print' });

  expect(await shade()).toBe('none');
});

test('names are marked as not to be translated wherever they stand', async () => {
  const names = ['Rose Green', 'Rose', 'Heather Field'];
  const id = await closedElection(names, 12, 'Chair');
  const page = await openTab(service.origin);
  for (const path of [`/e/${id}`, `/e/${id}/results?wall=1`]) {
    await page.goto(path);
    const translated = await page.evaluate((known) => {
      const texts = document.createTreeWalker(document.querySelector('main')!, NodeFilter.SHOW_TEXT);
      const found: string[] = [];
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const isName = known.some((name) => node.textContent?.includes(name));
        if (isName && (node.parentElement as HTMLElement).translate) found.push(node.textContent ?? '');
      }
      return found;
    }, names);
    expect([path, translated]).toEqual([path, []]);
  }
});

test('the browser counts seats as the server does where the order is partial, before and after a lot', async () => {
  const names = ['Ann', 'Bob', 'Cid', 'Dee'];
  const settings = { seats: 3, publish_ballots: true };
  const { id, ids } = await addRanked(service, names, { settings });
  const rankings = ['Ann Bob Cid Dee', 'Cid Dee Ann Bob'].map((order) =>
    order.split(' ').map((name) => ids[name]!),
  );
  await castAll(
    service,
    id,
    Array.from({ length: 10 }, (_, at) => ({ ranking: rankings[at % 2] })),
  );
  await service.post(`/admin/elections/${id}/close`);
  const page = await openTab(service.origin);
  const counted = async () => {
    await page.goto(`/e/${id}/recount`);
    await page.getByRole('status').getByText('Everything agrees').waitFor();
    return page.locator('[data-counted=winner]').innerText();
  };
  const before = await counted();
  expect([before.includes('Ann, Cid'), before.includes('Dee')]).toEqual([true, false]);
  const drawn = { order: [ids.Dee, ids.Bob], drawn_by: 'Ada Chair', witnesses: [] };
  expect((await service.post(`/admin/elections/${id}/lot`, drawn)).statusCode).toBe(200);
  expect(await counted()).toContain('Ann, Cid, Dee');
});

test('a long word in the title does not widen a page on a phone', async () => {
  const title = 'Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz';
  const id = await closedElection(['Ann', 'Bob'], 12, title);
  const page = await openTab(service.origin, { viewport: { width: 320, height: 700 } });
  for (const path of [`/e/${id}`, `/e/${id}/recount`, `/admin/elections/${id}/clone`]) {
    await page.goto(path);
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect([path, width]).toEqual([path, 320]);
  }
});

test('a count of several seats has one bar a candidate; the stages are small charts, and on a phone a table', async () => {
  const names = ['Ada', 'Bo', 'Cy', 'Dot'];
  const settings = { seats: 2 };
  const { id, ids } = await addRanked(service, names, { ballot_type: 'RANKED_STV', settings });
  const ballots = [...'AAAAABBCCD'].map((letter) =>
    names.filter((name) => name.startsWith(letter)).concat(letter === 'B' ? [] : 'Bo'),
  );
  await castAll(
    service,
    id,
    ballots.map((ballot) => ({ ranking: ballot.map((name) => ids[name]) })),
  );
  await service.post(`/admin/elections/${id}/close`);
  const page = await openTab(service.origin, PHONE);
  await page.goto(`/e/${id}`);
  const chart = page.getByRole('list', { name: 'The votes of each candidate' });
  expect(await chart.getByRole('listitem').count()).toBe(4);
  const lines = await chart
    .locator('.stage-quota')
    .evaluateAll((all) => all.map((line) => line.getBoundingClientRect().x));
  expect(new Set(lines).size).toBe(1);

  const stages = page.locator('.stage-charts');
  expect(await stages.getByRole('listitem', { includeHidden: true }).count()).toBe(4);
  expect(await stages.isVisible()).toBe(false);
  await page.getByText('Every vote of every stage').click();
  expect(await page.getByRole('table').first().isVisible()).toBe(true);
  await resize(page, { width: 1280, height: 800 });
  expect(await stages.isVisible()).toBe(true);
});

test('a wide window has the turnout beside the result, under a header as wide; a phone has it between result and details', async () => {
  const id = await closedElection(['Ada', 'Bo', 'Cy'], 6, 'Chair of the wine committee');
  const page = await openTab(service.origin, { viewport: { width: 1280, height: 800 } });
  await page.goto(`/e/${id}`);
  const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
  const [result, side, more] = ['.results', 'aside', '.more'] as const;
  expect((await box(side)).x).toBeGreaterThan((await box(result)).x + (await box(result)).width);
  expect((await box('main > .wrap')).width).toBe((await box('header > .wrap')).width);
  await page.evaluate(() => scrollTo({ top: 400 }));
  expect((await box(side)).y).toBeGreaterThanOrEqual(0);

  await resize(page, { width: 375, height: 812 });
  const tops = [await box(result), await box(side), await box(more)].map(({ y }) => y);
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));
});
