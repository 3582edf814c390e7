import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { Words } from '#kernel/language/words.ts';
import { sha256 } from '#kernel/secrets.ts';
import { withList } from '#voting/ballots/ballots.ts';
import { openMagicLink } from './magic-links.ts';

/** What else waits for a voter who came from a list of their own elections. */
export interface OtherBallots {
  /** How many ballots can be filled in now; null where that is not looked up. */
  waiting: number | null;
  /** The path of the next of them; null without any. */
  next: string | null;
  /** The path of the list, and what it is called. */
  list: string;
  label?: Words | string;
}

/**
 * Returns what else is in the list that a voter came from. Nothing of this is stored: the pages pass the list on. For
 * `me` only the way back is known, because casting a ballot never reads the session.
 * @returns undefined without a list, or if it is no longer valid
 */
export function findOthers(ctx: Context, list: string): OtherBallots | undefined {
  if (list === 'me') return { waiting: null, next: null, list: '/me' };
  if (list === '') return undefined;
  const link = build.selectFrom('magic_links').select('email').where('token_hash', '=', sha256(list));
  const email = ctx.db.first(link)?.email;
  if (email === undefined) return undefined;
  const page = `/vote/my-elections?${new URLSearchParams({ email, token: list })}`;
  const ready = openMagicLink(ctx, email, list).flatMap(({ ballot }) =>
    ballot.state === 'ready' ? [ballot.path] : [],
  );
  const [first] = ready;
  const next = first === undefined ? null : first === null ? page : withList(first, list);
  return { waiting: ready.length, next, list: page };
}
