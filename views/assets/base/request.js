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

/**
 * The fields of a form as text, with the button that sent it.
 * @param {HTMLFormElement} form
 * @param {HTMLElement | null} submitter
 */
export function formFields(form, submitter) {
  const fields = [...new FormData(form)].map(([name, value]) => [name, String(value)]);
  if (submitter instanceof HTMLButtonElement && submitter.name)
    fields.push([submitter.name, submitter.value]);
  return new URLSearchParams(fields);
}
