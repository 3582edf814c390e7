// Elections whose ballots may rank only some candidates: the setting, and every place that shows or checks them.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addPoll,
  addRanked,
  addTokens,
  cast,
  castAll,
  openElection,
  page,
  send,
} from '#test/support/factories.ts';
import { clubNamed } from '#test/support/mailer.ts';
import { errorJson, fieldJson, message } from '#test/support/messages.ts';
import { INHERITED } from '#test/support/process/process.ts';
import { recount } from '#test/support/process/recount.ts';
import { runScript } from '#test/support/process/script-runner.ts';
import { renderMail } from '#views/mail/layout.ts';
import { resultsMail } from '#views/mail/results.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee'];
const CODE = '0123456789abcdef0123456789abcdef';
const PARTIAL = { ranking: 'partial' };
const VERIFY = path.join(import.meta.dirname, '../../scripts/audit-verify.ts');

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'partial-rankings-'));
const file = path.join(folder, 'service.db');
let service: TestApp;

beforeAll(async () => {
  service = await testApp({ DATABASE_URL: `file:${file}`, RATE_LIMIT_GENERAL: '10000' });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

const settingsOf = async (id: string) =>
  (await service.get(`/admin/elections/${id}`)).json().election.settings;
const patch = (id: string, settings: object) =>
  send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings });
const close = (id: string) => service.post(`/admin/elections/${id}/close`);

async function withToken(fields: object = {}, names = NAMES) {
  const { id, ids } = await addRanked(service, names, { settings: PARTIAL, ...fields });
  const [token = ''] = await addTokens(service, id, 1);
  return { id, ids, token };
}

describe('the setting', () => {
  it('is complete unless it is set, and null counts as absent', async () => {
    const plain = await addRanked(service, NAMES);
    const absent = await addRanked(service, NAMES, { settings: { ranking: null } });
    const partial = await addRanked(service, NAMES, { settings: PARTIAL });

    expect((await settingsOf(plain.id)).ranking).toBe('complete');
    expect((await settingsOf(absent.id)).ranking).toBe('complete');
    expect((await settingsOf(partial.id)).ranking).toBe('partial');
    expect((await patch(partial.id, { ranking: null })).statusCode).toBe(200);
    expect((await settingsOf(partial.id)).ranking).toBe('partial');
  });

  it('accepts no other value', async () => {
    const refused = await service.post(
      '/admin/elections',
      openElection(service, { ballot_type: 'RANKED_CONDORCET', settings: { ranking: 'some' } }),
    );
    expect(refused.statusCode).toBe(400);
    expect(refused.json().errors).toEqual([
      fieldJson('settings.ranking', 'not_either', { choices: ['complete', 'partial'] }),
    ]);
  });

  it('is fixed after the first ballot, and is copied with the election', async () => {
    const { id, ids, token } = await withToken();
    expect((await patch(id, { ranking: 'complete' })).statusCode).toBe(200);
    expect((await patch(id, PARTIAL)).statusCode).toBe(200);
    expect((await cast(service, id, { token, ranking: [ids.Bob] })).statusCode).toBe(200);

    const refused = await patch(id, { ranking: 'complete' });
    const copy = await service.post(`/admin/elections/${id}/clone`);

    expect(refused.statusCode).toBe(409);
    expect(refused.json()).toEqual({
      ...errorJson('ballots_exist'),
      errors: [fieldJson('settings.ranking', 'fixed_since_first_ballot')],
    });
    expect((await patch(id, PARTIAL)).statusCode).toBe(200);
    expect((await settingsOf(copy.json().id)).ranking).toBe('partial');
    const { body } = await page(service, `/admin/elections/${id}/rules`);
    expect(body).toContain('this is fixed: each voter ranks one candidate or more,');
  });

  it('changes the result of an election that closed without a ballot', async () => {
    const { id } = await addRanked(service, NAMES);
    await close(id);
    const results = async () => (await service.get(`/e/${id}/results`)).json().results;
    expect(await results()).not.toHaveProperty('truncated_ballots');
    await patch(id, PARTIAL);
    expect(await results()).toMatchObject({ truncated_ballots: 0 });
  });

  it('is offered for ranked elections only, and ignored by others', async () => {
    const form = await page(service, '/admin/elections/new');
    expect(form.body).toContain('Each voter ranks one candidate or more');
    const poll = await addPoll(service, ['Tea', 'Milk'], { settings: PARTIAL });
    expect((await page(service, `/admin/elections/${poll.id}`)).body).not.toContain('settings.ranking');
    const [token] = await addTokens(service, poll.id, 1);
    const ballot = { token, selected_option: poll.ids.Tea };
    expect((await cast(service, poll.id, ballot, 'vote/poll')).statusCode).toBe(200);
  });

  it('can be set in the form, whose preview explains it', async () => {
    const fields = {
      title: 'Chair',
      ballot_type: 'RANKED_CONDORCET',
      candidates: 'Ann\nBob\nCid',
      open_at: '2026-11-20T00:00',
      close_at: '2027-11-21T00:00',
      'settings.ranking': 'partial',
    };
    const preview = await service.submit('/admin/elections/preview', fields);
    expect(preview.body).toContain('Rank one or more of 3 candidates');
    expect(preview.body).toContain('The candidates that you do not rank share the last place.');
    const made = await service.submit('/admin/elections', fields);
    const [, id = ''] = /elections\/([\w-]+)/.exec(String(made.headers.location)) ?? [];
    expect((await settingsOf(id)).ranking).toBe('partial');
  });
});

describe('a partial ballot', () => {
  it('ranks one candidate or more, each once', async () => {
    const { id, ids, token } = await withToken();
    for (const [ranking, words] of [
      [[], message('nothing_ranked')],
      [[ids.Bob, ids.Bob], message('repeated_ids', { ids: [ids.Bob!] })],
      [[ids.Bob, 'nobody'], message('unknown_ids', { ids: ['nobody'] })],
    ] as const) {
      const refused = await cast(service, id, { token, ranking });
      expect(refused.statusCode).toBe(400);
      expect(refused.json().error).toBe(`ranking: ${words}`);
    }
    expect((await cast(service, id, { token, ranking: [ids.Cid, ids.Ann] })).statusCode).toBe(200);
    const { results } = (await service.get(`/e/${id}/results`)).json();
    expect(results).toMatchObject({ winners: [ids.Cid], first_choices: [0, 0, 1, 0], truncated_ballots: 1 });
  });

  it('is refused if every candidate must be ranked', async () => {
    const { id, ids, token } = await withToken({ settings: {} });
    const refused = await cast(service, id, { token, ranking: [ids.Cid, ids.Ann] });
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toContain(`missing: ${ids.Bob}, ${ids.Dee}`);
  });

  it('is explained on the ballot and on the review page, which closes gaps between ranks', async () => {
    const { id, ids, token } = await withToken({ none_of_the_above: true });
    const ballot = (await page(service, `/e/${id}/vote?t=${token}`)).body;
    expect(ballot).toContain('Rank one or more of 5 candidates');
    expect(ballot).toContain('The candidates that you do not rank share the last place.');
    expect(ballot).toContain('have anyone below it, or anyone you did not rank');
    expect((await page(service, `/e/${id}`)).body).toContain('You rank one or more of 5 candidates.');

    const review = await service.submit(`/e/${id}/vote/review`, {
      token,
      [`rank_${ids.Dee}`]: '1',
      [`rank_${ids.Ann}`]: '4',
      [`rank_${ids.Bob}`]: '',
    });
    expect(review.statusCode).toBe(200);
    // A name has an element of its own, before and behind which there is no space.
    const text = review.body
      .replaceAll(/<\/?span[^>]*>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/1 ?\. ?Dee 2 ?\. ?Ann/);
    expect(text).toContain('Not ranked (shared last place) Bob, Cid and None of the above.');
    expect(review.body).toContain(`name="ranking" value="${ids.Dee}"`);
    expect(review.body).not.toContain(`name="ranking" value="${ids.Bob}"`);

    const voted = await service.submit(`/e/${id}/vote`, { token, ranking: ids.Dee ?? '' });
    expect(voted.body).toContain('class="thanks"');
  });

  it('without any rank, or with the same rank twice, is not complete', async () => {
    const { id, ids, token } = await withToken();
    const none = await service.submit(`/e/${id}/vote/review`, { token, [`rank_${ids.Ann}`]: '' });
    expect([none.statusCode, none.body.includes(message('rank_one'))]).toEqual([400, true]);
    expect(none.body).not.toContain('data-rank-fill');
    const twice = { token, [`rank_${ids.Ann}`]: '1', [`rank_${ids.Bob}`]: '1' };
    const same = await service.submit(`/e/${id}/vote/review`, twice);
    expect(same.statusCode).toBe(400);
    expect(same.body).toContain(message('rank_taken', { name: 'Bob', rank: 1, other: 'Ann' }));
    expect(same.body).not.toContain(message('rank_missing', { name: 'Cid' }));
  });
});

describe('a closed election with partial ballots', () => {
  let id: string;
  let ids: Record<string, string>;
  /** Candidate numbers as stored in ballots: 1 is the first of NAMES. */
  const BALLOTS = [[2], [2], [2, 1], [1, 2, 3, 4], [1, 2, 3, 4], [1], [3, 2], [3], [4, 3, 2], [4]];

  beforeAll(async () => {
    const settings = { ...PARTIAL, receipts: 'content', publish_ballots: true };
    ({ id, ids } = await addRanked(service, NAMES, { settings }));
    const rankingOf = (numbers: number[]) => numbers.map((number) => ids[NAMES[number - 1] ?? '']);
    await castAll(
      service,
      id,
      BALLOTS.map((numbers) => ({ ranking: rankingOf(numbers) })),
    );
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, ranking: [ids.Bob, ids.Dee], inclusion_code: CODE });
    await close(id);
  });

  it('counts unranked candidates as equal last, and says so', async () => {
    const results = (await service.get(`/e/${id}/results`)).json();
    expect(results.total_ballots).toBe(11);
    expect(results.results).toMatchObject({
      winners: [ids.Bob],
      pairwise: [
        [0, 3, 4, 4],
        [6, 0, 6, 7],
        [3, 3, 0, 4],
        [3, 2, 3, 0],
      ],
      first_choices: [3, 4, 2, 2],
      truncated_ballots: 9,
    });
    const { body } = await page(service, `/e/${id}`);
    const sentence =
      '9 of 11 ballots ranked some candidates only; the others share the last place of such a ballot.';
    expect(body).toContain(sentence);
    expect((await page(service, `/e/${id}/results?wall=1`)).body).toContain(sentence);
    const mail = {
      club: clubNamed('The Anchor'),
      title: 'Chair',
      questions: [{ title: 'Chair', results }],
      isPaper: false,
      closed: formatted(() => 'today'),
      link: 'https://x.example',
    };
    expect(renderMail(resultsMail(mail), ENGLISH).text).toContain(sentence);
    expect(body).toContain('Every ballot ranks one candidate or more.');
    expect(body).not.toContain('Every ballot ranks all candidates.');
  });

  it('lists the ballots as they were cast, so that everybody can count them', async () => {
    const published = (await service.get(`/e/${id}/ballots.json`)).json();
    expect(published.election.settings.ranking).toBe('partial');
    const named = [...BALLOTS, [2, 4]].map((numbers) => numbers.map((number) => NAMES[number - 1]));
    expect(published.ballots.map(String).toSorted()).toEqual(named.map(String).toSorted());
    const receipt = sha256(`${CODE}:["Bob","Dee"]`);
    expect(published.ballots[published.receipts.indexOf(receipt)]).toEqual(['Bob', 'Dee']);

    const [head, ...rows] = (await service.get(`/e/${id}/ballots.csv`)).body.trimEnd().split('\r\n');
    expect(head).toMatch(/^\ufeffreceipt,rank 1,rank 2,rank 3,rank 4,/);
    expect(rows.some((row) => row.startsWith(`${receipt},Bob,Dee,,,`))).toBe(true);
    expect((await page(service, `/e/${id}/recount`)).body).toContain('share its last place');

    const { code, out } = await recount(published);
    expect(out).toContain('9 of 11 ballots ranked some candidates only');
    expect(code).toBe(0);
    published.ballots[0].pop();
    expect((await recount(published)).code).not.toBe(0);
  });

  it('finds a ballot by its code, and explains unranked candidates', async () => {
    const found = await service.post(`/e/${id}/check`, { code: CODE });
    expect(found.json()).toEqual({ found: true, ballot: ['Bob', 'Dee'], altered: false });
    const shown = await service.submit(`/e/${id}/check`, { code: CODE });
    expect(shown.body).toContain('The candidates that are not in this list share the last place.');
  });

  it('is exported with the ballots as cast, and a recount confirms the export', async () => {
    const exported = async (format: string) =>
      (await service.get(`/admin/elections/${id}/export?format=${format}`)).body;
    const [head, ...rows] = (await exported('csv')).trimEnd().split('\r\n');
    expect(head).toBe('\ufeffrank 1,rank 2,rank 3,rank 4');
    expect(rows).toContain('Bob,Dee,,');
    const cef = await exported('cef');
    expect(cef).toContain('#/Implicit Ranking: true\n');
    expect(cef).toContain('\nBob * 2\n');
    expect((await recount(await exported('json'))).code).toBe(0);
  });

  it('has the same result when it is recounted by the verification of the database', async () => {
    const env = { ...INHERITED, DATABASE_URL: `file:${file}` };
    const verified = await runScript({ script: VERIFY, args: [], cwd: folder, env });
    expect(verified.stdout + verified.stderr).not.toContain('another result');
    expect(verified.code, verified.stderr).toBe(0);
  });
});

describe('a ballot that needs every candidate', () => {
  it('offers to rank the other candidates as listed, and fills in the form for review', async () => {
    const { id, ids, token } = await withToken({ settings: {} });
    const entered = { token, [`rank_${ids.Cid}`]: '1', [`rank_${ids.Ann}`]: '3' };
    const untouched = await service.submit(`/e/${id}/vote/review`, { token });
    expect(untouched.statusCode).toBe(400);
    expect(untouched.body).toMatch(/data-rank-rest hidden>/);

    const missing = await service.submit(`/e/${id}/vote/review`, entered);
    expect(missing.statusCode).toBe(400);
    expect(missing.body).toContain(message('rank_missing', { name: 'Bob' }));
    expect(missing.body).toContain('In this election every candidate needs a rank.');
    expect(missing.body).toMatch(/data-rank-rest>[\s\S]*Rank the other 2 as listed<\/button>/);

    const filled = await service.submit(`/e/${id}/vote/review`, { ...entered, rest: 'as_listed' });
    expect(filled.statusCode).toBe(200);
    expect(filled.body).toContain('Your ballot is filled in');
    expect(filled.body).toContain('Review my choice');
    const ranks = NAMES.map((name) => {
      const [, select = ''] = filled.body.split(`name="rank_${ids[name]}"`);
      return /value="(\d)" selected/.exec(select.split('</select>')[0] ?? '')?.[1];
    });
    expect(ranks).toEqual(['3', '2', '1', '4']);

    const twice = { ...entered, [`rank_${ids.Bob}`]: '1', rest: 'as_listed' };
    expect((await service.submit(`/e/${id}/vote/review`, twice)).body).toContain(
      message('rank_taken', { name: 'Cid', rank: 1, other: 'Bob' }),
    );
  });

  it('ranks the others in the shuffled order that the voter saw', async () => {
    const { id, ids, token } = await withToken({ settings: { randomize_order: true } });
    const fields = { token, shown_order: '4,2,1,3', [`rank_${ids.Cid}`]: '1', rest: 'as_listed' };
    const { body } = await service.submit(`/e/${id}/vote/review`, fields);
    const rows = [...body.matchAll(/name="rank_([\w-]+)"[\s\S]*?value="(\d)" selected/g)];
    const named = rows.map(([, one, rank]) => [NAMES.find((name) => ids[name] === one), rank]);
    expect(named).toEqual([
      ['Dee', '2'],
      ['Bob', '3'],
      ['Ann', '4'],
      ['Cid', '1'],
    ]);
  });
});
