// The list on the main screen: when it has the whole screen, and at which moment it is shown.
import { t } from '../../base/texts.js';
import { isTimeKnown, label, localDate, locale, now, setText } from '../../playing/clock.js';
import { menuBoard } from './board.js';
import { menuAt } from './model.js';

const { zone = 'UTC' } = document.body.dataset;

/**
 * The present moment, for `menuAt`.
 * @param {readonly string[]} [sections] ids of the only sections to show
 * @returns {import('./model.js').Moment}
 */
export const menuMoment = (sections) => ({
  at: now(),
  known: isTimeKnown(),
  locale,
  time: (at) => label(at, zone),
  sections,
});

/**
 * The board over the whole screen.
 * @returns {(menu: import('#pub/menu/list.ts').Menu | undefined, how: { board: boolean, whole: boolean, sections?: readonly string[], readAt: number, phones: string | undefined }) => boolean}
 * to be called each second with whether it has the screen, and all of the list one page; when the list was read, and the address of the page for phones if a phone can open it;
 * whether the board is shown
 */
export function menuView() {
  const place = document.querySelector('[data-menu]');
  if (!(place instanceof HTMLElement)) return () => false;
  const show = menuBoard(place);
  return (menu, { board, whole, sections, readAt, phones }) => {
    const moment = menuMoment(sections);
    const shown = board && menu ? menuAt(menu, moment) : undefined;
    const hidesSoldOut = menu?.soldOutShows === 'hidden';
    const rows = shown?.sections.flatMap((section) => section.rows) ?? [];
    const isShown = rows.some(({ state }) => !(hidesSoldOut && state === 'out'));
    place.hidden = !isShown;
    if (!isShown || !shown) return false;
    showCode(place, phones);
    show(shown, {
      at: moment.at,
      asOf: moment.known ? t('tv.menu.as_of', { time: timeOf(readAt, moment.at) }) : '',
      hidesSoldOut,
      whole,
    });
    return true;
  };
}

/** A time, with its day if that is not today. @param {number} time @param {number} at */
function timeOf(time, at) {
  const words = label(time, zone);
  if (localDate(time, zone) === localDate(at, zone)) return words;
  const day = label(time, zone, { weekday: 'short', month: 'short', day: 'numeric' });
  return t('common.time.day_and_time', { day, time: words });
}

/**
 * The code of the page for phones.
 * @param {HTMLElement} place
 * @param {string | undefined} url
 */
function showCode(place, url) {
  const code = place.querySelector('[data-part=code]');
  const picture = place.querySelector('[data-part=qr]');
  const address = place.querySelector('[data-part=address]');
  if (!(code instanceof HTMLElement) || !(picture instanceof HTMLImageElement) || !address) return;
  code.hidden = url === undefined;
  if (url === undefined) return;
  const { host, pathname } = new URL(url, location.href);
  setText(address, `${host}${pathname}`.replace(/[/.-]/g, '$&\u200b'));
  if (!picture.hasAttribute('src')) picture.src = '/api/image/link-qr/menu';
}
