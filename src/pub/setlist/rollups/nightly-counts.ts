import { type Insertable, sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import type { RollupNightsTable, SubjectKind } from '#kernel/db/schema.ts';
import { build, ONE, prepare, prepareRows, type Tx } from '#kernel/db/writes.ts';
import { normalized } from '#pub/now-playing/track-key.ts';
import { type Play, playsOf, SAME_PLAY } from './plays.ts';
import { boundsOf, hourReader, isLate } from './pub-days.ts';

/** What a subject has to show for one evening. */
interface Count {
  plays: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
}

const KINDS = ['song', 'artist', 'album', 'genre'] as const;

/** Something of each subject, by its kind and key. */
type BySubject<Value> = Record<SubjectKind, Map<string, Value>>;

const bySubject = <Value>(): BySubject<Value> => ({
  song: new Map(),
  artist: new Map(),
  album: new Map(),
  genre: new Map(),
});

/** What need not be looked up again, kept from evening to evening of one run. */
export class Known {
  readonly ids: BySubject<number> = bySubject();
  readonly #names = new Map<string, string>();

  /** Names as they are compared; that of an album stands behind its artist's. */
  key(...names: string[]): string {
    return names.map((name) => this.#names.getOrInsertComputed(name, normalized)).join('\u001f');
  }
}

/**
 * The plays that began on an evening. Where music goes on over its edges the neighbours are read too, so that a song
 * that plays over the edge is counted once.
 * @param hiddenToo also what a moderator took out of everything public
 */
export function readPlays(tx: Tx, night: number, zone: string, hiddenToo = false): Play[] {
  const { from, to } = boundsOf(night, zone);
  const first = reaches(tx, from - SAME_PLAY, from) ? from - DAY : from;
  const end = reaches(tx, to, to + SAME_PLAY) ? to + DAY : to;
  const rows = tx.all(rowsBetween(first, end));
  const last = rows.at(-1);
  const next = last && tx.first(rowAfter(last.started_at, last.id));
  const heard = hiddenToo ? rows.map((row) => ({ ...row, hidden: 0 as const })) : rows;
  return playsOf(heard, next?.started_at).filter(({ at }) => at >= from && at < to);
}

/** Whether anything was stored in that time. */
export function reaches(tx: Tx, from: number, to: number): boolean {
  return tx.first(anyBetween(from, to)) !== undefined;
}

/** An evening that was counted: its own figures, and what is to be changed of its subjects'. */
export interface Counted {
  night: Insertable<RollupNightsTable>;
  changes: Change[];
}

/** Without a count the subject was not played on that evening after all. */
export interface Change {
  subject: number;
  night: number;
  kind: SubjectKind;
  count: Count | undefined;
}

/** Counts an evening anew. Nothing of it is kept yet: see `keepChanges` and `keepNights`. */
export function countNight(tx: Tx, night: number, zone: string, known: Known): Counted {
  const plays = readPlays(tx, night, zone);
  const counted = tallyOf(plays, known);
  const before = bySubject<Count & { subject: number }>();
  for (const { kind, key, ...count } of tx.all(countsOf(night))) before[kind].set(key, count);
  const changes: Change[] = [];
  const songs: number[] = [];
  for (const kind of KINDS) {
    for (const [key, count] of counted[kind]) {
      const old = before[kind].get(key);
      const subject =
        old?.subject ?? known.ids[kind].getOrInsertComputed(key, () => subjectId(tx, kind, key));
      if (kind === 'song') songs.push(subject);
      if (!old || !isSame(old, count)) changes.push({ subject, night, kind, count });
    }
    for (const [key, { subject }] of before[kind])
      if (!counted[kind].has(key)) changes.push({ subject, night, kind, count: undefined });
  }
  // Whoever rewrites plays of it from here on makes it stale again.
  tx.run(build.updateTable('rollup_nights').set({ stale: 2 }).where('night', '=', night));
  return { night: figuresOf(night, zone, plays, songs), changes };
}

/** Keeps what was counted of subjects. */
export function keepChanges(tx: Tx, changes: readonly Change[]): void {
  for (const { subject, night, count } of changes) if (!count) tx.run(dropCount(subject, night));
  putCounts(
    tx,
    changes.filter((change) => change.count !== undefined),
  );
}

/** Keeps what was counted of evenings, when their subjects are kept. */
export function keepNights(tx: Tx, counted: readonly Counted[]): void {
  for (const { night } of counted) {
    const { night: number, ...figures } = night;
    tx.run(build.updateTable('rollup_nights').set(figures).where('night', '=', number));
    tx.run(
      build.updateTable('rollup_nights').set({ stale: 0 }).where('night', '=', number).where('stale', '=', 2),
    );
  }
}

function tallyOf(plays: readonly Play[], names: Known): BySubject<Count> {
  const counted = bySubject<Count>();
  const add = (kind: SubjectKind, key: string, { id, at, dwellMs }: Play) => {
    const known = counted[kind].get(key);
    if (!known) {
      counted[kind].set(key, { plays: 1, dwell_ms: dwellMs, first_at: at, last_at: at, last_play_id: id });
      return;
    }
    known.plays += 1;
    known.dwell_ms += dwellMs;
    known.last_at = at;
    known.last_play_id = id;
  };
  for (const play of plays) {
    add('song', play.key, play);
    add('artist', names.key(play.artist), play);
    if (play.album) add('album', names.key(play.artist, play.album), play);
    if (play.genre) add('genre', play.genre, play);
  }
  return counted;
}

function isSame(one: Count, other: Count): boolean {
  return (
    one.plays === other.plays &&
    one.dwell_ms === other.dwell_ms &&
    one.first_at === other.first_at &&
    one.last_at === other.last_at &&
    one.last_play_id === other.last_play_id
  );
}

function subjectId(tx: Tx, kind: SubjectKind, key: string): number {
  const known = tx.first(findSubject(kind, key));
  if (known) return known.id;
  // Twice as quick as RETURNING.
  tx.run(addSubject(kind, key));
  return tx.first(findSubject(kind, key))!.id;
}

function figuresOf(night: number, zone: string, plays: readonly Play[], songs: number[]): Counted['night'] {
  const { from, to } = boundsOf(night, zone);
  const hourOf = hourReader(from, to, zone);
  const hours: Record<number, number> = {};
  for (const { at } of plays) hours[hourOf(at)] = (hours[hourOf(at)] ?? 0) + 1;
  return {
    night,
    starts_at: from,
    plays: plays.length,
    songs: songs.length,
    late_plays: plays.filter(({ at }) => isLate(hourOf(at))).length,
    dwell_ms: plays.reduce((sum, { dwellMs }) => sum + dwellMs, 0),
    hours: JSON.stringify(hours),
    first_play_id: plays[0]?.id ?? null,
    last_play_id: plays.at(-1)?.id ?? null,
    song_ids: new Uint8Array(Uint32Array.from(songs).buffer),
  };
}

const COLUMNS = [
  'id',
  'started_at',
  'artist',
  'title',
  'album',
  'isrc',
  'silent',
  'hidden',
  'kind',
  'track_key',
  'genre',
  'request_id',
] as const;

const rowsBetween = prepare(
  build
    .selectFrom('plays')
    .select(COLUMNS)
    .where('started_at', '>=', 0)
    .where('started_at', '<', 0)
    .orderBy('started_at')
    .orderBy('id'),
  (from: number, to: number) => [from, to],
);

const rowAfter = prepare(
  build
    .selectFrom('plays')
    .select('started_at')
    .where(sql<boolean>`(started_at, id) > (${0}, ${0})`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(ONE),
  (at: number, id: number) => [at, id],
);

const anyBetween = prepare(
  build.selectFrom('plays').select('id').where('started_at', '>=', 0).where('started_at', '<', 0).limit(ONE),
  (from: number, to: number) => [from, to],
);

const countsOf = prepare(
  build
    .selectFrom('rollup_counts')
    .innerJoin('rollup_subjects', 'rollup_subjects.id', 'rollup_counts.subject')
    .select([
      'subject',
      'rollup_counts.kind',
      'key',
      'plays',
      'dwell_ms',
      'first_at',
      'last_at',
      'last_play_id',
    ])
    .where('night', '=', 0),
  (night: number) => [night],
);

const putCounts = prepareRows(
  (rows) => {
    const row = { subject: 0, night: 0, kind: 'song', plays: 1, dwell_ms: 0 } as const;
    const times = { first_at: 0, last_at: 0, last_play_id: 0 };
    return build
      .replaceInto('rollup_counts')
      .values(Array.from({ length: rows }, () => ({ ...row, ...times })));
  },
  ({ subject, night, kind, count }: Change) => {
    const { plays, dwell_ms, first_at, last_at, last_play_id } = count!;
    return [subject, night, kind, plays, dwell_ms, first_at, last_at, last_play_id];
  },
);

const dropCount = prepare(
  build.deleteFrom('rollup_counts').where('subject', '=', 0).where('night', '=', 0),
  (subject: number, night: number) => [subject, night],
);

const findSubject = prepare(
  build.selectFrom('rollup_subjects').select('id').where('kind', '=', 'song').where('key', '=', ''),
  (kind: SubjectKind, key: string) => [kind, key],
);

const addSubject = prepare(
  build.insertInto('rollup_subjects').values({ kind: 'song', key: '' }),
  (kind: SubjectKind, key: string) => [kind, key],
);
