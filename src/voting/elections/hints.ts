import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { type Election, getElection } from './elections.ts';

const HINTS = ['not_on_home'] as const;

export type HintName = (typeof HINTS)[number];

export const HintInput = z.object({ hint: z.enum(HINTS, { error: 'is not a hint' }) });

const dismissedOf = ({ dismissed_hints }: Pick<Election, 'dismissed_hints'>): string[] =>
  JSON.parse(dismissed_hints);

/** Whether an officer has dismissed a hint about an election. */
export const isDismissed = (election: Pick<Election, 'dismissed_hints'>, hint: HintName): boolean =>
  dismissedOf(election).includes(hint);

/** Dismisses a hint about an election for all officers, permanently. @throws 404 */
export async function dismissHint(ctx: Context, id: string, hint: HintName, actor: Actor): Promise<string[]> {
  return ctx.write((tx) => {
    const election = getElection(tx, id);
    const before = dismissedOf(election);
    if (before.includes(hint)) return before;
    const dismissed = [...before, hint];
    const set = { dismissed_hints: JSON.stringify(dismissed) };
    tx.run(build.updateTable('elections').set(set).where('id', '=', id));
    recordAudit(tx, actor, { action: 'election.hint_dismissed', election_id: id, metadata: { hint } });
    return dismissed;
  });
}
