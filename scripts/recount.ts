// Counts an exported election again, on any machine: `npm run recount -- <export.json>`.
// Exit code 0: the file is confirmed; 1: something in it differs; 2: it is no readable export.
// Of the server it uses only counting/tally.ts, counting/schulze.ts and ballots/ballot-set.ts in src/voting.
import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ballotSetHash } from '#voting/ballots/ballot-set.ts';
import {
  createTally,
  type PollResult,
  type RankedResult,
  type SimpleResult,
  type Tally,
  type TallyResult,
} from '#voting/counting/tally.ts';

const count = z.number().int().min(0);
const numbers = z.array(count.max(1_000)).max(1_000);

const Export = z
  .object({
    format: z.literal('publichouse-export-1'),
    election: z.object({
      title: z.string(),
      ballot_type: z.enum(['SIMPLE_TRIPLE', 'POLL', 'RANKED_CONDORCET']),
      status: z.enum(['scheduled', 'open', 'closed']),
      settings: z.object({ poll_response_type: z.enum(['single', 'multiple']), quorum: count.nullable() }),
    }),
    options: z
      .array(
        z.object({
          id: z.string(),
          number: z.number().int().min(1).max(1_000),
          name: z.string(),
          display_order: z.number(),
          is_none_of_the_above: z.boolean(),
        }),
      )
      .refine((list) => new Set(list.map((option) => option.id)).size === list.length, 'an id is repeated')
      .refine(
        (list) => new Set(list.map((option) => option.number)).size === list.length,
        'a number is repeated',
      ),
    ballots: z.array(z.union([z.string(), numbers], { error: 'must be a word or a list of option numbers' })),
    total_ballots: count,
    ballot_set_sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .nullable(),
    results: z.record(z.string(), z.unknown()),
  })
  .refine((file) => file.election.status !== 'closed' || file.ballot_set_sha256 !== null, {
    path: ['ballot_set_sha256'],
    message: 'is missing, though the election is closed',
  });

type Export = z.infer<typeof Export>;

/** What is wrong with the file itself, in one line. */
class Unreadable extends Error {}

process.exitCode = main(process.argv[2]);

function main(path: string | undefined): number {
  try {
    if (path === undefined) throw new Unreadable('Usage: npm run recount -- <export.json>');
    return report(readExport(path));
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    console.error(printable(error.message));
    return 2;
  }
}

function readExport(path: string): Export {
  let text: string;
  try {
    text = fs.readFileSync(path, 'utf8');
  } catch (error) {
    throw new Unreadable(`${path} cannot be read: ${(error as Error).message}`);
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Unreadable(`${path} is not a Public House export: it is not JSON`);
  }
  const parsed = Export.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Unreadable(
    `${path} is not a Public House export: ${issue.path.join('.') || 'file'}: ${issue.message}`,
  );
}

/** Counts, compares, prints; returns the exit code. */
function report(file: Export): number {
  const texts = file.ballots.map((ballot) => (typeof ballot === 'string' ? ballot : JSON.stringify(ballot)));
  const tally = countAll(file, texts);
  const result = tally.result();
  const hash = ballotSetHash(texts.sort().map((text) => [text, 1]));
  const lines = [
    file.election.title,
    outcomeOf(result),
    ...(result.quorum === null
      ? []
      : [`The quorum of ${result.quorum} ballots was ${result.quorum_met ? 'met' : 'not met'}.`]),
    `Ballots counted: ${tally.ballots}`,
    `Ballot set SHA-256: ${hash}`,
  ];
  const differences = differencesOf(file, tally.ballots, result, hash);
  if (file.ballot_set_sha256 === null) {
    lines.push(`The election is ${file.election.status}: the file holds no ballot-set hash to compare with.`);
  } else if (differences.length === 0) {
    lines.push('Compare this hash with the one that was published when the election closed.');
  }
  lines.push(...differences);
  lines.push(
    differences.length === 0
      ? 'The result in the file is confirmed.'
      : 'The result in the file is NOT confirmed.',
  );
  console.log(lines.map(printable).join('\n'));
  return differences.length === 0 ? 0 : 1;
}

function countAll(file: Export, texts: readonly string[]): Tally {
  const { ballot_type, settings } = file.election;
  const tally = createTally(
    ballot_type,
    file.options.toSorted((a, b) => a.display_order - b.display_order),
    settings,
  );
  for (const [index, text] of texts.entries()) {
    try {
      tally.add(text);
    } catch {
      throw new Unreadable(`ballots.${index}: ${text.slice(0, 200)} is not a ballot of this election`);
    }
  }
  return tally;
}

function differencesOf(file: Export, ballots: number, result: TallyResult, hash: string): string[] {
  const differences: string[] = [];
  const differ = (what: string, given: unknown, counted: unknown) => {
    if (isDeepStrictEqual(given, counted)) return;
    differences.push(`${what} differs: the file says ${shown(given)}, the recount ${shown(counted)}.`);
  };
  differ('total_ballots', file.total_ballots, ballots);
  if (file.ballot_set_sha256 !== null) differ('ballot_set_sha256', file.ballot_set_sha256, hash);
  // Into plain JSON and back, as the file's own went.
  const counted: Record<string, unknown> = JSON.parse(JSON.stringify(result));
  for (const key of new Set([...Object.keys(counted), ...Object.keys(file.results)])) {
    differ(`results.${key}`, file.results[key], counted[key]);
  }
  return differences;
}

function outcomeOf(result: TallyResult): string {
  if (result.method === 'majority') return simpleOutcome(result);
  return result.method === 'plurality' ? pollOutcome(result) : rankedOutcome(result);
}

function simpleOutcome({ outcome, yes, no, abstain }: SimpleResult): string {
  const sentence = { passed: 'The motion passed', failed: 'The motion failed', tied: 'The vote is tied' };
  return `${sentence[outcome]}: ${yes} yes, ${no} no, ${abstain} abstained.`;
}

function pollOutcome({ options, winners, tied }: PollResult): string {
  const best = options.filter((option) => winners.includes(option.id));
  const names = best.map((option) => option.name).join(', ');
  if (best.length === 0) return 'No ballots were cast: nobody won.';
  return tied
    ? `Tied for the first place with ${best[0]!.count} votes each: ${names}.`
    : `The winner is ${names} with ${best[0]!.count} votes.`;
}

function rankedOutcome({ candidates, winners, condorcet_winner, tied }: RankedResult): string {
  const names = candidates
    .filter((candidate) => winners.includes(candidate.id))
    .map(({ name }) => name)
    .join(', ');
  if (winners.length === 0)
    return `${candidates.length === 0 ? 'There are no candidates' : 'No ballots were cast'}: nobody won.`;
  if (tied) return `Tied for the first place by the Schulze method: ${names}.`;
  return condorcet_winner === null
    ? `The winner by the Schulze method is ${names}.`
    : `The winner is ${names}, preferred to each other candidate (Condorcet winner).`;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** Names come from a file: nothing in them may steer the terminal or fake a line of the report. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
