/** The genres of the house, and the words that tell each from the tags of the world. The first that fits wins. */
const WORDS = {
  'hip hop': ['hip hop', 'hip-hop', 'rap', 'trap', 'grime', 'boom bap', 'drill'],
  metal: ['metal', 'metalcore', 'deathcore', 'djent', 'grindcore'],
  punk: ['punk', 'hardcore', 'ska punk', 'emo'],
  reggae: ['reggae', 'ska', 'dub', 'dancehall', 'rocksteady'],
  latin: ['latin', 'salsa', 'bachata', 'cumbia', 'reggaeton', 'samba', 'bossa nova', 'tango', 'mariachi'],
  country: ['country', 'bluegrass', 'honky tonk', 'americana', 'western swing', 'outlaw country'],
  jazz: ['jazz', 'bebop', 'swing', 'big band', 'dixieland'],
  blues: ['blues'],
  'r&b': ['r&b', 'rnb', 'rhythm and blues', 'new jack swing'],
  soul: ['soul', 'motown', 'gospel'],
  funk: ['funk', 'boogie'],
  disco: ['disco'],
  house: ['house', 'techno', 'trance', 'drum and bass', 'dubstep', 'edm', 'garage', 'rave', 'jungle'],
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
  classical: ['classical', 'baroque', 'opera', 'orchestral', 'symphony', 'romantic classical', 'choral'],
  folk: ['folk', 'singer-songwriter', 'celtic', 'sea shanty', 'acoustic'],
  indie: ['indie', 'alternative', 'shoegaze', 'dream pop', 'britpop', 'post-rock', 'lo-fi'],
  pop: ['pop', 'synth-pop', 'synthpop', 'dance', 'k-pop', 'ballad', 'easy listening', 'vocal'],
  rock: ['rock', 'grunge', 'rock and roll', 'rockabilly', 'new wave', 'psychedelic', 'surf'],
} as const;

export type Genre = keyof typeof WORDS;

/** Every genre that a play can have. */
export const GENRES = Object.keys(WORDS) as Genre[];
