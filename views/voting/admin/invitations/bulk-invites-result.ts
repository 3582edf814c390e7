import { type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { pageHeader, statFigures } from '#views/components/structure.ts';
import { crumbsTo, inMeeting, navOf, type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminPath, calledOf, type Named, sectionPath } from '#views/voting/words.ts';
import type { MailSummary } from '#voting/invitations/send-invitations.ts';
import { ALREADY_INVITED, isFailed, type MailedRow, mailedTable } from './mail-results.ts';

export type { MailedRow } from './mail-results.ts';

/** The data of the page with the outcome of sending invitations. */
export interface InviteResultProps extends OfficerProps {
  /** Set where the invitations began on the page of one election. */
  single?: Named | undefined;
  elections: readonly Named[];
  mode: 'individual' | 'batch';
  queue: boolean;
  batch_name: string | null;
  summary: MailSummary;
  results: readonly MailedRow[];
  /** When the queued ones are sent, already formatted. */
  goesOut?: string | undefined;
}

/** The outcome in numbers, a button to retry, and the outcome of each recipient. */
export function inviteResultPage(props: InviteResultProps): Html {
  const { single, summary, results, goesOut, viewer } = props;
  const known = results.filter(({ error }) => error === ALREADY_INVITED).length;
  const body = html`${pageHeader({
    title: titleOf(props),
    eyebrow: single?.title,
    crumbs: crumbsTo(
      single?.meeting,
      single
        ? { href: sectionPath(single, 'invitations'), label: `This ${calledOf(single)}` }
        : { href: '/admin/bulk-invites', label: 'Invitations' },
    ),
  })}
${inMeeting(
  single?.meeting,
  html`${statFigures([
    { label: 'Sent', value: count(summary.sent) },
    { label: 'Queued', value: count(summary.queued) },
    { label: 'Invited before', value: count(known) },
    ...(summary.slips ? [{ label: 'Slips to print', value: count(summary.slips) }] : []),
    { label: 'Failed', value: count(summary.failed - known) },
  ])}
${
  summary.queued > 0 &&
  notice(
    'info',
    html`
<p>${counted(summary.queued, 'invitation')} ${
      summary.queued === 1 ? 'waits' : 'wait'
    } and ${summary.queued === 1 ? 'goes' : 'go'} out ${
      goesOut ?? 'by and by, from now on: you can leave this page'
    }.</p>`,
  )
}
${retry(props)}
${mailedTable(results, `${counted(summary.total, 'row')}, what failed first`)}
<p class="toolbar">${wayBack(props)}</p>`,
)}`;
  return officerPage({
    title: titleOf(props),
    body,
    nav: single ? navOf(single.meeting) : '/admin/bulk-invites',
    viewer,
  });
}

function titleOf({ summary: { sent, queued, slips = 0 } }: InviteResultProps): string {
  if (sent + queued === 0 && slips > 0) return `${counted(slips, 'slip')} to print`;
  if (sent > 0 && queued > 0) return `${count(sent)} sent, ${count(queued)} queued`;
  if (queued > 0) return `${counted(queued, 'invitation')} queued`;
  return sent > 0 ? `${counted(sent, 'invitation')} sent` : 'No invitation was sent';
}

function retry({ single, elections, mode, queue, batch_name, results }: InviteResultProps): Html | null {
  const emails = [...new Set(results.filter(isFailed).map(({ email }) => email))].filter(Boolean);
  if (emails.length === 0) return null;
  const form = html`<p>The table says why. Their links are kept: nobody who got a mail is mailed twice.</p>
<form method="post" action="${single ? adminPath(single, 'invite') : '/admin/bulk-invites'}">${hiddenInputs({
    emails,
    election_ids: single ? [] : elections.map(({ id }) => id),
    invite_mode: mode,
    queue: String(queue),
    batch_name,
  })}<button class="button">Try the failed ones again</button></form>`;
  return notice('danger', form, `${counted(emails.length, 'address', 'addresses')} could not be reached`);
}

function wayBack({ single, elections }: InviteResultProps): Html | Html[] {
  if (single)
    return html`<a class="button button-quiet" href="${sectionPath(single, 'invitations')}">Back to the ${calledOf(single)}</a>`;
  return [
    ...elections.map(
      (one) =>
        html`<a class="button button-quiet" href="${sectionPath(one, 'invitations')}">${one.title}</a>`,
    ),
    html`<a class="button button-quiet" href="/admin/bulk-invites">Invite more</a>`,
  ];
}
