// The form for a new election shows only what belongs to the chosen type of ballot, and no opening time where it opens at
// once. What is hidden keeps its text.

/** @param {HTMLFormElement} form */
function showChosen(form) {
  const fields = new FormData(form);
  const chosen = fields.get('ballot_type');
  for (const part of form.querySelectorAll('[data-for]')) {
    if (part instanceof HTMLElement) part.hidden = part.dataset.for !== chosen;
  }
  for (const part of form.querySelectorAll('[data-unless]')) {
    if (!(part instanceof HTMLElement)) continue;
    part.hidden = fields.has(part.dataset.unless ?? '');
    // A field that nobody sees must not stop the form.
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
// A browser that goes back fills the form in again after this module has run.
addEventListener('pageshow', start);
start();
