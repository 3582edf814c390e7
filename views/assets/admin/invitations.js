// Reads addresses from a file into their text area, where they can be checked and changed. Nothing is sent.

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
    status.textContent = 'This file is too large to be a list of addresses.';
    return;
  }
  const text = await read(file);
  area.value = [area.value.trimEnd(), text.trim()].filter(Boolean).join('\n');
  status.textContent = `“${file.name}” was added to the field above: ${rows(text)}. Look through it before you go on.`;
  area.focus();
}

/**
 * Reads UTF-8, else Windows-1252, which spreadsheets may write.
 * @param {File} file
 */
async function read(file) {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** @param {string} text */
function rows(text) {
  const found = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '').length;
  return `${found.toLocaleString(document.documentElement.dataset.locale)} ${found === 1 ? 'row' : 'rows'}`;
}

document.addEventListener('change', (event) => {
  const input = event.target;
  if (input instanceof HTMLInputElement && input.type === 'file' && input.closest('[data-addresses]'))
    void take(input);
});
document.addEventListener('main-replaced', start);
start();
