import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { listOf, requiredText } from '#kernel/http/validation.ts';
import { onItem, type Pressed } from '#meetings/item-acts.ts';
import { getItem, type Item } from '#meetings/items.ts';
import type { Meeting } from '#meetings/meetings.ts';
import { listUses } from '#voting/ballot-papers/casting.ts';
import { endForPaper } from '#voting/ballots/paper-count.ts';
import { findToken, hashToken } from '#voting/ballots/tokens.ts';
import { getElection } from '#voting/elections/elections.ts';
import { followPapers } from './awaited.ts';
import { countHandedOut } from './sheet.ts';

export const PaperInput = z.object({
  /** That of a card or a link, in any spelling. */
  code: requiredText(4_000),
  /** Further items that are on the same paper. */
  items: listOf(z.string().max(64), 50).optional(),
});

/**
 * Hands out a paper for a card, which dies for this question alone and keeps counting in its base. Nothing stored tells
 * which paper it was, and the log has the number of papers at the close alone.
 * @returns how many papers were handed out for the item
 * @throws 404 for a code of another meeting; 409 that names the state, and for a card that cannot vote on the item
 */
export function handOutPaper(
  ctx: Context,
  pressed: Pressed,
  { code, items = [] }: z.output<typeof PaperInput>,
): Promise<number> {
  return onItem(ctx, pressed, (tx, { meeting, item }) => {
    const { paper_id } = meeting;
    const hash = hashToken(code);
    if (paper_id === null || !findToken(tx, paper_id, hash)) throw notFound('card_not_found');
    const others = [...new Set(items)].filter((id) => id !== item.id);
    for (const one of [item, ...others.map((id) => getItem(tx, id, meeting.id))])
      handOut(tx, { meeting, item: one }, hash, pressed.actor.at);
    return countHandedOut(tx, item);
  });
}

function handOut(
  tx: Tx,
  { meeting, item }: { meeting: Meeting; item: Item },
  hash: string,
  now: number,
): void {
  const { id: item_id, election_id, state } = item;
  if (state !== 'open' || election_id === null) throw conflict('item_state', { state });
  if (!endForPaper(tx, getElection(tx, election_id), hash, now)) {
    const use = listUses(tx, meeting.paper_id ?? '', hash).get(election_id);
    // Whoever pressed twice reads that the paper is to be handed over.
    const why = use?.on_paper ? 'card_has_paper' : use ? 'card_voted' : 'card_of_other_class';
    throw conflict(why, { title: item.title });
  }
  const first = { item_id, handed_out: 1, printed: null, returned: null, in_box: null };
  tx.run(
    build
      .insertInto('paper_sheets')
      .values(first)
      .onConflict((of) =>
        of.column('item_id').doUpdateSet((set) => ({ handed_out: set('paper_sheets.handed_out', '+', 1) })),
      ),
  );
  followPapers(tx, item);
}
