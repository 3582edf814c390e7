import { isoTime } from '#kernel/clock.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { CLOSED_BY_CHAIR, OPENED_BY_CHAIR } from '#kernel/local-time.ts';
import { type Election, electionStatus, getElection } from './elections.ts';
import { followQuestion, getPaper } from './issuers.ts';
import { openElection } from './lifecycle.ts';
import { moveInvitations } from './moved-invitations.ts';

/** Opens a question of a meeting now, until the chair or a timer closes it. */
export function openByChair(tx: Tx, electionId: string, close_at: number, actor: Actor): void {
  const set = { open_at: actor.at, close_at };
  tx.run(build.updateTable('elections').set(set).where('id', '=', electionId));
  openElection(tx, { id: electionId }, actor.at);
  const { paper_id } = getElection(tx, electionId);
  if (paper_id !== null) moveInvitations(tx, getPaper(tx, paper_id));
}

/** Takes an opening by the chair back: the question waits again. */
export function takeBackByChair(tx: Tx, electionId: string, actor: Actor): void {
  const dates = { open_at: OPENED_BY_CHAIR, close_at: CLOSED_BY_CHAIR };
  const set = { ...dates, opened_at: null, electors: null, question: null };
  tx.run(build.updateTable('elections').set(set).where('id', '=', electionId));
  followQuestion(tx, electionId);
  recordAudit(tx, actor, { action: 'election.opening_taken_back', election_id: electionId });
}

/**
 * Moves the timer of an open question of a meeting, or sets one.
 * @param isTimed whether there was one: then the public history says that it was moved
 * @throws 409 once voting is over
 */
export function moveTimer(
  tx: Tx,
  election: Election,
  { close_at, isTimed }: { close_at: number; isTimed: boolean },
  actor: Actor,
): void {
  const { id, open_at } = election;
  if (electionStatus(election, actor.at) !== 'open') throw conflict('item_state', { state: 'closed' });
  tx.run(build.updateTable('elections').set({ close_at }).where('id', '=', id));
  followQuestion(tx, id);
  if (!isTimed) return;
  // The log of the meeting has the turnout; the public history would count the cards of the pile.
  const dates = (until: number) => ({ open_at: isoTime(open_at), close_at: isoTime(until) });
  const metadata = { from: dates(election.close_at), to: dates(close_at) };
  recordAudit(tx, actor, { action: 'election.dates_changed', election_id: id, metadata });
}
