import { type Html, html } from '#kernel/html.ts';
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
  when: string;
  wrongCode?: WrongCode | undefined;
}): Html {
  const here = new URLSearchParams({ next: `/m/${meeting.id}` });
  const body = html`${pageHeader({ title: meeting.title, eyebrow: 'Meeting', lede: when })}
<p>This meeting is for its members. To see the agenda, the documents and the results:</p>
<ul><li>Open the link in your invitation.</li><li>Or <a href="/sign-in?${String(here)}">sign in</a>.</li>
<li>Or use your voting card, if you are in the room.</li></ul>
${cardForm(meeting.id, wrongCode)}`;
  return page({
    title: meeting.title,
    body,
    head: html`<meta name="robots" content="noindex">`,
    styles: 'meeting',
  });
}
