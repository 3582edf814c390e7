import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addCodes, addPaper } from './a-paper.ts';

const VOTERS = 60;
const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];
const RECEIPTS = ['off', 'off', 'included', 'content', 'content'];
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secrecy-papers-'));
const file = `${folder}/service.db`;
const wal = () => fs.readFileSync(`${file}-wal`).toString('latin1');

/** Voter numbers in the order of some rows. */
type Order = number[];

interface Question {
  id: string;
  /** The stored choice of each voter, all different. */
  voterOf: Map<string, number>;
}

let service: TestApp;
let questions: Question[];
let codes: string[];
/** The ids of the ballots in the log while voting was open, after the first question closed, and after the last. */
const inLog: Record<'open' | 'partly' | 'closed', boolean[]> = { open: [], partly: [], closed: [] };

const ballotsOf = (id: string) =>
  service.ctx.db.all(build.selectFrom('ballots').selectAll().where('election_id', '=', id));
const loggedQuestions = () =>
  questions.map(({ id }) => ballotsOf(id).some((ballot) => wal().includes(ballot.id)));

/** Sixty voters, one a second, answer five questions: two thirds at once, the others in two parts. */
beforeAll(async () => {
  service = await testApp({ DATABASE_URL: `file:${file}`, RATE_LIMIT_GENERAL: '10000' });
  const { id } = await addPaper(
    service,
    RECEIPTS.map((receipts, index) => ({
      title: `Office ${index + 1}`,
      ballot_type: 'RANKED_CONDORCET',
      candidates: NAMES,
      settings: { receipts, publish_ballots: true, hide_results_until_close: true },
    })),
  );
  codes = await addCodes(service, id, VOTERS);
  const shown = (await service.get(`/p/${id}`)).json().questions;
  questions = shown.map((question: { id: string }) => ({ id: question.id, voterOf: new Map() }));
  const rankings = permutations([1, 2, 3, 4, 5]);
  for (const [voter, token] of codes.entries()) {
    service.clock.now += SECOND;
    const answers = questions.map((question, index) => {
      // Numbers without a common factor with 120: all rankings of a question differ, in another order in each.
      const numbers = rankings[(voter * [37, 53, 71, 89, 101][index]! + index * 13) % rankings.length]!;
      question.voterOf.set(JSON.stringify(numbers), voter);
      const ids = shown[index].candidates.map((candidate: { id: string }) => candidate.id);
      return [question.id, { ranking: numbers.map((number) => ids[number - 1]) }] as const;
    });
    const parts = voter % 3 === 0 ? [answers.slice(0, 2), answers.slice(2)] : [answers];
    for (const [at, part] of parts.entries()) {
      const body = { token, answers: Object.fromEntries(part), submission_id: `${voter} ${at}` };
      const cast = await service.post(`/p/${id}/vote`, body);
      if (cast.statusCode !== 200) throw new Error(cast.body);
    }
  }
  inLog.open = loggedQuestions();
  const [first, ...others] = questions;
  await service.post(`/admin/elections/${first!.id}/close`, {});
  inLog.partly = loggedQuestions();
  for (const question of others) await service.post(`/admin/elections/${question.id}/close`, {});
  inLog.closed = loggedQuestions();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

/** Every order in which somebody with the database or the published lists finds the ballots of a question. */
async function ordersOf({ id, voterOf }: Question): Promise<Record<string, Order>> {
  const bytes = fs.readFileSync(file, 'latin1');
  const ballots = ballotsOf(id);
  const voters = (rows: { choice: string }[]) => rows.map(({ choice }) => voterOf.get(choice)!);
  const by = (key: (ballot: (typeof ballots)[number]) => string | number) =>
    voters(ballots.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)));
  const list = (await service.get(`/e/${id}/ballots.json`)).json().ballots as string[][];
  const numbers = list.map((names) => ({
    choice: JSON.stringify(names.map((name) => NAMES.indexOf(name) + 1)),
  }));
  return {
    'as they come': voters(ballots),
    'by id': by((ballot) => ballot.id),
    'by receipt': by((ballot) => ballot.receipt ?? ballot.id),
    'by choice': by((ballot) => ballot.choice),
    'by their place in the file': by((ballot) => bytes.indexOf(ballot.id)),
    'as published': voters(numbers),
  };
}

describe('somebody who holds the whole database of a paper', () => {
  test('cannot pair two ballots of one voter by the order of any of them, nor with codes or entries', async () => {
    const all = await Promise.all(questions.map(ordersOf));
    const cast = codes.map((_, voter) => voter);
    const byHash = codes.map(sha256).sort();
    const voters = {
      'audit entries': cast,
      codes: byHash.map((hash) => codes.findIndex((code) => sha256(code) === hash)),
    };

    for (const [index, orders] of all.entries())
      for (const [how, some] of Object.entries(orders)) {
        expect(new Set(some).size, how).toBe(VOTERS);
        const others = [...all.slice(index + 1), voters].flatMap((one) => Object.entries<Order>(one));
        for (const [with_, other] of others) {
          const what = `question ${index + 1} ${how}, ${with_}`;
          // By chance 1 of 60 pairs is right, and the correlation is 0 with a standard deviation of 0.09.
          expect(pairsRight(some, other), what).toBeLessThan(15);
          expect(pairsRight(some.toReversed(), other), what).toBeLessThan(15);
          expect(Math.abs(rankCorrelation(some, other)), what).toBeLessThan(0.55);
        }
      }
  });

  test('finds nothing that two ballots of one voter share, and no ballot elsewhere', () => {
    const ballots = questions.flatMap(({ id }) => ballotsOf(id));
    const values = ballots.flatMap(({ id, receipt }) => [id, ...(receipt === null ? [] : [receipt])]);
    const uses = questions.flatMap(({ id }) =>
      service.ctx.db.all(build.selectFrom('tokens').select('submission_hash').where('election_id', '=', id)),
    );
    const elsewhere = (['tokens', 'audit_log', 'invites', 'papers'] as const).map((table) =>
      service.ctx.db.all(build.selectFrom(table).selectAll()),
    );
    const text = JSON.stringify([elsewhere, service.logged]);

    expect(ballots).toHaveLength(5 * VOTERS);
    expect(new Set(values).size).toBe(values.length);
    // A request stores another hash with each of its uses.
    expect(new Set(uses.map(({ submission_hash }) => submission_hash)).size).toBe(5 * VOTERS);
    for (const value of values) expect(text).not.toContain(value);
    for (const { voterOf } of questions)
      for (const choice of voterOf.keys()) expect(text).not.toContain(choice);
    const votes = service.ctx.db.all(
      build.selectFrom('audit_log').selectAll().where('action', '=', 'vote.submitted'),
    );
    expect(votes).toHaveLength(5 * VOTERS);
    for (const { metadata, client, personal, timestamp } of votes)
      expect([metadata, client, personal, timestamp % 3_600_000]).toEqual([
        '{"ballot_type":"RANKED_CONDORCET"}',
        null,
        null,
        0,
      ]);
  });

  test('finds no ballot of a closed question in the write-ahead log', () => {
    expect(inLog).toEqual({
      open: [true, true, true, true, true],
      partly: [false, false, false, false, false],
      closed: [false, false, false, false, false],
    });
  });

  test('finds books that balance, and the codes as the electors of each question', async () => {
    const electors_sha256 = sha256([String(VOTERS), ...codes.map(sha256).sort()].join('\n'));
    for (const { id } of questions) {
      const { books, result_matches } = (await service.get(`/e/${id}/results`)).json();
      expect({ result_matches, ...books }).toMatchObject({
        ballots: VOTERS,
        tokens_used: VOTERS,
        vote_entries: VOTERS,
        tokens_made: VOTERS,
        balanced: true,
        result_matches: true,
      });
      const settled = service.ctx.db.first(
        build.selectFrom('results').select('result').where('election_id', '=', id),
      );
      expect(JSON.parse(settled!.result).electors_sha256).toBe(electors_sha256);
    }
  });
});

const pairsRight = (some: Order, others: Order) =>
  some.filter((voter, place) => others[place] === voter).length;

/** Kendall's tau: 1 for the same order, -1 for the reverse, about 0 for unrelated orders. */
function rankCorrelation(some: Order, others: Order): number {
  const places = new Map(others.map((voter, place) => [voter, place]));
  const ranks = some.map((voter) => places.get(voter)!);
  let sum = 0;
  for (let later = 1; later < ranks.length; later++)
    for (let earlier = 0; earlier < later; earlier++) sum += Math.sign(ranks[later]! - ranks[earlier]!);
  return sum / ((ranks.length * (ranks.length - 1)) / 2);
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
