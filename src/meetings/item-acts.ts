import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { needsPerson } from '#people/approvals/approvals.ts';
import { closeDueItems } from './item-states.ts';
import { getItem, type Item } from './items.ts';
import { ensureNotClosed, getMeeting, type Meeting } from './meetings.ts';

/** The item of an address, and who presses. */
export interface Pressed {
  meetingId: string;
  itemId: string;
  actor: Actor;
}

/** Whose press it is, as `person:<id>`; undefined for a key, and for an officer whom nobody knows. */
export function findPresser({ by, person }: Actor): string | undefined {
  const id = person ?? /^person:(.+)$/.exec(by ?? '')?.[1];
  return id === undefined ? undefined : `person:${id}`;
}

/** Whose press it is, where only a person counts. @throws 403 */
export function ensurePerson(actor: Actor): string {
  const presser = findPresser(actor);
  if (presser === undefined) throw needsPerson();
  return presser;
}

/**
 * Runs an act on an item in one transaction, after timers that have ended. Everybody who follows hears of it at once.
 * @param ensureAllowed by default refuses all acts once the meeting is closed @throws 404, 409
 */
export async function onItem<Done>(
  ctx: Context,
  { meetingId, itemId, actor }: Pressed,
  work: (tx: Tx, at: { meeting: Meeting; item: Item }) => Done,
  ensureAllowed: (tx: Tx, at: { meeting: Meeting; item: Item }) => void = (_, { meeting }) =>
    ensureNotClosed(meeting),
): Promise<Done> {
  const done = await ctx.write((tx) => {
    closeDueItems(tx, actor.at);
    const meeting = getMeeting(tx, meetingId);
    const item = getItem(tx, itemId, meetingId);
    ensureAllowed(tx, { meeting, item });
    return work(tx, { meeting, item });
  });
  ctx.hub.publish('meetings');
  return done;
}

/** Records what the chair did with an item. */
export function recordAct(
  tx: Tx,
  { id, meeting_id, election_id }: Pick<Item, 'id' | 'meeting_id' | 'election_id'>,
  action: string,
  metadata: Record<string, unknown>,
  actor: Actor,
  reason?: string,
): void {
  const of = { meeting: meeting_id, item: id, ...(election_id !== null && { question: election_id }) };
  const personal = reason === undefined ? {} : { personal: { reason } };
  recordAudit(tx, actor, { action, metadata: { ...of, ...metadata }, ...personal });
}
