import { kept } from '#kernel/cache.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';

/** Kept in memory only: after a restart the counts are missing until the next heartbeats. */
const FAILED_PICTURES = kept<Map<string, number>>();

/** How many pictures each screen could not show, by its id. */
export const failedPicturesOf = ({ cache }: Pick<Context, 'cache'>): Map<string, number> =>
  cache.get(FAILED_PICTURES, '', () => new Map());

/** The screens whose browser does not know the zone of the club, by their ids. */
const ZONELESS = kept<Set<string>>();
export const zonelessOf = ({ cache }: Pick<Context, 'cache'>): Set<string> =>
  cache.get(ZONELESS, '', () => new Set());

/** When a page of a screen was first and last heard. In memory only: two browsers are noticed again in two minutes. */
type Boots = Map<string, { first: number; last: number }>;
const BOOTS = kept<Map<string, Boots>>();
const BOOTS_AT_MOST = 5;
const HEARD_WITHIN = 3 * MINUTE;

const bootsOf = ({ cache }: Pick<Context, 'cache'>): Map<string, Boots> =>
  cache.get(BOOTS, '', () => new Map());

/** Notes that a page of a screen was heard. */
export function noteBoot(ctx: Pick<Context, 'cache' | 'now'>, screen: string, id: string): void {
  const boots = bootsOf(ctx).getOrInsertComputed(screen, () => new Map());
  const now = ctx.now();
  const { first = now } = boots.get(id) ?? {};
  boots.delete(id);
  boots.set(id, { first, last: now });
  for (const oldest of boots.keys()) {
    if (boots.size <= BOOTS_AT_MOST) break;
    boots.delete(oldest);
  }
}

/** Whether two browsers report as this screen: the first goes on after the second began. A reload is no second one. */
export function isOpenTwice(ctx: Pick<Context, 'cache' | 'now'>, screen: string): boolean {
  const now = ctx.now();
  const boots = [...(bootsOf(ctx).get(screen)?.values() ?? [])].filter(
    ({ last }) => now - last < HEARD_WITHIN,
  );
  return boots.some((one) =>
    boots.some((other) => other !== one && other.first > one.first && other.first < one.last),
  );
}
