import { z } from 'zod';
import { kept } from '#kernel/cache.ts';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { optionalText, wholeNumber } from '#kernel/http/validation.ts';

/** What the page of a door says of itself every twenty seconds, and when it is closed. */
export const HeardInput = z.object({
  /** A random id of the page. */
  door: z.string().min(1).max(64),
  from: optionalText(3),
  to: optionalText(3),
  /** Presses that it has not sent. */
  waiting: wholeNumber(0, 100_000).default(0),
  /** The page is closed, with nothing to send. */
  left: z.literal(true).optional(),
});

/** Of the names that a door has. */
interface Letters {
  from: string;
  to: string;
}

interface Door {
  letters: Letters | null;
  waiting: number;
  at: number;
}

/** The doors of a meeting that were heard since the service began. A restart forgets them until they say it again. */
const DOORS = kept<Map<string, Door>>();

/** After this time without a word a door has no network. */
const SILENT = 60 * SECOND;
/** After this time nobody waits for it any more. */
const GONE = 12 * 60 * MINUTE;
const DOORS_AT_MOST = 50;

const doorsOf = (ctx: Context, meetingId: string) =>
  ctx.cache.get(DOORS, meetingId, () => new Map<string, Door>());

/** Notes that the page of a door was heard. */
export function hearDoor(ctx: Context, meetingId: string, input: z.output<typeof HeardInput>): void {
  const doors = doorsOf(ctx, meetingId);
  doors.delete(input.door);
  if (input.left && input.waiting === 0) return;
  const letters =
    input.from === null && input.to === null ? null : { from: input.from ?? 'A', to: input.to ?? 'Z' };
  doors.set(input.door, { letters, waiting: input.waiting, at: ctx.now() });
  const [oldest] = doors.keys();
  if (doors.size > DOORS_AT_MOST && oldest !== undefined) doors.delete(oldest);
}

/** A door whose presses may be missing. */
export interface MissingDoor {
  letters: Letters | null;
  /** For how many seconds nothing was heard of it. */
  silent: number;
  /** Presses that it said it has to send. */
  waiting: number;
}

/** The doors that have not been heard for a minute, or that have presses to send. */
export const listMissing = (ctx: Context, meetingId: string): MissingDoor[] =>
  [...doorsOf(ctx, meetingId).values()].flatMap(({ letters, waiting, at }) => {
    const age = ctx.now() - at;
    if (age > GONE || (age < SILENT && waiting === 0)) return [];
    return [{ letters, waiting, silent: Math.round(age / SECOND) }];
  });
