// Helpers for requests that not every supported browser has: `browserslist` in package.json.

/**
 * A signal that aborts after `ms` milliseconds.
 * @param {number} ms
 * @returns {AbortSignal}
 */
export function timeout(ms) {
  const native = AbortSignal.timeout?.(ms);
  if (native) return native;
  const late = new AbortController();
  setTimeout(() => late.abort(), ms);
  return late.signal;
}

/** The name of the field with the random id of a form. A second request with one id is answered as the first. */
export const ONCE = 'once';

/**
 * The fields of a form as text, with the button that sent it. The form gets a new id: the next press is another request.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
export function formFields(form, submitter) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  if (submitter instanceof HTMLButtonElement && submitter.name)
    fields.push([submitter.name, submitter.value]);
  const once = form.elements.namedItem(ONCE);
  if (once instanceof HTMLInputElement) once.value = randomId();
  return new URLSearchParams(fields);
}

/** A random id, also where the page came over plain http. */
export const randomId = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The markup within an element, without the ids of its forms, which differ each time. @param {Element} element */
export const markupOf = (element) => element.innerHTML.replaceAll(/(name="once" value=")[^"]*/g, '$1');
