import type { Context } from '#kernel/context.ts';
import { type Anchor, addAnchors, anchorJournalOf, listLostAnchors } from '#kernel/db/anchor-journal.ts';
import { build } from '#kernel/db/queries.ts';
import { AppError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { Note } from '#kernel/language/words.ts';
import type { SettledResult } from '#voting/elections/stored-result.ts';

type Reading = Pick<Context, 'db' | 'config'>;

const databaseOf = ({ config }: Reading): string => config.DATABASE_URL.slice('file:'.length);

/** Adds settled results to the journal beside the database. @param ids of elections; all if absent */
export function noteAnchors(ctx: Reading, ids?: readonly string[]): void {
  const rows = ctx.db.all(
    build
      .selectFrom('results')
      .innerJoin('elections', 'elections.id', 'election_id')
      .select(['election_id', 'title', 'result'])
      // The journal would keep a trial after its deletion.
      .where('trial', '=', 0)
      .$if(ids !== undefined, (query) => query.where('election_id', 'in', ids ?? [])),
  );
  const anchors = rows.flatMap(({ election_id, title, result }): Anchor[] => {
    const stored: Partial<SettledResult> = JSON.parse(result);
    const { anchor, results, total_ballots = 0, ballot_set_sha256 = '' } = stored;
    return anchor && results
      ? [{ at: anchor.at, election_id, title, total_ballots, ballot_set_sha256, head: anchor.head }]
      : [];
  });
  addAnchors(anchorJournalOf(databaseOf(ctx)), anchors);
}

/** Returns a sentence for each result of an election that was settled and that the database has lost. */
export const listLostResults = (ctx: Reading, electionId: string): Note[] =>
  lostOf(ctx, electionId).map((anchor) => lostNote(ctx, anchor));

/** The error for an election that was settled and that the database does not know; undefined for other ids. */
export function findLostElection(ctx: Reading, electionId: string): AppError | undefined {
  const lost = lostOf(ctx, electionId).at(-1);
  if (!lost) return undefined;
  const { title, at, total_ballots, ballot_set_sha256 } = lost;
  return new AppError(
    410,
    'result_lost',
    { title, lost: lostNote(ctx, lost) },
    {
      extra: { settled: { title, at, total_ballots, ballot_set_sha256 } },
    },
  );
}

const lostOf = (ctx: Reading, electionId: string): Anchor[] =>
  listLostAnchors(ctx.db, databaseOf(ctx)).filter(({ election_id }) => election_id === electionId);

function lostNote({ config }: Reading, { at, total_ballots, ballot_set_sha256 }: Anchor): Note {
  const when = formatWhen(Date.parse(at), config.TIME_ZONE);
  return new Note(t('voting.difference.lost', { ballots: total_ballots, when, number: ballot_set_sha256 }));
}
