import { isoTime } from '#kernel/clock.ts';
import { prepareJson } from '#kernel/prepared.ts';
import { build, prepare, type Tx } from '#kernel/writes.ts';
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

/** A rollup that is ready to be kept. */
export interface Made {
  surface: string;
  range: string;
  etag: string;
  told: Omit<Rollup, 'generatedAt'>;
}

/** Makes every range of a surface. */
export function makeSurface(surface: Surface, house: House): Made[] {
  return surface.ranges(house).map((range) => {
    const { from, to, label, sampleSize, data } = surface.compute(house, range);
    const told = { surface: surface.name, version: VERSION, range: { from, to, label }, sampleSize, data };
    return { surface: surface.name, range, etag: prepareJson(told).etag, told };
  });
}

/** Keeps what was made, and nothing else. Equal figures stay as they are, with the time at which they were new. */
export function keepRollups(tx: Tx, made: readonly Made[], now: number, maxPlayId: number): void {
  const known = new Map(tx.all(listEtags).map(({ surface, range, etag }) => [`${surface} ${range}`, etag]));
  for (const { surface, range, etag, told } of made) {
    const name = `${surface} ${range}`;
    const unchanged = known.get(name) === etag;
    known.delete(name);
    if (unchanged) continue;
    const payload = Buffer.from(JSON.stringify({ ...told, generatedAt: isoTime(now) } satisfies Rollup));
    tx.run(put(surface, range, payload, etag, now, maxPlayId));
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
    payload: new Uint8Array(),
    etag: '',
    computed_at: 0,
    max_play_id: 0,
  }),
  (surface: string, range: string, payload: Buffer, etag: string, computedAt: number, maxPlayId: number) => [
    surface,
    range,
    payload,
    etag,
    computedAt,
    maxPlayId,
  ],
);
