import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { backUp } from '#kernel/db/backup.ts';
import { build } from '#kernel/db/queries.ts';
import { restore } from '#kernel/db/restore.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { countBallotTexts, spellBallots } from '#voting/shared/ballot-file.ts';
import { openRoom } from './a-meeting.ts';
import { withTellers } from './tellers.ts';

const PAPERS = 40;
const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];

/** A database in a file, which can be read as bytes and opened again. */
function inFile(): { folder: string; env: Record<string, string>; bytes(): string; log(): string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'papers-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = `${folder}/service.db`;
  return {
    folder,
    env: {
      DATABASE_URL: `file:${file}`,
      SECRET_KEY: 'k'.repeat(43),
      RATE_LIMIT_GENERAL: '100000',
      RATE_LIMIT_VOTE: '100000',
    },
    bytes: () => fs.readFileSync(file, 'latin1'),
    log: () => fs.readFileSync(`${file}-wal`, 'latin1'),
  };
}

/** Every table, as text by row. */
function rowsOf({ ctx }: TestApp): { table: string; row: string }[] {
  const read = (sql: string) => ctx.db.all<Record<string, unknown>>({ sql, parameters: [] } as never);
  const tables = read("SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main'");
  return tables.flatMap(({ name }) =>
    read(`SELECT * FROM "${name}"`).map((row) => ({ table: String(name), row: JSON.stringify(row) })),
  );
}

const occurrences = (text: string, part: string): number => text.split(part).length - 1;

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}

/** Kendall's tau: 1 for the same order, -1 for the reverse, about 0 for unrelated orders. */
function rankCorrelation(order: readonly number[]): number {
  let sum = 0;
  for (let later = 1; later < order.length; later++)
    for (let earlier = 0; earlier < later; earlier++) sum += Math.sign(order[later]! - order[earlier]!);
  return sum / ((order.length * (order.length - 1)) / 2);
}

it('whoever holds the database finds neither whose a paper was, nor two ballots of one paper', async () => {
  const stored = inFile();
  await using one = await openRoom({}, ['Ann'], stored.env);
  for (let packs = 0; packs < PAPERS / 10; packs++) await one.arrive(packs === 0 ? ['Ann'] : []);
  const offices = await Promise.all(
    ['Chair', 'Treasurer'].map((title) =>
      one.add({
        kind: 'election',
        title,
        question: { ballot_type: 'RANKED_CONDORCET', candidates: NAMES, settings: { publish_ballots: true } },
      }),
    ),
  );
  for (const { id } of offices) await one.act(id, 'open');
  const [chair, treasurer] = offices;
  for (const code of one.codes) await one.act(chair.id, 'paper', { code, items: [treasurer.id] });
  const handed = rowsOf(one.service);
  for (const { id } of offices) await one.act(id, 'close');

  const candidates = await Promise.all(
    offices.map(
      async ({ election_id }) => (await one.service.get(`/e/${election_id}`)).json().election.candidates,
    ),
  );
  const rankings = permutations([0, 1, 2, 3, 4]);
  const rankingOf = (office: number, number: number) =>
    rankings[(number * [37, 53][office]!) % rankings.length]!;
  const paper = await withTellers(one);
  const papers = Array.from({ length: PAPERS }, (_, at) => ({
    number: at + 1,
    answers: Object.fromEntries(
      offices.map(({ election_id }, office) => [
        election_id,
        { ranking: rankingOf(office, at + 1).map((place) => candidates[office][place].id) },
      ]),
    ),
  }));
  await paper.count(chair, { valid: PAPERS }, papers, { items: [treasurer.id] });
  for (const office of [chair, treasurer]) await paper.box(office, PAPERS);
  const ballots = offices.map(({ election_id }) =>
    one.service.ctx.db.all(build.selectFrom('ballots').selectAll().where('election_id', '=', election_id)),
  );
  // Until the announcement tellers can compare.
  expect(occurrences(JSON.stringify(rowsOf(one.service)), ballots[0]![0]!.id)).toBe(2);
  // A copy that is made meanwhile has no such pairs: it would keep them for ever.
  const to = { folder: `${stored.folder}/backups`, keep: 1, at: one.service.clock.now };
  const copy = new Sqlite(await backUp(`${stored.folder}/service.db`, to), { readonly: true });
  expect(copy.prepare('SELECT DISTINCT ballot_id FROM paper_entries').pluck().all()).toEqual([null]);
  expect(copy.prepare('SELECT count(*) FROM ballots').pluck().get()).toBe(2 * PAPERS);
  copy.close();
  expect((await one.act(chair.id, 'declare', { note: 'They were counted.' })).status).toBe(200);
  const between = one.service.ctx.db.all(build.selectFrom('paper_entries').selectAll());
  expect(new Set(between.map(({ item_id }) => item_id))).toEqual(new Set([treasurer.id]));
  expect((await one.act(treasurer.id, 'declare', { note: 'They were counted.' })).status).toBe(200);

  const list = (await one.service.get(`/e/${chair.election_id}/ballots.json`)).json();
  expect(list).toMatchObject({ books: { paper: PAPERS, tokens_used: 0, balanced: true } });
  expect(countBallotTexts(list, spellBallots(list)).results).toEqual(list.results);

  const rows = rowsOf(one.service);
  for (const { id } of ballots.flat()) {
    expect(rows.filter(({ row }) => row.includes(id)).map(({ table }) => table)).toEqual(['ballots']);
    // Nor do bytes of deleted rows stay in the file or its log.
    expect(occurrences(stored.bytes(), id) + occurrences(stored.log(), id)).toBe(1);
  }
  expect(rows.filter(({ table }) => table === 'paper_entries')).toEqual([]);
  // The number on a paper, its place in the batch, is unrelated to every order of the ballots of a question.
  const numbers = ballots.map((own, office) =>
    own.map(({ choice }) => {
      const ranking = (JSON.parse(choice) as number[]).map((number) => number - 1).join();
      return 1 + Array.from({ length: PAPERS }, (_, at) => rankingOf(office, at + 1).join()).indexOf(ranking);
    }),
  );
  for (const order of numbers) {
    expect(new Set(order).size).toBe(PAPERS);
    expect(Math.abs(rankCorrelation(order))).toBeLessThan(0.6);
  }
  const [first, second] = numbers;
  expect(first!.filter((number, at) => number === second![at]).length).toBeLessThan(12);

  // A card is known by its hash, which stands with no paper, ballot or person.
  for (const code of one.codes.slice(0, 5)) {
    const hash = hashToken(code);
    const tables = handed.filter(({ row }) => row.includes(hash)).map(({ table }) => table);
    expect(new Set(tables)).toEqual(new Set(['tokens', 'voting_cards']));
    expect(JSON.stringify([rows, one.service.logged])).not.toContain(code);
  }
  expect(one.service.logged.join('\n')).not.toContain('"ranking"');
});

it('the database that a restore sets aside ties no paper to a ballot, whatever state it is in', async () => {
  const stored = inFile();
  const file = `${stored.folder}/service.db`;
  let ballot = '';
  let backup = '';
  {
    await using one = await openRoom({}, ['Ann', 'Bob'], stored.env);
    await one.arrive(['Ann', 'Bob']);
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    await one.act(item.id, 'paper', { code: one.codes[0] });
    await one.act(item.id, 'close');
    backup = await backUp(file, { folder: `${stored.folder}/backups`, keep: 1, at: one.service.clock.now });
    const paper = await withTellers(one);
    await paper.count(item, { valid: 1 }, [{ number: 1, choice: 'yes' }]);
    ballot = one.service.ctx.db.first(build.selectFrom('ballots').select('id'))!.id;
  }
  expect(occurrences(stored.bytes(), ballot)).toBe(2);
  const said: string[] = [];
  const aside = (await restore(backup, file, 1, (sentence) => said.push(sentence))) ?? '';
  expect(occurrences(fs.readFileSync(aside, 'latin1'), ballot)).toBe(1);
  const copy = new Sqlite(aside, { readonly: true });
  expect(copy.prepare('SELECT number, choice, ballot_id FROM paper_entries').all()).toEqual([
    { number: 1, choice: expect.any(String), ballot_id: null },
  ]);
  copy.close();
  expect(fs.readdirSync(stored.folder).filter((name) => name.includes('erased'))).toEqual([]);
  expect(said).toEqual([]);

  // What cannot be read is kept as it is, and the restore says so.
  fs.writeFileSync(file, 'not a database, but all that is left of it'.repeat(100));
  const kept = await restore(backup, file, 2, (sentence) => said.push(sentence));
  expect(fs.readFileSync(kept ?? '', 'utf8')).toContain('all that is left');
  expect(said.join()).toContain('cannot be read');
});

it('a batch that was entered joins after a restart', async () => {
  const stored = inFile();
  let at = { base: '', item: '', batch: '', election: '' };
  {
    await using one = await openRoom({}, ['Ann', 'Bob'], stored.env);
    await one.arrive(['Ann', 'Bob']);
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    await one.act(item.id, 'paper', { code: one.codes[0] });
    await one.act(item.id, 'close');
    const paper = await withTellers(one);
    const batch = await paper.batch(item, { valid: 1 });
    for (const teller of [1, 2] as const)
      await paper.enter(item, batch, teller, [{ number: 1, choice: 'yes' }]);
    at = { base: one.base, item: item.id, batch, election: item.election_id };
  }
  await using again = await testApp(stored.env);
  const tess = { 'edge-access-authenticated-user-email': 'tess@club.example' };
  const joined = await again.post(`${at.base}/items/${at.item}/batches/${at.batch}/join`, {}, tess);
  expect([joined.statusCode, joined.json().batch.state]).toEqual([200, 'joined']);
  await again.request({
    method: 'PUT',
    url: `${at.base}/items/${at.item}/sheet`,
    payload: { in_box: 1 },
    headers: { accept: 'application/json' },
  });
  expect((await again.post(`${at.base}/items/${at.item}/declare`)).statusCode).toBe(200);
  const result = (await again.get(`/e/${at.election}/results`)).json();
  expect(result).toMatchObject({ total_ballots: 1, results: { yes: 1 }, result_matches: true });
});
