import { type Html, html } from '#kernel/html.ts';
import type { Announcement } from '#pub/display/announcements.ts';
import { plainText } from '#views/components/structure.ts';

/** The announcements in full; null if there are none. */
export function announcementList(announcements: readonly Announcement[]): Html | null {
  if (announcements.length === 0) return null;
  return html`<section class="news" id="news" aria-label="Announcements">${announcements.map(one)}</section>`;
}

function one({ title, text, imageUrl, imageAlt, priority }: Announcement): Html {
  const urgent = priority === 'urgent' || priority === 'high';
  return html`<article class="card${urgent && ' news-urgent'}"><h2>${title}</h2>
${text !== '' && text !== title && plainText(text)}${imageUrl !== '' && html`<img src="${imageUrl}" alt="${imageAlt ?? ''}" loading="lazy">`}</article>\n`;
}
