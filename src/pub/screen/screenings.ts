import { type Selectable, sql } from 'kysely';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, ONE, prepare, type Tx } from '#kernel/db/queries.ts';
import type { ScreeningsTable } from '#kernel/db/schema.ts';

/** A film in the archive, with the songs that were heard in it. */
export interface Screening {
  id: string;
  title: string | null;
  kind: ScreeningsTable['kind'];
  openedAt: string;
  closedAt: string;
  minutes: number;
  tracks: ScreeningTrack[];
}

export interface ScreeningTrack {
  id: number;
  artist: string;
  title: string;
  album: string | null;
  albumArtUrl: string;
  startedAt: string;
}

export interface ScreeningPage {
  items: Screening[];
  /** `openedAt` of the last item, if there are older ones. */
  nextBefore: string | null;
}

/** The totals of the archive. */
export interface ScreeningTotals {
  films: number;
  minutes: number;
  /** How many different songs. */
  songs: number;
}

/** A screening as staff see it. */
export interface ScreeningRecord {
  id: string;
  title: string | null;
  kind: ScreeningsTable['kind'];
  state: 'open' | 'closed';
  shadow: boolean;
  origin: ScreeningsTable['origin'];
  openedAt: string;
  closedAt: string | null;
  closeReason: ScreeningsTable['close_reason'];
  taggedCount: number;
  revertedAt: string | null;
}

/** The id of the open screening, if any: songs heard now belong to its film and do not count as music of the pub. */
export function openScreeningId(tx: Tx): string | undefined {
  return findOpenScreening(tx)?.id;
}

/** The id of the screening that ran at a moment, if any. */
export function screeningIdAt(tx: Tx, at: number): string | undefined {
  return tx.first(screeningAt({ at }))?.id;
}

export function findOpenScreening(tx: Tx): Selectable<ScreeningsTable> | undefined {
  return tx.first(openScreening);
}

/** Lists the screenings of the public archive before a moment, newest first. */
export function listScreenings(
  ctx: Context,
  { limit, before }: { limit: number; before?: number | undefined },
): ScreeningPage {
  const rows = ctx.db.all(
    publicScreenings()
      .select(['id', 'title', 'kind', 'opened_at', 'closed_at'])
      .$if(before !== undefined, (query) => query.where('opened_at', '<', before ?? 0))
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1),
  );
  const page = rows.slice(0, limit);
  const tracks = listTracks(
    ctx,
    page.map(({ id }) => id),
  );
  const items = page.map(({ id, title, kind, opened_at, closed_at }) => {
    const closed = closed_at ?? opened_at;
    return {
      id,
      title,
      kind,
      openedAt: isoTime(opened_at),
      closedAt: isoTime(closed),
      minutes: Math.round((closed - opened_at) / MINUTE),
      tracks: tracks.get(id) ?? [],
    };
  });
  return { items, nextBefore: rows.length > limit ? (items.at(-1)?.openedAt ?? null) : null };
}

/** Counts films, minutes and songs of the public archive. */
export function findTotals(ctx: Context): ScreeningTotals {
  const { films, ms } = ctx.db.first(
    publicScreenings().select(({ fn }) => [
      fn.countAll<number>().as('films'),
      fn.sum<number | null>(sql`closed_at - opened_at`).as('ms'),
    ]),
  )!;
  const { songs } = ctx.db.first(
    build
      .selectFrom('plays')
      .where('screening_id', 'in', publicScreenings().select('id'))
      .where('silent', '=', 0)
      .where('hidden', '=', 0)
      .select(({ fn }) => fn.count<number>('track_key').distinct().as('songs')),
  )!;
  return { films, minutes: Math.round((ms ?? 0) / MINUTE), songs };
}

/** Lists all screenings, also open ones and shadows, newest first; with `id` only that one. */
export function listScreeningRecords(ctx: Context, id?: string): ScreeningRecord[] {
  const rows = ctx.db.all(
    build
      .selectFrom('screenings')
      .selectAll()
      .select((row) =>
        row
          .selectFrom('plays')
          .whereRef('screening_id', '=', 'screenings.id')
          .where('silent', '=', 0)
          .select(({ fn }) => fn.countAll<number>().as('n'))
          .as('tagged'),
      )
      .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
      .orderBy('opened_at', 'desc')
      .orderBy('id', 'desc')
      .limit(RECORDS_AT_MOST),
  );
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    kind: row.kind,
    state: row.closed_at === null ? 'open' : 'closed',
    shadow: row.shadow === 1,
    origin: row.origin,
    openedAt: isoTime(row.opened_at),
    closedAt: row.closed_at === null ? null : isoTime(row.closed_at),
    closeReason: row.close_reason,
    taggedCount: row.tagged ?? 0,
    revertedAt: row.reverted_at === null ? null : isoTime(row.reverted_at),
  }));
}

const RECORDS_AT_MOST = 200;

/** Screenings of the public archive: closed, not a shadow, not reverted. */
function publicScreenings() {
  return build
    .selectFrom('screenings')
    .where('closed_at', 'is not', null)
    .where('shadow', '=', 0)
    .where('reverted_at', 'is', null);
}

function listTracks(ctx: Context, ids: string[]): Map<string, ScreeningTrack[]> {
  if (ids.length === 0) return new Map();
  const plays = ctx.db.all(
    build
      .selectFrom('plays')
      .select(['id', 'screening_id', 'artist', 'title', 'album', 'album_art_url', 'started_at'])
      .where('screening_id', 'in', ids)
      .where('silent', '=', 0)
      .where('hidden', '=', 0)
      .orderBy('started_at')
      .orderBy('id'),
  );
  const byScreening = Map.groupBy(plays, ({ screening_id }) => screening_id ?? '');
  return new Map(
    [...byScreening].map(([id, of]) => [
      id,
      of.map(({ id, artist, title, album, album_art_url, started_at }) => ({
        id,
        artist,
        title,
        album,
        albumArtUrl: album_art_url,
        startedAt: isoTime(started_at),
      })),
    ]),
  );
}

const openScreening = build.selectFrom('screenings').selectAll().where('closed_at', 'is', null).compile();

const screeningAt = prepare((p: { at: number }) =>
  build
    .selectFrom('screenings')
    .select('id')
    .where('opened_at', '<=', p.at)
    .where((ran) => ran.or([ran('closed_at', 'is', null), ran('closed_at', '>', p.at)]))
    .where('reverted_at', 'is', null)
    .orderBy('opened_at', 'desc')
    .limit(ONE),
);
