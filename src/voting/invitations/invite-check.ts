import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { readAddressList } from '#kernel/mail/addresses.ts';
import { type Election, statusOf } from '#voting/elections/elections.ts';
import { addressesOf } from './distribution-lists.ts';
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
export async function checkInvites(
  ctx: Context,
  elections: Election[],
  input: { text: string; listIds: string[]; mode: InviteMode; queue: boolean },
): Promise<InviteCheck> {
  const listed = await addressesOf(ctx, input.listIds);
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
  return {
    rows: await markInvited(ctx, elections, rows),
    mails: await countMails(ctx, elections, [...known], input),
  };
}

async function markInvited(ctx: Context, elections: Election[], rows: CheckRow[]): Promise<CheckRow[]> {
  const invited = await invitedBefore(ctx, elections);
  return rows.map((row) => {
    if (row.state !== 'added') return row;
    const before = elections.filter(({ id }) => invited.get(id)?.has(row.email));
    if (before.length === 0) return row;
    if (before.length === elections.length) return { ...row, state: 'invited' };
    return { ...row, reason: `Invited before to ${before.map(({ title }) => `“${title}”`).join(', ')}` };
  });
}

/** Counts mails as they will be sent: in batch mode one a recipient, else one a recipient and election. */
async function countMails(
  ctx: Context,
  elections: Election[],
  emails: string[],
  { mode, queue }: { mode: InviteMode; queue: boolean },
): Promise<{ now: number; later: number }> {
  const invited = await invitedBefore(ctx, elections);
  const waits = ({ open_at, close_at, closed_at }: Election) =>
    queue && statusOf({ open_at, close_at, closed_at }, ctx.now()) === 'scheduled';
  const due = (which: Election[]) =>
    emails.map((email) => which.filter(({ id }) => !invited.get(id)?.has(email)).length);
  const count = (which: Election[]) =>
    due(which).reduce((sum, fresh) => sum + (mode === 'batch' ? Math.min(1, fresh) : fresh), 0);
  return { now: count(elections.filter((one) => !waits(one))), later: count(elections.filter(waits)) };
}

/** Addresses with an invitation that was sent or waits, by election. */
async function invitedBefore(ctx: Context, elections: Election[]): Promise<Map<string, Set<string>>> {
  const rows = await ctx.db
    .selectFrom('invites')
    .select(['election_id', 'email'])
    .where(
      'election_id',
      'in',
      elections.map(({ id }) => id),
    )
    .where('status', '!=', 'FAILED')
    .execute();
  const byElection = Map.groupBy(rows, ({ election_id }) => election_id);
  return new Map([...byElection].map(([id, invites]) => [id, new Set(invites.map(({ email }) => email))]));
}
