import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { count } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';

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

/** The error for an address that has an invitation already: no failure, and a retry would not help. */
export const ALREADY_INVITED = 'Already invited';

/** The most rows, so that a phone can open the page; the election's page leads to all. */
const SHOWN = 200;

/** The outcome of each mail, failures first. */
export function mailedTable(rows: readonly MailedRow[], caption: string): Html {
  const about = rows.some(({ election }) => election !== undefined);
  const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
  const left = sorted.length - SHOWN;
  const columns = [{ label: 'Who' }, ...(about ? [{ label: 'Election' }] : []), { label: 'Outcome' }];
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
          html`<br><span class="small">${row.error ?? 'Not sent'}</span>`
        }</div>`,
      ]),
  });
  return left > 0 ? html`${shown}<p class="soft">And ${count(left)} more.</p>` : shown;
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
  if (row.queued) return badge('Queued', 'scheduled');
  if (row.slip) return badge('Slip to print', 'scheduled');
  if (row.success) return badge('Sent', 'open');
  return isFailed(row) ? badge('Failed', 'danger') : badge('Invited before');
}
