// Controls that script adds to the rows of the ranked ballot: arrows, remove and add, and at the right a handle.

import { t } from '../base/texts.js';

/** @typedef {{ element: HTMLLIElement, name: string, select: HTMLSelectElement, up: HTMLButtonElement, down: HTMLButtonElement, remove: HTMLButtonElement, add: HTMLButtonElement }} Row */

const ICONS = {
  up: 'M12 20V5M5.5 11.5L12 5l6.5 6.5',
  down: 'M12 4v15M5.5 12.5L12 19l6.5-6.5',
  remove: 'M6 6l12 12M18 6L6 18',
  handle: 'M5 7h14M5 12h14M5 17h14',
};

/**
 * @param {HTMLLIElement} element
 * @returns {Row}
 */
export function makeRow(element) {
  const name = element.querySelector('label')?.textContent?.trim() ?? '';
  const select = /** @type {HTMLSelectElement} */ (element.querySelector('select'));
  const tools = document.createElement('div');
  tools.className = 'rank-tools';
  const handle = document.createElement('span');
  handle.className = 'rank-handle';
  handle.setAttribute('aria-hidden', 'true');
  handle.append(drawing(ICONS.handle));
  const up = button(t('voting.ranking.move_up', { name }), ICONS.up);
  const down = button(t('voting.ranking.move_down', { name }), ICONS.down);
  const remove = button(t('voting.ranking.take_out', { name }), ICONS.remove);
  remove.classList.add('rank-remove');
  const add = document.createElement('button');
  add.type = 'button';
  add.className = 'button button-quiet button-add';
  add.textContent = t('voting.ranking.add');
  add.setAttribute('aria-label', t('voting.ranking.add_to_order', { name }));
  select.setAttribute('aria-label', t('voting.ranked_ballot.rank_of_name', { name }));
  tools.append(up, down, remove, add);
  element.querySelector('.rank-body')?.append(tools);
  element.append(handle);
  return { element, name, select, up, down, remove, add };
}

/**
 * @param {string} label
 * @param {string} path
 */
function button(label, path) {
  const made = document.createElement('button');
  made.type = 'button';
  made.className = 'button button-quiet';
  made.setAttribute('aria-label', label);
  made.append(drawing(path));
  return made;
}

/** @param {string} path */
function drawing(path) {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

/**
 * @param {string} id
 * @param {string} text
 */
export function groupTitle(id, text) {
  const title = document.createElement('h3');
  title.id = id;
  title.textContent = text;
  return title;
}

/**
 * @param {string} className
 * @param {string} text
 */
export function paragraph(className, text) {
  const made = document.createElement('p');
  made.className = className;
  made.textContent = text;
  return made;
}
