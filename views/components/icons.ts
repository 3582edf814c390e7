import { type Html, html } from '#kernel/html.ts';

const PATHS = {
  check: 'M4 12.5l5.5 5.5L20 6.5',
  clock: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 7v5l3.5 2',
  lock: 'M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11',
  door: 'M6 21V3h12v18M3 21h18M14 12h.01',
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 11v5M12 7.5h.01',
  warning: 'M12 3.5L22 20.5H2zM12 10v4.5M12 17.5h.01',
  cross: 'M6 6l12 12M18 6L6 18',
  board: 'M4 4h16v12H4zM12 16v5M8 21h8M8 8h8M8 12h5',
  pencil: 'M4 20l1-4L16 5l3 3L8 19z',
  up: 'M12 20V5M5.5 11.5L12 5l6.5 6.5',
  down: 'M12 4v15M5.5 12.5L12 19l6.5-6.5',
  mail: 'M3 5h18v14H3zM3 6l9 7 9-7',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 1 0 0-13M15.5 15.5L21 21',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1',
} as const;

/** The name of an icon. An icon always has text beside it, or text for screen readers. */
export type IconName = keyof typeof PATHS;

export const ICONS = Object.keys(PATHS) as IconName[];

/** An icon in the colour and size of the text around it, hidden from screen readers. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${PATHS[name]}"/></svg>`;
}
