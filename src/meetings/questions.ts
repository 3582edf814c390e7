import type { Actor } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { conflict } from '#kernel/http/errors.ts';
import { getElection } from '#voting/elections/elections.ts';
import { addOptionIn, removeOptionIn } from '#voting/elections/options.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import type { Item } from './items.ts';

/** What somebody brings to the ballot. */
export interface Candidate {
  name: string;
  text: string;
  picture: string | null;
}

/** Puts a candidate on the ballot of an item. @returns the id there; null while the item has no question */
export function addCandidate(
  tx: Tx,
  { election_id }: Item,
  candidate: Candidate,
  actor: Actor,
): string | null {
  if (election_id === null) return null;
  const kind = rulesOf(getElection(tx, election_id).ballot_type).options?.kind;
  if (kind === undefined) throw conflict('question_without_candidates');
  const { name, text, picture } = candidate;
  return addOptionIn(tx, kind, election_id, { name, text: text || null, picture }, actor).id;
}

/** Takes a candidate off the ballot of an item. */
export function withdrawCandidate(
  tx: Tx,
  { election_id }: Item,
  optionId: string | null,
  actor: Actor,
): void {
  if (election_id === null || optionId === null) return;
  const kind = rulesOf(getElection(tx, election_id).ballot_type).options?.kind;
  if (kind) removeOptionIn(tx, kind, election_id, optionId, actor);
}
