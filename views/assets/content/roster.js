// Counts the days of each person while marks change.

const roster = document.querySelector('.roster');

function count() {
  for (const sum of roster?.querySelectorAll('[data-days]') ?? []) {
    const person = CSS.escape(sum.getAttribute('data-days') ?? '');
    sum.textContent = String(roster?.querySelectorAll(`[value="${person}"]:checked`).length);
  }
}

roster?.addEventListener('change', count);
// The browser may bring back the marks of an earlier visit.
addEventListener('pageshow', count);
