import { t } from '#kernel/language/message.ts';
import { formatNumber, formatPercent } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { nightBounds, parseNight } from './counts/pub-days.ts';
import { ALL_TIME, type Range, rangeSpan } from './counts/ranges.ts';
import { rounded, type Surface, selectRange, sum } from './surface.ts';
import { placeGenres } from './vibe-compass.ts';

export interface Persona {
  /** Null while fewer than 50 songs were played. */
  id: string | null;
  name: string;
  line: string;
  traits: Traits;
  evidence: Evidence[];
  /** The nearest of the other characters. */
  runnerUp: { id: string; name: string } | null;
}

/** A figure in the words of the club, and as a number for readers of other languages. */
export interface Evidence {
  label: string;
  value: string;
  /** A count, or a share from 0 to 1; missing in figures of earlier versions. */
  amount?: number;
}

export interface Traits {
  /** How evenly the plays are spread over artists: 1 when each has one play. */
  variety: number;
  /** The share of plays that were the first ever of a song. */
  novelty: number;
  /** The share of plays that repeat a song of the range. */
  repeat: number;
  /** The share of plays after 23:00. */
  nightOwl: number;
  /** From mellow (-1) to hype (+1), as on the compass; 0 while no genre is known. */
  energy: number;
}

interface Character {
  id: string;
  name: Words;
  line: Words;
  /** How far the traits are from this character; they fit if it is below 0. */
  distance(traits: Traits): number;
}

const FEWEST_PLAYS = 50;

/** In order of preference: the first that fits is chosen. */
const CHARACTERS: readonly Character[] = [
  {
    id: 'jukebox-historian',
    name: t('pub.persona.jukebox_historian'),
    line: t('pub.persona.jukebox_historian_line'),
    distance: ({ novelty, repeat }) => Math.max(novelty - 0.1, 0.5 - repeat),
  },
  {
    id: 'crate-digger',
    name: t('pub.persona.crate_digger'),
    line: t('pub.persona.crate_digger_line'),
    distance: ({ novelty }) => 0.35 - novelty,
  },
  {
    id: 'dance-captain',
    name: t('pub.persona.dance_captain'),
    line: t('pub.persona.dance_captain_line'),
    distance: ({ energy, nightOwl }) => Math.max(0.4 - energy, 0.4 - nightOwl),
  },
  {
    id: 'fireside-regular',
    name: t('pub.persona.fireside_regular'),
    line: t('pub.persona.fireside_regular_line'),
    distance: ({ energy }) => energy + 0.2,
  },
  {
    id: 'shape-shifter',
    name: t('pub.persona.shape_shifter'),
    line: t('pub.persona.shape_shifter_line'),
    distance: ({ variety }) => 0.9 - variety,
  },
];

const HOUSE_BLEND = {
  id: 'house-blend',
  name: t('pub.persona.house_blend'),
  line: t('pub.persona.house_blend_line'),
};
const UNKNOWN = {
  id: null,
  name: t('pub.persona.unknown'),
  line: t('pub.persona.unknown_line'),
};

/** What the evidence tells, in its order, and how each of its figures is written. */
const EVIDENCE = [
  { label: t('pub.persona.evidence_plays'), write: formatNumber },
  { label: t('pub.persona.evidence_songs'), write: formatNumber },
  { label: t('pub.persona.evidence_artists'), write: formatNumber },
  { label: t('pub.persona.evidence_new'), write: formatNumber },
  { label: t('pub.persona.evidence_late'), write: formatPercent },
];

/** The evidence for the reader of a page. */
export const evidenceInWords = (
  evidence: readonly Evidence[],
): [label: Words | string, value: Words | string][] =>
  evidence.map(({ label, value, amount }, at) => {
    const { label: known = label, write } = EVIDENCE[at] ?? {};
    return [known, write && amount !== undefined ? write(amount) : value];
  });

/** A character for the reader of a page: what is stored is in the language of the club. */
export const characterInWords = (id: string | null): { name: Words; line: Words } =>
  [HOUSE_BLEND, ...CHARACTERS].find((character) => character.id === id) ?? UNKNOWN;

/** The character of a range, derived from its plays. */
export const persona: Surface<Persona> = {
  name: 'persona',
  flag: 'SETLIST_PERSONA_ENABLED',
  ranges: () => ['30d', '7d', 'term', 'all'],
  compute(input, range) {
    const { from, to, label, nights, plays } = selectRange(input, range as Range);
    const span = rangeSpan(range as Range, input.today);
    const artists = input.sumUp(span, 'artist');
    const begin = nightBounds(parseNight(from), input.zone).from;
    const end = nightBounds(parseNight(to), input.zone).to;
    const songs = input.sumUp(span, 'song').length;
    const newSongs = input
      .sumUp(ALL_TIME, 'song')
      .filter(({ first_at }) => first_at >= begin && first_at < end).length;
    const late = sum(nights, 'late_plays');
    const traits = roundTraits({
      variety: plays > 1 ? entropy(artists, plays) / Math.log(plays) : 0,
      novelty: newSongs / plays,
      repeat: 1 - songs / plays,
      nightOwl: late / plays,
      energy: placeGenres(input.sumUp(span, 'genre')).place?.y ?? 0,
    });
    const amounts = [plays, songs, artists.length, newSongs, traits.nightOwl];
    const evidence = EVIDENCE.map(({ label, write }, at) => {
      const amount = amounts[at]!;
      return { label: forClub(label), value: forClub(write(amount)), amount };
    });
    return {
      from,
      to,
      label,
      sampleSize: plays,
      data: { ...chooseCharacter(traits, plays), traits, evidence },
    };
  },
};

function chooseCharacter(traits: Traits, plays: number): Omit<Persona, 'traits' | 'evidence'> {
  if (plays < FEWEST_PLAYS) return { ...written(UNKNOWN), runnerUp: null };
  const fitting = CHARACTERS.find(({ distance }) => distance(traits) < 0);
  const [nearest] = CHARACTERS.filter((character) => character !== fitting).sort(
    (a, b) => a.distance(traits) - b.distance(traits),
  );
  const runnerUp = { id: nearest!.id, name: forClub(nearest!.name) };
  return { ...written(fitting ?? HOUSE_BLEND), runnerUp };
}

/** A character in the language of the club. */
const written = <Id extends string | null>({ id, name, line }: { id: Id; name: Words; line: Words }) => ({
  id,
  name: forClub(name),
  line: forClub(line),
});

/** Rounds the traits; 0/0 counts as 0. */
function roundTraits(traits: Traits): Traits {
  const entries = Object.entries(traits).map(([trait, value]) => [
    trait,
    Number.isFinite(value) ? rounded(value) : 0,
  ]);
  return Object.fromEntries(entries);
}

/** The entropy of plays over artists. */
function entropy(artists: readonly { plays: number }[], all: number): number {
  return artists.reduce((spread, { plays }) => spread - (plays / all) * Math.log(plays / all), 0);
}
