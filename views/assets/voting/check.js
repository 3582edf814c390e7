// Looks for a ballot by its code in the browser: the code is hashed here and compared with the published list. Where
// that cannot be done the form is sent, and the service does it.

const form = document.querySelector('form[data-check]');
if (form instanceof HTMLFormElement && crypto.subtle) {
  form.addEventListener('submit', (event) => {
    const code = String(new FormData(form).get('code') ?? '')
      .replace(/[\s\-–—_.]/g, '')
      .toLowerCase();
    // The service says what is wrong with it.
    if (!/^[0-9a-f]{32}$/.test(code)) return;
    event.preventDefault();
    check(code).catch(() => form.submit());
  });
}

/** @param {string} code */
async function check(code) {
  const answer = await fetch(form?.getAttribute('data-check') ?? '', {
    headers: { Accept: 'application/json' },
  });
  if (!answer.ok) throw new Error(String(answer.status));
  const { inclusion_hashes, computed } = await answer.json();
  /** @type {string[] | undefined} */
  const published = inclusion_hashes ?? computed?.inclusion_hashes;
  if (!published) throw new Error('There is no list');
  show(published.includes(await sha256(code)));
}

/** @param {string} text */
async function sha256(text) {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {boolean} found */
function show(found) {
  const template = document.querySelector(found ? '[data-check-found]' : '[data-check-missing]');
  if (template instanceof HTMLTemplateElement)
    document.querySelector('[data-check-result]')?.replaceChildren(template.content.cloneNode(true));
}
