import { html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
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
  zone: string;
}

/** The form for a new meeting. */
export function meetingFormPage({ entered, errors, agendas, zone, viewer }: MeetingFormProps) {
  const [last] = agendas;
  const body = html`${errorSummary(
    namedErrors(errors, labelsOf(MEETING_WORDS)),
    (path) => path.split('.')[0]!,
    'The meeting was not made yet',
  )}
${pageHeader({
  title: 'New meeting',
  lede: 'Nothing is sent to anyone: you invite people when its agenda is complete.',
  crumbs: [{ href: '/admin/meetings', label: 'Meetings' }],
})}
<form method="post" action="/admin/meetings">
${pageSection({
  id: 'details',
  title: 'The meeting',
  about: `All times are ${zone}.`,
  // See the field: a request that does not say so makes a public one.
  work: recordFields(MEETING, MEETING_WORDS, { entered: { public: 'false', ...entered }, errors, zone }),
})}
${pageSection({
  id: 'agenda',
  title: 'Agenda',
  about: 'You change it on the next page.',
  work: selectField({
    name: 'agenda_of',
    label: 'Begin with',
    value: enteredText(entered, 'agenda_of', last?.id ?? 'usual'),
    error: errorAt(errors, 'agenda_of'),
    options: [
      ...agendas.map(({ id, title }) => ({ value: id, label: `The agenda of ${title}` })),
      { value: 'usual', label: 'The usual agenda of an annual meeting' },
      { value: '', label: 'An empty agenda' },
    ],
  }),
})}
<div class="actions"><button class="button">Create the meeting</button></div>
</form>`;
  return officerPage({ title: 'New meeting', body, nav: '/admin/meetings', viewer });
}
