// An upgrade of databases that earlier versions have made, for upgrade.test.ts and upgrade.slow.test.ts.
import fs from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import Sqlite from 'better-sqlite3';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCalendar } from '#calendar/context.ts';
import { readConfig } from '#kernel/config.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { migrate } from '#kernel/db/connection.ts';
import { createReader, Statements } from '#kernel/db/queries.ts';
import { openContext } from '#kernel/open-context.ts';
import { FIXTURES, KEY, type VERSIONS } from '#test/fixtures/versions/versions.ts';
import { runVerify, verify } from '#test/support/accusations.ts';
import { talkTo } from '#test/support/app.ts';
import { cast } from '#test/support/factories.ts';
import { KeptApp } from '#test/support/kept-app.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { listDifferences } from '#voting/counting/recheck.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { getElection } from '#voting/elections/elections.ts';
import { buildApp } from '../../../src/app.ts';
import { lostRows, schemaOf } from './upgraded-rows.ts';

/** What a version recorded of its database: see fixtures/versions. */
interface Recorded {
  at: number;
  elections: {
    id: string;
    route: string;
    isOpen: boolean;
    token: string;
    ballot: object;
    results?: object;
  }[];
  /** A meeting that is over, with what was public of its questions, and the check number of its signed minutes. */
  meeting?: { id: string; questions: { id: string; results: RecordedResults }[]; minutes_sha256: string };
  /** Addresses of pages, from mails. */
  invitation: string;
  mine: string;
  feed?: string;
  /** The code of a calendar sign-up that is not confirmed yet. */
  pending?: string;
  /** The cookies of a signed-in user. */
  session?: string;
}

interface RecordedResults {
  results: object;
  total_ballots: number;
  ballot_set_sha256: string;
  books: object;
  anchor: object;
}

/** The first version, which runs every migration, the newest one, and the newest that lacks a lower number. */
export const QUICK: string[] = ['003', '042a', '230'];

const recordedOf = (name: string): Recorded =>
  JSON.parse(fs.readFileSync(path.join(FIXTURES, `${name}.json`), 'utf8'));

const ENV = {
  NODE_ENV: 'test',
  LOG_LEVEL: 'silent',
  OVERLOAD_DELAY_MS: '0',
  LOCAL_BYPASS: 'on',
  EDGE_ACCESS_TRUST_HEADERS: 'on',
  TRUSTED_PROXIES: '0.0.0.0/0, ::/0',
  SECRET_KEY: KEY,
  BASE_URL: 'https://votes.club.example',
  SPORTS_API_URL: 'http://127.0.0.1:9',
};

type Talk = ReturnType<typeof talkTo>;

/** One instance for all versions: registering the routes takes longer than an upgrade. */
const kept = new KeptApp();

/** Tests that the databases of these versions become as good as new ones and have lost nothing. */
export function testUpgrades(versions: readonly (typeof VERSIONS)[number][]): void {
  let fresh: string[];
  beforeAll(async () => {
    const database = new Sqlite(':memory:');
    await migrate(database);
    fresh = schemaOf(database);
    database.close();
  });

  describe.each(versions)('a database of version $name', ({ name }) => {
    let upgraded: Buffer;

    it('has the schema of a fresh one, is sound, and has lost nothing', async () => {
      const bytes = gunzipSync(fs.readFileSync(path.join(FIXTURES, `${name}.db.gz`)));
      const [before, after] = [new Sqlite(bytes), new Sqlite(bytes)];
      after.pragma('foreign_keys = ON');

      await migrate(after);

      expect(schemaOf(after)).toEqual(fresh);
      expect(lostRows(before, after)).toEqual([]);
      expect(after.pragma('integrity_check', { simple: true })).toBe('ok');
      expect(after.pragma('foreign_key_check')).toEqual([]);
      const { broken, entries } = verifyAudit(createReader(new Statements(after)));
      expect(broken).toBeUndefined();
      expect(entries).toBe(before.prepare('SELECT count(*) FROM audit_log').pluck().get());
      upgraded = after.serialize();
      before.close();
      after.close();
    });

    it('keeps working: results, codes, links, the calendar, sessions', async () => {
      const recorded = recordedOf(name);
      await using service = await serve(upgraded, recorded.at);
      const { ctx } = service;
      await settleClosedElections(ctx);
      await sealElections(ctx);

      for (const { id, route, isOpen, token, ballot, results } of recorded.elections) {
        const vote = await cast(service, id, { token, ...ballot }, route);
        expect(vote.statusCode).toBe(isOpen ? 200 : 403);
        if (isOpen) continue;
        expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({
          ...results,
          books: { ballots: 3, tokens_used: 3, vote_entries: 3, tokens_made: 4, balanced: true },
          result_matches: true,
          anchor: { head: expect.any(String) },
        });
        expect(await listDifferences(ctx, getElection(ctx.db, id))).toEqual([]);
      }
      const { logs } = (await service.get('/admin/audit-logs?action=election.sealed&limit=200')).json();
      const sealed = new Set(logs.map(({ election_id }: { election_id: string }) => election_id));
      for (const { id, isOpen } of recorded.elections) expect([id, sealed.has(id)]).toEqual([id, !isOpen]);
      if (recorded.meeting) await keepsMeeting(service, recorded.meeting);
      const html = { accept: 'text/html', host: 'votes.club.example' };
      for (const link of [recorded.invitation, recorded.mine])
        expect([link, (await service.get(link, html)).statusCode]).toEqual([link, 200]);
      if (recorded.feed)
        expect((await service.get(recorded.feed)).headers['content-type']).toContain('text/calendar');
      if (recorded.pending) {
        const follow = `/api/subs/verify?calendar_id=programs&v=${recorded.pending}`;
        expect((await service.get(follow)).statusCode).toBe(200);
      }
      if (recorded.session)
        expect((await service.get('/me', { ...html, cookie: recorded.session })).body).toContain(
          'olga@club.example',
        );
      expect(verifyAudit(ctx.db).broken).toBeUndefined();
    });

    it('is verified with exit code 0 after its first start, and after another one', async () => {
      const file = path.join(tempFolder(), 'service.db');
      fs.writeFileSync(file, upgraded);
      for (const _ of [1, 2]) {
        const config = readConfig({ ...ENV, DATABASE_URL: `file:${file}` }, '');
        await using _started = await openContext(config, { now: () => recordedOf(name).at });
        expect(await verify(file)).toEqual({ code: 0, said: '' });
      }
      const { code, stdout, stderr } = await runVerify(file);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /Made by an earlier version: \d+ of the elections, papers and meetings\. .* not recorded by that version/,
      );
    });
  });
}

/** A meeting of an earlier version: results, certified figures, papers and signed minutes are as they were. */
async function keepsMeeting(
  service: Talk,
  { id, questions, minutes_sha256 }: NonNullable<Recorded['meeting']>,
) {
  for (const { id: question, results: then } of questions) {
    const { results, total_ballots, ballot_set_sha256, books, anchor } = then;
    const same = { results, total_ballots, ballot_set_sha256, books, anchor };
    const now = (await service.get(`/e/${question}/results`)).json();
    expect(now).toMatchObject({ ...same, result_matches: true });
    expect(now).not.toHaveProperty('differences');
  }
  expect((await service.get(`/m/${id}`)).json()).not.toHaveProperty('differences');
  const { minutes, signatures } = (await service.get(`/admin/meetings/${id}/minutes`)).json();
  expect(minutes).toMatchObject({ state: 'signed', sha256: minutes_sha256 });
  expect([signatures.length, 'differences' in minutes]).toEqual([2, false]);
}

/** Starts the service over an in-memory database, at the time of its version. */
async function serve(contents: Buffer, now: number) {
  const clock = { now };
  const ctx = await openContext(readConfig({ ...ENV, DATABASE_URL: 'file::memory:' }, ''), {
    now: () => clock.now,
    contents,
  });
  const calendarContext = openCalendar(ctx);
  const app = await buildApp(ctx, { calendarContext, create: kept.create });
  kept.built();
  return Object.assign(talkTo(app, ctx, clock), {
    logged: [],
    calendarContext,
    async [Symbol.asyncDispose]() {
      await kept.end();
      await ctx[Symbol.asyncDispose]();
    },
  });
}
