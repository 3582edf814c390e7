import { withoutAccents } from '#kernel/names.ts';
import type { Game, Side } from './games.ts';

/**
 * Finds the game that a hint of the device names by a team or a channel (`Bruins at Rangers on TNT`); undefined when it
 * names none, or several equally.
 */
export function gameNamed(hint: string | null, games: readonly Game[]): Game | undefined {
  if (!hint) return undefined;
  const words = normalizeWords(hint);
  const scored = games
    .map((game) => ({ game, score: scoreMatch(game, hint, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const [best, next] = scored;
  return best && best.score !== next?.score ? best.game : undefined;
}

/** A team counts more than a channel, which may show several games. */
function scoreMatch({ home, away, broadcasts }: Game, hint: string, words: string): number {
  const teams = [home, away].filter((side) => namesTeam(side, hint, words)).length;
  const channel = broadcasts.some((name) => names(words, name));
  return 2 * teams + (channel ? 1 : 0);
}

function namesTeam({ name, shortName, abbr }: Side, hint: string, words: string): boolean {
  if (names(words, name) || names(words, shortName)) return true;
  // An abbreviation may also be a common word: it only matches in capitals.
  return abbr.length >= 2 && new RegExp(`(^|[^A-Za-z])${RegExp.escape(abbr)}($|[^A-Za-z])`).test(hint);
}

const names = (words: string, name: string): boolean => {
  const named = normalizeWords(name);
  return named.trim() !== '' && words.includes(named);
};

/** In lower case, without marks and punctuation, a space around every word. */
function normalizeWords(text: string): string {
  const plain = withoutAccents(text).toLowerCase();
  return ` ${plain.replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ').trim()} `;
}
