import type { Html } from '#kernel/html.ts';
import { errorSummary } from '#views/components/notices.ts';
import { namedErrors } from '#views/voting/admin/entered.ts';
import { INVITE_LABELS } from '#views/voting/admin/invitations/invite-fields.ts';
import { SETTINGS_LABELS } from '#views/voting/admin/settings-fields.ts';
import type { ElectionDesk, FormName, SectionId } from './desk.ts';

const LABELS: Readonly<Record<string, string>> = {
  count: 'How many',
  batch_name: 'Name of the batch',
  name: 'Name',
  display_order: 'Order',
  is_none_of_the_above: 'None of the above',
  open_at: 'Opens',
  close_at: 'Closes',
  attachment_url: 'Address',
  confirm: 'To confirm',
  database_id: 'Database',
  page_id: 'Page',
  status_property_name: 'Property for the status',
  ...SETTINGS_LABELS,
  ...INVITE_LABELS,
};

/** What went wrong, at the top, with links to the fields it is about. */
export function problemSummary({ problem }: ElectionDesk): Html | null {
  if (problem === undefined) return null;
  const { form, message, errors } = problem;
  const section = sectionOf(form);
  const listed = errors.length > 0 ? namedErrors(errors, LABELS) : [{ path: '', message }];
  const idOf = (path: string) => {
    if (path === '') return section;
    if (section === 'ask') return path === 'confirm' ? 'confirm' : 'ask';
    if (form === 'invite') return inviteField(path);
    return section === 'invitations' ? section : `${form}-${path}`;
  };
  return errorSummary(listed, idOf, PROBLEMS[form]);
}

const PROBLEMS: Record<FormName, string> = {
  tokens: 'No tokens were made',
  batches: 'The batch was not deleted',
  candidates: 'The candidates were not changed',
  options: 'The options were not changed',
  dates: 'The dates were not changed',
  settings: 'The settings were not changed',
  attachments: 'The document was not changed',
  close: 'The election was not closed',
  delete: 'The election was not deleted',
  clone: 'The election was not copied',
  'manual-results': 'The certified results were not changed',
  invite: 'Nobody was invited yet',
  resend: 'The mail was not sent',
  reminders: 'No reminder was sent',
  'results-email': 'The result was not mailed',
  workspace: 'The page was not linked',
};

/** Where a form stands on the page. */
function sectionOf(form: FormName): SectionId | 'ask' {
  switch (form) {
    case 'batches':
    case 'close':
    case 'delete':
      return 'ask';
    case 'clone':
      return 'ending';
    case 'manual-results':
      return 'results';
    case 'invite':
    case 'resend':
    case 'reminders':
    case 'results-email':
      return 'invitations';
    default:
      return form;
  }
}

/** An entry of a list is in its field; lists to tick are not there when there are none. */
function inviteField(path: string): string {
  const name = path.replace(/\.\d+$/, '');
  return ['emails', 'invite_mode', 'batch_name'].includes(name) ? `invite-${name}` : 'invitations';
}
