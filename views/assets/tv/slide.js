// One slide and its place on the page. A picture that does not come is left out, and with it a slide that is nothing
// but that picture.

const DECODE_WITHIN_MS = 10_000;
/** How far words shrink before they are cut. */
const SIZES = [1, 0.88, 0.78, 0.69, 0.61];

/** @typedef {{ type: string, [key: string]: any }} Slide */

/**
 * Puts a slide into its place on the page.
 * @param {HTMLElement} node
 * @param {Slide} slide
 * @returns {Promise<{ fits: boolean, failed: boolean }>} whether it can be shown, and whether it has a picture that did
 * not come
 */
export async function fillSlide(node, slide) {
  const { type, title = '', imageUrl = '', qrImageUrl = '' } = slide;
  const tender = type === 'tender';
  // An announcement without a text of its own repeats its name.
  const body = slide.body?.trim() === title.trim() ? '' : (slide.body ?? '');
  const [picture, code] = await Promise.all([
    load(image(node, 'image'), imageUrl),
    load(image(node, 'qr'), tender ? qrImageUrl : ''),
  ]);
  image(node, 'image').alt = tender ? '' : (slide.imageAlt ?? '');
  const pictureOnly = type === 'announcement' && imageUrl !== '' && body === '';
  const failed = imageUrl !== '' && !picture;
  if (pictureOnly && !picture) return { fits: false, failed };

  const { naturalWidth: width, naturalHeight: height } = image(node, 'image');
  const beside = picture && width > height * 1.15 ? 'above' : 'beside';
  node.dataset.layout = tender
    ? 'tender'
    : type === 'welcome'
      ? 'welcome'
      : pictureOnly
        ? 'picture'
        : picture
          ? beside
          : 'words';
  node.dataset.priority = slide.priority ?? '';
  put(node, 'eyebrow', eyebrowOf(slide));
  put(node, 'title', tender ? slide.name : pictureOnly ? '' : title);
  put(node, 'body', body);
  put(node, 'initials', tender && !picture ? initialsOf(slide.name ?? '') : '');
  part(node, 'code').hidden = !code;
  fillWeek(part(node, 'week'), slide.week ?? []);
  shrink(node);
  return { fits: true, failed };
}

/** @param {Slide} slide */
function eyebrowOf({ type, title, eyebrow = '', priority }) {
  if (type === 'tender') return title;
  return priority === 'urgent' ? 'Please note' : eyebrow;
}

/** @param {string} name */
function initialsOf(name) {
  return name
    .split(/\s+/)
    .map((word) => [...word][0] ?? '')
    .slice(0, 2)
    .join('')
    .toUpperCase();
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
 */
async function load(place, url) {
  place.hidden = true;
  if (!url) {
    place.removeAttribute('src');
    return false;
  }
  place.src = url;
  let late = 0;
  const tooLate = new Promise((_, reject) => {
    late = window.setTimeout(reject, DECODE_WITHIN_MS, new Error('too late'));
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
 * Makes long words smaller until they fit; what is longer still ends in an ellipsis.
 * @param {HTMLElement} node
 */
function shrink(node) {
  const words = part(node, 'words');
  const body = part(node, 'body');
  const tooLong = () => words.scrollHeight > words.clientHeight + 1;
  body.style.removeProperty('-webkit-line-clamp');
  for (const size of SIZES) {
    node.style.setProperty('--fit', String(size));
    if (!tooLong()) return;
  }
  const line = Number.parseFloat(getComputedStyle(body).lineHeight);
  const over = words.scrollHeight - words.clientHeight;
  const lines = Math.max(1, Math.floor((body.offsetHeight - over) / line));
  body.style.setProperty('-webkit-line-clamp', String(lines));
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
