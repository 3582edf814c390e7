import { type Html, html } from '#kernel/html.ts';
import type { Announcement } from '#pub/display/announcements.ts';
import { notice } from '#views/components/notices.ts';
import { plainText } from '#views/components/structure.ts';

/** The announcements in full; null if there are none. */
export function announcementList(announcements: readonly Announcement[]): Html | null {
  if (announcements.length === 0) return null;
  return html`<section class="news" id="news" aria-label="Announcements">${announcements.map(one)}</section>`;
}

const isUrgent = ({ priority }: Announcement): boolean => priority === 'urgent' || priority === 'high';

/** The titles of the urgent announcements in one line that leads to them; null if there are none. */
export function urgentLine(announcements: readonly Announcement[]): Html | null {
  const titles = announcements.filter(isUrgent).map(({ title }) => title);
  return titles.length === 0
    ? null
    : notice('attention', html`<a class="link-alone" href="#news">${titles.join(' · ')}</a>`);
}

function one(announcement: Announcement): Html {
  const { title, text, imageUrl, imageAlt } = announcement;
  return html`<article class="card${isUrgent(announcement) && ' news-urgent'}"><h2>${title}</h2>
${text !== '' && text !== title && plainText(text)}${
  imageUrl !== '' && html`<img src="${imageUrl}" alt="${imageAlt ?? ''}" loading="lazy">`
}</article>\n`;
}
