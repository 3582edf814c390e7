import { sql } from 'kysely';
import type { PlaysTable, SubjectKind } from '#kernel/db/schema.ts';
import { build, ONE, prepare, type Tx } from '#kernel/db/writes.ts';

/** A song as the surfaces name it. */
export interface Song {
  artist: string;
  title: string;
  album: string | null;
  /** As the device sent it; pages show /api/art/:playId. */
  albumArtUrl: string;
  playId: number;
}

/** A subject over a span. */
export interface Total {
  subject: number;
  plays: number;
  nights: number;
  first_at: number;
  last_at: number;
}

/** The names and the cover of a play. */
export function songOfPlay(read: Tx, playId: number): Song {
  return songFrom(read.first(playById(playId))!);
}

/** A counted song, artist or album as its newest play up to that evening names it. */
export function songOf(read: Tx, subject: number, until: number): Song {
  return songFrom(read.first(newestPlay(subject, until))!);
}

function songFrom(
  play: Pick<PlaysTable, 'artist' | 'title' | 'album'> & { id: number; album_art_url: string },
): Song {
  const { id, artist, title, album, album_art_url } = play;
  return { artist, title, album: album || null, albumArtUrl: album_art_url, playId: id };
}

/** The most played of a span: by plays, evenings, then who was heard last. */
export function topOf(read: Tx, span: string, kind: SubjectKind, many: number, least = 1): Total[] {
  return read.all(top(span, kind, least, many));
}

/** The place of a song in the order of `topOf`; null where it was not played twice. */
export function rankIn(read: Tx, span: string, subject: number): number | null {
  const own = read.first(totalIn(span, subject));
  if (!own) return null;
  const ahead = read.first(countAhead(span, own.plays, own.nights, own.last_at))!.many;
  return ahead + read.first(countBeside(span, own.plays, own.nights, own.last_at, own.key))!.many + 1;
}

/** How many different ones were played in a span. */
export function countOf(read: Tx, span: string, kind: SubjectKind): number {
  return read.first(countIn(span, kind))!.many;
}

/** How many were heard for the first time ever in that time, in milliseconds. */
export function newIn(read: Tx, kind: SubjectKind, from: number, to: number): number {
  return read.first(firstIn(kind, from, to))!.many;
}

const NAMES = ['plays.id', 'artist', 'title', 'album', 'album_art_url'] as const;

const playById = prepare(build.selectFrom('plays').select(NAMES).where('id', '=', 0), (id: number) => [id]);

const newestPlay = prepare(
  build
    .selectFrom('rollup_counts')
    .innerJoin('plays', 'plays.id', 'rollup_counts.last_play_id')
    .select(NAMES)
    .where('subject', '=', 0)
    .where('night', '<=', 0)
    .orderBy('night', 'desc')
    .limit(ONE),
  (subject: number, until: number) => [subject, until],
);

const top = prepare(
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['subject', 'plays', 'nights', 'first_at', 'last_at'])
    .where('span', '=', '')
    .where('rollup_totals.kind', '=', 'song')
    .where('plays', '>=', 0)
    .orderBy('plays', 'desc')
    .orderBy('nights', 'desc')
    .orderBy('last_at', 'desc')
    .orderBy('key')
    .limit(1),
  (span: string, kind: SubjectKind, least: number, many: number) => [span, kind, least, many],
);

const countIn = prepare(
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', '')
    .where('kind', '=', 'song'),
  (span: string, kind: SubjectKind) => [span, kind],
);

const firstIn = prepare(
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    // Written out, not bound: only so does SQLite know that its index has the rows.
    .where('span', '=', sql.lit('all'))
    .where('kind', '=', 'song')
    .where('first_at', '>=', 0)
    .where('first_at', '<', 0),
  (kind: SubjectKind, from: number, to: number) => [kind, from, to],
);

const totalIn = prepare(
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(['plays', 'nights', 'last_at', 'key'])
    .where('span', '=', '')
    .where('subject', '=', 0)
    .where('plays', '>=', 2),
  (span: string, subject: number) => [span, subject, 2],
);

const countAhead = prepare(
  build
    .selectFrom('rollup_totals')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', '')
    .where('kind', '=', 'song')
    .where('plays', '>=', 0)
    .where(sql<boolean>`(plays, nights, last_at) > (${0}, ${0}, ${0})`),
  (span: string, plays: number, nights: number, at: number) => [span, 'song', plays, plays, nights, at],
);

const countBeside = prepare(
  build
    .selectFrom('rollup_totals')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_totals.subject')
    .select(sql<number>`count(*)`.as('many'))
    .where('span', '=', '')
    .where('rollup_totals.kind', '=', 'song')
    .where('plays', '=', 0)
    .where('nights', '=', 0)
    .where('last_at', '=', 0)
    .where('key', '<', ''),
  (span: string, plays: number, nights: number, at: number, key: string) => [
    span,
    'song',
    plays,
    nights,
    at,
    key,
  ],
);
