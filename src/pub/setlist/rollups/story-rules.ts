import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build, prepare } from '#kernel/db/writes.ts';
import { boundsOf, hourReader } from './pub-days.ts';
import { type Song, songOfPlay } from './songs.ts';
import type { StoryKind } from './stories.ts';
import { fitted, hourWords, ordinal } from './story-format.ts';
import { formatDay, type House } from './surface.ts';
import { isNew } from './tonight.ts';

/** A story before it is chosen. */
export interface Told {
  kind: StoryKind;
  /** What makes it this story and no other. */
  about: string;
  score: number;
  headline: string;
  body: string;
  metric: { value: number; unit: string };
  artUrl: string;
}

type Teller = (house: House) => Told | undefined;

const EVENINGS_FOR_A_RECORD = 5;
const MILESTONES = [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];
const SHORTEST_STREAK = 3;
const SHORTEST_GAP = 90;
const FEWEST_IN_AN_HOUR = 6;
const SHORTEST_SILENCE = 20 * MINUTE;

const record: Teller = ({ nights, latest }) => {
  const before = nights.filter(({ night }) => night < latest.night);
  const best = before.reduce((most, night) => (night.plays > most.plays ? night : most), before[0]!);
  if (before.length < EVENINGS_FOR_A_RECORD || latest.plays <= best.plays) return undefined;
  return {
    kind: 'record',
    about: '',
    score: 90,
    headline: `A record evening: ${count(latest.plays)} songs`,
    body: `The busiest until now was ${formatDay(best.night)}, with ${count(best.plays)}.`,
    metric: { value: latest.plays, unit: 'songs' },
    artUrl: '',
  };
};

const milestone: Teller = ({ read, heard, nights, latest }) => {
  const all = nights.reduce((sum, { plays }) => sum + plays, 0);
  const reached = [
    { about: 'house', mark: markOf(all, latest.plays, 1_000), of: undefined },
    ...heard
      .filter(({ kind }) => kind === 'song' || kind === 'artist')
      .map((of) => ({ about: `${of.kind} ${of.key}`, mark: markOf(of.ever_plays, of.plays), of })),
  ];
  const [top] = reached
    .filter(({ mark }) => mark > 0)
    .sort((a, b) => b.mark - a.mark || (a.about < b.about ? -1 : 1));
  if (!top) return undefined;
  const told = {
    kind: 'milestone' as const,
    about: `${top.about} ${top.mark}`,
    score: 50 + 10 * Math.log10(top.mark),
    metric: { value: top.mark, unit: 'plays' },
  };
  if (!top.of) {
    const headline = `${count(top.mark)} songs have been played here`;
    return { ...told, headline, body: 'Every one of them is in the setlist.', artUrl: '' };
  }
  const song = songOfPlay(read, top.of.last_play_id);
  const name = top.of.kind === 'song' ? song.title : song.artist;
  return {
    ...told,
    headline: fitted(60, '', name, `: ${ordinal(top.mark)} play`),
    body: fitted(
      140,
      '',
      top.of.kind === 'song' ? song.artist : name,
      ` has been on often enough to know by heart.`,
    ),
    artUrl: artOf(song),
  };
};

const request: Teller = ({ read, plays }) => {
  const asked = plays.flatMap((play) => {
    const votes = play.requestId === null ? undefined : read.first(votesOf(play.requestId))?.votes;
    return votes === undefined ? [] : [{ play, votes }];
  });
  const [top] = asked.sort((a, b) => b.votes - a.votes || a.play.at - b.play.at);
  if (!top || top.votes < 1) return undefined;
  const song = songOfPlay(read, top.play.id);
  return {
    kind: 'request',
    about: top.play.key,
    score: 50 + Math.min(30, 3 * top.votes),
    headline: fitted(60, 'You asked for ', song.title, ''),
    body: fitted(
      140,
      '',
      song.artist,
      `: ${count(top.votes)} ${top.votes === 1 ? 'vote' : 'votes'}, the most of any request played.`,
    ),
    metric: { value: top.votes, unit: top.votes === 1 ? 'vote' : 'votes' },
    artUrl: artOf(song),
  };
};

const comeback: Teller = ({ read, heard, latest }) => {
  const [top] = heard
    .flatMap(({ kind, key, before, last_play_id }) =>
      kind === 'song' && before !== null ? [{ key, before, last_play_id, days: latest.night - before }] : [],
    )
    .sort((a, b) => b.days - a.days || (a.key < b.key ? -1 : 1));
  if (!top || top.days < SHORTEST_GAP) return undefined;
  const song = songOfPlay(read, top.last_play_id);
  const since = `${formatDay(top.before)}, ${count(top.days)} days before.`;
  return {
    kind: 'comeback',
    about: top.key,
    score: 45 + Math.min(40, top.days / 20),
    headline: fitted(60, '', song.title, ' is back'),
    body: fitted(140, '', song.artist, ` had not been on since ${since}`),
    metric: { value: top.days, unit: 'days away' },
    artUrl: artOf(song),
  };
};

const streak: Teller = ({ read, latest }) => {
  const [top] = read
    .all(threeInARow(latest.night))
    .map((song) => ({ ...song, run: runUpTo(latest.night, read.all(nightsOf(song.subject))) }))
    .sort((a, b) => b.run - a.run || (a.key < b.key ? -1 : 1));
  if (!top || top.run < SHORTEST_STREAK) return undefined;
  const song = songOfPlay(read, top.last_play_id);
  return {
    kind: 'streak',
    about: top.key,
    score: 40 + Math.min(40, 4 * top.run),
    headline: fitted(60, `${count(top.run)} nights in a row: `, song.title, ''),
    body: fitted(140, 'Not an evening without ', song.artist, ' lately.'),
    metric: { value: top.run, unit: 'nights' },
    artUrl: artOf(song),
  };
};

const debut: Teller = (house) => {
  const { read, heard, nights } = house;
  if (nights.length < 2) return undefined;
  const [top] = heard
    .filter((one) => one.kind === 'artist' && isNew(house, one))
    .sort((a, b) => b.plays - a.plays || a.first_at - b.first_at);
  if (!top) return undefined;
  const song = songOfPlay(read, top.last_play_id);
  return {
    kind: 'debut',
    about: top.key,
    score: 40 + Math.min(30, 5 * top.plays),
    headline: fitted(60, 'First time here: ', song.artist, ''),
    body: fitted(140, 'The house had never played them before. Now it has: ', song.title, '.'),
    metric: { value: top.plays, unit: top.plays === 1 ? 'play' : 'plays' },
    artUrl: artOf(song),
  };
};

const takeover: Teller = ({ plays, latest, zone }) => {
  const { from, to } = boundsOf(latest.night, zone);
  const hours = Map.groupBy(plays, ({ at }) => hourReader(from, to, zone)(at));
  const [top] = [...hours]
    .filter(([, inside]) => inside.length >= FEWEST_IN_AN_HOUR)
    .flatMap(([hour, inside]) =>
      [...Map.groupBy(inside, ({ genre }) => genre)].map(([genre, of]) => ({
        hour,
        genre,
        share: of.length / inside.length,
      })),
    )
    .filter(({ genre, share }) => genre !== null && share > 0.5)
    .sort((a, b) => b.share - a.share || a.hour - b.hour);
  if (!top?.genre) return undefined;
  const percent = Math.round(top.share * 100);
  return {
    kind: 'takeover',
    about: `${top.hour} ${top.genre}`,
    score: 35 + 20 * top.share,
    headline: `${top.genre[0]!.toUpperCase()}${top.genre.slice(1)} took over at ${hourWords(top.hour)}`,
    body: `${percent}% of the songs of that hour were ${top.genre}.`,
    metric: { value: percent, unit: 'percent' },
    artUrl: '',
  };
};

const silence: Teller = ({ read, plays }) => {
  const [top] = plays
    .map((play, index) => ({
      play,
      gap: index === 0 ? 0 : play.at - Math.max(...plays.slice(0, index).map((one) => one.endsAt)),
    }))
    .sort((a, b) => b.gap - a.gap || a.play.at - b.play.at);
  if (!top || top.gap < SHORTEST_SILENCE) return undefined;
  const song = songOfPlay(read, top.play.id);
  const minutes = Math.round(top.gap / MINUTE);
  return {
    kind: 'silence',
    about: `${top.play.key} ${top.play.at}`,
    score: 30 + Math.min(20, top.gap / (HOUR / 10)),
    headline: fitted(60, '', song.title, ' broke the silence'),
    body: fitted(140, `After ${count(minutes)} quiet minutes `, song.artist, ' brought the music back.'),
    metric: { value: minutes, unit: 'minutes' },
    artUrl: artOf(song),
  };
};

/** Each looks for the one best story of its kind. */
export const tellers: readonly Teller[] = [
  record,
  milestone,
  request,
  comeback,
  streak,
  debut,
  takeover,
  silence,
];

/** The greatest mark that was passed with the newest plays; 0 when none was. */
function markOf(ever: number, newest: number, least = 0): number {
  return MILESTONES.findLast((mark) => mark >= least && mark <= ever && mark > ever - newest) ?? 0;
}

/** How many evenings up to this one follow each other without a gap. */
function runUpTo(last: number, nights: readonly { night: number }[]): number {
  const found = new Set(nights.map(({ night }) => night));
  let run = 0;
  while (found.has(last - run)) run += 1;
  return run;
}

const count = (value: number) => value.toLocaleString('en-US');

const artOf = ({ albumArtUrl, playId }: Song) => (albumArtUrl === '' ? '' : `/api/art/${playId}`);

const votesOf = prepare(
  build.selectFrom('song_requests').select('votes').where('id', '=', ''),
  (id: string) => [id],
);

const threeInARow = prepare(
  build
    .selectFrom('rollup_counts as tonight')
    .innerJoin('rollup_subjects as song', 'song.id', 'tonight.subject')
    .innerJoin('rollup_counts as yesterday', 'yesterday.subject', 'tonight.subject')
    .innerJoin('rollup_counts as before', 'before.subject', 'tonight.subject')
    .select(['tonight.subject', 'key', 'tonight.last_play_id'])
    .where('tonight.night', '=', 0)
    .where('yesterday.night', '=', 0)
    .where('before.night', '=', 0)
    .where('tonight.kind', '=', 'song'),
  (night: number) => [night, night - 1, night - 2, 'song'],
);

const nightsOf = prepare(
  build.selectFrom('rollup_counts').select('night').where('subject', '=', 0),
  (subject: number) => [subject],
);
