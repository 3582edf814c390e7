import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { newId, newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { insertBallots } from '#voting/ballots/ballot-store.ts';
import { insertTokens } from '#voting/ballots/tokens.ts';

/** Ballots stored in one transaction. */
const ROWS_AT_ONCE = 1_000;

/**
 * Stores ballots with their used codes, mailed invitations and entries of the audit log, as if all had been cast:
 * casting a hundred thousand would take minutes.
 * @param choices in their stored form, in order of arrival
 * @param mailed whether each has an invitation; without one where the rows are stored beside a running service, whose log
 * states what its own writes change
 * @returns the hashes of the ballots' inclusion codes, in the same order
 */
export async function storeBallots(
  ctx: Pick<Context, 'write' | 'now'>,
  election_id: string,
  choices: readonly string[],
  { mailed = true }: { mailed?: boolean } = {},
): Promise<string[]> {
  const at = ctx.now();
  const used = { election_id, batch_name: null, created_at: at, used_at: at, submission_hash: null };
  const voted = { action: 'vote.submitted', election_id };
  const ids = choices.map(() => sha256(newRandomId()));
  for (let from = 0; from < choices.length; from += ROWS_AT_ONCE) {
    await ctx.write((tx) => {
      for (const [index, choice] of choices.slice(from, from + ROWS_AT_ONCE).entries()) {
        const token_hash = sha256(newRandomId());
        insertTokens(tx, [{ ...used, token_hash }]);
        insertBallots(tx, [{ election_id, id: ids[from + index]!, choice, receipt: null }]);
        if (mailed)
          tx.run(
            build.insertInto('invites').values({
              id: newId(at),
              election_id,
              email: `${token_hash}@club.example`,
              status: 'SENT',
              created_at: at,
              sent_at: at,
              token_hash,
              token_plaintext: null,
              error: null,
            }),
          );
        recordAudit(tx, { ip: '192.0.2.1', at }, voted);
      }
    });
  }
  return ids;
}
