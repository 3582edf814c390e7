import { sql } from 'kysely';
import { build, ONE, prepare, type Reader } from '#kernel/db/queries.ts';
import type { PlaysTable, SubjectKind } from '#kernel/db/schema.ts';

/** A song as the surfaces show it. */
export interface Song {
  artist: string;
  title: string;
  album: string | null;
  /** The address as the device sent it; pages show /api/art/:playId instead. */
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

/** The same for many subjects, each of which must have been played by then. */
export function getSongs(db: Reader, subjects: readonly number[], until: number): Map<number, Song> {
  const plays = db.all(newestPlays({ subjects: JSON.stringify(subjects), until }));
  return new Map(plays.map((play) => [play.subject, toSong(play)]));
}

function toSong(
  play: Pick<PlaysTable, 'artist' | 'title' | 'album'> & { id: number; album_art_url: string },
): Song {
  const { id, artist, title, album, album_art_url } = play;
  return { artist, title, album: album || null, albumArtUrl: album_art_url, playId: id };
}

/** Lists the most played subjects of a span: by plays, then evenings, then the last play. */
export function listTop(
  db: Reader,
  span: string,
  kind: SubjectKind,
  limit: number,
  least_plays = 1,
): Total[] {
  return db.all(topTotals({ span, kind, least_plays, limit }));
}

/** The ranks of songs in the order of `listTop`, by subject; songs with fewer than two plays have none. */
export function rankSongs(db: Reader, span: string, subjects: readonly number[]): Map<number, number> {
  const ranks = db.all(ranksInSpan({ span, subjects: JSON.stringify(subjects) }));
  return new Map(ranks.map(({ subject, ahead, tied }) => [subject, ahead + tied + 1]));
}

/** How many different songs, artists, albums or genres a span has. */
export function countSubjects(db: Reader, span: string, kind: SubjectKind): number {
  return db.first(countInSpan({ span, kind }))!.many;
}

/** How many subjects were played for the first time ever from `from` until before `to`, in milliseconds. */
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

const newestPlays = prepare((p: { subjects: string; until: number }) =>
  build
    .selectFrom('rollup_subjects')
    .innerJoin('plays', (join) =>
      join.on('plays.id', '=', (of) =>
        of
          .selectFrom('rollup_counts')
          .select('last_play_id')
          .whereRef('rollup_counts.subject', '=', 'rollup_subjects.id')
          .where('night', '<=', p.until)
          .orderBy('night', 'desc')
          .limit(ONE),
      ),
    )
    .select(['rollup_subjects.id as subject', ...NAMES])
    .where('rollup_subjects.id', 'in', sql<number>`(SELECT value FROM json_each(${p.subjects}))`),
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

/** For each song how many rank before it, and how many with the same figures come before it by their key. */
const ranksInSpan = prepare((p: { span: string; subjects: string }) =>
  build
    .selectFrom('rollup_totals as own')
    .innerJoin('rollup_subjects as named', 'named.id', 'own.subject')
    .where('own.span', '=', p.span)
    .where('own.subject', 'in', sql<number>`(SELECT value FROM json_each(${p.subjects}))`)
    .where('own.plays', '>=', 2)
    .select((own) => [
      'own.subject',
      own
        .selectFrom('rollup_totals as other')
        .select(sql<number>`count(*)`.as('many'))
        .where('other.span', '=', p.span)
        .where('other.kind', '=', 'song')
        .whereRef('other.plays', '>=', 'own.plays')
        .where(
          sql<boolean>`(other.plays, other.nights, other.last_at) > (own.plays, own.nights, own.last_at)`,
        )
        .$asScalar()
        .$notNull()
        .as('ahead'),
      own
        .selectFrom('rollup_totals as other')
        .innerJoin('rollup_subjects', 'rollup_subjects.id', 'other.subject')
        .select(sql<number>`count(*)`.as('many'))
        .where('other.span', '=', p.span)
        .where('other.kind', '=', 'song')
        .whereRef('other.plays', '=', 'own.plays')
        .whereRef('other.nights', '=', 'own.nights')
        .whereRef('other.last_at', '=', 'own.last_at')
        .whereRef('rollup_subjects.key', '<', 'named.key')
        .$asScalar()
        .$notNull()
        .as('tied'),
    ]),
);
