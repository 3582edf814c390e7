import { type Insertable, type Selectable, sql } from 'kysely';
import { DAY } from '#kernel/clock.ts';
import { build, ONE, prepare, prepareInsert, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { RollupCountsTable, RollupNightsTable, SubjectKind } from '#kernel/db/schema.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';
import { combineRows, type Play, SAME_PLAY } from './plays.ts';
import { createHourReader, isLate, nightBounds } from './pub-days.ts';

/** The figures of a subject for one evening. */
interface Count {
  plays: number;
  dwell_ms: number;
  first_at: number;
  last_at: number;
  last_play_id: number;
}

const KINDS = ['song', 'artist', 'album', 'genre'] as const;

/** A value for each subject, by its kind and key. */
type BySubject<Value> = Record<SubjectKind, Map<string, Value>>;

const bySubject = <Value>(): BySubject<Value> => ({
  song: new Map(),
  artist: new Map(),
  album: new Map(),
  genre: new Map(),
});

/** Caches ids of subjects and normalized names during one run. */
export class KeyCache {
  readonly ids: BySubject<number> = bySubject();
  readonly #names = new Map<string, string>();

  /** Joins normalized names to a key; an album's key begins with its artist's. */
  key(...names: string[]): string {
    return names.map((name) => this.#names.getOrInsertComputed(name, normalizeName)).join('\u001f');
  }
}

/**
 * Lists the plays that began on an evening. If anything was heard around its start or end, the adjacent evening is read
 * too, so that a song that spans two evenings is counted once.
 * @param hiddenToo includes plays that a moderator hid
 */
export function listPlays(db: Reader, night: number, zone: string, hiddenToo = false): Play[] {
  const { from, to } = nightBounds(night, zone);
  const first = hasRows(db, from - SAME_PLAY, from) ? from - DAY : from;
  const end = hasRows(db, to, to + SAME_PLAY) ? to + DAY : to;
  const rows = db.all(rowsBetween({ from: first, to: end }));
  const last = rows.at(-1);
  const next = last && db.first(rowAfter({ started_at: last.started_at, id: last.id }));
  const counted = hiddenToo ? rows.map((row) => ({ ...row, hidden: 0 as const })) : rows;
  return combineRows(counted, next?.started_at).filter(({ at }) => at >= from && at < to);
}

/** Whether any row starts from `from` until before `to`. */
export function hasRows(db: Reader, from: number, to: number): boolean {
  return db.first(anyBetween({ from, to })) !== undefined;
}

/** An evening that was counted: its own figures, and the changes of its subjects' counts. */
export interface CountedNight {
  night: Insertable<RollupNightsTable>;
  changes: Change[];
}

/** A changed count; `count` is undefined if the subject no longer has plays on that evening. */
export interface Change {
  subject: number;
  night: number;
  kind: SubjectKind;
  count: Count | undefined;
}

/** Counts an evening again. The result is stored by `storeChanges` and `storeNights`. */
export function countNight(tx: Tx, night: number, zone: string, keys: KeyCache): CountedNight {
  const plays = listPlays(tx, night, zone);
  const counted = tally(plays, keys);
  const before = bySubject<Count & { subject: number }>();
  for (const { kind, key, ...count } of tx.all(countsOfNight({ night }))) before[kind].set(key, count);
  const changes: Change[] = [];
  const songs: number[] = [];
  for (const kind of KINDS) {
    for (const [key, count] of counted[kind]) {
      const old = before[kind].get(key);
      const subject =
        old?.subject ?? keys.ids[kind].getOrInsertComputed(key, () => ensureSubject(tx, kind, key));
      if (kind === 'song') songs.push(subject);
      if (!old || !isSame(old, count)) changes.push({ subject, night, kind, count });
    }
    for (const [key, { subject }] of before[kind])
      if (!counted[kind].has(key)) changes.push({ subject, night, kind, count: undefined });
  }
  // 2 means being counted: a later change of its plays sets it to 1 again, which `storeNights` does not reset.
  tx.run(build.updateTable('rollup_nights').set({ stale: 2 }).where('night', '=', night));
  return { night: nightRow(night, zone, plays, songs), changes };
}

/** Stores the counts of subjects. */
export function storeChanges(tx: Tx, changes: readonly Change[]): void {
  for (const { subject, night, count } of changes) if (!count) tx.run(deleteCount({ subject, night }));
  const rows = changes.flatMap(({ count, ...which }) => (count ? [{ ...which, ...count }] : []));
  replaceCounts(tx, rows);
}

/** Stores the figures of evenings, after their subjects' counts. */
export function storeNights(tx: Tx, counted: readonly CountedNight[]): void {
  for (const { night } of counted) {
    const { night: number, ...figures } = night;
    tx.run(build.updateTable('rollup_nights').set(figures).where('night', '=', number));
    tx.run(
      build.updateTable('rollup_nights').set({ stale: 0 }).where('night', '=', number).where('stale', '=', 2),
    );
  }
}

function tally(plays: readonly Play[], keys: KeyCache): BySubject<Count> {
  const counted = bySubject<Count>();
  const add = (kind: SubjectKind, key: string, { id, at, dwellMs }: Play) => {
    const count = counted[kind].get(key);
    if (!count) {
      counted[kind].set(key, { plays: 1, dwell_ms: dwellMs, first_at: at, last_at: at, last_play_id: id });
      return;
    }
    count.plays += 1;
    count.dwell_ms += dwellMs;
    count.last_at = at;
    count.last_play_id = id;
  };
  for (const play of plays) {
    add('song', play.key, play);
    add('artist', keys.key(play.artist), play);
    if (play.album) add('album', keys.key(play.artist, play.album), play);
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

function ensureSubject(tx: Tx, kind: SubjectKind, key: string): number {
  const known = tx.first(subjectByKey({ kind, key }));
  if (known) return known.id;
  // An insert and a query are twice as fast as RETURNING.
  tx.run(insertSubject({ kind, key }));
  return tx.first(subjectByKey({ kind, key }))!.id;
}

function nightRow(
  night: number,
  zone: string,
  plays: readonly Play[],
  songs: number[],
): CountedNight['night'] {
  const { from, to } = nightBounds(night, zone);
  const localHour = createHourReader(from, to, zone);
  const hours: Record<number, number> = {};
  for (const { at } of plays) hours[localHour(at)] = (hours[localHour(at)] ?? 0) + 1;
  return {
    night,
    starts_at: from,
    plays: plays.length,
    songs: songs.length,
    late_plays: plays.filter(({ at }) => isLate(localHour(at))).length,
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

const rowsBetween = prepare((p: { from: number; to: number }) =>
  build
    .selectFrom('plays')
    .select(COLUMNS)
    .where('started_at', '>=', p.from)
    .where('started_at', '<', p.to)
    .orderBy('started_at')
    .orderBy('id'),
);

const rowAfter = prepare((p: { started_at: number; id: number }) =>
  build
    .selectFrom('plays')
    .select('started_at')
    .where(sql<boolean>`(started_at, id) > (${p.started_at}, ${p.id})`)
    .orderBy('started_at')
    .orderBy('id')
    .limit(ONE),
);

const anyBetween = prepare((p: { from: number; to: number }) =>
  build
    .selectFrom('plays')
    .select('id')
    .where('started_at', '>=', p.from)
    .where('started_at', '<', p.to)
    .limit(ONE),
);

const countsOfNight = prepare((p: { night: number }) =>
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
    .where('night', '=', p.night),
);

const replaceCounts = prepareInsert((rows: Selectable<RollupCountsTable>[]) =>
  build.replaceInto('rollup_counts').values(
    rows.map((row) => ({
      subject: row.subject,
      night: row.night,
      kind: row.kind,
      plays: row.plays,
      dwell_ms: row.dwell_ms,
      first_at: row.first_at,
      last_at: row.last_at,
      last_play_id: row.last_play_id,
    })),
  ),
);

const deleteCount = prepare((p: { subject: number; night: number }) =>
  build.deleteFrom('rollup_counts').where('subject', '=', p.subject).where('night', '=', p.night),
);

const subjectByKey = prepare((p: { kind: SubjectKind; key: string }) =>
  build.selectFrom('rollup_subjects').select('id').where('kind', '=', p.kind).where('key', '=', p.key),
);

const insertSubject = prepare((p: { kind: SubjectKind; key: string }) =>
  build.insertInto('rollup_subjects').values({ kind: p.kind, key: p.key }),
);
