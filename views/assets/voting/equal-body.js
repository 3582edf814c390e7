// Fills the form of a ballot paper up to one length: what is left out must not show in the size of what is sent.
const form = document.querySelector('form.paper');
if (form instanceof HTMLFormElement) {
  const filling = document.createElement('input');
  filling.type = 'hidden';
  filling.name = 'filling';
  form.append(filling);
  form.addEventListener('submit', () => {
    filling.value = '';
    const sent = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
    filling.value = '.'.repeat(Math.max(0, longest(form) - new URLSearchParams(sent).toString().length));
  });
}

/**
 * The length of the body with the longest answer in every field.
 * @param {HTMLFormElement} of
 */
function longest(of) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  for (const field of of.elements) {
    if (field instanceof HTMLSelectElement) values.set(field.name, [longer([...field.options])]);
    if (!(field instanceof HTMLInputElement)) continue;
    const before = values.get(field.name) ?? [];
    values.set(
      field.name,
      field.type === 'radio' ? [longer([field, ...before.map(asValue)])] : [...before, field.value],
    );
  }
  const all = [...values].flatMap(([name, own]) => own.map((value) => [name, value]));
  return new URLSearchParams(all).toString().length;
}

/** @param {string} value */
const asValue = (value) => ({ value });

/** @param {{ value: string }[]} all */
const longer = (all) => all.reduce((best, { value }) => (value.length > best.length ? value : best), '');
