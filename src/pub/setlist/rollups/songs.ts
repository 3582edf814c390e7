import { sql } from 'kysely';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import type { PlaysTable, SubjectKind } from '#kernel/db/schema.ts';

/** A song as the surfaces name it. */
export interface Song {
  artist: string;
  title: string;
  album: string | null;
  /** As the device sent it; pages show /api/art/:playId. */
  albumArtUrl: string;
  playId: number;
}

/** The figures of a subject over a span. */
export interface Total {
  subject: number;
  plays: number;
  nights: number;
  first_at: number;
  last_at: number;
}

/** The song of a play. */
export function getPlayedSong(db: Reader, playId: number): Song {
  return toSong(db.first(playById({ id: playId }))!);
}

/** The names and cover of a subject in its newest play up to that evening. */
export function getSong(db: Reader, subject: number, until: number): Song {
  return toSong(db.first(newestPlay({ subject, until }))!);
}

function toSong(
  play: Pick<PlaysTable, 'artist' | 'title' | 'album'> & { id: number; album_art_url: string },
): Song {
  const { id, artist, title, album, album_art_url } = play;
  return { artist, title, album: album || null, albumArtUrl: album_art_url, playId: id };
}

/** The most played of a span: by plays, evenings, then the last play. */
export function listTop(
  db: Reader,
  span: string,
  kind: SubjectKind,
  limit: number,
  least_plays = 1,
): Total[] {
  return db.all(topTotals({ span, kind, least_plays, limit }));
}

/** The rank of a song in the order of `listTop`; null where it was not played twice. */
export function findRank(db: Reader, span: string, subject: number): number | null {
  const own = db.first(totalInSpan({ span, subject }));
  if (!own) return null;
  const ahead = db.first(countAhead({ span, ...own }))!.many;
  return ahead + db.first(countTiedAhead({ span, ...own }))!.many + 1;
}

/** How many different songs, artists, albums or genres a span has. */
export function countSubjects(db: Reader, span: string, kind: SubjectKind): number {
  return db.first(countInSpan({ span, kind }))!.many;
}

/** How many were played for the first time ever from `from` until before `to`, in milliseconds. */
export function countNewSubjects(db: Reader, kind: SubjectKind, from: number, to: number): number {
  return db.first(countFirstHeard({ kind, from, to }))!.many;
}

const NAMES = ['plays.id', 'artist', 'title', 'album', 'album_art_url'] as const;

const playById = prepare((p: { id: number }) =>
  build.selectFrom('plays').select(NAMES).where('id', '=', p.id),
);

const newestPlay = prepare((p: { subject: number; until: number }) =>
  build
    .selectFrom('rollup_counts')
    .innerJoin('plays', 'plays.id', 'rollup_counts.last_play_id')
    .select(NAMES)
    .where('subject', '=', p.subject)
    .where('night', '<=', p.until)
    .orderBy('night', 'desc')
    .limit(ONE),
);

const topTotals = prepare((p: { span: string; kind: SubjectKind; least_plays: number; limit: number }) =>
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['subject', 'plays', 'nights', 'first_at', 'last_at'])
    .where('span', '=', p.span)
    .where('rollup_totals.kind', '=', p.kind)
    .where('plays', '>=', p.least_plays)
    .orderBy('plays', 'desc')
    .orderBy('nights', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('key')
    .limit(p.limit),
);

const countInSpan = prepare((p: { span: string; kind: SubjectKind }) =>
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', p.span)
    .where('kind', '=', p.kind),
);

const countFirstHeard = prepare((p: { kind: SubjectKind; from: number; to: number }) =>
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    // A literal, not bound: SQLite uses the partial index only when it sees the value.
    .where('span', '=', sql.lit('all'))
    .where('kind', '=', p.kind)
    .where('first_at', '>=', p.from)
    .where('first_at', '<', p.to),
);

const totalInSpan = prepare((p: { span: string; subject: number }) =>
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['plays', 'nights', 'last_at', 'key'])
    .where('span', '=', p.span)
    .where('subject', '=', p.subject)
    .where('plays', '>=', 2),
);

interface Rank {
  span: string;
  plays: number;
  nights: number;
  last_at: number;
}

const countAhead = prepare((p: Rank) =>
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', p.span)
    .where('kind', '=', 'song')
    .where('plays', '>=', p.plays)
    .where(sql<boolean>`(plays, nights, last_at) > (${p.plays}, ${p.nights}, ${p.last_at})`),
);

/** Songs that differ from this one in their key alone, and come first by it. */
const countTiedAhead = prepare((p: Rank & { key: string }) =>
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', p.span)
    .where('rollup_totals.kind', '=', 'song')
    .where('plays', '=', p.plays)
    .where('nights', '=', p.nights)
    .where('last_at', '=', p.last_at)
    .where('key', '<', p.key),
);
