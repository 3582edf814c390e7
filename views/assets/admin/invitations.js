// Reads addresses from a file into their text area, where they can be checked and changed. Nothing is sent.

import { decodeFile, listDoubts, NoTextFile } from '../../../src/kernel/shared/decode.js';
import { t } from '../base/texts.js';

const LARGEST = 2_000_000;

function start() {
  for (const part of document.querySelectorAll('[data-addresses][hidden]')) part.removeAttribute('hidden');
}

/** @param {HTMLInputElement} input */
async function take(input) {
  const file = input.files?.[0];
  const part = input.closest('[data-addresses]');
  const area = document.getElementById(part?.getAttribute('data-addresses') ?? '');
  const status = part?.querySelector('[role="status"]');
  if (!file || !status || !(area instanceof HTMLTextAreaElement)) return;
  // So that the same file can be chosen again.
  input.value = '';
  if (file.size > LARGEST) {
    status.textContent = t('voting-admin.address_file.too_large');
    return;
  }
  try {
    const { text, encoding } = decodeFile(new Uint8Array(await file.arrayBuffer()));
    const lines = text.replace(/\r\n?/g, '\n').trim();
    area.value = [area.value.trimEnd(), lines].filter(Boolean).join('\n');
    status.textContent = [
      t('voting-admin.address_file.added', { file: file.name, rows: rows(lines), encoding }),
      ...listDoubts(lines).map(inWords),
      t('voting-admin.address_file.look'),
    ].join(' ');
  } catch (error) {
    if (!(error instanceof NoTextFile)) throw error;
    status.textContent = t('voting-admin.address_file.not_text', { file: file.name });
    return;
  }
  area.focus();
}

/** @param {import('../../../src/kernel/shared/decode.js').Doubt} doubt */
function inWords({ code, lines: named, more, found }) {
  const lines = more === 'more' ? `${named} …` : named;
  return code === 'import_wrong_letters'
    ? t('voting-admin.address_file.wrong_letters', { lines, found })
    : t('voting-admin.address_file.unreadable', { lines });
}

/** @param {string} text */
const rows = (text) => text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length;

document.addEventListener('change', (event) => {
  const input = event.target;
  if (input instanceof HTMLInputElement && input.type === 'file' && input.closest('[data-addresses]'))
    void take(input);
});
document.addEventListener('main-replaced', start);
start();
