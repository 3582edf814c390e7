import { HOUR, MINUTE } from '#kernel/clock.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import { atLineStart, formatPercent } from '#kernel/language/times.ts';
import { forClub } from '#kernel/locale.ts';
import { genreWords } from '#pub/now-playing/genre-names.ts';
import { createHourReader, nightBounds } from './counts/pub-days.ts';
import { getPlayedSong, type Song } from './songs.ts';
import { fitText, formatHour } from './story-format.ts';
import { formatDay, type SurfaceInput } from './surface.ts';
import { isNew } from './tonight.ts';

export type StoryKind =
  | 'record'
  | 'milestone'
  | 'request'
  | 'comeback'
  | 'streak'
  | 'debut'
  | 'takeover'
  | 'silence';

/** A candidate for the stories; those with the highest scores are chosen. */
export interface StoryCandidate {
  kind: StoryKind;
  /** Identifies the story, together with its kind and evening. */
  about: string;
  score: number;
  headline: string;
  body: string;
  metric: { value: number; unit: string };
  artUrl: string;
}

type StoryRule = (input: SurfaceInput) => StoryCandidate | undefined;

const EVENINGS_FOR_A_RECORD = 5;
const MILESTONES = [100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000];
const SHORTEST_STREAK = 3;
const SHORTEST_GAP = 90;
const FEWEST_IN_AN_HOUR = 6;
const SHORTEST_SILENCE = 20 * MINUTE;

const record: StoryRule = ({ nights, latest }) => {
  const before = nights.filter(({ night }) => night < latest.night);
  const best = before.reduce((most, night) => (night.plays > most.plays ? night : most), before[0]!);
  if (before.length < EVENINGS_FOR_A_RECORD || latest.plays <= best.plays) return undefined;
  return {
    kind: 'record',
    about: '',
    score: 90,
    headline: forClub(t('pub.story.record', { songs: latest.plays })),
    body: forClub(t('pub.story.record_before', { day: formatDay(best.night), songs: best.plays })),
    metric: { value: latest.plays, unit: forClub(t('pub.story.unit_songs', { n: latest.plays })) },
    artUrl: '',
  };
};

const milestone: StoryRule = ({ db, heard, nights, latest }) => {
  const all = nights.reduce((sum, { plays }) => sum + plays, 0);
  const reached = [
    { about: 'house', mark: reachedMilestone(all, latest.plays, 1_000), of: undefined },
    ...heard
      .filter(({ kind }) => kind === 'song' || kind === 'artist')
      .map((of) => ({ about: `${of.kind} ${of.key}`, mark: reachedMilestone(of.ever_plays, of.plays), of })),
  ];
  const [top] = reached
    .filter(({ mark }) => mark > 0)
    .sort((a, b) => b.mark - a.mark || (a.about < b.about ? -1 : 1));
  if (!top) return undefined;
  const shared = {
    kind: 'milestone' as const,
    about: `${top.about} ${top.mark}`,
    score: 50 + 10 * Math.log10(top.mark),
    metric: { value: top.mark, unit: forClub(t('pub.story.unit_plays', { n: top.mark })) },
  };
  if (!top.of) {
    const headline = forClub(t('pub.story.milestone_of_house', { songs: top.mark }));
    return { ...shared, headline, body: forClub(t('pub.story.milestone_of_house_body')), artUrl: '' };
  }
  const song = getPlayedSong(db, top.of.last_play_id);
  const name = top.of.kind === 'song' ? song.title : song.artist;
  return {
    ...shared,
    headline: fitText(60, name, (name) => t('pub.story.milestone', { name, play: top.mark })),
    body: fitText(140, song.artist, (artist) => t('pub.story.milestone_body', { artist })),
    artUrl: coverUrl(song),
  };
};

const request: StoryRule = ({ db, plays }) => {
  const asked = plays.flatMap((play) => {
    const votes =
      play.requestId === null ? undefined : db.first(votesOfRequest({ id: play.requestId }))?.votes;
    return votes === undefined ? [] : [{ play, votes }];
  });
  const [top] = asked.sort((a, b) => b.votes - a.votes || a.play.at - b.play.at);
  if (!top || top.votes < 1) return undefined;
  const song = getPlayedSong(db, top.play.id);
  return {
    kind: 'request',
    about: top.play.key,
    score: 50 + Math.min(30, 3 * top.votes),
    headline: fitText(60, song.title, (title) => t('pub.story.request', { title })),
    body: fitText(140, song.artist, (artist) => t('pub.story.request_body', { artist, votes: top.votes })),
    metric: { value: top.votes, unit: forClub(t('pub.story.unit_votes', { n: top.votes })) },
    artUrl: coverUrl(song),
  };
};

const comeback: StoryRule = ({ db, heard, latest }) => {
  const [top] = heard
    .flatMap(({ key, before, last_play_id }) =>
      before !== undefined ? [{ key, before, last_play_id, days: latest.night - before }] : [],
    )
    .sort((a, b) => b.days - a.days || (a.key < b.key ? -1 : 1));
  if (!top || top.days < SHORTEST_GAP) return undefined;
  const song = getPlayedSong(db, top.last_play_id);
  const since = { day: formatDay(top.before), days: top.days };
  return {
    kind: 'comeback',
    about: top.key,
    score: 45 + Math.min(40, top.days / 20),
    headline: fitText(60, song.title, (title) => t('pub.story.comeback', { title })),
    body: fitText(140, song.artist, (artist) => t('pub.story.comeback_body', { artist, ...since })),
    metric: { value: top.days, unit: forClub(t('pub.story.unit_days_away', { n: top.days })) },
    artUrl: coverUrl(song),
  };
};

const streak: StoryRule = ({ db, heard, latest: { night } }) => {
  let songs = heard.filter(({ kind }) => kind === 'song');
  let run = 0;
  for (let still = songs; still.length > 0; run += 1) {
    songs = still;
    const before = new Set(db.all(songsOfNight({ night: night - run - 1 })).map(({ key }) => key));
    still = songs.filter(({ key }) => before.has(key));
  }
  const [top] = songs.sort((a, b) => (a.key < b.key ? -1 : 1));
  if (!top || run < SHORTEST_STREAK) return undefined;
  const song = getPlayedSong(db, top.last_play_id);
  return {
    kind: 'streak',
    about: top.key,
    score: 40 + Math.min(40, 4 * run),
    headline: fitText(60, song.title, (title) => t('pub.story.streak', { nights: run, title })),
    body: fitText(140, song.artist, (artist) => t('pub.story.streak_body', { artist })),
    metric: { value: run, unit: forClub(t('pub.story.unit_nights', { n: run })) },
    artUrl: coverUrl(song),
  };
};

const debut: StoryRule = (input) => {
  const { db, heard, nights } = input;
  if (nights.length < 2) return undefined;
  const [top] = heard
    .filter((one) => one.kind === 'artist' && isNew(input, one))
    .sort((a, b) => b.plays - a.plays || a.first_at - b.first_at);
  if (!top) return undefined;
  const song = getPlayedSong(db, top.last_play_id);
  return {
    kind: 'debut',
    about: top.key,
    score: 40 + Math.min(30, 5 * top.plays),
    headline: fitText(60, song.artist, (artist) => t('pub.story.debut', { artist })),
    body: fitText(140, song.title, (title) => t('pub.story.debut_body', { title })),
    metric: { value: top.plays, unit: forClub(t('pub.story.unit_plays', { n: top.plays })) },
    artUrl: coverUrl(song),
  };
};

const takeover: StoryRule = ({ plays, latest, zone }) => {
  const { from, to } = nightBounds(latest.night, zone);
  const hours = Map.groupBy(plays, ({ at }) => createHourReader(from, to, zone)(at));
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
  const genre = genreWords(top.genre);
  return {
    kind: 'takeover',
    about: `${top.hour} ${top.genre}`,
    score: 35 + 20 * top.share,
    headline: forClub(t('pub.story.takeover', { genre: atLineStart(genre), hour: formatHour(top.hour) })),
    body: forClub(t('pub.story.takeover_body', { share: formatPercent(top.share), genre })),
    metric: { value: Math.round(top.share * 100), unit: forClub(t('pub.story.unit_percent')) },
    artUrl: '',
  };
};

const silence: StoryRule = ({ db, plays }) => {
  const [top] = plays
    .map((play, index) => ({
      play,
      gap: index === 0 ? 0 : play.at - Math.max(...plays.slice(0, index).map((one) => one.endsAt)),
    }))
    .sort((a, b) => b.gap - a.gap || a.play.at - b.play.at);
  if (!top || top.gap < SHORTEST_SILENCE) return undefined;
  const song = getPlayedSong(db, top.play.id);
  const minutes = Math.round(top.gap / MINUTE);
  return {
    kind: 'silence',
    about: `${top.play.key} ${top.play.at}`,
    score: 30 + Math.min(20, top.gap / (HOUR / 10)),
    headline: fitText(60, song.title, (title) => t('pub.story.silence', { title })),
    body: fitText(140, song.artist, (artist) => t('pub.story.silence_body', { minutes, artist })),
    metric: { value: minutes, unit: forClub(t('pub.story.unit_minutes', { n: minutes })) },
    artUrl: coverUrl(song),
  };
};

/** Each rule finds the best story of its kind, if there is one. */
export const storyRules: readonly StoryRule[] = [
  record,
  milestone,
  request,
  comeback,
  streak,
  debut,
  takeover,
  silence,
];

/** The highest milestone, `least` or more, that the newest plays reached; 0 when they reached none. */
function reachedMilestone(total: number, newest: number, least = 0): number {
  return MILESTONES.findLast((mark) => mark >= least && mark <= total && mark > total - newest) ?? 0;
}

const coverUrl = ({ albumArtUrl, playId }: Song) => (albumArtUrl === '' ? '' : `/api/art/${playId}`);

const votesOfRequest = prepare((p: { id: string }) =>
  build.selectFrom('song_requests').select('votes').where('id', '=', p.id),
);

const songsOfNight = prepare((p: { night: number }) =>
  build.selectFrom('rollup_counts').select('key').where('night', '=', p.night).where('kind', '=', 'song'),
);
