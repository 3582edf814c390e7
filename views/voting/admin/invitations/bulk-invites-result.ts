import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader, statFigures } from '#views/components/structure.ts';
import {
  backTo,
  crumbsTo,
  inMeeting,
  navOf,
  type OfficerProps,
  officerPage,
  thisOne,
} from '#views/voting/admin/frame.ts';
import { adminPath, type Named, sectionPath } from '#views/voting/words.ts';
import { ALREADY_INVITED } from '#voting/invitations/not-sent.ts';
import type { MailSummary } from '#voting/invitations/send-invitations.ts';
import { isFailed, type MailedRow, mailedTable } from './mail-results.ts';

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
  goesOut?: Words | string | undefined;
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
        ? {
            href: sectionPath(single, 'invitations'),
            label: thisOne(single),
          }
        : { href: '/admin/bulk-invites', label: t('voting-admin.bulk_invites_result.invitations') },
    ),
  })}
${inMeeting(
  single?.meeting,
  html`${statFigures([
    { label: t('voting-admin.bulk_invites_result.sent'), value: formatNumber(summary.sent) },
    { label: t('voting-admin.bulk_invites_result.queued'), value: formatNumber(summary.queued) },
    { label: t('voting-admin.bulk_invites_result.invited_before'), value: formatNumber(known) },
    ...(summary.slips
      ? [{ label: t('voting-admin.bulk_invites_result.slips_print'), value: formatNumber(summary.slips) }]
      : []),
    { label: t('voting-admin.bulk_invites_result.failed'), value: formatNumber(summary.failed - known) },
  ])}
${
  summary.queued > 0 &&
  notice(
    'info',
    html`
<p>${goesOut == null ? t('voting-admin.bulk_invites_result.invitations_wait_go_out_now', { queued: summary.queued }) : t('voting-admin.bulk_invites_result.invitations_wait_go_out', { queued: summary.queued, out: goesOut })}</p>`,
  )
}
${retry(props)}
${mailedTable(results, t('voting-admin.bulk_invites_result.rows_what_failed_first', { rows: summary.total }))}
<p class="toolbar">${wayBack(props)}</p>`,
)}`;
  return officerPage({
    title: titleOf(props),
    body,
    nav: single ? navOf(single.meeting) : '/admin/bulk-invites',
    viewer,
  });
}

function titleOf({ summary: { sent, queued, slips = 0 } }: InviteResultProps): Words {
  if (sent + queued === 0 && slips > 0)
    return t('voting-admin.bulk_invites_result.slips_to_print', { slips });
  if (sent > 0 && queued > 0) return t('voting-admin.bulk_invites_result.sent_queued', { sent, queued });
  if (queued > 0) return t('voting-admin.bulk_invites_result.invitations_queued', { queued });
  return sent > 0
    ? t('voting-admin.bulk_invites_result.invitations_sent', { sent })
    : t('voting-admin.bulk_invites_result.invitation_sent');
}

function retry({ single, elections, mode, queue, batch_name, results }: InviteResultProps): Html | null {
  const emails = [...new Set(results.filter(isFailed).map(({ email }) => email))].filter(Boolean);
  if (emails.length === 0) return null;
  const form = html`<p>${t('voting-admin.bulk_invites_result.table_says_why_links_kept')}</p>
<form method="post" action="${single ? adminPath(single, 'invite') : '/admin/bulk-invites'}">${hiddenInputs({
    emails,
    election_ids: single ? [] : elections.map(({ id }) => id),
    invite_mode: mode,
    queue: String(queue),
    batch_name,
  })}<button class="button">${t('voting-admin.bulk_invites_result.try_failed_ones_again')}</button></form>`;
  return notice(
    'danger',
    form,
    t('voting-admin.bulk_invites_result.addresses_reached', { emails: emails.length }),
  );
}

function wayBack({ single, elections }: InviteResultProps): Html | Html[] {
  if (single)
    return html`<a class="button button-quiet" href="${sectionPath(single, 'invitations')}">${backTo(single)}</a>`;
  return [
    ...elections.map(
      (one) =>
        html`<a class="button button-quiet" href="${sectionPath(one, 'invitations')}">${one.title}</a>`,
    ),
    html`<a class="button button-quiet" href="/admin/bulk-invites">${t('voting-admin.bulk_invites_result.invite_more')}</a>`,
  ];
}
