// Lyrics for the demo's invented songs, written for this project.
import { formatLrc } from '#pub/now-playing/lrc.ts';
import { randomFrom } from '#test/stand-ins/plays.ts';
import type { Song } from '../device/catalogue.ts';

const VERSES = [
  'The door swings wide and the rain comes in',
  'Coats on the hooks and the clock running slow',
  'Somebody’s laughing down by the window',
  'You tell it better each time that you go',
  'The piano is missing a key or two',
  'But nobody here ever minded',
  'There’s a chair by the fire that I saved for you',
  'And a song in the dark, if we find it',
  'The river is high and the lamps are lit',
  'The dog has gone to sleep on my shoe',
  'I had a good line, I forgot most of it',
  'The rest of it rhymes, so it might be true',
];

/** Returns the lyrics of a song, one line about every ten seconds, with its title in the chorus. */
export function lrcOf({ artist, title, durationMs }: Song): string {
  const dice = randomFrom([...`${artist}${title}`].reduce((sum, letter) => sum + letter.charCodeAt(0), 0));
  const start = Math.floor(dice() * 3) * 4;
  const verse = (number: number) => {
    const from = (start + 4 * number) % VERSES.length;
    return VERSES.slice(from, from + 4);
  };
  const chorus = [`${title}, ${title}`, 'Keep the light on over the bar', `${title}, sing it again`, ''];
  const words = [...verse(0), ...chorus, ...verse(1), ...chorus, ...verse(2), ...chorus];
  const step = (durationMs * 0.9) / words.length;
  return formatLrc(words.map((text, line) => ({ at: Math.round(4_000 + line * step), text })));
}
