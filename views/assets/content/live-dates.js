// Shows the rule in words and the next dates beside the form while the user types. The server renders them, as it does
// for “Check the dates”; that button works without this script.

const WAIT_MS = 500;

const place = document.querySelector('[data-live-dates]');
const status = document.querySelector('[data-live-status]');
const form = place?.closest('form');

if (place instanceof HTMLElement && form) {
  /** @type {AbortController | undefined} */
  let asking;
  let timer = 0;

  const ask = async () => {
    asking?.abort();
    const request = new AbortController();
    asking = request;
    try {
      const response = await fetch(place.dataset.liveDates ?? '', {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: fieldsOf(form),
        signal: request.signal,
      });
      // Other errors come as whole pages.
      if (response.ok || response.status === 400) show(await response.text());
    } catch {
      // Without the network these dates no longer match the form; an aborted request was replaced by a newer one.
      if (!request.signal.aborted) place.hidden = true;
    }
  };

  /** @param {string} text an HTML fragment */
  const show = (text) => {
    const part = new DOMParser().parseFromString(text, 'text/html').body;
    const before = sentenceIn(place);
    place.replaceChildren(...part.childNodes);
    place.hidden = false;
    const sentence = sentenceIn(place);
    if (status && sentence !== before) status.textContent = sentence;
  };

  form.addEventListener('input', () => {
    clearTimeout(timer);
    timer = window.setTimeout(ask, WAIT_MS);
  });
  // When going back, browsers restore the fields after this module has run.
  const sent = fieldsOf(form).toString();
  addEventListener('pageshow', () => {
    if (fieldsOf(form).toString() !== sent) void ask();
  });
}

/** @param {Element} element */
function sentenceIn(element) {
  return element.querySelector('[data-sentence]')?.textContent ?? '';
}

/** All fields but the picture, which dates do not need. @param {HTMLFormElement} filled */
function fieldsOf(filled) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(filled))
    if (typeof value === 'string' && !name.startsWith('picture')) fields.append(name, value);
  return fields;
}
