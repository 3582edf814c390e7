import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type ListeningService, listeningService, SCRIPT } from '#test/support/browser/browser-service.ts';
import { keptTabs } from '#test/support/browser/kept-tabs.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addSlips,
  addTokens,
  cast,
  castAll,
} from '#test/support/factories.ts';
import { shared } from '#test/support/shared-app.ts';
import { addCodes, addPaper, castPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';
import { button, heading, link } from './election-steps.ts';

const openTab = keptTabs();
const theService = shared(() => listeningService());

/** Goes from the home page to the ballot with the code of a slip, after one wrong character. */
async function typeSlip(service: ListeningService, page: Page, id: string): Promise<void> {
  const [slip = ''] = await addSlips(service, id, 1);
  await page.goto('/');
  await link(page, 'I have a voting code').click();
  await page.waitForURL('**/vote');
  const field = page.getByLabel('Voting code');
  const wrong = slip.slice(0, -1) + (slip.endsWith('A') ? 'B' : 'A');
  await field.fill(wrong);
  await button(page, 'Open my ballot').click();
  await page.getByText('One character was misread').waitFor();
  expect(await field.inputValue()).toBe(wrong);
  await field.fill(` ${slip.toLowerCase().replaceAll('-', ' ')} `);
  await button(page, 'Open my ballot').click();
  await page.waitForURL(`**/e/${id}/vote**`);
}

describe.each(SCRIPT)('%s', (name, options) => {
  test('a voter keeps the code and finds the ballot with it after the close', async () => {
    const service = await theService();
    const id = await addElection(service, { settings: { inclusion_codes: true } });
    const page = await openTab(service.origin, { ...options, viewport: { width: 320, height: 568 } });
    if (name === 'with script') {
      // The page for the code of a slip has no script.
      const [token] = await addTokens(service, id, 1);
      await page.goto(`/e/${id}/vote?t=${token}`);
    } else await typeSlip(service, page, id);
    await page.getByText('Yes', { exact: true }).click();
    await button(page, 'Review my choice').click();
    await button(page, 'Cast my vote').click();
    await page.locator('.thanks h1').waitFor();
    const code = await page.locator('#inclusion-code').innerText();
    expect(code).toMatch(/^[0-9a-f]{4}( [0-9a-f]{4}){7}$/);
    await service.post(`/admin/elections/${id}/close`);

    await page.getByRole('link', { name: 'check with it' }).click();
    await page.waitForURL('**/check**');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`));
    const result = page.getByRole('status');
    await page.getByLabel('Your code').fill(code.toUpperCase());
    await button(page, 'Look for my ballot').click();
    await result.getByText('Your ballot is in the box').waitFor();
    await page.getByLabel('Your code').fill(code.replaceAll(/[0-9]/g, '0').replaceAll(/[a-f]/g, '1'));
    await button(page, 'Look for my ballot').click();
    await result.getByText('There is no ballot with this code').waitFor();

    const posts = sent.filter((request) => request.startsWith('POST'));
    expect(posts).toHaveLength(name === 'with script' ? 0 : 2);
  });

  test('a code of an election with `receipts: content` shows the ballot as it was counted', async () => {
    const service = await theService();
    const id = await addElection(service, { settings: { receipts: 'content' } });
    await castAll(service, id, Array(10).fill({ choice: 'no' }));
    const [token] = await addTokens(service, id, 1);
    const { inclusion_code } = (await cast(service, id, { token, choice: 'yes' })).json();
    await service.post(`/admin/elections/${id}/close`);
    const page = await openTab(service.origin, options);
    await page.goto(`/e/${id}/check`);

    const result = page.getByRole('status');
    await page.getByLabel('Your code').fill(inclusion_code);
    await button(page, 'Look for my ballot').click();

    await result.getByRole('listitem').getByText('Yes', { exact: true }).waitFor();
    expect(await result.innerText()).toContain('Your ballot is in the box');
  });
});

test('the code of a paper finds its ballot on each closed question, and stays in the browser', async () => {
  const service = await theService();
  const { id, questions } = await addPaper(
    service,
    [
      motion('Fee', { settings: { receipts: 'content' } }),
      motion('Rules', { settings: { receipts: 'included' } }),
      motion('Hall', { settings: { receipts: 'included' } }),
    ],
    { settings: { hide_results_until_close: true } },
  );
  const [fee = '', rules = '', hall = ''] = questions;
  const vote = async (token: string, answers: object) =>
    (await castPaper(service, id, { token, answers })).json().inclusion_code;
  const codes = await addCodes(service, id, 11);
  for (const token of codes.slice(1)) await vote(token, { [fee]: { choice: 'no' } });
  const code = await vote(codes[0]!, { [fee]: { choice: 'yes' }, [hall]: { choice: 'no' } });
  for (const one of [fee, rules]) await service.post(`/admin/elections/${one}/close`);
  const page = await openTab(service.origin);
  await page.goto(`/p/${id}/check`);
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.method()));
  const look = async (text: string) => {
    await page.getByLabel('Your code').fill(text);
    await button(page, 'Look for my ballots').click();
  };

  const result = page.getByRole('status');
  await look(code);
  await result.getByText('Your ballot is in the box').waitFor();

  expect((await result.innerText()).replaceAll(/\s+/g, ' ')).toMatch(
    /Fee Your ballot is in the box .* Yes Rules Note: There is no ballot .* Hall Note: Voting on this question is open/,
  );
  await look('0'.repeat(32));
  await result.getByText('Compare every letter').waitFor();
  await page.goto(`/e/${fee}/check`);
  await page.getByLabel('Your code').fill(code);
  await button(page, 'Look for my ballot').click();
  await page.getByRole('status').getByText('Your ballot is in the box').waitFor();
  expect(new Set(sent)).toEqual(new Set(['GET']));
});

test('a paper is sent to the review in one length, whatever is answered and left out', async () => {
  const service = await theService();
  const poll = { title: 'Day', ballot_type: 'POLL', options: ['Friday', 'Saturday'] };
  const ranked = { title: 'Chair', ballot_type: 'RANKED_CONDORCET', candidates: ['Ann', 'Ben'] };
  const { id } = await addPaper(service, [motion('Fee'), poll, ranked], { settings: { allow_blank: true } });
  const [code = ''] = await addCodes(service, id, 6);
  const page = await openTab(service.origin);
  const lengths = new Set<number>();
  page.on('request', (request) => {
    if (request.method() === 'POST') lengths.add((request.postData() ?? '').length);
  });
  for (const answers of [['Yes'], ['Saturday'], ['I abstain', 'Friday']]) {
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`/p/${id}/vote?t=${code}`);
    for (const answer of answers) await page.getByText(answer, { exact: true }).first().click();
    await button(page, 'Review my choices').click();
    await heading(page, 'Are these your votes?').waitFor();
  }
  expect([...lengths]).toHaveLength(1);
});

describe('the page that counts the ballots', () => {
  const CASES = ['RANKED_CONDORCET', 'RANKED_STV', 'POLL', 'SIMPLE_TRIPLE'] as const;

  test.each(CASES)('confirms winner, figures and fingerprint of %s', async (type) => {
    const service = await theService();
    const id = await closedElection(service, type);
    const page = await openTab(service.origin);
    if (type === 'RANKED_CONDORCET') {
      await page.goto(`/e/${id}`);
      await expectPrinted(service, page, id);
      await page.getByRole('link', { name: 'Count the ballots yourself' }).click();
    } else await page.goto(`/e/${id}/recount`);

    await page.getByRole('status').getByText('Everything agrees').waitFor();
    expect(await page.getByText('Agrees', { exact: true }).count()).toBe(5);
    await page.getByText('Read them').click();
    await page.getByRole('listitem').getByText('(10 times)').waitFor();
    expect(await page.locator('[data-counted=winner]').innerText()).toContain(
      type === 'SIMPLE_TRIPLE' ? 'carried' : 'Ann',
    );
  });

  test('reports ballots that do not give the published result', async () => {
    const service = await theService();
    const id = await closedElection(service, 'SIMPLE_TRIPLE');
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('ballots').set({ choice: 'no' }).where('election_id', '=', id)),
    );
    const page = await openTab(service.origin);
    await page.goto(`/e/${id}/recount`);

    await page.getByRole('status').getByText('Something does not agree').waitFor();
    expect(await page.getByText('Differs', { exact: true }).count()).toBe(3);
  });

  test('compares with what it shows, and its own hash of the question with the one it shows', async () => {
    const service = await theService();
    const id = await closedElection(service, 'POLL');
    const page = await openTab(service.origin);
    // On its way to the visitor the list is exchanged, with hashes that fit, as the answer of /results might be too.
    await page.route('**/ballots.json', async (route) => {
      const file = await (await route.fetch()).json();
      const ballots = file.ballots.map(() => ['Bob']);
      await route.fulfill({ json: { ...file, ballots } });
    });
    await page.goto(`/e/${id}/recount`);
    await page.getByRole('status').getByText('Something does not agree').waitFor();
    const differing = () =>
      page
        .locator('[data-counted]')
        .filter({ hasText: 'Differs' })
        .evaluateAll((cells) =>
          cells.map((cell) => (cell instanceof HTMLElement ? cell.dataset.counted : '')),
        );
    expect(await differing()).toEqual(['winner', 'figures', 'fingerprint']);

    await page.unroute('**/ballots.json');
    await page.route('**/ballots.json', async (route) => {
      const file = await (await route.fetch()).json();
      await route.fulfill({ json: { ...file, election: { ...file.election, title: 'Another question' } } });
    });
    await page.reload();
    await page.getByRole('status').getByText('Something does not agree').waitFor();
    expect(await differing()).toEqual(['question', 'fingerprint']);
  });

  test('without script tells how to count', async () => {
    const service = await theService();
    const id = await closedElection(service, 'POLL');
    const page = await openTab(service.origin, { javaScriptEnabled: false });
    await page.goto(`/e/${id}/recount`);

    expect(await page.getByRole('status').innerText()).toContain('This page cannot count');
    expect(await page.getByRole('link', { name: 'Download them for a program (JSON)' }).count()).toBe(1);
  });

  /** Checks that the printed result carries the total, the fingerprint and the head of the log. */
  async function expectPrinted(service: ListeningService, page: Page, id: string): Promise<void> {
    const results = (await service.get(`/e/${id}/results`)).json();
    const { ballot_set_sha256, ballot_set_salt, question_sha256, anchor } = results;
    await page.emulateMedia({ media: 'print' });
    for (const text of [ballot_set_sha256, ballot_set_salt, question_sha256, anchor.head])
      await page.getByText(text, { exact: true }).first().waitFor({ state: 'visible' });
    await page.getByText('Votes in the log', { exact: true }).waitFor({ state: 'visible' });
    await page.emulateMedia({ media: null });
  }

  async function closedElection(service: ListeningService, type: (typeof CASES)[number]): Promise<string> {
    const names = ['Ann', 'Bob', 'Cid'];
    if (type === 'SIMPLE_TRIPLE') {
      const id = await addElection(service);
      await castAll(service, id, Array(10).fill({ choice: 'yes' }));
      await service.post(`/admin/elections/${id}/close`);
      return id;
    }
    const poll = type === 'POLL';
    const { id, ids } = await (poll ? addPoll : addRanked)(service, names, { ballot_type: type });
    const ballot = poll ? { selected_option: ids.Ann } : { ranking: names.map((name) => ids[name]) };
    await castAll(service, id, Array(10).fill(ballot), poll ? 'vote/poll' : 'vote');
    await service.post(`/admin/elections/${id}/close`);
    return id;
  }
});
