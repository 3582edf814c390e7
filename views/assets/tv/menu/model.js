// What a screen shows of the list at a moment, from the last feed alone: no DOM, no network.
import { byOrder, sizeWords, strengthWords } from '../../../../src/kernel/shared/menu-words.js';
import { t } from '../../base/texts.js';

/**
 * @import { Menu, MenuItem, MenuSection as FeedSection, MenuSize, MenuState } from '#pub/menu/list.ts'
 * @import { Window } from '#pub/windows.ts'
 * @typedef {{ size: string, price: string, member: string, was: string, until: string }} Price
 * @typedef {object} MenuRow
 * @property {string} key
 * @property {string} tap
 * @property {string} name
 * @property {string} abv
 * @property {string[]} about maker and style
 * @property {string[]} marks
 * @property {string} chip `last few`, `new`
 * @property {MenuState | 'new' | 'next'} state
 * @property {number | null} ebc
 * @property {{ url: string, focus: number | undefined } | undefined} [picture]
 * @property {Price[]} prices not to be shown unless the list is `priced`; rows keep their height without them
 */

/**
 * @typedef {object} MenuSection
 * @property {string} id
 * @property {string} title
 * @property {1 | 2} lines
 * @property {boolean} onTap
 * @property {string[]} sizes what its heading names once, because nearly all rows are sold in it; none: each row names its own
 * @property {MenuRow[]} rows
 */

/**
 * @typedef {object} Moment
 * @property {number} at milliseconds by the server's clock
 * @property {boolean} known whether that clock can be relied on
 * @property {string} locale
 * @property {(at: number) => string} time writes a time of day
 * @property {readonly string[] | undefined} [sections] ids of the only sections to show
 */

/** Whether prices may be shown: never old ones, and none while the time is not known. @param {Menu} feed @param {Moment} moment */
const pricesMayShow = ({ validUntil }, { at, known }) => known && at < Date.parse(validUntil);

/**
 * The sections with something to show, and what is written once for all.
 * @param {Menu} feed
 * @param {Moment} moment
 * @returns {{ sections: MenuSection[], columns: string[], priced: boolean, allergenLine: string }}
 */
export function menuAt(feed, moment) {
  const priced = pricesMayShow(feed, moment);
  const all = [...feed.sections, ...(feed.laterSections ?? [])].sort(byOrder);
  // In a list that is new itself the word says nothing.
  const isAllNew = all.every(({ items }) => items.every(({ isNew }) => isNew));
  const sections = all
    .filter((section) => isShown(section, moment))
    .map(({ id, title, rows: lines, onTap, items }) => {
      const rows = items.map((item) => rowOf({ ...item, isNew: item.isNew && !isAllNew }, feed, moment));
      return { id, title, lines, onTap, sizes: feed.columns === 2 ? [] : sharedSizes(rows), rows };
    })
    .filter(({ rows }) => rows.length > 0);
  const { columns, columnNames, allergenLine, next } = feed;
  const coming = next.length > 0 && sections.some(({ onTap }) => onTap) ? [comingNext(next)] : [];
  return {
    sections: [...sections, ...coming],
    columns: columns === 2 ? [columnNames.members, columnNames.guests] : [],
    priced,
    allergenLine,
  };
}

const SIZES_AT_MOST = 3;
/** A longer name would be wider than a price. */
const SIZE_LETTERS = 14;
/** Of the cells of a table at most every fourth is empty. */
const FILLED = 0.75;

/**
 * The sizes that a heading can name for all rows, as the columns of a table.
 * @param {MenuRow[]} rows
 */
function sharedSizes(rows) {
  const all = rows.map(({ prices }) => prices.map(({ size }) => size));
  const sizes = [...new Set(all.flat())];
  const isTable =
    rows.length > 1 &&
    sizes.length <= SIZES_AT_MOST &&
    sizes.every((size) => size !== '' && size.length <= SIZE_LETTERS) &&
    all.flat().length >= FILLED * sizes.length * rows.length;
  return isTable ? sizes : [];
}

/** @param {FeedSection} section @param {Moment} moment */
function isShown({ id, windows, showOn }, { at, known, sections = [] }) {
  if (!showOn.screens || (sections.length > 0 && !sections.includes(id))) return false;
  return !windows || (known && isWithin(windows, at));
}

/** @param {readonly Window[]} windows @param {number} at */
const isWithin = (windows, at) => windows.some(([start, end]) => at >= start && at < end);

/** @param {MenuItem} item @param {Menu} feed @param {Moment} moment @returns {MenuRow} */
function rowOf(item, feed, moment) {
  const { id, name, maker, style, abv, colorEbc, tap, taps = [tap], marks, isNew, stateUntil } = item;
  const isOver = moment.known && stateUntil !== null && moment.at >= Date.parse(stateUntil);
  const state = isOver ? 'on' : item.state;
  return {
    key: id,
    tap: tap === null ? '' : taps.join(', '),
    name,
    abv: abv === null ? '' : strengthWords(abv, moment.locale),
    about: [maker, style].filter(Boolean),
    marks: marks.map(markInWords),
    chip: chipOf(state === 'on' && isNew ? 'new' : state),
    state: state === 'on' && isNew ? 'new' : state,
    ebc: colorEbc,
    picture: item.imageUrl ? { url: item.imageUrl, focus: item.imageFocus } : undefined,
    prices: item.sizes.map((size) => priceOf(size, feed, moment)),
  };
}

/** @param {MenuSize} size @param {Menu} feed @param {Moment} moment @returns {Price} */
function priceOf(size, { columns }, { at, known, time }) {
  const { priceText, memberPriceText, offer, laterOffers = [] } = size;
  const current =
    offer && at < Date.parse(offer.until) ? offer : laterOffers.find(({ windows }) => isWithin(windows, at));
  const now = (known && current) || undefined;
  return {
    size: sizeWords(size),
    price: now ? now.priceText : priceText,
    member: columns === 2 ? now?.memberPriceText || memberPriceText : '',
    // What members have to ask for is no price that an offer replaces.
    was: now ? `${now.memberPriceText && `${memberPriceText} / `}${priceText}` : '',
    until: now ? t('tv.menu.until', { time: time(Date.parse(now.until)) }) : '',
  };
}

/** What comes next on which tap, as a last section of single lines. @param {Menu['next']} next @returns {MenuSection} */
const comingNext = (next) => ({
  id: 'next',
  title: t('tv.menu.coming_next'),
  lines: 1,
  onTap: false,
  sizes: [],
  rows: next.map(({ tap, name }) => ({
    key: `next ${tap}`,
    tap: String(tap),
    name,
    abv: '',
    about: [],
    marks: [],
    chip: '',
    state: 'next',
    ebc: null,
    prices: [],
  })),
});

/** @param {MenuItem['marks'][number]} mark */
function markInWords(mark) {
  switch (mark) {
    case 'vegan':
      return t('pub.menu.mark_vegan');
    case 'vegetarian':
      return t('pub.menu.mark_vegetarian');
    case 'gluten_free':
      return t('pub.menu.mark_gluten_free');
    case 'alcohol_free':
      return t('pub.menu.mark_alcohol_free');
    default:
      return t('pub.menu.mark_cask');
  }
}

/** What a row says about its state. @param {MenuRow['state']} state */
export function chipOf(state) {
  switch (state) {
    case 'last':
      return t('tv.menu.last_few');
    case 'out':
      return t('tv.menu.sold_out');
    case 'cleaning':
      return t('tv.menu.cleaning');
    default:
      return state === 'new' ? t('tv.menu.new') : '';
  }
}
