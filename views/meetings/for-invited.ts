import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { asWritten } from '#views/components/language.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { cardForm, type WrongCode } from './member.ts';

/** The page of a meeting that is not public, for somebody who is not known to belong to it: how to get in. */
export function forInvitedPage({
  meeting,
  when,
  wrongCode = false,
}: {
  meeting: { id: string; title: string };
  /** When it is held, already formatted. */
  when: Words;
  wrongCode?: WrongCode | undefined;
}): Html {
  const here = new URLSearchParams({ next: `/m/${meeting.id}` });
  const body = html`${pageHeader({ title: asWritten(meeting.title), eyebrow: t('meetings.meeting.eyebrow'), lede: when })}
<p>${t('meetings.for_invited.only_members')}</p>
<ul><li>${t('meetings.for_invited.open_link')}</li><li>${t('meetings.for_invited.sign_in', {
    link: (inside) => html`<a href="/sign-in?${String(here)}">${inside}</a>`,
  })}</li>
<li>${t('meetings.for_invited.card')}</li></ul>
${cardForm(meeting.id, wrongCode)}`;
  return page({
    title: meeting.title,
    body,
    head: html`<meta name="robots" content="noindex">`,
    styles: 'meeting',
  });
}
