// Sends the form of a ballot in one length: how much is filled in must not show in the size of what is sent. In a meeting
// the form appears on a page that is there already.
document.addEventListener('submit', ({ target: form, submitter }) => {
  if (!(form instanceof HTMLFormElement) || !form.matches('.ballot')) return;
  const filling = form.elements.namedItem('filling');
  if (!(filling instanceof HTMLInputElement)) return;
  filling.value = '';
  const sent = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  if (submitter instanceof HTMLButtonElement && submitter.name) sent.push([submitter.name, submitter.value]);
  filling.value = '.'.repeat(Math.max(0, longest(form) - lengthOf(sent)));
});

/**
 * The length of the body with the longest answer in every field, and the longest button.
 * @param {HTMLFormElement} of
 */
function longest(of) {
  /** @type {Map<string, string[]>} */
  const values = new Map();
  let button = 0;
  for (const field of of.elements) {
    if (field instanceof HTMLSelectElement) values.set(field.name, [longer([...field.options])]);
    if (field instanceof HTMLButtonElement && field.name)
      button = Math.max(button, lengthOf([[field.name, field.value]]) + 1);
    if (!(field instanceof HTMLInputElement)) continue;
    const before = values.get(field.name) ?? [];
    values.set(
      field.name,
      field.type === 'radio' ? [longer([field, ...before.map(asValue)])] : [...before, field.value],
    );
  }
  return lengthOf([...values].flatMap(([name, own]) => own.map((value) => [name, value]))) + button;
}

/** @param {string[][]} fields */
const lengthOf = (fields) => new URLSearchParams(fields).toString().length;

/** @param {string} value */
const asValue = (value) => ({ value });

/** @param {{ value: string }[]} all */
const longer = (all) => all.reduce((best, { value }) => (value.length > best.length ? value : best), '');
