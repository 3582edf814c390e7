import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatTime } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { gameState, languageOfSource, namesItsTime, sidesInOrder } from '#pub/display/shared/game-note.js';
import type { Game } from '#pub/screen/games.ts';

const NAMED = 3;

/** The games of tonight in one line, without scores: the page may stay open for hours. Null if there are none. */
export function gamesLine(games: readonly Game[], zone: string): Html | null {
  if (games.length === 0) return null;
  const more = games.length - NAMED;
  return html`<p class="named-line"><strong>${t('pub.games.games_tonight')}</strong>${games
    .slice(0, NAMED)
    .map(
      (game) => html` <span>${sides(game)}, ${when(game, zone)}</span>`,
    )}${more > 0 && html` <span class="soft">${t('pub.events.and_more', { more })}</span>`}</p>`;
}

function sides(game: Game): Words | string {
  const [first, second] = sidesInOrder(game).map(({ shortName, name }) => shortName || name) as [
    string,
    string,
  ];
  return game.sport === 'soccer'
    ? `${first} – ${second}`
    : t('pub.games.guests_at_home', { guests: first, home: second });
}

function when(game: Game, zone: string): Words | string {
  const { state, detail, startIso } = game;
  if (state === 'in') return t('pub.games.on_now');
  return detail === '' || namesItsTime(detail) ? formatTime(Date.parse(startIso), zone) : stateWords(game);
}

/** The state of a game: what the source says in its own language is marked as that. */
export function stateWords({ sport, detail }: Pick<Game, 'sport' | 'detail'>): Words | string {
  const known = gameState({ sport, detail });
  if (known) return t('tv.game.state', known);
  const language = languageOfSource(detail);
  return language === '' ? detail : html`<span lang="${language}">${detail}</span>`;
}
