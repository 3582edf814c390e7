// Data to attack: an owner, an open election with codes, and on request a large one with visible results.
import Sqlite from 'better-sqlite3';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { createSession } from '#kernel/access/sessions.ts';
import { HOUR, isoTime, systemClock } from '#kernel/clock.ts';
import { readConfig } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { newRandomId } from '#kernel/ids.ts';
import { openContext } from '#kernel/open-context.ts';
import { grantRole } from '#people/roles.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import { buildApp } from '../../../src/app.ts';
import { type Route, readRoutes } from './routes.ts';

/** The keys of the deployments with keys. */
export const ADMIN_API_KEY = 'a key of the officers, long enough';
export const PUB_ADMIN_TOKEN = 'a token of the staff, long enough';
export const DEVICE_TOKEN = 'a token of the capture device';
export const OWNER = 'owner@club.example';
export const VIEWER = 'viewer@club.example';

export const BY_KEY = { authorization: `Bearer ${ADMIN_API_KEY}` };
export const BY_TOKEN = { 'x-admin-token': PUB_ADMIN_TOKEN };

export interface Seed {
  election: string;
  /** Voting codes of `election`, all unused. */
  codes: string[];
  /** Every route of the service, including hidden ones. */
  routes: Route[];
  /** An open ranked election with visible results and the requested number of ballots. */
  large: { id: string; codes: string[]; ranking: string[] };
  /** Headers of the owner: signed in just now, and an hour ago, without a fresh proof. Only with an owner. */
  owner: { fresh: Headers; stale: Headers };
}

type Headers = Record<string, string>;

export interface SeedOptions {
  /** Whether there is an owner already; by default yes. */
  owner?: boolean;
  /** Ballots of the large election; by default none. */
  ballots?: number;
}

const CODES = 200;
const CANDIDATES = 20;

/** Fills the database at `url` while no service runs on it. */
export async function seed(url: string, { owner = true, ballots = 0 }: SeedOptions = {}): Promise<Seed> {
  const settings = {
    NODE_ENV: 'production',
    LOG_LEVEL: 'silent',
    OVERLOAD_DELAY_MS: '0',
    ADMIN_API_KEY,
    PUB_ADMIN_TOKEN,
  };
  const ctx = await openContext(readConfig({ DATABASE_URL: url, ...settings }, ''));
  const app = await buildApp(ctx);
  const send = async (
    method: 'POST' | 'PUT' | 'GET',
    path: string,
    payload?: object,
    by: object = BY_KEY,
  ) => {
    const answer = await app.inject({
      method,
      url: path,
      headers: { ...by, accept: 'application/json' },
      ...(payload && { payload }),
    });
    if (answer.statusCode !== 200) throw new Error(`${method} ${path} was refused: ${answer.body}`);
    return answer.json();
  };
  const open = async (fields: object) => {
    const now = systemClock();
    const window = { open_at: isoTime(now - HOUR), close_at: isoTime(now + HOUR) };
    const { id } = await send('POST', '/admin/elections', { ...window, ...fields });
    const { tokens } = await send('POST', `/admin/elections/${id}/tokens`, { count: CODES });
    return { id, codes: tokens as string[] };
  };
  try {
    const sessions = { fresh: {}, stale: {} };
    if (owner) {
      await grantRole(ctx, OWNER, 'owner', { ip: 'the seed', at: systemClock() });
      await send('PUT', '/api/admin/roles', { email: VIEWER, roles: ['viewer'] }, BY_TOKEN);
      sessions.fresh = await signIn(ctx, systemClock());
      sessions.stale = await signIn(ctx, systemClock() - HOUR);
    }
    const simple = await open({ title: 'A piano', ballot_type: 'SIMPLE_TRIPLE' });
    const candidates = Array.from({ length: CANDIDATES }, (_, index) => `Candidate ${index + 1}`);
    const large = await open({ title: 'The board', ballot_type: 'RANKED_CONDORCET', candidates });
    const { election } = await send('GET', `/admin/elections/${large.id}`);
    const ranking = election.candidates.map(({ id }: { id: string }) => id);
    const until = systemClock();
    await addPlays(ctx, [...setlistOf({ until, evenings: 8, rows: 200, songs: 40 })]);
    await refreshRollups(ctx);
    if (ballots > 0) insertBallots(url.slice('file:'.length), large.id, ballots);
    return {
      election: simple.id,
      codes: simple.codes,
      routes: readRoutes(app),
      large: { ...large, ranking },
      owner: sessions,
    };
  } finally {
    await app.close();
    await ctx[Symbol.asyncDispose]();
  }
}

/** Stores a session of the owner. @returns the headers of a browser that has its cookie, over http or https */
async function signIn(ctx: Context, at: number): Promise<Headers> {
  const [{ id } = { id: '' }] = listPeopleOf(ctx.db, OWNER);
  const session = { method: 'code', address_id: null, credential_at: 0, stay: true } as const;
  const device = { browser: 'Firefox, Linux', network: '203.0.113.0/24' };
  const token = await ctx.write((tx) => createSession(tx, { person_id: id, ...session, ...device }, at));
  return { cookie: `publichouse=${token}; __Host-publichouse=${token}`, 'sec-fetch-site': 'same-origin' };
}

/** Stores ballots with random rankings directly: casting them would take minutes. */
function insertBallots(file: string, election: string, ballots: number): void {
  const sqlite = new Sqlite(file);
  const insert = sqlite.prepare('INSERT INTO ballots (election_id, id, choice) VALUES (?, ?, ?)');
  const ranking = Array.from({ length: CANDIDATES }, (_, index) => index + 1);
  sqlite.transaction(() => {
    for (let ballot = 0; ballot < ballots; ballot++) {
      for (let last = CANDIDATES - 1; last > 0; last--) {
        const pick = Math.floor(Math.random() * (last + 1));
        [ranking[last], ranking[pick]] = [ranking[pick]!, ranking[last]!];
      }
      insert.run(election, newRandomId(), JSON.stringify(ranking));
    }
  })();
  sqlite.close();
}
