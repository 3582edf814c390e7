import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, cast } from '#test/support/factories.ts';
import { addCodes, addPaper, castPaper } from '#test/voting/ballot-papers/a-paper.ts';
import { shuffled } from '#voting/ballots/shown-order.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'codes-order-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const VOTERS = 200;
/** Bytes of a page of SQLite. */
const PAGE = 4_096;

const fileOf = ({ ctx }: TestApp) => ctx.config.DATABASE_URL.slice('file:'.length);

/**
 * Kendall's tau of the places of codes within their pages and the order in which they were used, over all pages: 0 by
 * chance, with a standard deviation below 0.04 for so many codes.
 */
function tau(service: TestApp, used: readonly string[]): number {
  const bytes = fs.readFileSync(fileOf(service), 'latin1');
  const places = used.map((token, order) => ({ at: bytes.indexOf(sha256(token)), order }));
  expect(places.every(({ at }) => at > 0)).toBe(true);
  let [sum, pairs] = [0, 0];
  for (const page of Map.groupBy(places, ({ at }) => Math.floor(at / PAGE)).values())
    for (const [later, one] of page.entries())
      for (const other of page.slice(0, later)) {
        sum += Math.sign((one.at - other.at) * (one.order - other.order));
        pairs += 1;
      }
  expect(pairs).toBeGreaterThan(1_000);
  return sum / pairs;
}

const serviceOnDisk = (name: string) =>
  testApp({
    DATABASE_URL: `file:${path.join(dir, `${name}.db`)}`,
    RATE_LIMIT_GENERAL: '100000',
    RATE_LIMIT_VOTE: '100000',
  });

test('no place of a code in the file tells when it was used, once its election is sealed', async () => {
  await using service = await serviceOnDisk('election');
  const id = await addElection(service);
  const tokens = shuffled(await addTokens(service, id, VOTERS));
  for (const token of tokens)
    expect((await cast(service, id, { token, choice: 'yes' })).statusCode).toBe(200);
  await service.post(`/admin/elections/${id}/close`);
  expect(Math.abs(tau(service, tokens))).toBeLessThan(0.2);
});

test('nor does that of a code of a ballot paper, for the paper and each of its questions', async () => {
  await using service = await serviceOnDisk('paper');
  const { id, questions } = await addPaper(service);
  const codes = shuffled(await addCodes(service, id, VOTERS));
  const answers = Object.fromEntries(questions.map((question) => [question, { choice: 'no' }]));
  for (const token of codes) expect((await castPaper(service, id, { token, answers })).statusCode).toBe(200);
  for (const question of questions) await service.post(`/admin/elections/${question}/close`);
  const rows = fs.readFileSync(fileOf(service), 'latin1').split(sha256(codes[0]!)).length - 1;
  expect(rows).toBe(1 + questions.length);
  expect(Math.abs(tau(service, codes))).toBeLessThan(0.2);
});
