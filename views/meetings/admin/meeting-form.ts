import { html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { MEETING } from '#meetings/meetings.ts';
import { type Entered, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { selectField } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { labelsOf, recordFields } from '#views/components/record-fields.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { MEETING_WORDS } from './meeting-fields.ts';

/** The data of the form for a new meeting. */
export interface MeetingFormProps extends OfficerProps {
  entered: Entered;
  errors: readonly FieldError[];
  /** The meetings whose agenda it can take over, the latest first. */
  agendas: readonly { id: string; title: string }[];
  /** The time zone of all times, in words. */
  zone: Words;
}

/** The form for a new meeting. */
export function meetingFormPage({ entered, errors, agendas, zone, viewer }: MeetingFormProps) {
  const [last] = agendas;
  const body = html`${errorSummary(
    namedErrors(errors, labelsOf(MEETING_WORDS)),
    (path) => path.split('.')[0]!,
    t('meetings-admin.meeting_form.meeting_made_yet'),
  )}
${pageHeader({
  title: t('meetings-admin.shared.new_meeting'),
  lede: t('meetings-admin.meeting_form.nothing_sent_anyone_invite_people'),
  crumbs: [{ href: '/admin/meetings', label: t('meetings-admin.shared.meetings') }],
})}
<form method="post" action="/admin/meetings">
${pageSection({
  id: 'details',
  title: t('meetings-admin.meeting_form.meeting'),
  about: t('meetings-admin.shared.all_times', { zone }),
  // See the field: a request that does not say so makes a public one.
  work: recordFields(MEETING, MEETING_WORDS, { entered: { public: 'false', ...entered }, errors, zone }),
})}
${pageSection({
  id: 'agenda',
  title: t('meetings-admin.shared.agenda'),
  about: t('meetings-admin.meeting_form.change_next_page'),
  work: selectField({
    name: 'agenda_of',
    label: t('meetings-admin.meeting_form.begin'),
    value: enteredText(entered, 'agenda_of', last?.id ?? 'usual'),
    error: errorAt(errors, 'agenda_of'),
    options: [
      ...agendas.map(({ id, title }) => ({
        value: id,
        label: t('meetings-admin.meeting_form.agenda_of', { title }),
      })),
      { value: 'usual', label: t('meetings-admin.meeting_form.usual_agenda_annual_meeting') },
      { value: '', label: t('meetings-admin.meeting_form.empty_agenda') },
    ],
  }),
})}
<div class="actions"><button class="button">${t('meetings-admin.meeting_form.create_meeting')}</button></div>
</form>`;
  return officerPage({ title: t('meetings-admin.shared.new_meeting'), body, nav: '/admin/meetings', viewer });
}
