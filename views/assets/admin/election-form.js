// The form for a new election shows only what belongs to the chosen type of ballot. What is hidden keeps its text.

/** @param {HTMLFormElement} form */
function showChosen(form) {
  const chosen = new FormData(form).get('ballot_type');
  for (const part of form.querySelectorAll('[data-for]')) {
    if (part instanceof HTMLElement) part.hidden = part.dataset.for !== chosen;
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
