// Beside the text of a colour a field of the browser to pick one: each follows the other.
import { t } from '../base/texts.js';

for (const part of document.querySelectorAll('[data-colour]')) {
  const text = part.querySelector('input');
  const label = part.querySelector('label');
  if (!(text instanceof HTMLInputElement) || !(part instanceof HTMLElement)) continue;
  const row = document.createElement('div');
  row.className = 'toolbar';
  const picker = document.createElement('input');
  picker.type = 'color';
  picker.className = 'input';
  picker.setAttribute('aria-label', t('content-admin.colour.pick', { label: label?.textContent ?? '' }));

  // An empty text stands for the usual colour; one that is no colour changes nothing.
  const followText = () => {
    const [, digits] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.value.trim()) ?? [];
    if (digits) picker.value = `#${digits.length === 3 ? digits.replace(/./g, '$&$&') : digits}`;
    else if (text.value.trim() === '') picker.value = part.dataset.colour ?? '';
  };
  followText();
  text.addEventListener('input', followText);
  picker.addEventListener('input', () => {
    text.value = picker.value;
  });

  text.replaceWith(row);
  row.append(text, picker);
}
