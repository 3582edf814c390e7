import type { Insertable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { SetlistRollupsTable } from '#kernel/db/schema.ts';
import { type CachedResponse, cachedJson, JSON_TYPE } from '#kernel/http/cached-response.ts';
import { badField } from '#kernel/http/errors.ts';
import type { Surface, SurfaceInput } from './surface.ts';

/** The version of the format of `data`. */
const VERSION = 1;

/** What is served: the figures of a surface with their range. */
export interface Rollup<Data = unknown> {
  surface: string;
  version: number;
  /** The label is in the language of the club. */
  range: { from: string; to: string; label: string; tonight?: true };
  generatedAt: string;
  sampleSize: number;
  data: Data;
}

/**
 * Finds the stored rollup of a surface, ready to be sent: that of the range, or the first; undefined if there is none.
 * @throws 400 for a range that the surface does not have
 */
export function findRollup(
  ctx: Context,
  surface: string,
  range: string | undefined,
): { answer: CachedResponse; range: string; ranges: string[] } | undefined {
  const rows = ctx.db.all(
    build
      .selectFrom('setlist_rollups')
      .select(['range', 'etag', 'payload'])
      .where('surface', '=', surface)
      .orderBy('position'),
  );
  if (rows.length === 0) return undefined;
  const ranges = rows.map((row) => row.range);
  const wanted = range === undefined ? rows[0] : rows.find((row) => row.range === range);
  if (!wanted) throw badField('range', 'not_one_of', { values: ranges });
  const answer = { body: toBuffer(wanted.payload), etag: wanted.etag, type: JSON_TYPE };
  return { answer, range: wanted.range, ranges };
}

/** The names of the surfaces that have rollups. */
export function listComputed(db: Reader): string[] {
  return db
    .all(build.selectFrom('setlist_rollups').select('surface').distinct())
    .map(({ surface }) => surface);
}

/** The first rollup of every surface that has one. */
export function firstRollups(ctx: Context): Rollup[] {
  const rows = ctx.db.all(build.selectFrom('setlist_rollups').select('payload').where('position', '=', 0));
  return rows.map(({ payload }) => readRollup(toBuffer(payload)));
}

export const readRollup = (body: Buffer): Rollup => JSON.parse(body.toString('utf8'));

const toBuffer = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Seconds after which clients should retry while a surface has no rollup. */
export const RETRY_AFTER = 60;

/** A rollup to be stored. */
export interface NewRollup {
  surface: string;
  range: string;
  position: number;
  etag: string;
  payload: Uint8Array;
}

/** Computes the rollup of one range of a surface. */
export function makeRollup(
  { name, compute }: Surface,
  input: SurfaceInput,
  { range, position }: { range: string; position: number },
): NewRollup {
  const { sampleSize, data, ...span } = compute(input, range);
  const content = { surface: name, version: VERSION, range: span, sampleSize, data };
  const { etag } = cachedJson(content);
  const payload = Buffer.from(
    JSON.stringify({ ...content, generatedAt: isoTime(input.now) } satisfies Rollup),
  );
  return { surface: name, range, position, etag, payload };
}

/** Stores these rollups and deletes the others. Unchanged figures keep the time at which they were computed. */
export function replaceRollups(tx: Tx, rollups: readonly NewRollup[], now: number, maxPlayId: number): void {
  const stored = new Map(
    tx.all(storedEtags).map(({ surface, range, etag }) => [`${surface} ${range}`, etag]),
  );
  for (const rollup of rollups) {
    const name = `${rollup.surface} ${rollup.range}`;
    const unchanged = stored.get(name) === rollup.etag;
    stored.delete(name);
    if (!unchanged) tx.run(replaceRollup({ ...rollup, computed_at: now, max_play_id: maxPlayId }));
  }
  for (const name of stored.keys()) {
    const [surface = '', range = ''] = name.split(' ');
    tx.run(build.deleteFrom('setlist_rollups').where('surface', '=', surface).where('range', '=', range));
  }
}

const storedEtags = build.selectFrom('setlist_rollups').select(['surface', 'range', 'etag']).compile();

const replaceRollup = prepare((p: Insertable<SetlistRollupsTable>) =>
  build.replaceInto('setlist_rollups').values({
    surface: p.surface,
    range: p.range,
    position: p.position,
    payload: p.payload,
    etag: p.etag,
    computed_at: p.computed_at,
    max_play_id: p.max_play_id,
  }),
);
