import { kept } from '#kernel/cache.ts';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { csvText, padRow } from '#kernel/csv.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { sha256 } from '#kernel/secrets.ts';
import { readBallotRows } from '#voting/ballots/ballot-store.ts';
import { handlingOf } from '#voting/ballots/ballot-types.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import {
  type Election,
  electionJson,
  electionStatus,
  listOptions,
  optionJson,
} from '#voting/elections/elections.ts';
import { askedQuestion } from '#voting/elections/question.ts';
import type { Counted } from '#voting/elections/stored-result.ts';
import {
  type BallotFile,
  listedFrom,
  type ReadableBallot,
  readableBallot,
} from '#voting/shared/ballot-file.ts';
import { rulesIn, rulesOf } from '#voting/shared/ballot-types.ts';
import {
  type ComputedResultsJson,
  computedJson,
  ensureVisible,
  loadResult,
  type ResultsJson,
} from './results.ts';
import { closingKey } from './settled-result.ts';

/** By election. */
const LISTS = kept<Promise<ListedBallot[]>>({ age: MINUTE, atMost: 20 });
/** Ballots written in one turn. */
const PAGE = 500;

/** The published ballots of an election, with its published results. */
export interface PublicBallots {
  election: Election;
  published: ComputedResultsJson;
  list: ListedBallot[];
}

interface ListedBallot {
  /** Its receipt, or the SHA-256 of the election's id, a newline and the stored ballot: equal for equal ballots. */
  hash: string;
  choice: string;
}

/** Whether an election with these results publishes its ballots. */
export function publishesBallots(election: Election, results: ResultsJson): boolean {
  if (results.results_mode === 'void') return false;
  const counted = results.results_mode === 'manual' ? results.computed : results;
  const from = counted && enoughFor(election, counted);
  return from !== undefined && results.status === 'closed' && counted!.total_ballots >= from;
}

function enoughFor(
  { ballot_type, settings }: Election,
  { results }: Pick<Counted, 'results'>,
): number | undefined {
  return listedFrom(readSettings(settings).publish_ballots, rulesOf(ballot_type).ranked(results));
}

/** @throws 403 before the close, 404 if the ballots are not published */
export async function getPublicBallots(ctx: Context, election: Election): Promise<PublicBallots> {
  if (electionStatus(election, ctx.now()) !== 'closed') throw forbidden('ballots_after_close');
  ensureVisible(ctx, election);
  const published = computedJson(await loadResult(ctx, election));
  if (!publishesBallots(election, published)) {
    const from = enoughFor(election, published);
    throw from === undefined
      ? notFound('ballots_not_published')
      : notFound('too_few_ballots_published', { min: from });
  }
  const list = await ctx.cache.get(LISTS, closingKey(election), () => listPublicBallots(ctx, election));
  return { election, published, list };
}

/**
 * Lists every ballot in the order of hashes that do not show when or by whom it was cast. If codes do not cover the
 * choice, their hashes are not used: the order would show a ballot's choice to somebody who knows its code.
 */
async function listPublicBallots(ctx: Context, election: Election): Promise<ListedBallot[]> {
  const covers = coversChoice(readSettings(election.settings));
  // Buckets by the first two digits, so that no single sort takes long; other requests can run between them.
  const buckets: ListedBallot[][] = Array.from({ length: 256 }, () => []);
  await readBallotRows(ctx, election.id, ({ choice, receipt }) => {
    const hash = (covers ? receipt : null) ?? sha256(`${election.id}\n${choice}`);
    buckets[Number.parseInt(hash.slice(0, 2), 16)]!.push({ hash, choice });
  });
  for (const bucket of buckets) {
    if (bucket.length === 0) continue;
    await ctx.queue.turn();
    bucket.sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : 0));
  }
  return buckets.flat();
}

/** Writes the list as JSON, see `BallotFile`, page by page; other requests can run between the pages. */
export async function* ballotsJson(
  ctx: Context,
  { election, published, list }: PublicBallots,
): AsyncGenerator<string> {
  const { id, ballot_type, status, open_at, close_at, closed_at, settings } = electionJson(ctx, election);
  const { title, description, attachment_url, trial, translations } = askedQuestion(election);
  const { poll_response_type, ranking, quorum, receipts, lot } = settings;
  const options = listOptions(ctx.db, id).map((option) => ({ ...optionJson(option), number: option.number }));
  const facts = {
    format: 'publichouse-ballots-1' satisfies BallotFile['format'],
    election: {
      id,
      title,
      ...(trial && { trial }),
      ballot_type,
      status,
      open_at,
      close_at,
      closed_at,
      settings: {
        poll_response_type,
        ranking,
        quorum,
        ...rulesIn(ballot_type, settings),
        ...(lot && { lot }),
        receipts,
      },
      description,
      attachment_url,
      ...(translations && { translations }),
    },
    options,
    ...countedFacts(published),
  };
  const names = new Map(options.map(({ number, name }) => [number, name]));
  yield `${JSON.stringify(facts).slice(0, -1)},"ballots":[\n`;
  yield* pages(ctx, list, ({ choice }) => JSON.stringify(readableBallot(choice, names)), ',\n');
  if (coversChoice(settings)) {
    yield '\n],"receipts":[\n';
    yield* pages(ctx, list, ({ hash }) => JSON.stringify(hash), ',\n');
  }
  yield '\n]}\n';
}

/** What files have of a result, beside the ballots. */
export const countedFacts = (computed: ComputedResultsJson) => ({
  ...(computed.void && { void: computed.void }),
  total_ballots: computed.total_ballots,
  electors: computed.electors,
  present: computed.present,
  quorate: computed.quorate,
  lots: computed.lots,
  ...commitmentOf(computed),
  results: computed.results,
  books: computed.books,
  anchor: computed.anchor,
  result_matches: computed.result_matches,
});

/** The hashes and the salt of a result as files have them: null where the result has none. */
const commitmentOf = ({
  ballot_set_sha256 = null as string | null,
  question_sha256 = null as string | null,
  ballot_set_salt = null as string | null,
}: { [key in 'ballot_set_sha256' | 'question_sha256' | 'ballot_set_salt']?: string | null | undefined }) => ({
  ballot_set_sha256,
  question_sha256,
  ballot_set_salt,
});

/**
 * Writes the list as CSV: one ballot per line, with its receipt first if it has one. Hashes and salt stand at the end
 * of the first ballot's line alone: in each line they would be most of the file.
 */
export async function* ballotsCsv(
  ctx: Context,
  { election, published, list }: PublicBallots,
): AsyncGenerator<string> {
  const options = listOptions(ctx.db, election.id);
  const optionNames = new Map(options.map(({ number, name }) => [number, name]));
  const covers = coversChoice(readSettings(election.settings));
  const columns = handlingOf(election.ballot_type).columns(options.map(({ name }) => name));
  const commitment = commitmentOf(published);
  const ends = [Object.values(commitment).map((value) => value ?? ''), ['', '', '']];
  yield csvText([[...(covers ? ['receipt'] : []), ...columns, ...Object.keys(commitment)]]);
  yield* pages(
    ctx,
    list,
    (ballot) => {
      const cells = ballotCells(readableBallot(ballot.choice, optionNames), columns);
      const parts = padRow(cells, columns.length);
      return csvText([
        [...(covers ? [ballot.hash] : []), ...parts, ...(ends[ballot === list[0] ? 0 : 1] ?? [])],
      ]);
    },
    '',
  );
}

/** The cells of a ballot in a table: its parts in order, or the answer for the name of each column. */
export function ballotCells(ballot: ReadableBallot, columns: readonly string[]): string[] {
  if (typeof ballot === 'string') return [ballot];
  return Array.isArray(ballot) ? ballot : columns.map((name) => ballot[name] ?? '');
}

async function* pages(
  { queue }: Context,
  list: readonly ListedBallot[],
  write: (ballot: ListedBallot) => string,
  separator: string,
): AsyncGenerator<string> {
  for (let at = 0; at < list.length; at += PAGE) {
    await queue.turn();
    yield `${at === 0 ? '' : separator}${list
      .slice(at, at + PAGE)
      .map(write)
      .join(separator)}`;
  }
}
