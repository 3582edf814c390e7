// The rule in words and the next dates beside the form, while somebody types. The server says them, by the code of the
// page that checks them; without an answer that page is still there.

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
    asking = new AbortController();
    try {
      const response = await fetch(place.dataset.liveDates ?? '', {
        method: 'POST',
        headers: { accept: 'text/html' },
        body: fieldsOf(form),
        signal: asking.signal,
      });
      // Other refusals come with a page of their own.
      if (response.ok || response.status === 400) show(await response.text());
    } catch {
      // Typing goes on, or there is no network: what stands there would be of another text.
      if (!asking.signal.aborted) place.hidden = true;
    }
  };

  /** @param {string} text a part of a page of ours */
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
}

/** @param {Element} element */
function sentenceIn(element) {
  return element.querySelector('[data-sentence]')?.textContent ?? '';
}

/** All but the picture, which no date depends on. @param {HTMLFormElement} filled */
function fieldsOf(filled) {
  const fields = new URLSearchParams();
  for (const [name, value] of new FormData(filled))
    if (typeof value === 'string' && !name.startsWith('picture')) fields.append(name, value);
  return fields;
}
