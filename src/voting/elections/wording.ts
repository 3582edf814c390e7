import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { optionalText, requiredName } from '#kernel/http/validation.ts';
import { getElection } from './elections.ts';
import { ballotsExist } from './options.ts';
import { storeChangedQuestion } from './question.ts';
import { hasBallots } from './turnout.ts';

/** Absent fields stay unchanged; an empty description removes it. */
export const WordingInput = z.object({
  title: requiredName(500).optional(),
  description: z.union([z.undefined(), optionalText(5_000)]),
});

/** Changes title and description, until the first ballot. @throws 404, 409 naming the field that ballots have fixed */
export async function changeWording(
  ctx: Context,
  id: string,
  input: z.output<typeof WordingInput>,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => {
    const before = getElection(tx, id);
    const changed = (['title', 'description'] as const).filter(
      (field) => input[field] !== undefined && input[field] !== before[field],
    );
    if (changed.length === 0) return;
    if (hasBallots(tx, id)) throw ballotsExist(...changed);
    const pick = (of: { title?: string | undefined; description?: string | null | undefined }) =>
      Object.fromEntries(changed.map((field) => [field, of[field]]));
    tx.run(build.updateTable('elections').set(pick(input)).where('id', '=', id));
    const metadata = { from: pick(before), to: pick(input), ...storeChangedQuestion(tx, id) };
    recordAudit(tx, actor, { action: 'election.text_changed', election_id: id, metadata });
  });
}
