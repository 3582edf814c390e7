import { type Html, html } from '#kernel/html.ts';
import { sized } from '#views/components/structure.ts';

/** A person's photo, else their initials. It is always shown beside the name, so it has no alternative text. */
export function portrait({
  name,
  imageUrl,
  imageFocus,
  size,
}: {
  name: string;
  imageUrl: string;
  /** The part of the picture that is not cropped, 1 to 9 from the top left. */
  imageFocus?: number | undefined;
  size: 'tiny' | 'small';
}): Html {
  if (imageUrl === '')
    return html`<span class="portrait portrait-${size} portrait-initials"
    aria-hidden="true">${initialsOf(name)}</span>`;
  const side = SIDES[size];
  return html`<img class="portrait portrait-${size}${
    imageFocus !== undefined && ` focus-${imageFocus}`
  }" src="${sized(imageUrl, 160)}" alt="" width="${side}" height="${side}" loading="lazy" decoding="async">`;
}

const SIDES = { tiny: 28, small: 64 };

function initialsOf(name: string): string {
  const words = name.split(/\s+/).slice(0, 2);
  return words.map((word) => [...word][0] ?? '').join('');
}

/** A picture below text that is unfolded; its proportions are not known before it is there. */
export const foldedPicture = (address: string, alt = ''): Html =>
  html`<img class="folded-picture" src="${sized(address, 480)}" alt="${alt}" width="480" height="300" loading="lazy"
    decoding="async">`;

/** A vinyl record: shown in place of a missing cover, and behind a cover. */
export function record(): Html {
  return html`<svg class="record" viewBox="0 0 100 100" aria-hidden="true"
  focusable="false"><circle class="record-edge" cx="50" cy="50" r="40"/>
<circle class="record-groove" cx="50" cy="50" r="33"/><circle class="record-groove"
cx="50" cy="50" r="26"/><circle class="record-label" cx="50" cy="50" r="14"/><circle class="record-hole"
cx="50" cy="50" r="2.5"/></svg>`;
}
