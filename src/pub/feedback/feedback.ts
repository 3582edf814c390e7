import { sql } from 'kysely';
import { z } from 'zod';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { EVERYBODY, type Limit } from '#kernel/http/rate-limit.ts';
import { optionalName, optionalText, requiredLines, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';

const FEEDBACK_AN_HOUR = 6;
/** Per address and hour, regardless of cookies. High, because everybody in the pub shares one address. */
const FEEDBACK_OF_ADDRESS = 60;
/** For all visitors together: as much as staff can read. */
const FEEDBACK_OF_ALL = { aMinute: 30, anHour: 200 };
/** Messages in all. Past that, a new one replaces the oldest that staff settled; if none is settled, it is refused. */
const FEEDBACK_AT_MOST = 20_000;
/** How long the sender's name and contact are stored after the message was settled. */
const NAMES_LIFETIME = 90 * DAY;
/** How long the hashes of browser and address are stored: longer than the window of any limit. */
const SENDERS_LIFETIME = DAY;

/** `website` is a honeypot: it is hidden on the page, so only bots fill it in. */
export const FeedbackInput = z.object({
  message: requiredLines(2_000),
  rating: z
    .union(
      [z.literal('').transform(() => null), wholeNumber(1, 5)],
      coded('out_of_range', { min: 1, max: 5 }),
    )
    .nullish(),
  name: optionalName(80),
  contact: optionalName(120),
  page: optionalText(64),
  website: z.unknown().optional(),
});

/** The sender: hashes of the browser's cookie and of its address, and whether the browser already had that cookie. */
export interface Sender {
  browser: string;
  client: string;
  known: boolean;
}

/**
 * Stores a message. A message from a bot is dropped without an error.
 * @throws 429 for the seventh message within an hour from one browser; browsers without the cookie are counted by
 * address. Also past the limits per address and for all visitors, because cookies and addresses can be forged
 */
export async function sendFeedback(
  ctx: Context,
  { browser, client, known }: Sender,
  { website, rating, ...input }: z.output<typeof FeedbackInput>,
): Promise<void> {
  if (website) return;
  const now = ctx.now();
  await ctx.write((tx) => {
    const lately = build
      .selectFrom('feedback')
      .select('created_at')
      .where(known ? 'browser_hash' : 'client_hash', '=', known ? browser : client)
      .where('created_at', '>', now - HOUR)
      .orderBy('created_at', 'desc')
      .limit(FEEDBACK_AN_HOUR);
    const sent = tx.all(lately);
    const first = sent.at(-1);
    if (first && sent.length >= FEEDBACK_AN_HOUR)
      throw tooManyRequests('feedback_limit', first.created_at + HOUR - now);
    const until = ctx.limiter.hitAll(limitsFor(client));
    if (until !== undefined) throw tooManyRequests('too_much_feedback', until - now);
    makeRoom(tx);
    const hashes = { browser_hash: browser, client_hash: known ? '' : client };
    const times = { created_at: now, updated_at: now };
    tx.run(
      build
        .insertInto('feedback')
        .values({ id: newId(now), ...input, rating: rating ?? null, ...hashes, ...times }),
    );
  });
}

/** Past the most messages the one that was settled first gives way, or the oldest if none is settled. */
function makeRoom(tx: Tx): void {
  const stored = build.selectFrom('feedback').select((of) => of.fn.countAll<number>().as('n'));
  if (tx.first(stored)!.n < FEEDBACK_AT_MOST) return;
  const oldest = build
    .selectFrom('feedback')
    .select('id')
    .orderBy(sql`resolved_at IS NULL`)
    .orderBy('resolved_at')
    .orderBy('created_at')
    .limit(1);
  tx.run(build.deleteFrom('feedback').where('id', 'in', oldest));
}

/** Deletes names and contacts 90 days after a message was settled, and the hashes of its sender after a day. */
export async function deleteSenderData(ctx: Context): Promise<void> {
  const now = ctx.now();
  await ctx.write((tx) => {
    tx.run(
      build
        .updateTable('feedback')
        .set({ name: null, contact: null })
        .where('resolved_at', '<=', now - NAMES_LIFETIME)
        .where((or) => or.or([or('name', 'is not', null), or('contact', 'is not', null)])),
    );
    tx.run(
      build
        .updateTable('feedback')
        .set({ browser_hash: '', client_hash: '' })
        .where('created_at', '<=', now - SENDERS_LIFETIME)
        .where('browser_hash', '<>', sql.lit('')),
    );
  });
}

const limitsFor = (client: string): Limit[] => [
  { name: 'feedback of an address', client, limit: FEEDBACK_OF_ADDRESS, window: HOUR },
  { name: 'feedback in a minute', client: EVERYBODY, limit: FEEDBACK_OF_ALL.aMinute, window: MINUTE },
  { name: 'feedback', client: EVERYBODY, limit: FEEDBACK_OF_ALL.anHour, window: HOUR },
];
