import { type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { enteredText, errorAt } from '#views/voting/admin/entered.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { settingsFields } from '#views/voting/admin/settings-fields.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { type ElectionDesk, problemOf } from './desk.ts';

/** When voting opens and closes. */
export function datesSection(desk: ElectionDesk, said: Html | null): Html {
  const { election, times } = desk;
  const { errors, entered = {} } = problemOf(desk, 'dates');
  const time = (name: 'open_at' | 'close_at', label: string, value: string) =>
    field({
      name,
      id: `dates-${name}`,
      label: `${label} (${times.zone})`,
      type: 'datetime-local',
      value: enteredText(entered, name, value),
      error: errorAt(errors, name),
    });
  return deskSection({
    id: 'dates',
    title: 'Dates',
    about: 'A change takes effect with the next ballot. The audit log keeps the old and the new dates.',
    work: html`${said}${election.status === 'closed' && notice('attention', 'New dates that lie in the future open it again: unused tokens work, more ballots come in, and the result is made anew when it closes.', 'This election is closed')}
<form method="post" action="${deskPath(election.id, 'dates?_method=PATCH')}">
<div class="field-row">${time('open_at', 'Opens', times.opensInput)}${time('close_at', 'Closes', times.closesInput)}</div>
<button class="button button-quiet">Save the dates</button></form>`,
  });
}

/** What an officer may set, and what ballots have fixed. */
export function settingsSection(desk: ElectionDesk, said: Html | null): Html {
  const { election, ballots } = desk;
  const { errors, entered } = problemOf(desk, 'settings');
  const { settings, ballot_type: type } = election;
  const fixed = ballots > 0;
  return deskSection({
    id: 'settings',
    title: 'Settings',
    work: html`${said}${fixed && fixedSettings(desk)}
<form method="post" action="${deskPath(election.id, 'settings?_method=PATCH')}">
${settingsFields({ prefix: 'settings-', entered: entered ?? { settings }, errors, type, fixed })}
<button class="button button-quiet">Save the settings</button></form>`,
  });
}

function fixedSettings({ election: { settings, ballot_type } }: ElectionDesk): Html {
  const answers = settings.poll_response_type === 'multiple' ? 'one option or more' : 'one option';
  return html`<p class="soft">Ballots are in, so this is fixed: ${ballot_type === 'POLL' && `each voter chooses ${answers}, and `}voters ${settings.inclusion_codes ? 'get' : 'do not get'} a code to check the count.</p>`;
}

/** The document that voters are pointed to. */
export function attachmentSection(desk: ElectionDesk, said: Html | null): Html {
  const { id, attachment_url } = desk.election;
  const { errors, entered = {} } = problemOf(desk, 'attachments');
  return deskSection({
    id: 'attachments',
    title: 'Document',
    about: 'Something to read before voting. Voters see where the link leads.',
    work: html`${said}<form method="post" action="${deskPath(id, 'attachments?_method=PATCH')}">
${field({
  name: 'attachment_url',
  id: 'attachments-attachment_url',
  label: 'Address',
  hint: 'It begins with https://. Leave it empty to take the document away.',
  optional: true,
  type: 'url',
  maxlength: 2_000,
  value: enteredText(entered, 'attachment_url', attachment_url ?? ''),
  error: errorAt(errors, 'attachment_url'),
})}
<button class="button button-quiet">Save the document</button></form>`,
  });
}
