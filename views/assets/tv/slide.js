// Renders one slide. A picture that fails to load is left out, and with it a slide that has nothing else. A text that
// is too long is shown in parts, one after the other.
import { t } from '../base/texts.js';
import { fits, shrink } from './fit.js';
import { fitMenu } from './menu/slide.js';
import { textPages } from './text-pages.js';

const DECODE_WITHIN_MS = 10_000;
/** A slide does not wait longer for the code in its corner. */
const CORNER_WITHIN_MS = 1_500;
/** A page of another host that takes longer is skipped. */
const PAGE_WITHIN_MS = 15_000;
const FADED_MS = 1_900;
/** How far words shrink before the text is divided. */
const SIZES = [1, 0.9, 0.82, 0.75];
/** How far they shrink beside a code in the corner, which is left out otherwise. */
const CORNER_SIZES = [1, 0.9];
/** How far a title shrinks when it leaves no space for the text. */
const TITLE_SIZES = [0.75, 0.62, 0.5];

/** On a place that is so much wider than high the text is beside any picture. */
const BESIDE_FROM = 2;

/** A shorter title is larger where there is only text. */
const BRIEF = 20;

/** A longer title is shown above the first part only. */
const SHORT = 60;

/** So many people without a picture share a slide. */
const TOGETHER = 6;

/** The code of the page of all people behind the bar. */
const ALL_PEOPLE = '/api/image/link-qr/tenders';

/** @import { AnySlide } from '#pub/display/slides.ts' */
/** @import { MenuSlide } from './menu/slide.js' */
/**
 * A slide of the feed, or one that was made here.
 * @typedef {Omit<AnySlide, 'type'> & { type: AnySlide['type'] | 'crew' | 'menu' | 'page' | 'welcome', eyebrow?: string,
 *   week?: { day: string, hours: string, today: boolean }[], pageUrl?: string, fit?: 'contain' | 'cover' | undefined }
 *   & Partial<Pick<MenuSlide, 'sections' | 'columns' | 'priced'>>} Slide
 */
/**
 * What of a slide's text is shown, how many parts there are, and whether a code is in its corner.
 * @typedef {{ text: string, page: number, pages: number, rows?: number, isCornered?: boolean }} Part
 */

/**
 * Puts a slide into its place on the page.
 * @param {HTMLElement} node
 * @param {Slide} slide
 * @param {number} [page] which part of its text, from 0 on
 * @param {Slide} [corner] whose code may be shown in the corner
 * @returns {Promise<{ part?: Part, failed: boolean }>} no part if it cannot be shown; `failed` if its picture did
 * not load
 */
export async function fillSlide(node, slide, page = 0, corner) {
  const { type, imageUrl = '', qrImageUrl = '', pageUrl = '' } = slide;
  if (type === 'page' && !(await openPage(part(node, 'web'), pageUrl))) return { failed: false };
  const [picture, code, inCorner] = await Promise.all([
    load(image(node, 'image'), imageUrl),
    load(image(node, 'qr'), CODED.includes(type) ? qrImageUrl : ''),
    load(image(node, 'corner-qr'), (hasCorner(slide) && corner?.qrImageUrl) || '', CORNER_WITHIN_MS),
  ]);
  const failed = imageUrl !== '' && !picture;
  if ((isPictureOnly(slide) && !picture) || (type === 'link' && !code)) return { failed };

  image(node, 'image').alt = type === 'tender' ? '' : (slide.imageAlt ?? '');
  if (type !== 'page') part(node, 'web').replaceChildren();
  part(node, 'web').hidden = type !== 'page';
  part(node, 'code').hidden = !code;
  node.dataset.usual = layoutOf(node, slide, picture);
  node.dataset.priority = slide.priority ?? '';
  node.dataset.fit = slide.fit ?? '';
  node.style.setProperty('--focus', focusOf(slide));
  put(node, 'address', type === 'link' ? addressWords(slide.url) : '');
  part(node, 'corner').hidden = !inCorner;
  put(node, 'corner-title', corner?.title ?? '');
  put(node, 'corner-address', addressWords(corner?.url));
  fillWeek(part(node, 'week'), slide.week ?? []);
  return { part: fitSlide(node, slide, page), failed };
}

/**
 * Fits the text of a slide, again after the screen was resized.
 * @param {HTMLElement} node
 * @param {Slide} slide
 * @param {number} page
 * @returns {Part}
 */
export function fitSlide(node, slide, page) {
  const body = isPerson(slide) ? helloOf(node, slide) : bodyOf(slide);
  const title = titleOf(slide);
  const words = part(node, 'words');
  const { usual } = node.dataset;
  const isBroad = node.clientWidth > BESIDE_FROM * node.clientHeight;
  node.dataset.layout = usual === 'above' && isBroad ? 'beside' : usual;
  node.removeAttribute('data-corner');
  if (slide.type === 'page') return { text: '', page: 0, pages: 1 };
  put(node, 'eyebrow', eyebrowOf(slide));
  put(node, 'title', title);
  node.toggleAttribute('data-brief', title.length < BRIEF);
  put(node, 'body', body);
  put(node, 'pages', '');
  part(node, 'menu').hidden = true;
  if (slide.type === 'menu') {
    put(node, 'body', slide.priced ? (slide.columns ?? []).join(' · ') : t('tv.menu.prices_at_bar'));
    return fitMenu(words, part(node, 'menu'), slide, page, (heading, pages) => {
      put(node, 'title', heading);
      put(node, 'pages', pages);
    });
  }
  const whole = { text: body, page: 0, pages: 1 };
  // A code in the corner is left out where the words need its space.
  if (page === 0 && !part(node, 'corner').hidden) {
    node.setAttribute('data-corner', '');
    if (shrink(words, CORNER_SIZES)) return { ...whole, isCornered: true };
    node.removeAttribute('data-corner');
  }
  if (shrink(words, SIZES)) return whole;
  // Beside its picture a text has more space than below.
  if (node.dataset.layout === 'above') {
    node.dataset.layout = 'beside';
    if (shrink(words, SIZES)) return whole;
  }
  if (body === '' || node.dataset.layout === 'welcome' || isPerson(slide)) {
    if (shrink(words, TITLE_SIZES)) return whole;
    if (isPerson(slide)) put(node, 'body', '');
    // A long name replaces the sign, which the header has too, or the eyebrow.
    if (node.dataset.layout === 'welcome') node.dataset.layout = 'words';
    else put(node, 'eyebrow', '');
    shrink(words, [...SIZES, ...TITLE_SIZES]);
    return whole;
  }
  const { layout = 'words' } = node.dataset;
  /** @param {string} text @param {number} index */
  const write = (text, index) => {
    // The first part has the picture and the whole title, the others the whole width.
    const first = index === 0;
    node.dataset.layout = first ? layout : 'words';
    put(node, 'title', first || title.length <= SHORT ? title : '');
    put(node, 'pages', t('tv.slide.part', { part: index + 1, of: 9 }));
    put(node, 'body', text);
    shrink(words, first ? TITLE_SIZES : [TITLE_SIZES[0] ?? 1]);
    return fits(words);
  };
  const size = sizeOf(node);
  const known = divided.get(slide);
  const pages = known?.size === size ? known.pages : textPages(body, write);
  divided.set(slide, { size, pages });
  const shown = Math.min(page, pages.length - 1);
  write(pages[shown] ?? body, shown);
  put(node, 'pages', pages.length > 1 ? t('tv.slide.part', { part: shown + 1, of: pages.length }) : '');
  return { text: pages[shown] ?? body, page: shown, pages: pages.length };
}

/** Divided texts; `size` comes from `sizeOf`. @type {WeakMap<Slide, { size: string, pages: string[] }>} */
const divided = new WeakMap();

/** @param {HTMLElement} node */
function sizeOf({ clientWidth, clientHeight }) {
  const faces = [...document.fonts].filter(({ status }) => status === 'loaded').length;
  return `${clientWidth} ${clientHeight} ${faces}`;
}

/** Without a text, the body of an announcement is its title. @param {Slide} slide */
function bodyOf({ body = '', title = '' }) {
  return body.trim() === title.trim() ? '' : body;
}

/**
 * Puts the people behind the bar who have no picture on slides that several of them share.
 * @param {readonly Slide[]} slides
 * @returns {Slide[]}
 */
export function withCrew(slides) {
  const plain = slides.filter(isPlainPerson);
  const crews = plain.flatMap((_, index) => {
    if (index % TOGETHER > 0) return [];
    const some = plain.slice(index, index + TOGETHER);
    return crewOf(some);
  });
  const first = slides.findIndex(isPlainPerson);
  return slides.flatMap((slide, index) => (index === first ? crews : isPlainPerson(slide) ? [] : slide));
}

/** @param {Slide} slide */
const isPlainPerson = ({ type, imageUrl }) => type === 'tender' && !imageUrl;

/** @param {Slide[]} people @returns {Slide} */
function crewOf(people) {
  const names = people.map(({ name = '' }) => firstName(name));
  const [{ id = '', qrImageUrl = '' } = {}] = people;
  const last = names.length > 1 ? ` & ${names.pop()}` : '';
  const code = qrImageUrl && people.length > 1 ? ALL_PEOPLE : qrImageUrl;
  const tips = people.find((person) => person.tips)?.tips;
  return { type: 'crew', id: `crew-${id}`, title: names.join(', ') + last, qrImageUrl: code, tips };
}

/** Guests learn the first name alone. @param {string} name */
export const firstName = (name) => name.trim().split(/\s+/)[0] ?? '';

/** Which slides have a code of their own. @type {Slide['type'][]} */
const CODED = ['tender', 'crew', 'link'];

/** @param {Slide} slide */
const isPerson = ({ type }) => type === 'tender' || type === 'crew';

/** Whether a slide may have the code of another page in its corner. @param {Slide} slide */
const hasCorner = ({ type, imageUrl, priority }) =>
  type === 'welcome' || (type === 'announcement' && !imageUrl && priority !== 'urgent');

/** What the code of a person is good for. @param {HTMLElement} node @param {Slide} slide */
function helloOf(node, { tips }) {
  if (part(node, 'code').hidden) return '';
  return tips ? t('tv.slide.hello_or_tip') : t('tv.slide.hello');
}

/** @param {Slide} slide @returns {string} */
function titleOf(slide) {
  if (slide.type === 'tender') return firstName(slide.name ?? '');
  return isPictureOnly(slide) ? '' : (slide.title ?? '');
}

/** Which part of a picture stays where it is cropped; of one that has no focus area the upper part. @param {Slide} slide */
function focusOf({ imageFocus = 0 }) {
  if (!(imageFocus >= 1 && imageFocus <= 9)) return '50% 25%';
  return `${50 * ((imageFocus - 1) % 3)}% ${50 * Math.floor((imageFocus - 1) / 3)}%`;
}

/** @param {Slide} slide */
function isPictureOnly(slide) {
  return slide.type === 'announcement' && Boolean(slide.imageUrl) && bodyOf(slide) === '';
}

/** @param {HTMLElement} node @param {Slide} slide @param {boolean} picture */
function layoutOf(node, slide, picture) {
  node.toggleAttribute('data-wide', false);
  if (isPerson(slide) && !picture) return part(node, 'code').hidden ? 'words' : 'crew';
  if (['tender', 'welcome', 'link', 'page', 'menu'].includes(slide.type)) return slide.type;
  if (!picture) return 'words';
  if (isPictureOnly(slide)) return 'picture';
  const { naturalWidth: width, naturalHeight: height } = image(node, 'image');
  node.toggleAttribute('data-wide', width > height * 1.15);
  return width > height * 1.15 ? 'above' : 'beside';
}

/** @param {Slide} slide */
function eyebrowOf({ type, eyebrow = '', priority }) {
  if (type === 'tender' || type === 'crew') return t('tv.tv.behind_bar');
  if (type === 'link') return t('tv.slide.scan');
  return priority === 'urgent' ? t('tv.slide.please_note') : eyebrow;
}

/** An address without its scheme, to be broken after punctuation only. */
function addressWords(url = '') {
  return url.replace(/^https?:\/\//, '').replace(/[/.-]/g, '$&\u200b');
}

/**
 * @param {HTMLElement} list
 * @param {{ day: string, hours: string, today: boolean }[]} week
 */
function fillWeek(list, week) {
  list.hidden = week.length === 0;
  for (const [index, line] of [...list.children].entries()) {
    const { day = '', hours = '', today = false } = week[index] ?? {};
    const [term, value] = line.children;
    if (term) term.textContent = day;
    if (value) value.textContent = hours;
    line.toggleAttribute('data-today', today);
  }
}

/**
 * Loads and decodes a picture into its place. @returns whether it can be seen
 * @param {HTMLImageElement} place
 * @param {string} url
 * @param {number} [within] milliseconds
 */
async function load(place, url, within = DECODE_WITHIN_MS) {
  place.hidden = true;
  if (!url) {
    place.removeAttribute('src');
    return false;
  }
  place.src = url;
  let late = 0;
  const tooLate = new Promise((_, reject) => {
    late = window.setTimeout(reject, within, new Error('too late'));
  });
  try {
    await Promise.race([place.decode(), tooLate]);
    place.hidden = false;
    return true;
  } catch {
    place.removeAttribute('src');
    return false;
  } finally {
    clearTimeout(late);
  }
}

/**
 * Opens a page of another host in a frame that has nothing of ours: its scripts run as those of an unknown origin.
 * @returns whether it has loaded in time
 * @param {HTMLElement} place
 * @param {string} url
 */
async function openPage(place, url) {
  const frame = document.createElement('iframe');
  frame.sandbox.add('allow-scripts');
  frame.referrerPolicy = 'no-referrer';
  frame.title = new URL(url).hostname;
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', () => resolve(true), { once: true });
    setTimeout(resolve, PAGE_WITHIN_MS, false);
  });
  frame.src = url;
  // Hidden it would not be laid out.
  place.hidden = false;
  place.replaceChildren(frame);
  const isLoaded = await loaded;
  if (!isLoaded) place.replaceChildren();
  return isLoaded;
}

/** Closes the page of a slide that leaves the screen, once it has faded. @param {HTMLElement} node */
export function closePage(node) {
  const frame = part(node, 'web').firstElementChild;
  if (frame) setTimeout(() => frame.remove(), FADED_MS);
}

/**
 * @param {HTMLElement} node
 * @param {string} name
 * @param {string} text
 */
function put(node, name, text) {
  const element = part(node, name);
  element.textContent = text;
  element.hidden = text === '';
}

/** @param {HTMLElement} node @param {string} name */
function part(node, name) {
  const found = node.querySelector(`[data-part=${name}]`);
  if (found instanceof HTMLElement) return found;
  throw new Error(`no part ${name}`);
}

/** @param {HTMLElement} node @param {string} name */
function image(node, name) {
  return /** @type {HTMLImageElement} */ (part(node, name));
}
