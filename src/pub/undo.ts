import { kept } from '#kernel/cache.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { conflict } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';

/** How long the button of an act offers to undo it. */
const OFFERED_FOR = 10 * SECOND;
/** How long it can still be undone: a page without script stays as it was. */
const ACCEPTED_FOR = MINUTE;
const OFFERS_AT_MOST = 500;

interface Offer {
  /** The person, as in the audit log. */
  by: string;
  at: number;
  /** The id of the button. */
  spot: string;
  undo: (actor: Actor) => Promise<unknown>;
}

/** Kept in memory only: after a restart nothing is offered. The oldest come first. */
const OFFERS = kept<Map<string, Offer>>();
const offersOf = ({ cache }: Pick<Context, 'cache'>): Map<string, Offer> =>
  cache.get(OFFERS, '', () => new Map());

const nameOf = ({ by, ip }: Actor) => by ?? ip;

/** Lets a person undo what they have just done, from the button that did it. */
export function offerUndo(ctx: Context, actor: Actor, spot: string, undo: Offer['undo']): void {
  const offers = offersOf(ctx);
  for (const [id, { at }] of offers)
    if (actor.at - at >= ACCEPTED_FOR || offers.size >= OFFERS_AT_MOST) offers.delete(id);
  offers.set(newId(actor.at), { by: nameOf(actor), at: actor.at, spot, undo });
}

/** What a person can undo now: ids by those of the buttons. */
export function listUndos(ctx: Context, actor: Actor): Map<string, string> {
  const own = [...offersOf(ctx)].filter(
    ([, { by, at }]) => by === nameOf(actor) && actor.at - at < OFFERED_FOR,
  );
  return new Map(own.map(([id, { spot }]) => [spot, id]));
}

/** Undoes an act once. @throws AppError 409 when it is too late, and whatever the change refuses */
export async function undoAct(ctx: Context, id: string, actor: Actor): Promise<void> {
  const offers = offersOf(ctx);
  const offer = offers.get(id);
  if (!offer || offer.by !== nameOf(actor) || actor.at - offer.at >= ACCEPTED_FOR)
    throw conflict('undo_over');
  offers.delete(id);
  await offer.undo(actor);
}
