// Headings and pictures of the board: elements that are made once and filled again and again.
import { t } from '../../base/texts.js';
import { setText } from '../../playing/clock.js';
import { labelWidth } from './rows.js';

const LABELS = 3;
export const PICTURES_IN_ROW = 3;

/** A heading with the names of its columns: of prices, or of sizes. */
export function headingNode() {
  const node = document.createElement('div');
  const heading = document.createElement('h2');
  const [title, more] = [document.createElement('span'), document.createElement('span')];
  const labels = Array.from({ length: LABELS }, () => document.createElement('span'));
  node.className = 'tv-menu-heading';
  more.className = 'tv-menu-more';
  heading.append(title, more);
  node.append(heading, ...labels);
  return { node, title, more, labels };
}

/**
 * @param {ReturnType<typeof headingNode>} places
 * @param {{ title: string, continued: boolean, labels: readonly string[], price?: number }} heading
 */
export function fillHeading(
  { node, title: place, more, labels: places },
  { title, continued, labels, price = 0 },
) {
  node.style.setProperty('--price', String(price));
  node.style.setProperty('--label', String(labelWidth(labels)));
  setText(place, title);
  setText(more, continued ? `, ${t('tv.menu.continued_word')}` : '');
  for (const [index, label] of places.entries()) {
    setText(label, labels[index] ?? '');
    label.hidden = labels[index] === undefined;
  }
}

/** Pictures of a section side by side, each with its name. */
export function pictureNode() {
  const node = document.createElement('div');
  node.className = 'tv-menu-pictures';
  const pictures = Array.from({ length: PICTURES_IN_ROW }, () => {
    const figure = document.createElement('figure');
    const image = document.createElement('img');
    const name = document.createElement('figcaption');
    image.alt = '';
    // One that does not load leaves its place empty.
    image.addEventListener('error', () => image.toggleAttribute('data-missing', true));
    image.addEventListener('load', () => image.toggleAttribute('data-missing', false));
    figure.append(image, name);
    node.append(figure);
    return { figure, image, name };
  });
  return { node, pictures };
}

/**
 * @param {ReturnType<typeof pictureNode>} places
 * @param {readonly import('./model.js').MenuRow[]} rows with a picture each
 */
export function fillPictures({ pictures }, rows) {
  for (const [index, { figure, image, name }] of pictures.entries()) {
    const row = rows[index];
    figure.hidden = row === undefined;
    setText(name, row?.name ?? '');
    const url = row?.picture?.url ?? '';
    if (url === '') image.removeAttribute('src');
    else if (image.getAttribute('src') !== url) image.src = url;
    image.style.objectPosition = focusOf(row?.picture?.focus);
  }
}

/** Which of nine parts of a picture stays where it is cropped; the middle where none was chosen. @param {number} [focus] 1 to 9 */
const focusOf = (focus = 5) => `${50 * ((focus - 1) % 3)}% ${50 * Math.floor((focus - 1) / 3)}%`;
