// The programme of the main screen: today's and the coming events, as large as they fit. If not all of them fit, the
// coming events take turns below today's, which stay. If today's do not fit either, they take turns, and as many of them
// as possible stay beside the coming ones.
import { t } from '../base/texts.js';
import { setText } from '../playing/clock.js';
import { fits, onLayout } from './fit.js';

/** How long each page is shown. */
const TURN_MS = 12_000;
/** So many coming events are below today's if they fit, else one. */
const COMING_BESIDE = [2, 1];
/** So many events today may fit a portrait screen at once if it leaves them more of the height; more take turns anyway. */
const CROWDED = { least: 3, most: 5 };
/** With few events the first is large enough to be read from afar; with many all are small, at last without their ends. */
const SIZES = [['large', 'normal'], ['small'], ['least']];
const FEW = 2;
const still = matchMedia('(prefers-reduced-motion: reduce)');

/**
 * @import { Row } from './model.js'
 * @typedef {{ today: Row[], coming: Row[], nothing: string }} Programme
 */

/**
 * @param {HTMLElement} day the place of the programme, whose lists have a fixed number of rows
 * @returns {(programme: Programme, at: number) => void} to be called each second; it writes only what has changed
 */
export function programmeView(day) {
  const lists = { today: rowsOf(day, 'today'), coming: rowsOf(day, 'coming') };
  const most = lists.today.length;
  /** @type {Programme | undefined} */
  let programme;
  /** @type {{ today: Row[], coming: Row[] }[]} */
  let pages = [];
  let measured = '';
  let drawn = '';

  let shownAt = 0;

  onLayout(day, () => {
    measured = '';
    if (programme) show(programme, shownAt);
  });
  return show;

  /** @param {Programme} next @param {number} at */
  function show(next, at) {
    programme = next;
    shownAt = at;
    const content = JSON.stringify(next);
    if (content !== measured) {
      measured = content;
      drawn = '';
      day.hidden = next.today.length + next.coming.length === 0;
      day.parentElement?.toggleAttribute('data-dayless', day.hidden);
      pages = divided(next);
    }
    const index = Math.floor(at / TURN_MS) % pages.length;
    const page = JSON.stringify([index, pages[index]]);
    if (page === drawn) return;
    const turned = drawn !== '' && pages.length > 1;
    drawn = page;
    write(pages[index] ?? { today: [], coming: [] }, pages.length, index);
    if (turned && !still.matches) day.animate({ opacity: [0.2, 1] }, { duration: 900, easing: 'ease-out' });
  }

  /**
   * Takes space from the slides, and then makes events smaller, only if that lets today's stay.
   * @param {Programme} all
   */
  function divided(all) {
    const { length } = all.today;
    const mayCrowd = length >= CROWDED.least && length <= CROWDED.most;
    for (const sizes of SIZES) {
      for (const isCrowded of mayCrowd ? [false, true] : [false]) {
        day.parentElement?.toggleAttribute('data-crowded', isCrowded);
        const pages = withToday(all, sizes);
        if (pages) return pages;
      }
    }
    day.parentElement?.toggleAttribute('data-crowded', false);
    return inTurns(all.today, all.coming);
  }

  /**
   * Pages that all have today's events, in the first size that fits.
   * @param {Programme} all
   * @param {readonly string[]} sizes
   */
  function withToday({ today, coming }, sizes) {
    if (today.length > most) return undefined;
    for (const size of sizes) {
      day.dataset.size = size;
      if (size === 'large' && today.length > FEW) continue;
      if (coming.length === 0 && hasSpace({ today, coming }, 1)) return [{ today, coming }];
      for (const beside of COMING_BESIDE) {
        const pages = besides(today, coming, beside);
        if (pages) return pages;
      }
    }
    return undefined;
  }

  /**
   * Pages that all have today's events; undefined if not at least so many coming events fit below them.
   * @param {Row[]} today
   * @param {Row[]} coming
   * @param {number} beside
   */
  function besides(today, coming, beside) {
    if (coming.length === 0) return undefined;
    if (beside >= coming.length && hasSpace({ today, coming }, 1)) return [{ today, coming }];
    if (!hasSpace({ today, coming: coming.slice(0, beside) })) return undefined;
    const pages = split(coming, (rows) => ({ today, coming: rows }));
    return pages.every((page) => hasSpace(page)) ? pages : undefined;
  }

  /** Pages while today's events do not fit beside a coming one. @param {Row[]} today @param {Row[]} coming */
  function inTurns(today, coming) {
    const ahead = today.filter(({ status }) => status !== 'Done');
    for (let kept = Math.min(ahead.length, most); kept > 0; kept--) {
      const stay = ahead.slice(0, kept);
      const pages = split(coming, (rows) => ({ today: stay, coming: rows }));
      if (pages.every((page) => hasSpace(page)))
        return [...split(today, (rows) => ({ today: rows, coming: [] })), ...pages];
    }
    return [
      ...split(today, (rows) => ({ today: rows, coming: [] })),
      ...split(coming, (rows) => ({ today: [], coming: rows })),
    ];
  }

  /**
   * Divides rows into pages that fit, with equally many rows or one less.
   * @param {Row[]} rows
   * @param {(rows: Row[]) => { today: Row[], coming: Row[] }} pageOf
   */
  function split(rows, pageOf) {
    const greedy = divide(rows, pageOf, 1);
    const even = divide(rows, pageOf, greedy.length);
    return even.length === greedy.length ? even : greedy;
  }

  /** @param {Row[]} rows @param {(rows: Row[]) => { today: Row[], coming: Row[] }} pageOf @param {number} wanted pages */
  function divide(rows, pageOf, wanted) {
    const made = [];
    for (let from = 0; from < rows.length; ) {
      let count = Math.min(most, Math.ceil((rows.length - from) / Math.max(1, wanted - made.length)));
      while (count > 1 && !hasSpace(pageOf(rows.slice(from, from + count)))) count--;
      made.push(pageOf(rows.slice(from, from + count)));
      from += count;
    }
    return made;
  }

  /** @param {{ today: Row[], coming: Row[] }} page @param {number} [count] of pages */
  function hasSpace(page, count = 2) {
    write(page, count);
    return fits(day);
  }

  /** @param {{ today: Row[], coming: Row[] }} page @param {number} count of pages @param {number} [index] */
  function write({ today, coming }, count, index = 0) {
    const nothing = programme && programme.today.length === 0 ? programme.nothing : '';
    put(day, 'heading', today.length > 0 || nothing ? t('tv.tv.today') : '');
    put(day, 'nothing', nothing);
    put(day, 'coming', coming.length > 0 ? t('tv.tv.coming_up') : '');
    drawDots(/** @type {HTMLElement} */ (day.querySelector('[data-show=turn]')), index, count);
    drawRows(lists.today, today);
    drawRows(lists.coming, coming);
  }
}

/** @param {HTMLElement} day @param {string} name */
function rowsOf(day, name) {
  return /** @type {HTMLElement[]} */ ([...(day.querySelector(`[data-rows=${name}]`)?.children ?? [])]);
}

/** @param {Row['status']} status */
function statusInWords(status) {
  if (status === 'Now') return t('tv.row.now');
  if (status === 'Next') return t('tv.row.next');
  return status === 'Done' ? t('tv.row.done') : '';
}

/** @param {HTMLElement[]} lines @param {Row[]} rows */
function drawRows(lines, rows) {
  for (const [index, line] of lines.entries()) {
    const row = rows[index];
    line.hidden = row === undefined;
    if (!row) continue;
    line.dataset.status = row.status;
    line.toggleAttribute('data-lead', row.lead);
    const [when, status, title, note] = line.querySelectorAll('span > span');
    if (!when || !status || !title || !note) continue;
    setText(when, row.when);
    setText(status, statusInWords(row.status));
    setText(title, row.title);
    setText(note, row.note);
  }
}

/** A dot for each page; the style sheet draws them. @param {HTMLElement} place @param {number} index @param {number} count */
function drawDots(place, index, count) {
  place.hidden = count < 2;
  place.style.setProperty('--of', String(count));
  place.style.setProperty('--at', String(index));
  place.setAttribute('aria-label', t('tv.tv.page', { page: index + 1, of: count }));
}

/** @param {HTMLElement} day @param {string} name @param {string} text */
function put(day, name, text) {
  const place = /** @type {HTMLElement} */ (day.querySelector(`[data-show=${name}]`));
  place.hidden = text === '';
  setText(place, text);
}
