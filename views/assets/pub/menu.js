// Hides the rows that a search does not find, while somebody types.

const form = document.querySelector('[data-menu-search]');
const field = form?.querySelector('input[type=search]');
const count = form?.querySelector('[data-menu-count]');
const none = document.querySelector('[data-menu-none]');
const sections = [...document.querySelectorAll('[data-menu-section]')].map((section) => ({
  section,
  rows: [...section.querySelectorAll('[data-menu-item]')],
}));

/** As views/pub/menu.ts folds the words of the rows. @param {string} text */
const fold = (text) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

if (form && field instanceof HTMLInputElement) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
  });
  field.addEventListener('input', show);
  // A page that was limited by the service has not all rows.
  if (field.value === '') addEventListener('pageshow', show);
}

function show() {
  if (!(field instanceof HTMLInputElement)) return;
  const parts = fold(field.value.trim()).split(/\s+/);
  let found = 0;
  for (const { section, rows } of sections) {
    let inSection = 0;
    for (const row of rows) {
      const words = row.getAttribute('data-menu-item') ?? '';
      const isFound = parts.every((part) => words.includes(part));
      row.toggleAttribute('hidden', !isFound);
      if (isFound) inSection += 1;
    }
    section.toggleAttribute('hidden', inSection === 0);
    found += inSection;
  }
  none?.toggleAttribute('hidden', found > 0);
  if (count) count.textContent = field.value.trim() === '' ? '' : `${found} found`;
}
