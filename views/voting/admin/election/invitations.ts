import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { statFigures } from '#views/components/structure.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import {
  type ListChoice,
  type MailState,
  mailNotice,
  whileMailReady,
} from '#views/voting/admin/invitations/invite-fields.ts';
import { type MailedRow, mailedTable } from '#views/voting/admin/invitations/mail-results.ts';
import { count, counted, listed } from '#views/voting/words.ts';
import type { ElectionDesk } from './desk.ts';
import { inviteForm, massMails } from './invite-forms.ts';
import { filterPath, inviteList } from './invite-list.ts';

export type { ListChoice, MailedRow };

/** Which invitations are shown. */
export type InviteFilter = 'all' | 'queued' | 'sent' | 'failed' | 'not-voted';

/** An invitation on the page. Times are ready strings. */
export interface InviteRow {
  id: string;
  email: string;
  status: 'QUEUED' | 'SENT' | 'FAILED';
  created: string;
  sent: string | null;
  /** Whether its token was used; never what for. */
  used: boolean;
  error: string | null;
}

/** Everything about the invitations of one election. */
export interface Invitations extends MailState {
  /** Those of this page, under the filter. */
  rows: readonly InviteRow[];
  /** How many there are under the filter. */
  total: number;
  /** Of all invitations; `notVoted` are those sent whose token is unused. */
  counts: { queued: number; sent: number; failed: number; used: number; notVoted: number };
  filter: InviteFilter;
  /** Counted from 1. */
  page: number;
  pageSize: number;
  /** When those that wait go out, as a ready string. */
  goesOut?: string | undefined;
  lists: readonly ListChoice[];
  /** What became of mails that were just sent: reminders, the result, one invitation. */
  mailed?: { title: string; summary: string; rows: readonly MailedRow[] } | undefined;
}

/** A loud word at the top of the page, exactly while voting is open and somebody who was to be invited is not. */
export function unsentNotice({ election, invitations }: ElectionDesk): Html | null {
  if (!invitations || election.status !== 'open') return null;
  const { queued, failed } = invitations.counts;
  const unsent = queued + failed;
  if (unsent === 0) return null;
  const show = (filter: InviteFilter, words: string) =>
    html`<a href="${filterPath(election.id, filter)}">${words}</a>`;
  return notice(
    'danger',
    html`<p>Voting is open, and ${unsent === 1 ? 'this person has' : 'these people have'} no link.
${queued > 0 && html`${show('queued', `${count(queued)} queued`)}: the house sends ${queued === 1 ? 'it' : 'them'} by itself${invitations.mailReady ? '; if this does not change within minutes, see whether mail works.' : ', but no mail can be sent now.'}`}
${failed > 0 && html`${show('failed', `${count(failed)} failed`)}: try again, or hand out printed tokens.`}</p>`,
    `${counted(unsent, 'invitation')} ${unsent === 1 ? 'has' : 'have'} not been sent`,
  );
}

/** Who was invited, who was reached, who has not voted; and the mails that can be sent. */
export function invitationsSection(desk: ElectionDesk, said: Html | null): Html | null {
  const { invitations } = desk;
  if (!invitations) return null;
  const closed = desk.election.status === 'closed';
  return deskSection({
    id: 'invitations',
    title: 'Invitations',
    about:
      'Each is a mail with a voting link of its own. You see whether a link was used, never what for: the ballot is kept apart from it.',
    work: html`${said}${mailedReport(invitations.mailed)}
${mailNotice(invitations)}
${total(invitations) > 0 && figures(desk, invitations)}
${whileMailReady(
  invitations.mailReady,
  html`${closed ? html`<p class="soft">Voting has closed, so nobody can be invited any more.</p>` : inviteForm(desk, invitations)}${massMails(desk, invitations)}`,
)}
${total(invitations) > 0 && inviteList(desk, invitations)}`,
  });
}

function total({ counts: { queued, sent, failed } }: Invitations): number {
  return queued + sent + failed;
}

function figures({ election }: ElectionDesk, invitations: Invitations): Html {
  const { counts, goesOut } = invitations;
  const { queued, sent, failed, used } = counts;
  return html`<div class="invite-figures">${statFigures([
    { label: 'Sent', value: count(sent) },
    { label: 'Queued', value: count(queued) },
    { label: 'Failed', value: count(failed) },
    { label: 'Have voted', value: count(used) },
  ])}</div>
${queued > 0 && election.status === 'scheduled' && html`<p><strong>Queued: ${count(queued)}.</strong> ${queued === 1 ? 'It goes' : 'They go'} out ${goesOut ?? 'when voting opens'}, by ${queued === 1 ? 'itself' : 'themselves'}.</p>`}
${failed > 0 && election.status === 'scheduled' && notice('attention', html`<p>${counted(failed, 'invitation')} could not be delivered. <a href="${filterPath(election.id, 'failed')}">See which and why</a></p>`)}`;
}

function mailedReport(mailed: Invitations['mailed']): Html | null {
  if (!mailed) return null;
  const { title, summary, rows } = mailed;
  const failed = rows.some(({ success }) => !success);
  return html`<div role="status">${notice(failed ? 'attention' : 'success', summary, title)}</div>
${rows.length > 0 && html`<details${(failed || rows.length <= 10) && html` open`}><summary>${listed([counted(rows.length, 'recipient')])}</summary><div class="fold">${mailedTable(rows, 'What became of each mail')}</div></details>`}`;
}
