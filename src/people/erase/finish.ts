import { sql } from 'kysely';
import { kept } from '#kernel/cache.ts';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { SERVICE } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { eraseStored } from './erase-stored.ts';
import { addToJournal, type Erasures, journalOf, readJournal } from './journal.ts';

/** For how long after an erasure it is finished again at each start, because it may not have been. */
const FINISHED_WITHIN = 90 * DAY;

/** Done for so many erasures, by what was overwritten. */
const OVERWRITTEN = kept<Promise<true>>();

/**
 * Finishes erasures after their transaction; a job repeats it until it succeeds. Makes the journal and the database
 * agree, clears caches, and removes the erased bytes from the file and its write-ahead log. While voting is open only
 * the log is overwritten; the file is rewritten after the close.
 */
export async function finishErasures(ctx: Context): Promise<void> {
  const journal = journalOf(ctx.config.DATABASE_URL.slice('file:'.length));
  if (journal !== undefined) {
    await eraseAgain(ctx, readJournal(journal), ctx.now());
    addToJournal(journal, listErased(ctx.db));
  }
  const erased = listErased(ctx.db);
  const since = ctx.now() - FINISHED_WITHIN;
  if (!erased.some(([, at]) => at > since)) return;
  // Counts all erasures, so it changes with each one and only then: a new one is not taken as finished.
  const version = erased.length;
  ctx.hub.publish('erasures');
  const [what, overwrite] = isVotingOpen(ctx.db, ctx.now())
    ? ['log', () => ctx.eraseLog()]
    : ['file', () => ctx.rewriteFile()];
  await ctx.cache.get(OVERWRITTEN, what, orLater(overwrite), [version]).catch((error: unknown) => {
    if (!(error instanceof StillRead)) throw error;
    ctx.log.warn('somebody reads the database: what was erased is overwritten later');
  });
}

/** Thrown so that the cache does not store a failed attempt as done. */
class StillRead extends Error {}

const orLater = (overwrite: () => Promise<boolean>) => async () => {
  if (!(await overwrite())) throw new StillRead();
  return true as const;
};

/**
 * Erases the people of a journal who are in the database again, because a backup was restored.
 * @returns the number of erased people, and the reasons for those that could not be erased
 */
export async function eraseAgain(
  { db, write }: Pick<Context, 'db' | 'write'>,
  erasures: Erasures,
  now: number,
): Promise<{ erased: number; refused: string[] }> {
  const back = db.all(
    build
      .selectFrom('persons')
      .select('id')
      .where('id', 'in', sql<string>`(SELECT value FROM json_each(${JSON.stringify([...erasures.keys()])}))`)
      .where('erased_at', 'is', null),
  );
  const refused: string[] = [];
  for (const { id } of back) {
    try {
      await write((tx) => eraseStored(tx, id, { ip: SERVICE, at: now }));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused.push(`${id}: ${error.message}`);
    }
  }
  return { erased: back.length - refused.length, refused };
}

/** Ids of all erased people, with the time of each erasure. */
function listErased(reader: Reader): [id: string, at: number][] {
  const rows = reader.all(
    build.selectFrom('persons').select(['id', 'erased_at']).where('erased_at', 'is not', null),
  );
  return rows.map(({ id, erased_at }) => [id, erased_at ?? 0]);
}

function isVotingOpen(reader: Reader, now: number): boolean {
  const open = build
    .selectFrom('elections')
    .select('id')
    .where('closed_at', 'is', null)
    .where('open_at', '<=', now)
    .where('close_at', '>', now);
  return reader.first(open) !== undefined;
}
