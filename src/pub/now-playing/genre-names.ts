import { t } from '#kernel/language/message.ts';
import { formatted, type Words as Said } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';

/** The genres of plays, each with the words that identify it in a source's tags. The first match wins. */
const WORDS = {
  'hip hop': ['hip hop', 'hip-hop', 'rap', 'trap', 'grime', 'boom bap', 'drill'],
  metal: ['metal', 'metalcore', 'deathcore', 'djent', 'grindcore'],
  punk: ['punk', 'hardcore', 'emo'],
  reggae: ['reggae', 'ska', 'dub', 'dancehall', 'rocksteady'],
  latin: ['latin', 'salsa', 'bachata', 'cumbia', 'reggaeton', 'samba', 'bossa nova', 'tango', 'mariachi'],
  country: ['country', 'bluegrass', 'honky tonk', 'americana', 'western swing'],
  blues: ['blues'],
  'r&b': ['r&b', 'rnb', 'rhythm and blues', 'new jack swing'],
  jazz: ['jazz', 'bebop', 'swing', 'big band', 'dixieland'],
  soul: ['soul', 'motown', 'gospel'],
  funk: ['funk', 'boogie'],
  disco: ['disco'],
  house: ['house', 'techno', 'trance', 'drum and bass', 'dubstep', 'edm', 'uk garage', 'rave', 'jungle'],
  electronic: [
    'electronic',
    'electronica',
    'electro',
    'synthwave',
    'ambient',
    'downtempo',
    'idm',
    'trip hop',
  ],
  classical: ['classical', 'baroque', 'opera', 'orchestral', 'symphony', 'choral'],
  folk: ['folk', 'singer-songwriter', 'celtic', 'sea shanty', 'acoustic'],
  indie: ['indie', 'shoegaze', 'dream pop', 'britpop', 'post-rock', 'lo-fi'],
  pop: ['pop', 'electropop', 'synthpop', 'dance', 'ballad', 'easy listening', 'vocal'],
  rock: ['rock', 'grunge', 'rockabilly', 'new wave', 'psychedelic', 'surf', 'alternative'],
} as const;

export type Genre = keyof typeof WORDS;

/** Every genre that a play can have. */
export const GENRES = Object.keys(WORDS) as Genre[];

const NAMES: Record<Genre, Said> = {
  'hip hop': t('pub.genre.hip_hop'),
  metal: t('pub.genre.metal'),
  punk: t('pub.genre.punk'),
  reggae: t('pub.genre.reggae'),
  latin: t('pub.genre.latin'),
  country: t('pub.genre.country'),
  blues: t('pub.genre.blues'),
  'r&b': t('pub.genre.r_n_b'),
  jazz: t('pub.genre.jazz'),
  soul: t('pub.genre.soul'),
  funk: t('pub.genre.funk'),
  disco: t('pub.genre.disco'),
  house: t('pub.genre.house'),
  electronic: t('pub.genre.electronic'),
  classical: t('pub.genre.classical'),
  folk: t('pub.genre.folk'),
  indie: t('pub.genre.indie'),
  pop: t('pub.genre.pop'),
  rock: t('pub.genre.rock'),
};

/** The name of a genre as it is stored, for its reader. */
export const genreWords = (genre: string): Said => ownValue(NAMES, genre) ?? formatted(() => genre);

/**
 * Finds the genre with the highest total count of matching tags. Null when no tag counts, or two genres have the
 * highest count.
 */
export function matchGenre(tags: readonly { name: string; count: number }[]): Genre | null {
  const weights = new Map<Genre, number>();
  for (const { name, count } of tags) {
    const genre = GENRES.find((known) => PATTERNS[known].test(name));
    if (genre) weights.set(genre, (weights.get(genre) ?? 0) + Math.max(0, count));
  }
  const [first, second] = [...weights].sort(([, a], [, b]) => b - a);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : null;
}

const PATTERNS = Object.fromEntries(
  Object.entries(WORDS).map(([genre, words]) => [genre, new RegExp(`\\b(?:${words.join('|')})\\b`, 'i')]),
) as Record<Genre, RegExp>;
