import type { Reader } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { type Election, listOptions } from '#voting/elections/elections.ts';
import { type ReadableBallot, readableBallot } from '#voting/shared/ballot-file.ts';
import { earlierReceiptOf, findBallot, receiptOf } from './ballot-store.ts';

/** The result of looking up a ballot by its inclusion code. */
export interface CheckedCode {
  found: boolean;
  /** Only with receipts that cover the choice: the ballot as counted. */
  ballot?: ReadableBallot;
  /** True if `ballot` is not what was cast with this code. */
  altered?: boolean;
}

/** Looks up the ballot of an inclusion code, in its plain spelling, in a closed election. */
export function checkCode(reader: Reader, election: Election, code: string): CheckedCode {
  const stored = findBallot(reader, election.id, sha256(code));
  if (!stored) return { found: false };
  if (!coversChoice(readSettings(election.settings))) return { found: true };
  const names = new Map(listOptions(reader, election.id).map(({ number, name }) => [number, name]));
  const ballot = readableBallot(stored.choice, names);
  const fitting = [receiptOf(code, ballot), earlierReceiptOf(code, stored.choice)];
  return { found: true, ballot, altered: !fitting.includes(stored.receipt ?? '') };
}
