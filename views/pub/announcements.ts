import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Announcement } from '#pub/display/announcements.ts';
import { icon } from '#views/components/icons.ts';
import { WRITTEN } from '#views/components/language.ts';
import { plainText } from '#views/components/structure.ts';
import { foldedPicture } from './pictures.ts';

/** The titles of the announcements in one line that unfolds them; null if there are none. */
export function announcementLine(announcements: readonly Announcement[]): Html | null {
  if (announcements.length === 0) return null;
  return html`<details class="news${announcements.some(isUrgent) && ' news-urgent'}"><summary>${icon('info')}
<span class="visually-hidden">${t('common.label', { label: t('pub.announcements.announcements', { announcements: announcements.length }) })}</span>
<span${WRITTEN}>${announcements.map(({ title }) => title).join(' · ')}</span></summary>
<div class="fold">${announcements.map(one)}</div></details>`;
}

const isUrgent = ({ priority }: Announcement): boolean => priority === 'urgent' || priority === 'high';

function one({ title, text, imageUrl, imageAlt }: Announcement): Html {
  return html`<article><h2${WRITTEN}>${title}</h2>
${text !== '' && text !== title && plainText(text)}${
  imageUrl !== '' && foldedPicture(imageUrl, imageAlt)
}</article>\n`;
}
