// What the big screen shows, as a card. A card that is not refreshed in time is hidden: its score may be old.
import { gameNote } from '../../../src/pub/display/shared/game-note.js';
import { label, now, onSecond, setText } from '../playing/clock.js';
import { follow } from './feed.js';

const EVERY_MS = 30_000;
const FRESH_MS = 3 * 60_000;
/** A poll may take this long: an event of the stream meanwhile is newer. */
const ANSWERED_WITHIN_MS = 10_000;

/**
 * @typedef {{ abbr?: string, name?: string, score: number | null }} Side
 * @typedef {{ showing: boolean, title?: string, subtitle?: string | null, expiresAt?: string | null,
 *   game?: { sport?: string, state: string, detail?: string, startIso?: string, home: Side, away: Side } | null }} Card
 */

/**
 * Polls the card and shows it while there is one.
 * @returns {(card: Card) => void} callback of the stream for each `screen` event
 */
export function watchShowing() {
  const { zone = 'UTC', off = '' } = document.body.dataset;
  const place = document.querySelector('[data-show=showing]');
  const title = document.querySelector('[data-show=showing-title]');
  const note = document.querySelector('[data-show=showing-note]');
  if (!(place instanceof HTMLElement) || !(note instanceof HTMLElement) || !title) return () => {};
  // A club without sports and films has no such address.
  if (off.split(' ').includes('showing')) return () => {};
  /** @type {Card | undefined} */
  let card;
  let heardAt = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  follow('/api/now-showing', {
    every: EVERY_MS,
    on(/** @type {Card} */ answer) {
      if (performance.now() - toldAt < ANSWERED_WITHIN_MS) return;
      card = answer;
      heardAt = performance.now();
    },
    failed(status) {
      if (status === 404) card = undefined;
    },
  });
  /** @param {number} at */
  const draw = (at) => {
    const words = card && performance.now() - heardAt < FRESH_MS ? cardWords(card, at, zone) : undefined;
    place.hidden = words === undefined;
    if (!words) return;
    setText(title, words.title);
    setText(note, words.note);
    note.hidden = words.note === '';
  };
  onSecond(draw);
  return (told) => {
    card = told;
    toldAt = heardAt = performance.now();
    draw(now());
  };
}

/**
 * The card in words; undefined while nothing is showing.
 * @param {Card} card
 * @param {number} at
 * @param {string} [zone]
 */
export function cardWords({ showing, title = '', subtitle, game, expiresAt }, at, zone = 'UTC') {
  if (!showing || (expiresAt && Date.parse(expiresAt) <= at)) return undefined;
  if (!game) return title ? { title, note: subtitle ?? '' } : undefined;
  const { home, away, state, startIso = '' } = game;
  const detail = gameNote(
    game.detail ?? subtitle ?? '',
    state === 'pre' && startIso ? label(Date.parse(startIso), zone) : '',
  );
  const scored = state !== 'pre' && home.score !== null && away.score !== null;
  // In soccer the home team is named first, in American sports the away team.
  const homeFirst = game.sport === 'soccer';
  const sides = (homeFirst ? [home, away] : [away, home]).map(
    ({ abbr, name, score }) => `${abbr || name}${scored ? ` ${score}` : ''}`,
  );
  return { title: sides.join(scored || homeFirst ? '  –  ' : ' at '), note: detail };
}
