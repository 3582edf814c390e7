import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';
import { JSON_TYPE, type Prepared, prepareJson } from '#kernel/http/cached-response.ts';
import { badField } from '#kernel/http/errors.ts';
import type { House, Surface } from './surface.ts';

/** Of the shape of the figures; another one is another contract. */
const VERSION = 1;

/** What is served: the figures of a surface in their envelope. */
export interface Rollup<Data = unknown> {
  surface: string;
  version: number;
  range: { from: string; to: string; label: string };
  generatedAt: string;
  sampleSize: number;
  data: Data;
}

/**
 * What is kept of a surface, ready to be sent: that range, or the one that comes first. Undefined while there is none.
 * @throws 400 for a range that is not kept
 */
export async function findRollup(
  ctx: Context,
  surface: string,
  range: string | undefined,
): Promise<{ answer: Prepared; range: string; ranges: string[] } | undefined> {
  const kept = await ctx.db
    .selectFrom('setlist_rollups')
    .select(['range', 'etag', 'payload'])
    .where('surface', '=', surface)
    .orderBy('position')
    .execute();
  if (kept.length === 0) return undefined;
  const ranges = kept.map((one) => one.range);
  const wanted = range === undefined ? kept[0] : kept.find((one) => one.range === range);
  if (!wanted) throw badField('range', `must be one of ${ranges.join(', ')}`);
  const answer = { body: bufferOf(wanted.payload), etag: wanted.etag, type: JSON_TYPE };
  return { answer, range: wanted.range, ranges };
}

/** The rollups that stand first, of every surface that has one. */
export async function firstRollups(ctx: Context): Promise<Rollup[]> {
  const rows = await ctx.db
    .selectFrom('setlist_rollups')
    .select('payload')
    .where('position', '=', 0)
    .execute();
  return rows.map(({ payload }) => readRollup(bufferOf(payload)));
}

export const readRollup = (body: Buffer): Rollup => JSON.parse(body.toString('utf8'));

const bufferOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Seconds to wait for a first rollup. */
export const RETRY_AFTER = 60;

/** A rollup that is ready to be kept. */
export interface Made {
  surface: string;
  range: string;
  position: number;
  etag: string;
  told: Omit<Rollup, 'generatedAt'>;
}

/** Makes every range of a surface. */
export function makeSurface(surface: Surface, house: House): Made[] {
  return surface.ranges(house).map((range, position) => {
    const { from, to, label, sampleSize, data } = surface.compute(house, range);
    const told = { surface: surface.name, version: VERSION, range: { from, to, label }, sampleSize, data };
    return { surface: surface.name, range, position, etag: prepareJson(told).etag, told };
  });
}

/** Keeps what was made, and nothing else. Equal figures stay as they are, with the time at which they were new. */
export function keepRollups(tx: Tx, made: readonly Made[], now: number, maxPlayId: number): void {
  const known = new Map(tx.all(listEtags).map(({ surface, range, etag }) => [`${surface} ${range}`, etag]));
  for (const { surface, range, position, etag, told } of made) {
    const name = `${surface} ${range}`;
    const unchanged = known.get(name) === etag;
    known.delete(name);
    if (unchanged) continue;
    const payload = Buffer.from(JSON.stringify({ ...told, generatedAt: isoTime(now) } satisfies Rollup));
    tx.run(put([surface, range, position, payload, etag, now, maxPlayId]));
  }
  for (const name of known.keys()) {
    const [surface = '', range = ''] = name.split(' ');
    tx.run(build.deleteFrom('setlist_rollups').where('surface', '=', surface).where('range', '=', range));
  }
}

const listEtags = build.selectFrom('setlist_rollups').select(['surface', 'range', 'etag']).compile();

const put = prepare(
  build.replaceInto('setlist_rollups').values({
    surface: '',
    range: '',
    position: 0,
    payload: new Uint8Array(),
    etag: '',
    computed_at: 0,
    max_play_id: 0,
  }),
  (values: unknown[]) => values,
);
