import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context.ts';
import { deriveKey, sha256 } from '#kernel/secrets.ts';
import type { ElectionSettings } from '#voting/elections/settings.ts';

/**
 * The options in the order in which one voter's ballot shows them: as they are, or with randomize_order in an order
 * that is random between voters and the same each time one of them opens the ballot.
 */
export function inBallotOrder<Option extends { id: string }>(
  ctx: Context,
  options: Option[],
  { randomize_order }: ElectionSettings,
  token: string,
): Option[] {
  if (!randomize_order) return options;
  const key = deriveKey(ctx.secretKey, 'ballot order');
  const voter = sha256(token);
  const place = ({ id }: Option) => createHmac('sha256', key).update(`${voter} ${id}`).digest('hex');
  return options
    .map((option) => ({ option, place: place(option) }))
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ option }) => option);
}
