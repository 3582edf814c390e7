// The ranked ballot with script: candidates start unranked, are added one by one, and then move by handle, by
// arrows or by the rank itself. The selects stay the form's fields, so what is sent is what is seen.
import { makeDraggable } from './ranking-drag.js';
import { groupTitle, makeRow, paragraph } from './ranking-rows.js';

/** @typedef {import('./ranking-rows.js').Row} Row */

const root = document.querySelector('form[data-ranking] .ranking');
if (root instanceof HTMLElement) start(root);

/** @param {HTMLElement} root */
function start(root) {
  const listed = root.querySelector('[data-rank-rows]');
  if (!(listed instanceof HTMLUListElement)) return;
  const status = /** @type {HTMLElement} */ (document.querySelector('[data-rank-status]'));
  const rows = [...listed.querySelectorAll('li')].map(makeRow);
  const order = rows.map((row) => row.element);
  const total = rows.length;

  const placed = document.createElement('ol');
  placed.className = 'rank-list rank-placed';
  placed.setAttribute('role', 'list');
  const blank = paragraph('rank-blank', 'Nobody yet. Add your first choice from the list below.');
  const done = paragraph('rank-blank', 'Everybody has a rank.');
  const [placedTitle, placedCount] = groupTitle('rank-placed-title', 'Your order');
  const [unrankedTitle, unrankedCount] = groupTitle('rank-unranked-title', 'Not ranked yet');
  placed.setAttribute('aria-labelledby', 'rank-placed-title');
  listed.setAttribute('aria-labelledby', 'rank-unranked-title');
  listed.before(placedTitle, placed, blank, unrankedTitle);
  const complaint = paragraph('error-text', '');
  complaint.setAttribute('role', 'alert');
  complaint.hidden = true;
  unrankedTitle.after(complaint);
  listed.after(done);
  for (const element of document.querySelectorAll('[data-without-script]'))
    element.setAttribute('hidden', '');
  for (const element of document.querySelectorAll('[data-with-script]')) element.removeAttribute('hidden');

  restore(rows).forEach((row) => {
    placed.append(row.element);
  });
  refresh();

  for (const row of rows) {
    row.up.addEventListener('click', () => step(row, -1, row.up));
    row.down.addEventListener('click', () => step(row, 1, row.down));
    row.add.addEventListener('click', () => move(row, placed.children.length, row.up));
    row.remove.addEventListener('click', () => move(row, null, row.add));
    row.select.addEventListener('change', () => {
      move(row, row.select.value === '' ? null : Number(row.select.value) - 1, row.select);
    });
    makeDraggable(row.element, { placed, end: unrankedTitle, drop: (index) => move(row, index, null) });
  }

  root.closest('form')?.addEventListener('submit', (event) => {
    const missing = rows.filter((row) => indexOf(row) === -1);
    if (missing.length === 0) return;
    event.preventDefault();
    const text = `${missing.length} of ${total} still ${missing.length === 1 ? 'has' : 'have'} no rank.`;
    complaint.textContent = text;
    complaint.hidden = false;
    missing[0]?.add.focus({ preventScroll: true });
    unrankedTitle.scrollIntoView({ block: 'nearest' });
  });

  /**
   * @param {Row} row
   * @param {-1 | 1} by
   * @param {HTMLElement} focus
   */
  function step(row, by, focus) {
    const index = indexOf(row) + by;
    if (index < 0 || index >= placed.children.length) return;
    move(row, index, focus);
  }

  /**
   * Puts a row at a place of the ranking, or back among the unranked, and says so.
   * @param {Row} row
   * @param {number | null} index
   * @param {HTMLElement | null} focus what keeps the focus, which moving an element would lose
   */
  function move(row, index, focus) {
    const before = tops(rows);
    row.element.remove();
    if (index === null) returnToList(row.element);
    else placed.insertBefore(row.element, placed.children[index] ?? null);
    row.element.querySelector('.error-text')?.remove();
    row.select.removeAttribute('aria-invalid');
    complaint.hidden = true;
    refresh();
    slide(rows, before);
    focus?.focus({ preventScroll: true });
    if (focus) keepInView(row.element);
    const rank = indexOf(row) + 1;
    status.textContent =
      rank === 0 ? `${row.name}, no longer ranked` : `${row.name}, now ${rank} of ${total}`;
  }

  /** @param {HTMLLIElement} element */
  function returnToList(element) {
    const place = order.indexOf(element);
    const next = [...(listed?.children ?? [])].find(
      (other) => order.indexOf(/** @type {HTMLLIElement} */ (other)) > place,
    );
    listed?.insertBefore(element, next ?? null);
  }

  /** @param {Row} row */
  function indexOf(row) {
    return [...placed.children].indexOf(row.element);
  }

  /** Makes every select, button and count say where the rows are. */
  function refresh() {
    const ranked = placed.children.length;
    for (const row of rows) {
      const index = indexOf(row);
      const isPlaced = index !== -1;
      row.select.value = isPlaced ? String(index + 1) : '';
      const highest = isPlaced ? ranked : ranked + 1;
      for (const option of row.select.options) option.disabled = Number(option.value) > highest;
      row.up.hidden = row.down.hidden = row.remove.hidden = !isPlaced;
      row.add.hidden = isPlaced;
      row.up.setAttribute('aria-disabled', String(index <= 0));
      row.down.setAttribute('aria-disabled', String(index === ranked - 1));
    }
    placed.hidden = ranked === 0;
    blank.hidden = ranked > 0;
    done.hidden = ranked < total;
    placedCount.textContent = `${ranked} of ${total} ranked`;
    unrankedCount.textContent = `${total - ranked} to go`;
  }
}

/**
 * The rows that came back from the server with a rank of their own, in order; a rank given twice is no order.
 * @param {Row[]} rows
 */
function restore(rows) {
  const ranks = rows.map((row) => row.select.value);
  return rows
    .filter(
      (_, index) =>
        ranks[index] !== '' && ranks.indexOf(ranks[index] ?? '') === ranks.lastIndexOf(ranks[index] ?? ''),
    )
    .sort((a, b) => Number(a.select.value) - Number(b.select.value));
}

/** @param {Row[]} rows */
function tops(rows) {
  return rows.map((row) => row.element.getBoundingClientRect().top + scrollY);
}

/**
 * Lets every row glide from where it was, unless motion is unwelcome.
 * @param {Row[]} rows
 * @param {number[]} before
 */
function slide(rows, before) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const after = tops(rows);
  rows.forEach((row, index) => {
    const offset = (before[index] ?? 0) - (after[index] ?? 0);
    if (Math.abs(offset) < 1) return;
    row.element.animate([{ transform: `translateY(${offset}px)` }, { transform: 'none' }], {
      duration: 160,
      easing: 'ease-out',
    });
  });
}

/** @param {HTMLElement} element */
function keepInView(element) {
  const { top, bottom } = element.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) element.scrollIntoView({ block: 'nearest' });
}
