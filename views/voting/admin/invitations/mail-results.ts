import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';
import { ALREADY_INVITED, NOT_SENT } from '#voting/invitations/not-sent.ts';

/** The outcome of one mail. */
export interface MailedRow {
  email: string;
  /** The name of a person on the roll. */
  name?: string | undefined;
  success: boolean;
  error?: string | undefined;
  /** Whether the service sends it in the background, now or when voting opens. */
  queued?: boolean | undefined;
  /** Whether they have no address, and get a printed slip. */
  slip?: boolean | undefined;
  /** The title of its election, where there are several. */
  election?: string | undefined;
}

/** The most rows, so that a phone can open the page; the election's page leads to all. */
const SHOWN = 200;

/** The outcome of each mail, failures first. */
export function mailedTable(rows: readonly MailedRow[], caption: Words | string): Html {
  const about = rows.some(({ election }) => election !== undefined);
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  const left = sorted.length - SHOWN;
  const columns = [
    { label: t('voting-admin.mail_results.who') },
    ...(about ? [{ label: t('voting-admin.mail_results.election') }] : []),
    { label: t('voting-admin.mail_results.outcome') },
  ];
  const shown = table({
    caption,
    columns,
    rows: sorted
      .slice(0, SHOWN)
      .map((row) => [
        html`${row.name} <span class="address">${displayAddress(row.email)}</span>`,
        ...(about ? [row.election ?? '–'] : []),
        html`<div>${outcome(row)}${
          (isFailed(row) || (row.queued && row.error)) &&
          html`<br><span class="small">${reasonWords(row.error ?? NOT_SENT)}</span>`
        }</div>`,
      ]),
  });
  return left > 0
    ? html`${shown}<p class="soft">${t('voting-admin.mail_results.more', { left })}</p>`
    : shown;
}

/** Whether a retry can help. */
export function isFailed({ success, queued, slip, error }: MailedRow): boolean {
  return !success && !queued && !slip && error !== ALREADY_INVITED;
}

function rank(row: MailedRow): number {
  if (isFailed(row)) return 0;
  return row.success ? 2 : 1;
}

function outcome(row: MailedRow): Html {
  if (row.queued) return badge(t('voting-admin.mail_results.queued'), 'scheduled');
  if (row.slip) return badge(t('voting-admin.mail_results.slip_print'), 'scheduled');
  if (row.success) return badge(t('voting-admin.mail_results.sent'), 'open');
  return isFailed(row)
    ? badge(t('voting-admin.mail_results.failed'), 'danger')
    : badge(t('voting-admin.mail_results.invited_before'));
}
