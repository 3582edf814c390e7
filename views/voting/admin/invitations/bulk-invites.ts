import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Entered } from '#views/components/entered.ts';
import { choice, choiceGroup } from '#views/components/forms.ts';
import { empty } from '#views/components/notices.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { linkTo } from '#views/components/slots.ts';
import { statusBadge } from '#views/components/status.ts';
import { zoneNote } from '#views/components/structure.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { pageSection } from '#views/voting/admin/frame.ts';
import {
  batchNameField,
  enteredList,
  INVITE_WORDS,
  type ListChoice,
  type MailState,
  mailNotice,
  modeChoice,
  queueBox,
  type RollChoice,
  recipientFields,
  whileMailReady,
} from './invite-fields.ts';

/** An election that people can be invited to. Times are already formatted. */
export interface InvitableElection {
  id: string;
  title: string;
  status: 'scheduled' | 'open';
  opens: Words | string;
  closes: Words | string;
}

/** The data of the form that invites people to several elections at once. */
export interface BulkInvitesProps extends FormPageProps, MailState {
  /** Those that are not closed. */
  elections: readonly InvitableElection[];
  /** The time zone of all times, in words. */
  zone: Words | string;
  lists: readonly ListChoice[];
  roll: RollChoice;
}

/** The form: whom to invite, to what, and how. It sends nothing: the next page shows everything first. */
export function bulkInvitesPage(props: BulkInvitesProps): Html {
  const { elections, mailReady } = props;
  return formPage(props, {
    title: t('voting-admin.bulk_invites.invitations'),
    lede: t('voting-admin.bulk_invites.invite_many_people_once_election'),
    words: INVITE_WORDS,
    refused: t('voting-admin.bulk_invites.nothing_sent_yet'),
    idOf,
    nav: '/admin/bulk-invites',
    scripts: ['admin/invitations.js'],
    body: html`${mailNotice(props, props)}
${
  elections.length === 0
    ? empty(
        t('voting-admin.bulk_invites.election_invite'),
        t('voting-admin.bulk_invites.invitations_need_election_open_scheduled'),
        html`<p><a class="button" href="/admin/elections/new">${t('voting-admin.bulk_invites.new_election')}</a></p>`,
      )
    : whileMailReady(mailReady, form(props))
}`,
  });
}

function form({ elections, zone, lists, roll, entered, errors, mailReady }: BulkInvitesProps): Html {
  const shared = { entered, errors };
  const upcoming = elections.some(({ status }) => status === 'scheduled');
  return html`<form method="post" action="/admin/bulk-invites/check">
${pageSection({ id: 'what', title: t('voting-admin.bulk_invites.what'), work: html`${electionChoices(elections, shared)}${zoneNote(zone)}` })}
${pageSection({
  id: 'whom',
  title: t('voting-admin.bulk_invites.whom'),
  about: html`${t('voting-admin.bulk_invites.address_listed_several_times_mailed', { link: linkTo('/admin/distribution-lists') })}`,
  work: recipientFields({ ...shared, lists, roll }),
})}
${pageSection({
  id: 'how',
  title: t('voting-admin.bulk_invites.how'),
  work: html`${modeChoice({ ...shared, fallback: 'batch' })}
${
  upcoming &&
  queueBox({
    entered,
    when: t('voting-admin.bulk_invites.invitations_what_open_go_now'),
  })
}
${batchNameField(shared)}`,
})}
<div class="actions"><button class="button"${!mailReady && html` disabled`}>${t('voting-admin.bulk_invites.check_before_sending')}</button></div>
</form>`;
}

function electionChoices(
  elections: readonly InvitableElection[],
  { entered, errors }: { entered: Entered; errors: readonly FieldError[] },
): Html {
  const chosen = enteredList(entered, 'election_ids');
  return choiceGroup({
    ...inputsOf(INVITE_WORDS, { entered, errors }).at('election_ids'),
    rows: elections.map(({ id, title, status, opens, closes }, index) =>
      choice({
        type: 'checkbox',
        name: 'election_ids',
        value: id,
        id: index === 0 ? 'election_ids' : undefined,
        label: html`${title} ${statusBadge(status)}`,
        note:
          status === 'open'
            ? t('voting-admin.bulk_invites.closes', { closes })
            : html`${t('voting-admin.bulk_invites.opens', { opens })}<br>${t('voting-admin.bulk_invites.closes', { closes })}`,
        checked: chosen.includes(id),
      }),
    ),
  });
}

/** The id of the element that a problem belongs to; for an entry of a list, that of its field. */
function idOf(path: string): string {
  const name = path.replace(/\.\d+$/, '');
  if (name === 'distribution_list_ids' || name.startsWith('roll') || !Object.hasOwn(INVITE_WORDS, name))
    return 'whom';
  return name === 'queue' ? 'how' : name;
}
