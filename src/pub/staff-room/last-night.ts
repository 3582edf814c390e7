import { sql } from 'kysely';
import { MENU_ITEM } from '#content/kinds/menu-item.ts';
import { readBody } from '#content/records/kind.ts';
import { getRevision } from '#content/records/reading.ts';
import { recordById } from '#content/records/rows.ts';
import { daysAfter } from '#content/recurrence/dates.ts';
import { mergeOpenings, readShiftContent } from '#content/shifts.ts';
import { DAY, isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { type Gap, listGaps } from '#pub/devices/gaps.ts';
import { PRESETS, type TakeoverKind } from '#pub/display/takeover-input.ts';
import { readTenderContent } from '#pub/display/tenders.ts';
import { pubDayEnd, pubDayOf } from '#pub/pub-day.ts';

/** Something that lasted; times in ISO 8601. `until` is null if it did not end that night. */
interface Lasting {
  name: string;
  from: string;
  until: string | null;
  minutes: number;
}

/** What a night in the pub was like, for the next morning. */
export interface LastNight {
  /** The local date of the evening, which ends at five in the morning. */
  day: string;
  from: string;
  until: string;
  /** Whether it still goes on. */
  goes_on: boolean;
  opened: { opens: string; closes: string }[];
  behind: string[];
  /** Kegs that ended: what was on the tap, and for how long; `from` and `minutes` are null if that is not known. */
  kegs: { tap: number; name: string; from: string | null; until: string; minutes: number | null }[];
  sold_out: Lasting[];
  /** Null while the part is off, like the next two. */
  songs: { played: number; top: { artist: string; title: string; times: number }[] } | null;
  requests: { asked: number; played: number; refused: number; expired: number } | null;
  /** `rating` is the mean, of those that have one. */
  feedback: { messages: number; rating: number | null } | null;
  notices: { kind: TakeoverKind; title: string; at: string; minutes: number }[];
  dark: Lasting[];
}

const TOP = 5;

/**
 * Reads what happened in a night of the pub, from what is stored anyway: the log, the plays, the requests and messages.
 * @param day the local date of the evening @param seesFeedback whether the reader may see feedback
 */
export function readLastNight(ctx: Context, day: string, seesFeedback: boolean): LastNight {
  const { db, config } = ctx;
  const { TIME_ZONE: zone } = config;
  const span = { from: pubDayEnd(daysAfter(day, -1), zone), until: pubDayEnd(day, zone) };
  const now = ctx.now();
  const end = Math.min(span.until, now);
  const openings = mergeOpenings(readShiftContent(ctx).content ?? []).filter(
    ({ opens }) => opens >= span.from && opens < span.until,
  );
  // Nobody misses what is sold out after the closing.
  const closing = Math.min(openings.at(-1)?.closes ?? end, end);
  const nameOf = itemNames(db);
  return {
    day,
    from: isoTime(span.from),
    until: isoTime(span.until),
    goes_on: now < span.until,
    opened: openings.map(({ opens, closes }) => ({ opens: isoTime(opens), closes: isoTime(closes) })),
    behind: crewOf(
      ctx,
      openings.flatMap(({ shifts }) => shifts.flatMap(({ tenders }) => tenders)),
    ),
    kegs: kegsOf(db, span, nameOf),
    sold_out: soldOutIn(db, span, nameOf).map((one) => lasting(one, span.from, closing)),
    songs: isOn(ctx, 'music') ? songsOf(db, span) : null,
    requests: isOn(ctx, 'requests') ? requestsOf(db, day) : null,
    feedback: seesFeedback && isOn(ctx, 'feedback') ? feedbackOf(db, span) : null,
    notices: noticesOf(db, span),
    dark: darkIn(listGaps(db, span, now), openings, end).map((one) => lasting(one, span.from, end)),
  };
}

/** The evening before the one that `now` belongs to. */
export const lastEvening = (now: number, zone: string): string => daysAfter(pubDayOf(now, zone), -1);

type Span = { from: number; until: number };
type Stretch = { name: string; from: number; until: number | null };

function lasting({ name, from, until }: Stretch, first: number, end: number): Lasting {
  const [begins, ends] = [Math.max(from, first), Math.min(until ?? end, end)];
  return {
    name,
    from: isoTime(from),
    until: until !== null && until <= end ? isoTime(until) : null,
    minutes: Math.max(0, Math.round((ends - begins) / MINUTE)),
  };
}

/** No keg lasts longer: the log of years is not played again for one night. */
const LOOKED_BACK = 180 * DAY;

/** The entries of the log with some actions in the half year before an instant, the oldest first. */
function entriesOf(db: Reader, actions: readonly string[], until: number) {
  const rows = db.all(
    build
      .selectFrom('audit_log')
      .select(['action', 'timestamp', 'metadata'])
      .where('action', 'in', actions)
      .where('timestamp', '>=', until - LOOKED_BACK)
      .where('timestamp', '<', until)
      .orderBy('seq'),
  );
  return rows.map(({ action, timestamp: at, metadata }) => ({
    action,
    at,
    said: JSON.parse(metadata) as Record<string, unknown>,
  }));
}

interface Keg {
  item: string | null;
  tappedAt: number | null;
  /** When it ran out, if somebody said so. */
  outAt: number | null;
}

const NO_KEG: Keg = { item: null, tappedAt: null, outAt: null };

/** Plays the log of the taps again: a keg ends when it is said to be out, else when another one is connected. */
function kegsOf(db: Reader, { from, until }: Span, nameOf: (id: string) => string): LastNight['kegs'] {
  const entries = entriesOf(db, ['taps.changed', 'taps.swapped', 'taps.removed', 'taps.undone'], until);
  const taps = new Map<number, { keg: Keg; before: Keg; ended: { keg: Keg; at: number }[] }>();
  for (const { action, at, said } of entries) {
    const tap = taps.getOrInsertComputed(Number(said.tap), () => ({
      keg: NO_KEG,
      before: NO_KEG,
      ended: [],
    }));
    const { keg } = tap;
    if (action === 'taps.undone') {
      tap.ended = tap.ended.filter((one) => one.keg !== tap.before);
      tap.keg = tap.before;
      continue;
    }
    tap.before = keg;
    const isNew = action === 'taps.removed' || 'tapped_at' in said;
    if (isNew && keg.item !== null) tap.ended.push({ keg, at: keg.outAt ?? at });
    const item =
      action === 'taps.removed' ? null : 'item_id' in said ? (said.item_id as string | null) : keg.item;
    const tappedAt =
      action === 'taps.removed' ? null : isNew ? (said.tapped_at as number | null) : keg.tappedAt;
    const outAt =
      said.state === 'out' ? (isNew ? at : (keg.outAt ?? at)) : 'state' in said || isNew ? null : keg.outAt;
    tap.keg = { item, tappedAt, outAt };
  }
  return [...taps]
    .flatMap(([number, { keg, ended }]) => [
      ...ended.map((one) => ({ number, ...one })),
      ...(keg.item !== null && keg.outAt !== null ? [{ number, keg, at: keg.outAt }] : []),
    ])
    .filter(({ at }) => at >= from)
    .sort((a, b) => a.at - b.at)
    .map(({ number, keg: { item, tappedAt }, at }) => ({
      tap: number,
      name: nameOf(item ?? ''),
      from: tappedAt === null ? null : isoTime(tappedAt),
      until: isoTime(at),
      minutes: tappedAt === null ? null : Math.round((at - tappedAt) / MINUTE),
    }));
}

/** When drinks and dishes were sold out, by the log. What was taken back at once was never so. */
function soldOutIn(db: Reader, { from, until }: Span, nameOf: (id: string) => string): Stretch[] {
  const open = new Map<string, { from: number; until: number | null }>();
  const found: Stretch[] = [];
  const close = (item: string, at: number) => {
    const one = open.get(item);
    open.delete(item);
    const end = Math.min(at, one?.until ?? at);
    if (one && end > from) found.push({ name: nameOf(item), from: one.from, until: end });
  };
  for (const { action, at, said } of entriesOf(db, ['menu.stock_set', 'menu.stock_undone'], until)) {
    const item = String(said.item);
    if (action === 'menu.stock_undone') {
      open.delete(item);
      continue;
    }
    if (said.state !== 'out') close(item, at);
    else if (said.was !== 'out' || !open.has(item)) {
      close(item, at);
      open.set(item, { from: at, until: typeof said.until === 'string' ? Date.parse(said.until) : null });
    }
  }
  const ahead = [...open].filter(([, one]) => one.until === null || one.until > from);
  return [...found, ...ahead.map(([item, one]) => ({ name: nameOf(item), ...one }))].sort(
    (a, b) => a.from - b.from || (a.name < b.name ? -1 : 1),
  );
}

/** The names of drinks and dishes, of removed ones too. */
function itemNames(db: Reader): (id: string) => string {
  const names = new Map<string, string>();
  return (id) =>
    names.getOrInsertComputed(id, () => {
      const row = db.first(recordById({ id, kind: MENU_ITEM.name }));
      return row
        ? readBody(MENU_ITEM, getRevision(db, id, row.version).body).name
        : forClub(t('pub-staff.last_night.deleted_since'));
    });
}

function songsOf(db: Reader, { from, until }: Span): NonNullable<LastNight['songs']> {
  const plays = db.all(
    build
      .selectFrom('plays')
      .select(['track_key', 'artist', 'title'])
      .where('started_at', '>=', from)
      .where('started_at', '<', until)
      .where('silent', '=', sql.lit(0))
      .where('kind', '=', sql.lit('music'))
      .where('hidden', '=', sql.lit(0))
      .where('origin', '<>', sql.lit('import'))
      .orderBy('started_at'),
  );
  const top = [...Map.groupBy(plays, ({ track_key }) => track_key).values()]
    .filter((same) => same.length > 1)
    .sort((a, b) => b.length - a.length)
    .slice(0, TOP)
    .map((same) => ({ artist: same[0]!.artist, title: same[0]!.title, times: same.length }));
  return { played: plays.length, top };
}

function requestsOf(db: Reader, day: string): NonNullable<LastNight['requests']> {
  const rows = db.all(build.selectFrom('song_requests').select('status').where('pub_day', '=', day));
  const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length;
  return {
    asked: rows.length,
    played: count('played'),
    refused: count('declined'),
    expired: count('expired'),
  };
}

function feedbackOf(db: Reader, { from, until }: Span): NonNullable<LastNight['feedback']> {
  const rows = db.all(
    build
      .selectFrom('feedback')
      .select('rating')
      .where('created_at', '>=', from)
      .where('created_at', '<', until)
      .where('state', '!=', 'spam'),
  );
  const ratings = rows.flatMap(({ rating }) => rating ?? []);
  const sum = ratings.reduce((total, rating) => total + rating, 0);
  return { messages: rows.length, rating: ratings.length === 0 ? null : sum / ratings.length };
}

/** The notices that filled the screens; what an own one said is only known while it is kept. */
function noticesOf(db: Reader, { from, until }: Span): LastNight['notices'] {
  const kept = new Map(
    db.all(build.selectFrom('takeovers').select(['id', 'title', 'text'])).map((row) => [row.id, row]),
  );
  return entriesOf(db, ['takeover.started'], until)
    .filter(({ at }) => at >= from)
    .map(({ at, said }) => {
      const kind = said.kind as TakeoverKind;
      const { title, text } = kept.get(String(said.takeover)) ?? PRESETS[kind];
      return {
        kind,
        title: textOf(title) || textOf(text) || forClub(t('pub-staff.last_night.a_notice')),
        at: isoTime(at),
        minutes: Number(said.minutes),
      };
    });
}

const textOf = (text: Words | string = ''): string => (typeof text === 'string' ? text : forClub(text));

/** The times in which screens were dark although the pub was open; where no hours are known, all. */
function darkIn(
  gaps: readonly Gap[],
  openings: readonly { opens: number; closes: number }[],
  end: number,
): Stretch[] {
  const all = gaps.map(({ screen, from, until }) => ({ name: screen, from, until }));
  if (openings.length === 0) return all;
  return all.flatMap(({ name, from, until }) =>
    openings.flatMap(({ opens, closes }) => {
      const [begins, ends] = [Math.max(from, opens), Math.min(until ?? end, closes)];
      return ends > begins ? [{ name, from: begins, until: until === null ? null : ends }] : [];
    }),
  );
}

function crewOf(ctx: Context, ids: readonly string[]): string[] {
  const tenders = readTenderContent(ctx).content ?? [];
  return [...new Set(ids)].flatMap((id) => tenders.find((tender) => tender.id === id)?.fullName ?? []);
}
