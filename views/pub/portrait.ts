import { type Html, html } from '#kernel/html.ts';

/** Somebody's photo, or the initials where there is none. Beside the name it says nothing more, so it has no words. */
export function portrait({
  name,
  imageUrl,
  size,
}: {
  name: string;
  imageUrl: string;
  size: 'small' | 'large';
}): Html {
  if (imageUrl === '')
    return html`<span class="portrait portrait-${size} portrait-initials" aria-hidden="true">${initialsOf(name)}</span>`;
  return html`<img class="portrait portrait-${size}" src="${imageUrl}" alt="" loading="lazy" decoding="async">`;
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0] ?? '').join('');
}
