import { type Html, html } from '#kernel/html.ts';
import { count } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { table } from '#views/components/tables.ts';

/** What became of one mail. */
export interface MailedRow {
  email: string;
  /** Of somebody from the roll. */
  name?: string | undefined;
  success: boolean;
  error?: string | undefined;
  /** The service sends it by itself, now or when voting opens. */
  queued?: boolean | undefined;
  /** The title of the election it was about, where there are several. */
  election?: string | undefined;
}

/** The service’s word for whoever has an invitation already; no failure, and nothing to try again. */
export const ALREADY_INVITED = 'Already invited';

/** Rows on a page that a phone can open; the election's page leads to all. */
const SHOWN = 200;

/** What became of each mail, what failed first. */
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
        html`${row.name} <span class="address">${row.email}</span>`,
        ...(about ? [row.election ?? '–'] : []),
        html`<div>${outcome(row)}${isFailed(row) && html`<br><span class="small">${row.error ?? 'Not sent'}</span>`}</div>`,
      ]),
  });
  return left > 0 ? html`${shown}<p class="soft">And ${count(left)} more.</p>` : shown;
}

/** Whether trying again can help. */
export function isFailed({ success, error }: MailedRow): boolean {
  return !success && error !== ALREADY_INVITED;
}

function rank(row: MailedRow): number {
  if (isFailed(row)) return 0;
  return row.success ? 2 : 1;
}

function outcome(row: MailedRow): Html {
  if (row.queued) return badge('Queued', 'scheduled');
  if (row.success) return badge('Sent', 'open');
  return isFailed(row) ? badge('Failed', 'danger') : badge('Invited before');
}
