// The form for a new election shows only the fields of the chosen ballot type, or of the choice that they name, and no
// opening time if it opens at once.
// Hidden fields keep their values.

/** @param {HTMLFormElement} form */
function showChosen(form) {
  const fields = new FormData(form);
  for (const part of form.querySelectorAll('[data-for]')) {
    if (!(part instanceof HTMLElement)) continue;
    const chosen = fields.get(part.dataset.of ?? 'ballot_type');
    // A form of one type has no choice of types.
    if (chosen !== null) part.hidden = !part.dataset.for?.split(' ').includes(String(chosen));
  }
  for (const part of form.querySelectorAll('[data-unless]')) {
    if (!(part instanceof HTMLElement)) continue;
    part.hidden = fields.has(part.dataset.unless ?? '');
    // A hidden required field would block the form.
    for (const input of part.querySelectorAll('input')) input.required = !part.hidden;
  }
}

function start() {
  const form = document.querySelector('form[data-election-form]');
  if (!(form instanceof HTMLFormElement)) return;
  form.addEventListener('change', () => showChosen(form));
  showChosen(form);
}

document.addEventListener('main-replaced', start);
// When going back, browsers restore the fields after this module has run.
addEventListener('pageshow', start);
start();
