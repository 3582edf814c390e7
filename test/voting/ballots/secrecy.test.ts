import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addRanked, addTokens, auditOf, cast } from '#test/support/factories.ts';
import { sealElections } from '#voting/counting/sealing.ts';

const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'secrecy-'));
afterAll(() => fs.rmSync(dir, { recursive: true }));

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];

/** Voter numbers in the order of some rows: what an attacker with the database would have to find out. */
type Order = number[];

describe('somebody who holds the whole database', () => {
  it('cannot pair ballots with tokens, audit entries or invitations by the order of any of them', async () => {
    await using service = await serviceOnDisk();
    const { id, voterOf, tokens } = await election(service, 60);
    const voterByHash = new Map(tokens.map((token, voter) => [sha256(token), voter]));
    await service.post(`/admin/elections/${id}/close`);

    const ballots: Record<string, Order> = {
      'as they come': await order(service, sql`SELECT choice AS it FROM ballots`, voterOf),
      'by id': await order(service, sql`SELECT choice AS it FROM ballots ORDER BY id`, voterOf),
      'by choice': await order(service, sql`SELECT choice AS it FROM ballots ORDER BY choice`, voterOf),
      'by their place in the file': (await placesInFile(service)).map(({ choice }) => voterOf.get(choice)!),
    };
    const voters: Record<string, Order> = {
      'audit entries by number': tokens.map((_, voter) => voter),
      'tokens as they come': await order(service, sql`SELECT token_hash AS it FROM tokens`, voterByHash),
      'tokens by use': await order(
        service,
        sql`SELECT token_hash AS it FROM tokens ORDER BY used_at`,
        voterByHash,
      ),
      'invites by id': await order(
        service,
        sql`SELECT token_hash AS it FROM invites ORDER BY id`,
        voterByHash,
      ),
      'invites by row': await order(
        service,
        sql`SELECT token_hash AS it FROM invites ORDER BY rowid`,
        voterByHash,
      ),
      'invites by sending': await order(
        service,
        sql`SELECT token_hash AS it FROM invites ORDER BY sent_at`,
        voterByHash,
      ),
    };

    expect((await placesInFile(service)).filter(({ times }) => times !== 1)).toEqual([]);
    // By chance 1 of 60 pairs is right, and the correlation is 0 with a standard deviation of 0.09.
    for (const [how, some] of Object.entries(ballots)) {
      expect(some).toHaveLength(60);
      for (const [with_, others] of Object.entries(voters)) {
        const what = `ballots ${how}, ${with_}`;
        expect(pairsRight(some, others), what).toBeLessThan(15);
        expect(pairsRight(some.toReversed(), others), what).toBeLessThan(15);
        expect(Math.abs(rankCorrelation(some, others)), what).toBeLessThan(0.55);
      }
    }
  });

  it('does not learn the order of the voters from the places of a closed election’s ballots', async () => {
    await using service = await serviceOnDisk();
    // So few ballots share one page, which SQLite fills from its end in the order of insertion.
    const { id, voterOf } = await election(service, 36);
    await service.post(`/admin/elections/${id}/close`);

    const places = await placesInFile(service);

    const found = places.map(({ choice }) => voterOf.get(choice)!);
    expect(places.map(({ times }) => times)).toEqual(places.map(() => 1));
    expect(
      Math.abs(
        rankCorrelation(
          found,
          found.toSorted((a, b) => a - b),
        ),
      ),
    ).toBeLessThan(0.65);
  });

  it('finds no time, number or voter stored with a ballot', async () => {
    await using service = await serviceOnDisk();
    const { id } = await election(service, 3);

    const rows = service.ctx.db.all(
      sql<{ name: string }>`SELECT name FROM pragma_table_xinfo('ballots')`.compile(build),
    );
    const ballots = service.ctx.db.all(build.selectFrom('ballots').selectAll());

    expect(rows.map(({ name }) => name)).toEqual(['election_id', 'id', 'choice', 'receipt']);
    for (const ballot of ballots) {
      expect(ballot.election_id).toBe(id);
      expect(ballot.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(ballot.choice).toMatch(/^\[\d,\d,\d,\d,\d\]$/);
    }
    for (const name of ['rowid', '_rowid_', 'oid']) {
      expect(() => service.ctx.db.all(sql`SELECT ${sql.ref(name)} FROM ballots`.compile(build))).toThrow(
        /no such column/,
      );
    }
  });

  it('finds no ballot’s id and no choice in any other table', async () => {
    await using service = await serviceOnDisk();
    const { id, voterOf } = await election(service, 10);
    await service.post(`/admin/elections/${id}/close`);
    const ballots = service.ctx.db.all(build.selectFrom('ballots').selectAll());

    const elsewhere = await Promise.all(
      (['tokens', 'audit_log', 'invites'] as const).map((table) =>
        service.ctx.db.all(build.selectFrom(table).selectAll()),
      ),
    );

    const text = JSON.stringify(elsewhere);
    // What an act has changed, in hashes, stands in an entry after that of the act.
    const acts = elsewhere.map((rows) =>
      rows.filter((row) => !('action' in row) || row.action !== 'facts.recorded'),
    );
    expect(acts.map((rows) => rows.length)).toEqual([10, 16, 10]);
    for (const ballot of ballots) expect(text).not.toContain(ballot.id);
    for (const choice of voterOf.keys()) expect(text).not.toContain(choice);
  });

  it('finds no ballot in the write-ahead log once the election is sealed', async () => {
    await using service = await serviceOnDisk();
    const { id } = await election(service, 5);
    const open = ballotsInLog(service);

    await service.post(`/admin/elections/${id}/close`);

    expect(open).toBe(5);
    expect(ballotsInLog(service)).toBe(0);
    expect(await sealed(service, id)).toBe(true);
  });

  it('finds ballots in the log during a read transaction, and the election is sealed only after it', async () => {
    await using service = await serviceOnDisk();
    const { id } = await election(service, 5);
    const reader = new Sqlite(fileOf(service), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM ballots').get();

    await service.post(`/admin/elections/${id}/close`);
    await sealElections(service.ctx);
    const whileRead = [ballotsInLog(service) > 0, await sealed(service, id)];
    reader.close();
    await sealElections(service.ctx);

    expect(whileRead).toEqual([true, false]);
    expect([ballotsInLog(service), await sealed(service, id)]).toEqual([0, true]);
    expect(service.logged.join()).toContain('sealing is postponed');
    expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
      total_ballots: 5,
      result_matches: true,
    });
  });
});

let services = 0;

function serviceOnDisk(): Promise<TestApp> {
  return testApp({ DATABASE_URL: `file:${path.join(dir, `${++services}.db`)}` });
}

/** The number of ballots whose id is in the write-ahead log in plain text. */
function ballotsInLog(service: TestApp): number {
  const log = fs.readFileSync(`${fileOf(service)}-wal`).toString('latin1');
  const ids = service.ctx.db.all(build.selectFrom('ballots').select('id'));
  return ids.filter(({ id }) => log.includes(id)).length;
}

const sealed = async (service: TestApp, id: string) =>
  (await auditOf(service, id)).some(({ action }) => action === 'election.sealed');

const fileOf = (service: TestApp) => service.ctx.config.DATABASE_URL.slice('file:'.length);

/** An election where each voter, one per second, casts a different ballot. */
async function election(service: TestApp, size: number) {
  const { id, ids } = await addRanked(service, NAMES);
  const tokens = await addTokens(service, id, size);
  const rankings = permutations([1, 2, 3, 4, 5]);
  const voterOf = new Map<string, number>();
  for (const [voter, token] of tokens.entries()) {
    // 37 shares no factor with 120: all rankings differ, and their order does not follow the voters.
    const numbers = rankings[(voter * 37) % rankings.length]!;
    voterOf.set(JSON.stringify(numbers), voter);
    service.clock.now += SECOND;
    await service.ctx.write((tx) =>
      tx.run(
        build.insertInto('invites').values({
          id: newId(service.clock.now),
          election_id: id,
          email: `voter${voter}@club.example`,
          status: 'SENT',
          created_at: service.clock.now,
          sent_at: service.clock.now,
          token_hash: sha256(token),
          token_plaintext: null,
          error: null,
        }),
      ),
    );
    const answer = await cast(service, id, {
      token,
      ranking: numbers.map((number) => ids[NAMES[number - 1]!]),
    });
    expect(answer.statusCode).toBe(200);
  }
  return { id, tokens, voterOf };
}

async function order(
  service: TestApp,
  query: ReturnType<typeof sql>,
  voterOf: Map<string, number>,
): Promise<Order> {
  const rows = service.ctx.db.all(query.compile(build));
  return rows.map((row) => voterOf.get((row as { it: string }).it)!);
}

/** The ballots in the order of their ids' places in the database file, with the number of occurrences. */
async function placesInFile(service: TestApp) {
  const bytes = fs.readFileSync(fileOf(service), 'latin1');
  const ballots = service.ctx.db.all(build.selectFrom('ballots').select(['id', 'choice']));
  return ballots
    .map(({ id, choice }) => ({ choice, at: bytes.indexOf(id), times: bytes.split(id).length - 1 }))
    .sort((a, b) => a.at - b.at);
}

const pairsRight = (some: Order, others: Order) =>
  some.filter((voter, place) => others[place] === voter).length;

/** Kendall's tau: 1 for the same order, -1 for the reverse, about 0 for unrelated orders. */
function rankCorrelation(some: Order, others: Order): number {
  const places = new Map(others.map((voter, place) => [voter, place]));
  const ranks = some.map((voter) => places.get(voter)!);
  let sum = 0;
  for (let later = 1; later < ranks.length; later++) {
    for (let earlier = 0; earlier < later; earlier++) sum += Math.sign(ranks[later]! - ranks[earlier]!);
  }
  return sum / ((ranks.length * (ranks.length - 1)) / 2);
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
