import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';

/** The form for the answers of the elected that are not known yet; null where all are. */
export function answersForm(
  meetingId: string,
  { id: item, elected = [] }: Pick<ItemWithResult, 'id' | 'elected'>,
): Html | null {
  const open = elected.filter(({ accepts }) => accepts === null);
  if (open.length === 0) return null;
  return html`<form method="post" action="/admin/meetings/${meetingId}/items/${item}/declare"><fieldset class="room-answers"><legend>${t('meetings-admin.answers.do_they_accept')}</legend>${open.map(
    ({ id, name }) =>
      html`<p><label for="accepts-${id}">${name}</label> <select class="input input-short" id="accepts-${id}" name="accepts.${id}">
<option value="">${t('meetings-admin.answers.asked_yet')}</option><option value="true">${t('meetings-admin.answers.accepts')}</option><option value="false">${t('meetings-admin.answers.does_not_accept')}</option></select></p>`,
  )}</fieldset><button class="button button-quiet">${t('meetings-admin.answers.record_answers')}</button></form>`;
}
