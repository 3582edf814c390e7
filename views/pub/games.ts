import { type Html, html } from '#kernel/html.ts';
import { formatTime } from '#kernel/local-time.ts';
import { gameNote, sidesInOrder } from '#pub/display/shared/game-note.js';
import type { Game } from '#pub/screen/games.ts';
import { count } from '#views/components/numbers.ts';

const NAMED = 3;

/** The games of tonight in one line, without scores: the page may stay open for hours. Null if there are none. */
export function gamesLine(games: readonly Game[], zone: string): Html | null {
  if (games.length === 0) return null;
  const more = games.length - NAMED;
  return html`<p class="named-line"><strong>Games tonight</strong>${games
    .slice(0, NAMED)
    .map(
      (game) => html` <span>${sides(game)}, ${when(game, zone)}</span>`,
    )}${more > 0 && html` <span class="soft">and ${count(more)} more</span>`}</p>`;
}

function sides(game: Game): string {
  const names = sidesInOrder(game).map(({ shortName, name }) => shortName || name);
  return names.join(game.sport === 'soccer' ? ' – ' : ' at ');
}

function when({ state, detail, startIso }: Game, zone: string): string {
  if (state === 'in') return 'on now';
  const start = formatTime(Date.parse(startIso), zone);
  // The source words a planned start as a time of its own zone, anything else in words: `Postponed`.
  return gameNote(detail, start) === detail ? detail : start;
}
