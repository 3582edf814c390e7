// The ranked ballot with script: candidates start unranked, are added one by one, and then move by handle, by
// arrows or by the rank itself. The selects stay the form's fields, so it sends what is shown.
import { checkRanking, readRanks } from '../../../src/voting/shared/choice.ts';
import { t } from '../base/texts.js';
import { makeDraggable } from './ranking-drag.js';
import { groupTitle, makeRow, paragraph } from './ranking-rows.js';
import { bringIntoView, slide, takeTops } from './ranking-view.js';

/** @import { Row } from './ranking-rows.js' */

/** The rankings that were started: in a meeting a ballot appears on a page that is there already. */
const started = new WeakSet();
startAll();
document.addEventListener('main-replaced', startAll);

function startAll() {
  for (const [index, root] of document.querySelectorAll('[data-ranking] .ranking').entries()) {
    if (!(root instanceof HTMLElement) || started.has(root)) continue;
    started.add(root);
    start(root, index === 0 ? '' : `-${index + 1}`);
  }
}

/**
 * @param {HTMLElement} root
 * @param {string} suffix of the ids: a ballot paper can have several rankings
 */
function start(root, suffix) {
  const listed = root.querySelector('[data-rank-rows]');
  if (!(listed instanceof HTMLUListElement)) return;
  const form = root.closest('form');
  const ballot = /** @type {HTMLElement} */ (root.closest('[data-ranking]'));
  const ranking = ballot.dataset.ranking === 'partial' ? 'partial' : 'complete';
  const status = /** @type {HTMLElement} */ (ballot.querySelector('[data-rank-status]'));
  const count = /** @type {HTMLElement} */ (ballot.querySelector('[data-rank-count]'));
  const rest = root.querySelector('[data-rank-rest]');
  const rows = [...listed.querySelectorAll('li')].map(makeRow);
  const order = rows.map((row) => row.element);
  const total = rows.length;

  const placed = document.createElement('ol');
  placed.className = 'rank-list rank-placed';
  placed.setAttribute('role', 'list');
  const done = paragraph('soft', t('voting.ranking.everybody_has_a_rank'));
  const placedTitle = groupTitle(`rank-placed-title${suffix}`, t('voting.ranking.your_order'));
  const unrankedTitle = groupTitle(
    `rank-unranked-title${suffix}`,
    root.dataset.unranked ?? t('voting.ranking.not_ranked_yet'),
  );
  placed.setAttribute('aria-labelledby', placedTitle.id);
  listed.setAttribute('aria-labelledby', unrankedTitle.id);
  listed.before(placedTitle, placed, unrankedTitle);
  const complaint = paragraph('error-text', '');
  complaint.setAttribute('role', 'alert');
  complaint.hidden = true;
  unrankedTitle.after(complaint, ...(rest ? [rest] : []));
  listed.after(done);
  for (const element of ballot.querySelectorAll('[data-without-script]')) element.setAttribute('hidden', '');
  for (const element of ballot.querySelectorAll('[data-with-script]')) element.removeAttribute('hidden');
  count.closest('.actions')?.classList.add('rank-bar');

  restoreOrder();
  // When going back, browsers restore the selects after this module has run.
  addEventListener('pageshow', () => {
    if (rows.some((row) => Number(row.select.value) !== indexOf(row) + 1)) restoreOrder();
  });

  for (const row of rows) {
    row.up.addEventListener('click', () => step(row, -1, row.up));
    row.down.addEventListener('click', () => step(row, 1, row.down));
    row.element.addEventListener('click', (event) => {
      if (indexOf(row) !== -1 || !(event.target instanceof Element)) return;
      const control = event.target.closest('button, select, details, .rank-handle');
      if (control && control !== row.add) return;
      // The label would move the focus to the rank.
      event.preventDefault();
      add(row, event);
    });
    row.remove.addEventListener('click', (event) => move(row, null, row.add, event));
    row.select.addEventListener('change', () => {
      move(row, row.select.value === '' ? null : Number(row.select.value) - 1, row.select);
    });
    makeDraggable(row.element, { placed, end: unrankedTitle, drop: (index) => move(row, index, null) });
  }

  form?.addEventListener('submit', (event) => {
    // A blank ballot needs no ranks.
    if (event.submitter?.getAttribute('name') === 'blank') return;
    if (ballot.querySelector('input[name$=".blank"]:checked')) return;
    const ranked = rows.filter((row) => indexOf(row) !== -1).map(fieldOf);
    const problem = checkRanking(ranked, rows.map(fieldOf), ranking);
    // A question of a ballot paper may be left out.
    if (!problem || (ballot !== form && ranked.length === 0)) return;
    event.preventDefault();
    const missing = unranked();
    const none = missing.length === total;
    const lacking = { missing: missing.length, total };
    complaint.textContent =
      problem.code === 'none_ranked'
        ? t('voting.ranking.rank_at_least_one')
        : none
          ? t('voting.ranking.rank_all', lacking)
          : t('voting.ranking.rank_the_rest', lacking);
    complaint.hidden = false;
    rest?.toggleAttribute('hidden', none);
    unrankedTitle.scrollIntoView({ block: 'start' });
    const [first] = missing;
    if (first) bringIntoView(first.element, first.add);
  });

  rest?.querySelector('button')?.addEventListener('click', (event) => {
    event.preventDefault();
    const others = unranked();
    const [first] = others;
    if (!first) return;
    const before = takeTops(rows);
    for (const { element } of others) settle(element, placed.children.length);
    refresh();
    status.textContent = t('voting.ranking.others_follow', { others: others.length });
    bringIntoView(first.element, first.up);
    slide(rows, before);
  });

  /** Rebuilds the order from the selects. */
  function restoreOrder() {
    const ranked = restore(rows);
    for (const { element } of rows) returnToList(element);
    placed.append(...ranked.map((row) => row.element));
    refresh();
  }

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
   * Adds a row to the end of the order. The focus goes to the next row that can be added, so that the rows are added
   * one after the other; after the last one it goes to its rank.
   * @param {Row} row
   * @param {MouseEvent} click
   */
  function add(row, click) {
    const others = unranked().filter((other) => other !== row);
    const place = order.indexOf(row.element);
    const next = others.find(({ element }) => order.indexOf(element) > place) ?? others[0];
    move(row, placed.children.length, next?.add ?? row.select, click, next);
  }

  /**
   * Moves a row to a place in the ranking, or to the unranked, and announces it.
   * @param {Row} row
   * @param {number | null} index
   * @param {HTMLElement | null} focus gets the focus, which moving the row would lose
   * @param {MouseEvent} [click] by pointer: the list in use stays in view, and the row beside gets the focus
   * @param {Row} [seen] the row of the focus, if it is another one
   */
  function move(row, index, focus, click, seen = row) {
    const before = takeTops(rows);
    const neighbour = neighbourOf(row);
    const from = neighbour?.element.getBoundingClientRect().top ?? 0;
    settle(row.element, index);
    refresh();
    const rank = indexOf(row) + 1;
    status.textContent =
      rank === 0
        ? t('voting.ranking.no_longer_ranked', { name: row.name })
        : t('voting.ranking.now_ranked', { name: row.name, rank, total });
    if (focus && click && click.detail > 0 && neighbour && !isInView(row.element)) {
      scrollBy(0, neighbour.element.getBoundingClientRect().top - from);
      (rank === 0 ? neighbour.remove : neighbour.add).focus({ preventScroll: true });
    } else if (focus) bringIntoView(seen.element, focus);
    slide(rows, before);
  }

  /**
   * @param {HTMLLIElement} element
   * @param {number | null} index
   */
  function settle(element, index) {
    element.remove();
    if (index === null) returnToList(element);
    else placed.insertBefore(element, placed.children[index] ?? null);
    element.querySelector('.error-text')?.remove();
    element.querySelector('select')?.removeAttribute('aria-invalid');
  }

  /** @param {HTMLLIElement} element */
  function returnToList(element) {
    const place = order.indexOf(element);
    const next = [...(listed?.children ?? [])].find(
      (other) => order.indexOf(/** @type {HTMLLIElement} */ (other)) > place,
    );
    listed?.insertBefore(element, next ?? null);
  }

  /** The row before this one in its list, or the next one. @param {Row} row */
  function neighbourOf({ element }) {
    const beside = element.previousElementSibling ?? element.nextElementSibling;
    return rows.find((other) => other.element === beside);
  }

  /** @param {HTMLElement} element */
  function isInView(element) {
    const { top, bottom } = element.getBoundingClientRect();
    return (
      top >= 0 && bottom <= (form?.querySelector('.rank-bar')?.getBoundingClientRect().top ?? innerHeight)
    );
  }

  /** The rows without a rank, as they are listed. */
  function unranked() {
    return rows.filter((row) => indexOf(row) === -1);
  }

  /** @param {Row} row */
  function indexOf(row) {
    return [...placed.children].indexOf(row.element);
  }

  /** Updates every select, button and count to the order. */
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
    placed.hidden = placedTitle.hidden = ranked === 0;
    done.hidden = ranked < total;
    count.textContent = t('voting.ranking.ranked_of', { ranked, total });
    complaint.hidden = true;
    rest?.setAttribute('hidden', '');
    const button = rest?.querySelector('button');
    if (button) button.textContent = t('voting.ranked_ballot.rank_other_listed', { missing: total - ranked });
  }
}

/**
 * The rows that came back from the server with a rank of their own, in order.
 * @param {Row[]} rows
 */
function restore(rows) {
  const entered = Object.fromEntries(rows.map((row) => [fieldOf(row), row.select.value]));
  const { ranking } = readRanks(rows.map(fieldOf), entered);
  return ranking.flatMap((name) => rows.filter((row) => fieldOf(row) === name));
}

/** Names the candidate of a row. @param {Row} row */
function fieldOf({ select }) {
  return select.name;
}
