import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { readAddressList } from '#kernel/mail/addresses.ts';
import { type Election, electionStatus } from '#voting/elections/elections.ts';
import { listAddresses } from './distribution-lists.ts';
import type { InviteMode } from './invites.ts';
import { RECIPIENTS_PER_REQUEST } from './recipients.ts';

export interface CheckRow {
  email: string;
  /** `invited`: has an invitation to every one of the elections already. */
  state: 'added' | 'repeated' | 'invalid' | 'invited';
  reason?: string;
}

export interface InviteCheck {
  rows: CheckRow[];
  mails: { now: number; later: number };
}

/**
 * What would happen to every row of a pasted list or file and of the lists chosen, before anything is sent.
 * @throws 404 for an unknown list, 400 without a row or past the limit
 */
export function checkInvites(
  ctx: Context,
  elections: Election[],
  input: { text: string; listIds: string[]; mode: InviteMode; queue: boolean },
): InviteCheck {
  const listed = listAddresses(ctx.db, input.listIds);
  const entered = readAddressList(input.text);
  if (entered.length + listed.length === 0)
    throw badField('emails', 'name at least one recipient or distribution list');

  const rows: CheckRow[] = entered.map(({ email, input: text, status, reason }) => ({
    email: email ?? text,
    state: status,
    ...(reason && { reason }),
  }));
  const known = new Set(rows.flatMap(({ email, state }) => (state === 'added' ? [email] : [])));
  for (const email of listed) {
    rows.push({ email, state: known.has(email) ? 'repeated' : 'added' });
    known.add(email);
  }
  if (known.size > RECIPIENTS_PER_REQUEST) {
    throw badField(
      'emails',
      `at most ${RECIPIENTS_PER_REQUEST.toLocaleString('en-US')} recipients in one request`,
    );
  }
  const invited = findInvited(ctx.db, elections);
  return {
    rows: markInvited(invited, elections, rows),
    mails: countMails(ctx, elections, invited, [...known], input),
  };
}

function markInvited(invited: Invited, elections: Election[], rows: CheckRow[]): CheckRow[] {
  return rows.map((row) => {
    if (row.state !== 'added') return row;
    const before = elections.filter(({ id }) => invited.get(id)?.has(row.email));
    if (before.length === 0) return row;
    if (before.length === elections.length) return { ...row, state: 'invited' };
    return { ...row, reason: `Invited before to ${before.map(({ title }) => `“${title}”`).join(', ')}` };
  });
}

/** Counts mails as they will be sent: in batch mode one a recipient, else one a recipient and election. */
function countMails(
  ctx: Context,
  elections: Election[],
  invited: Invited,
  emails: string[],
  { mode, queue }: { mode: InviteMode; queue: boolean },
): { now: number; later: number } {
  const waits = ({ open_at, close_at, closed_at }: Election) =>
    queue && electionStatus({ open_at, close_at, closed_at }, ctx.now()) === 'scheduled';
  const due = (which: Election[]) =>
    emails.map((email) => which.filter(({ id }) => !invited.get(id)?.has(email)).length);
  const count = (which: Election[]) =>
    due(which).reduce((sum, fresh) => sum + (mode === 'batch' ? Math.min(1, fresh) : fresh), 0);
  return { now: count(elections.filter((one) => !waits(one))), later: count(elections.filter(waits)) };
}

/** Addresses with an invitation that was sent or waits, by election. */
type Invited = Map<string, Set<string>>;

function findInvited(reader: Reader, elections: Election[]): Invited {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .select(['election_id', 'email'])
      .where(
        'election_id',
        'in',
        elections.map(({ id }) => id),
      )
      .where('status', '!=', 'FAILED'),
  );
  const byElection = Map.groupBy(rows, ({ election_id }) => election_id);
  return new Map([...byElection].map(([id, invites]) => [id, new Set(invites.map(({ email }) => email))]));
}
