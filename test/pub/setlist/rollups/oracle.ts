import type { Selectable } from 'kysely';
import type { PlaysTable } from '#kernel/db/schema.ts';
import { normalizeName } from '#pub/now-playing/track-key.ts';

/** The figures of every surface, computed from all rows without optimisation: the rollups must be equal to them. */
export type Expected = Record<string, { from: string; to: string; sampleSize: number; data: unknown }>;

type Row = Selectable<PlaysTable>;

interface Play {
  row: Row;
  key: string;
  artist: string;
  day: string;
  hour: number;
  at: number;
  dwell: number;
  ends: number;
  asked: string | null;
}

export interface World {
  rows: Row[];
  now: number;
  zone: string;
  open: boolean;
  votes: Map<string, number>;
}

const MIN = 60_000;

export function expectedSurfaces(world: World): Expected {
  const plays = combineRows(world);
  if (plays.length === 0) return {};
  const newest = plays
    .map(({ day }) => day)
    .sort()
    .at(-1)!;
  const now = dayOf(world.now, world.zone);
  const today = now > newest ? now : newest;
  const facts: Facts = {
    ...world,
    plays,
    today,
    tonight: plays.filter(({ day }) => day === newest),
    night: newest,
  };
  const all: Expected = {
    'tonight tonight': tonight(facts),
    'echo all': echo(facts),
    'stories tonight': stories(facts),
  };
  for (const range of ['7d', '30d', 'term', 'all']) {
    all[`top-songs ${range}`] = topSongs(facts, range);
    all[`vibe-compass ${range}`] = compass(facts, range);
    all[`persona ${range}`] = persona(facts, range);
  }
  for (const year of new Set(plays.map(({ day }) => day.slice(0, 4))))
    all[`wrapped ${year}`] = wrapped(facts, year);
  return all;
}

interface Facts extends World {
  plays: Play[];
  today: string;
  tonight: Play[];
  night: string;
}

function combineRows({ rows, zone }: World): Play[] {
  const sorted = rows.toSorted((a, b) => a.started_at - b.started_at || a.id - b.id);
  const found: (Play & { seen: number })[] = [];
  sorted.forEach((row, index) => {
    if (row.silent || row.hidden || row.kind !== 'music' || !row.artist || !row.title) return;
    const next = sorted[index + 1];
    const dwell = next ? Math.min(600_000, next.started_at - row.started_at) : 180_000;
    const same = found.findLast(({ key }) => key === row.track_key);
    if (same && row.started_at - same.seen <= 10 * MIN) {
      Object.assign(same, { seen: row.started_at, dwell: same.dwell + dwell, ends: row.started_at + dwell });
      same.asked ??= row.request_id;
      return;
    }
    const at = row.started_at;
    const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone);
    const times = { day: dayOf(at, zone), hour: local.hour, at, dwell, ends: at + dwell, seen: at };
    found.push({
      row,
      key: row.track_key,
      artist: normalizeName(row.artist),
      ...times,
      asked: row.request_id,
    });
  });
  return found.filter(({ dwell }) => dwell >= 30_000);
}

const dayOf = (at: number, zone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at - 5 * 60 * MIN)
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .toString();
const plus = (day: string, days: number) => Temporal.PlainDate.from(day).add({ days }).toString();
const between = (from: string, to: string) => Temporal.PlainDate.from(from).until(to).total('days');

/** Groups of plays, the largest first: by plays, evenings, the time of the last play, then the key. */
function ranked(plays: Play[], keyOf: (play: Play) => string | null) {
  const groups = [...Map.groupBy(plays, keyOf)].filter(([key]) => key !== null);
  return groups
    .map(([key, of]) => ({
      key: key!,
      plays: of.length,
      nights: new Set(of.map(({ day }) => day)).size,
      last: of.at(-1)!,
      first: of[0]!,
      of,
    }))
    .sort(
      (a, b) => b.plays - a.plays || b.nights - a.nights || b.last.at - a.last.at || (a.key < b.key ? -1 : 1),
    );
}

const song = ({ row }: Play) => ({
  artist: row.artist,
  title: row.title,
  album: row.album || null,
  albumArtUrl: row.album_art_url,
  playId: row.id,
});
const round = (value: number) => Number(Number(value.toPrecision(12)).toFixed(3)) + 0;
const iso = (at: number) =>
  Temporal.Instant.fromEpochMilliseconds(at).toString({ smallestUnit: 'millisecond' });
const bySong = ({ key }: Play) => key;

function windowOf({ plays, today }: Facts, range: string) {
  let from = plays.map(({ day }) => day).sort()[0]!;
  let before: [string, string] | undefined;
  if (range === 'term') {
    const [year, month] = today.split('-').map(Number) as [number, number];
    const start = Temporal.PlainDate.from({ year, month: month - ((month - 1) % 4), day: 1 });
    from = start.toString();
    before = [start.subtract({ months: 4 }).toString(), plus(from, -1)];
  } else if (range !== 'all') {
    const days = Number.parseInt(range, 10);
    from = plus(today, 1 - days);
    before = [plus(from, -days), plus(from, -1)];
  }
  const inside = plays.filter(({ day }) => day >= from && day <= today);
  const earlier = before && plays.filter(({ day }) => day >= before[0] && day <= before[1]);
  return { from, to: today, inside, earlier };
}

function topSongs(facts: Facts, range: string) {
  const { from, to, inside, earlier } = windowOf(facts, range);
  const twice = (plays: Play[]) => ranked(plays, bySong).filter(({ plays: many }) => many >= 2);
  const old = earlier && twice(earlier);
  const items = twice(inside)
    .slice(0, 25)
    .map((group, index) => {
      const rank = index + 1;
      const place = old?.findIndex(({ key }) => key === group.key) ?? -1;
      const prevRank = place < 0 ? null : place + 1;
      const move = prevRank === null ? 'new' : prevRank === rank ? 'same' : prevRank > rank ? 'up' : 'down';
      const times = { firstPlayed: iso(group.first.at), lastPlayed: iso(group.last.at) };
      const { plays, nights } = group;
      return {
        rank,
        prevRank,
        move: old?.length ? move : null,
        ...song(group.last),
        plays,
        nights,
        ...times,
      };
    });
  return { from, to, sampleSize: inside.length, data: { items } };
}

/** The compass positions of the genres in the tests. */
const PLACES: Record<string, [number, number]> = {
  rock: [-0.3, 0.6],
  jazz: [-0.7, -0.5],
  house: [0.95, 0.85],
  electronic: [0.9, -0.1],
};

function mean(weights: [genre: string, weight: number][]) {
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  if (all === 0) return undefined;
  const along = (axis: 0 | 1) =>
    round(weights.reduce((sum, [genre, weight]) => sum + PLACES[genre]![axis] * weight, 0) / all);
  return { x: along(0), y: along(1) };
}

function genresOf(plays: Play[]) {
  const groups = ranked(plays, ({ row }) => row.genre).sort(
    (a, b) => b.plays - a.plays || (a.key < b.key ? -1 : 1),
  );
  const known = groups.reduce((sum, group) => sum + group.plays, 0);
  const place = mean(groups.map(({ key, of }) => [key, of.reduce((sum, { dwell }) => sum + dwell, 0)]));
  return {
    place,
    known,
    shares: groups.map((group) => ({ genre: group.key, share: round(group.plays / known) })),
  };
}

function compass(facts: Facts, range: string) {
  const { from, to, inside } = windowOf(facts, range);
  const { place, known, shares } = genresOf(inside);
  const coverage = inside.length === 0 ? 0 : known / inside.length;
  const names = { '--': 'Fireside', '-+': 'Singalong', '+-': 'Late drive', '++': 'Dance floor' };
  const side = (value: number) => (value < 0 ? '-' : '+');
  const trail = [...Map.groupBy(facts.tonight, ({ hour }) => hour)].flatMap(([hour, of]) => {
    const end = of.at(-1)!.at;
    const heard = facts.tonight.filter(({ at, row }) => at <= end && row.genre);
    const faded = mean(
      heard.map(({ row, dwell, at }) => [row.genre!, dwell * 0.5 ** ((end - at) / (45 * MIN))]),
    );
    return faded ? [{ hour, ...faded, n: of.length }] : [];
  });
  const data = {
    x: place?.x ?? null,
    y: place?.y ?? null,
    quadrant: place ? names[`${side(place.x)}${side(place.y)}` as keyof typeof names] : null,
    coverage: round(coverage),
    topGenres: shares.slice(0, 5),
    trail,
    insufficient: inside.length < 8 || coverage < 0.4,
  };
  return { from, to, sampleSize: inside.length, data };
}

function persona(facts: Facts, range: string) {
  const { from, to, inside } = windowOf(facts, range);
  const n = inside.length;
  const artists = ranked(inside, ({ artist }) => artist);
  const entropy = artists.reduce((sum, { plays }) => sum - (plays / n) * Math.log(plays / n), 0);
  const songs = new Set(inside.map(bySong));
  const fresh = [...songs].filter((key) => facts.plays.find((play) => play.key === key)!.day >= from).length;
  const late = inside.filter(({ hour }) => hour >= 23 || hour < 5).length;
  const energy = genresOf(inside).place?.y ?? 0;
  const share = (part: number) => (n === 0 ? 0 : round(part / n));
  const variety = n > 1 ? round(entropy / Math.log(n)) : 0;
  const repeat = n === 0 ? 0 : round(1 - songs.size / n);
  const traits = { variety, novelty: share(fresh), repeat, nightOwl: share(late), energy };
  const { novelty, nightOwl } = traits;
  let id: string | null = 'house-blend';
  if (n < 50) id = null;
  else if (novelty < 0.1 && repeat > 0.5) id = 'jukebox-historian';
  else if (novelty > 0.35) id = 'crate-digger';
  else if (energy > 0.4 && nightOwl > 0.4) id = 'dance-captain';
  else if (energy < -0.2) id = 'fireside-regular';
  else if (variety > 0.9) id = 'shape-shifter';
  return { from, to, sampleSize: n, data: { id, traits } };
}

function tonight(facts: Facts) {
  const { tonight: plays, night, open } = facts;
  const heard = (keyOf: (play: Play) => string | null) =>
    ranked(plays, keyOf).sort(
      (a, b) => b.plays - a.plays || b.last.at - a.last.at || (a.key < b.key ? -1 : 1),
    );
  const genres = heard(({ row }) => row.genre);
  const known = genres.reduce((sum, group) => sum + group.plays, 0);
  const fresh = ranked(plays, bySong)
    .filter(({ key }) => !facts.plays.some((play) => play.key === key && play.day < night))
    .sort((a, b) => b.first.at - a.first.at || (a.key < b.key ? -1 : 1));
  const at = (play: Play) => ({ ...song(play), playedAt: iso(play.at) });
  const [top] = heard(({ artist }) => artist);
  const data = {
    pubDay: night,
    open,
    plays: plays.length,
    artists: new Set(plays.map(({ artist }) => artist)).size,
    minutes: Math.round(plays.reduce((sum, { dwell }) => sum + dwell, 0) / MIN),
    first: at(plays[0]!),
    latest: at(plays.at(-1)!),
    topArtist: { artist: top!.last.row.artist, plays: top!.plays },
    topGenre: genres[0] ? { genre: genres[0].key, share: round(genres[0].plays / known) } : null,
    hourly: hourly(plays, facts.zone),
    newHere: fresh.slice(0, 12).map(({ last }) => song(last)),
    newHereCount: fresh.length,
    repeats: heard(bySong)
      .filter(({ plays: times }) => times > 1)
      .slice(0, 10)
      .map(({ last, plays: times }) => ({ track: song(last), times })),
    requestsPlayed: plays.filter(({ asked }) => asked !== null).length,
  };
  return { from: night, to: night, sampleSize: plays.length, data };
}

/** The hours of local time from the first song to the last. */
function hourly(plays: Play[], zone: string) {
  const hours: number[] = [];
  const [first, last] = [plays[0]!.at, plays.at(-1)!.at];
  for (let at = first; at < last + MIN; at += MIN) {
    const { hour } = Temporal.Instant.fromEpochMilliseconds(Math.min(at, last)).toZonedDateTimeISO(zone);
    if (hours.at(-1) !== hour) hours.push(hour);
  }
  return hours.map((hour) => ({ hour, plays: plays.filter((play) => play.hour === hour).length }));
}

function echo(facts: Facts) {
  const { plays, today, night, tonight: latest } = facts;
  const from = plus(today, -6);
  const returned = [...Map.groupBy(plays, bySong)].flatMap(([key, of]) => {
    const back = of.find(({ day }) => day >= from);
    const before = of.findLast(({ day }) => day < from);
    if (!back || !before || between(before.day, back.day) < 60) return [];
    return [{ key, last: of.at(-1)!, lastBefore: before.day, gapDays: between(before.day, back.day) }];
  });
  const comebacks = returned
    .sort((a, b) => b.gapDays - a.gapDays || (a.key < b.key ? -1 : 1))
    .slice(0, 10)
    .map(({ last, lastBefore, gapDays }) => ({ ...song(last), lastBefore, gapDays }));
  const weekday = (day: string) => Temporal.PlainDate.from(day).dayOfWeek;
  const onThisNight = [1, 2, 3, 4, 5].flatMap((yearsAgo) => {
    const then = Temporal.PlainDate.from(night).subtract({ years: yearsAgo }).toString();
    const date = [-3, -2, -1, 0, 1, 2, 3]
      .map((days) => plus(then, days))
      .find((day) => weekday(day) === weekday(night))!;
    return ranked(
      plays.filter(({ day }) => day === date),
      bySong,
    )
      .sort((a, b) => b.plays - a.plays || a.first.at - b.first.at || a.last.row.id - b.last.row.id)
      .slice(0, 3)
      .map((group) => ({
        ...song(plays.findLast(({ key, day }) => key === group.key && day <= date)!),
        date,
        yearsAgo,
        plays: group.plays,
      }));
  });
  const own = new Set(latest.map(bySong));
  const others = [...Map.groupBy(plays, ({ day }) => day)].filter(
    ([day, of]) => day < night && of.length >= 10,
  );
  const twins = (latest.length < 10 ? [] : others)
    .map(([date, of]) => {
      const keys = new Set(of.map(bySong));
      return { date, similarity: round(own.intersection(keys).size / own.union(keys).size) };
    })
    .filter(({ similarity }) => similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || (a.date < b.date ? 1 : -1))
    .slice(0, 3);
  const first = plays.map(({ day }) => day).sort()[0]!;
  return { from: first, to: today, sampleSize: plays.length, data: { comebacks, onThisNight, twins } };
}

function wrapped(facts: Facts, year: string) {
  const plays = facts.plays.filter(({ day }) => day.startsWith(year));
  const until = `${year}-12-31`;
  const final = facts.today >= `${Number(year) + 1}-01-05`;
  const top = (keyOf: (play: Play) => string | null) =>
    ranked(plays, keyOf)
      .slice(0, 5)
      .map(({ last, plays: many, nights }, index) => ({
        rank: index + 1,
        plays: many,
        nights,
        ...song(last),
      }));
  const albumOf = ({ row, artist }: Play) =>
    row.album ? `${artist}\u001f${normalizeName(row.album)}` : null;
  const nights = [...Map.groupBy(plays, ({ day }) => day)].sort(
    (a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1),
  );
  const most = <Key>(keyOf: (play: Play) => Key, order: (key: Key) => number) =>
    [...Map.groupBy(plays, keyOf)].sort(
      (a, b) => b[1].length - a[1].length || order(a[0]) - order(b[0]),
    )[0]![0];
  const [streak] = ranked(plays, bySong)
    .map((group) => ({ ...group, run: longestRun(group.of.map(({ day }) => day)) }))
    .sort((a, b) => b.run - a.run || b.plays - a.plays || b.last.at - a.last.at || (a.key < b.key ? -1 : 1));
  const byArtist = new Map<string, number>();
  const discoveries = ranked(plays, bySong)
    .filter(
      ({ key, plays: many }) =>
        many >= 4 && facts.plays.find((play) => play.key === key)!.day >= `${year}-01-01`,
    )
    .filter(({ last }) => {
      const already = byArtist.get(last.artist) ?? 0;
      byArtist.set(last.artist, already + 1);
      return already < 2;
    })
    .slice(0, 10)
    .map(({ last, plays: many, first }) => ({ ...song(last), plays: many, firstPlayed: iso(first.at) }));
  const weekday = (day: string) => Temporal.PlainDate.from(day).dayOfWeek % 7;
  const artists = new Set(plays.map(({ artist }) => artist));
  const at = (play: Play) => ({ ...song(play), playedAt: iso(play.at) });
  const data = {
    year: Number(year),
    final,
    plays: plays.length,
    hours: Math.round(plays.reduce((sum, { dwell }) => sum + dwell, 0) / (60 * MIN)),
    minutes: Math.round(plays.reduce((sum, { dwell }) => sum + dwell, 0) / MIN),
    songs: new Set(plays.map(bySong)).size,
    artists: artists.size,
    albums: ranked(plays, albumOf).length,
    newArtists: [...artists].filter(
      (artist) => facts.plays.find((play) => play.artist === artist)!.day >= `${year}-01-01`,
    ).length,
    topSongs: top(bySong),
    topArtists: top(({ artist }) => artist).map(({ rank, plays: many, nights: on, artist }) => ({
      rank,
      plays: many,
      nights: on,
      artist,
    })),
    topAlbums: top(albumOf).map(({ rank, plays: many, nights: on, album, artist }) => ({
      rank,
      plays: many,
      nights: on,
      album,
      artist,
    })),
    topGenres: genresOf(plays).shares.slice(0, 5),
    busiestNight: { date: nights[0]![0], plays: nights[0]![1].length },
    topWeekday: ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'][
      most(
        ({ day }) => weekday(day),
        (day) => day,
      )
    ],
    peakHour: most(
      ({ hour }) => hour,
      (hour) => hour,
    ),
    longestStreak: { track: song(streak!.last), nights: streak!.run },
    firstSong: at(plays[0]!),
    lastSong: at(plays.at(-1)!),
    discoveries,
  };
  const to = final || facts.today > until ? until : facts.today;
  return { from: `${year}-01-01`, to, sampleSize: plays.length, data };
}

function longestRun(days: string[]): number {
  const known = new Set(days);
  const runs = [...known].map((day) => {
    let run = 1;
    while (known.has(plus(day, run))) run += 1;
    return run;
  });
  return Math.max(...runs);
}

/** The kind and the figure of each story; its text has its own tests. */
function stories(facts: Facts) {
  const { plays, tonight: latest, night, votes } = facts;
  const earlier = plays.filter(({ day }) => day < night);
  const evenings = [...Map.groupBy(earlier, ({ day }) => day)].map(([, of]) => of.length);
  const stories: { kind: string; value: number; score: number }[] = [];
  const add = (kind: string, value: number, score: number) => void stories.push({ kind, value, score });

  if (evenings.length >= 5 && latest.length > Math.max(...evenings)) add('record', latest.length, 90);
  const marks = [100, 500, 1000, 5000];
  const passed = (all: Play[], least = 0) =>
    marks.findLast(
      (mark) => mark >= least && all.length >= mark && all.filter(({ day }) => day < night).length < mark,
    ) ?? 0;
  const groups = [...ranked(plays, bySong), ...ranked(plays, ({ artist }) => artist)];
  const mark = Math.max(passed(plays, 1000), ...groups.map(({ of }) => passed(of)));
  if (mark > 0) add('milestone', mark, 50 + 10 * Math.log10(mark));
  const asked = Math.max(0, ...latest.map((play) => (play.asked && votes.get(play.asked)) || 0));
  if (asked > 0) add('request', asked, 50 + Math.min(30, 3 * asked));
  const gaps = latest.flatMap(({ key }) => {
    const before = earlier.findLast((play) => play.key === key);
    return before ? [between(before.day, night)] : [];
  });
  const gap = Math.max(0, ...gaps);
  if (gap >= 90) add('comeback', gap, 45 + Math.min(40, gap / 20));
  const runs = latest.map(({ key }) => {
    const days = new Set(plays.filter((play) => play.key === key).map(({ day }) => day));
    let run = 0;
    while (days.has(plus(night, -run))) run += 1;
    return run;
  });
  const run = Math.max(...runs);
  if (run >= 3) add('streak', run, 40 + Math.min(40, 4 * run));
  const debuts = ranked(latest, ({ artist }) => artist).filter(
    ({ key }) => !earlier.some(({ artist }) => artist === key),
  );
  if (earlier.length > 0 && debuts[0]) add('debut', debuts[0].plays, 40 + Math.min(30, 5 * debuts[0].plays));
  const shares = [...Map.groupBy(latest, ({ hour }) => hour)]
    .filter(([, of]) => of.length >= 6)
    .flatMap(([, of]) => ranked(of, ({ row }) => row.genre).map(({ plays: many }) => many / of.length))
    .filter((share) => share > 0.5);
  const share = Math.max(0, ...shares);
  if (share > 0) add('takeover', Math.round(share * 100), 35 + 20 * share);
  let quiet = 0;
  latest.forEach((play, index) => {
    if (index > 0)
      quiet = Math.max(quiet, play.at - Math.max(...latest.slice(0, index).map(({ ends }) => ends)));
  });
  if (quiet >= 20 * MIN) add('silence', Math.round(quiet / MIN), 30 + Math.min(20, quiet / (6 * MIN)));
  const items = stories
    .sort((a, b) => b.score - a.score || (a.kind < b.kind ? -1 : 1))
    .map(({ kind, value }) => ({ kind, value }));
  return { from: night, to: night, sampleSize: latest.length, data: { items } };
}
