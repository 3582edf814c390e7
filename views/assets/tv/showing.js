// What the big screen shows, as a card. A card that is not refreshed in time is hidden: its score may be old.

import {
  gameState,
  languageOfSource,
  namesItsTime,
  sidesInOrder,
} from '../../../src/pub/display/shared/game-note.js';
import { t } from '../base/texts.js';
import { label, now, onSecond, setText } from '../playing/clock.js';
import { follow } from './feed.js';

const EVERY_MS = 30_000;
const FRESH_MS = 3 * 60_000;
/** A poll may take this long: an event of the stream meanwhile is newer. */
const ANSWERED_WITHIN_MS = 10_000;

/** @import { Card } from '#pub/screen/card.ts' */

/**
 * Polls the card and shows it while there is one.
 * @returns {(card: Card) => void} callback of the stream for each `screen` event
 */
export function watchShowing() {
  const { zone = 'UTC', off = '' } = document.body.dataset;
  const place = document.querySelector('[data-show=showing]');
  const title = document.querySelector('[data-show=showing-title]');
  const note = document.querySelector('[data-show=showing-note]');
  // Only the projector has space for these.
  const eyebrow = document.querySelector('[data-show=showing-eyebrow]');
  const facts = document.querySelector('[data-show=showing-facts]');
  const sides = document.querySelector('[data-show=showing-sides]');
  if (!(place instanceof HTMLElement) || !(note instanceof HTMLElement) || !title) return () => {};
  // Without the card there is no such address.
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
    const words =
      card && performance.now() - heardAt < FRESH_MS
        ? cardWords(card, at, zone, eyebrow !== null)
        : undefined;
    place.hidden = words === undefined;
    if (!words) return;
    setText(title, words.title);
    title.toggleAttribute('hidden', words.sides.length > 0);
    if (sides instanceof HTMLElement) drawSides(sides, words.sides);
    setText(note, words.note);
    if (words.noteLang === '') note.removeAttribute('lang');
    else note.lang = words.noteLang;
    note.hidden = words.note === '';
    if (eyebrow) setText(eyebrow, words.eyebrow);
    if (facts) setText(facts, words.facts);
    facts?.toggleAttribute('hidden', words.facts === '');
  };
  onSecond(draw);
  return (told) => {
    card = told;
    toldAt = heardAt = performance.now();
    draw(now());
  };
}

/**
 * The sides of a game, a line each: colour and logo, name, score. No side hides them.
 * @param {HTMLElement} place
 * @param {readonly { name: string, score: string, color: string, logo: string }[]} sides
 */
function drawSides(place, sides) {
  place.hidden = sides.length === 0;
  for (const [index, { name, score, color, logo }] of sides.entries()) {
    const line = place.children[index];
    const [sign, called, scored] = line?.children ?? [];
    const image = sign?.firstElementChild;
    if (!(sign instanceof HTMLElement) || !(image instanceof HTMLImageElement) || !called || !scored) return;
    setText(called, name);
    setText(scored, score);
    sign.hidden = color === '' && logo === '';
    sign.style.setProperty('--team', color || 'transparent');
    if (image.getAttribute('src') === logo) continue;
    image.hidden = true;
    sign.removeAttribute('data-logo');
    // A logo that cannot be loaded leaves the colour alone.
    image.onload = () => {
      image.hidden = false;
      sign.setAttribute('data-logo', '');
    };
    if (logo) image.src = logo;
    else image.removeAttribute('src');
  }
}

/** The text above what is shown. @param {string} [state] of a game */
function eyebrowOf(state) {
  if (state === 'pre') return t('tv.showing.next');
  return state === 'post' ? t('tv.showing.just_ended') : t('tv.showing.now');
}

/**
 * The card in words; undefined while nothing is showing.
 * @param {Card} card
 * @param {number} at
 * @param {string} [zone]
 * @param {boolean} [full] the whole names, one side a line, for a page that has nothing else
 */
export function cardWords(
  { showing, title = '', subtitle, game, expiresAt },
  at,
  zone = 'UTC',
  full = false,
) {
  if (!showing || (expiresAt && Date.parse(expiresAt) <= at)) return undefined;
  if (!game)
    return title
      ? { eyebrow: eyebrowOf(), title, note: subtitle ?? '', noteLang: '', facts: '', sides: [] }
      : undefined;
  const { home, away, state, startIso = '', venue, broadcasts = [] } = game;
  const said = game.detail ?? subtitle ?? '';
  const start = state === 'pre' && startIso ? label(Date.parse(startIso), zone) : '';
  const known = gameState({ ...game, detail: said });
  const isTime = namesItsTime(said);
  const detail = known
    ? t('tv.game.state', known)
    : isTime
      ? start && t('tv.showing.starts_at', { time: start })
      : said;
  const scored = state !== 'pre' && home.score !== null && away.score !== null;
  const homeFirst = game.sport === 'soccer';
  const sides = sidesInOrder(game).map(({ abbr, name, shortName, score, color, logoUrl }) => ({
    name: (full ? name : shortName) || name || abbr || '',
    score: scored ? String(score) : '',
    color: color ?? '',
    logo: logoUrl ?? '',
  }));
  const named = sides.map(({ name, score }) => (score ? `${name} ${score}` : name));
  const [first = '', second = ''] = named;
  return {
    eyebrow: eyebrowOf(state),
    title:
      scored || homeFirst
        ? named.join(full ? '\n' : '  –  ')
        : t(full ? 'tv.showing.guests_at_home_lines' : 'tv.showing.guests_at_home', {
            guests: first,
            home: second,
          }),
    note: detail,
    noteLang: known || isTime ? '' : languageOfSource(said),
    facts: [venue, broadcasts.join(', ')].filter(Boolean).join(' · '),
    sides,
  };
}
