// npm run recount -- <file.json>: recounts an election on any machine, from the officers' export or the public list of
// ballots. Exit code 0: the result in the file is confirmed; 1: something differs; 2: the file is not valid.
// It counts with the code of the server in src/voting/shared and no other.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { z } from 'zod';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { outcomeNotes, outcomeSentence } from '#views/voting/results/outcome.ts';
import type { ComputedResultsJson } from '#voting/counting/results.ts';
import { MajorityInput, ShareInput } from '#voting/share-input.ts';
import {
  ballotSetText,
  countBallotTexts,
  fileQuestion,
  listDifferences,
  spellBallots,
} from '#voting/shared/ballot-file.ts';
import type { TallyResult } from '#voting/shared/results.ts';

const count = z.number().int().min(0);
const numbers = z.array(count.max(1_000)).max(1_000);
const names = z.array(z.string()).max(1_000);
const digits = (length: number) =>
  z
    .string()
    .regex(new RegExp(`^[0-9a-f]{${length}}$`), `must be ${length} hexadecimal digits`)
    .nullable();

const Export = z
  .object({
    format: z.enum(['publichouse-export-1', 'publichouse-ballots-1']),
    election: z.object({
      title: z.string(),
      description: z.string().nullable().default(null),
      attachment_url: z.string().nullable().default(null),
      trial: z.boolean().optional(),
      translations: z
        .record(
          z.string(),
          z.object({
            title: z.string().optional(),
            description: z.string().optional(),
            options: z.record(z.string(), z.string()).optional(),
          }),
        )
        .optional(),
      ballot_type: z.enum(BALLOT_TYPES),
      status: z.enum(['scheduled', 'open', 'closed']),
      // Of the other rules the file has those that are set.
      settings: z.looseObject({
        poll_response_type: z.enum(['single', 'multiple']),
        ranking: z.enum(['complete', 'partial']).default('complete'),
        quorum: count.nullable(),
        majority: MajorityInput.nullable().default(null),
        quorum_share: ShareInput.nullable().default(null),
        seats: count.nullable().default(null),
        lot: z.literal('drawn').nullable().default(null),
      }),
    }),
    options: z
      .array(
        z.object({
          id: z.string(),
          number: z.number().int().min(1).max(1_000),
          name: z.string(),
          display_order: z.number(),
          is_none_of_the_above: z.boolean(),
          withdrawn: z.looseObject({}).optional(),
        }),
      )
      .refine((list) => new Set(list.map((option) => option.id)).size === list.length, 'an id is repeated')
      .refine(
        (list) => new Set(list.map((option) => option.number)).size === list.length,
        'a number is repeated',
      ),
    ballots: z.array(
      z.union([z.string(), numbers, names, z.record(z.string(), z.string())], {
        error: 'must be a word or a list of options, or answer each of them',
      }),
    ),
    void: z.looseObject({ reason: z.string() }).optional(),
    total_ballots: count,
    electors: count.default(0),
    present: count.default(0),
    quorate: z.boolean().default(true),
    lots: z.array(z.object({ order: z.array(z.string()) })).default([]),
    ballot_set_sha256: digits(64),
    // Files of earlier versions have neither.
    question_sha256: digits(64).default(null),
    ballot_set_salt: digits(32).default(null),
    results: z.record(z.string(), z.unknown()),
  })
  .refine((file) => file.election.status !== 'closed' || file.ballot_set_sha256 !== null, {
    path: ['ballot_set_sha256'],
    message: 'is missing, though the election is closed',
  })
  .refine((file) => (file.question_sha256 === null) === (file.ballot_set_salt === null), {
    path: ['ballot_set_salt'],
    message: 'and question_sha256 must both be there or both be missing',
  });

type Export = z.infer<typeof Export>;

const EARLIER_FORM =
  'This hash was made by an earlier version: it covers the ballots alone, not the question and the ' +
  'names of the options.';

/** The file is not valid; the message says why in one line. */
class Unreadable extends Error {}

process.exitCode = main(process.argv[2]);

function main(path: string | undefined): number {
  try {
    if (path === undefined) throw new Unreadable('Usage: npm run recount -- <file.json>');
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
    throw new Unreadable(`${path} is not a Public House list of ballots: it is not JSON`);
  }
  const parsed = Export.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  throw new Unreadable(
    `${path} is not a Public House list of ballots: ${issue.path.join('.') || 'file'}: ${issue.message}`,
  );
}

/** Counts, compares and prints. @returns the exit code */
function report(file: Export): number {
  const texts = readable(() => spellBallots(file));
  const { total_ballots, results: result } = readable(() => countBallotTexts(file, texts));
  const question = sha256(fileQuestion(file));
  // The hash is made with the question of this file: other names of options give another hash.
  const committed = file.ballot_set_salt !== null;
  const commitment = committed ? { ...file, question_sha256: question } : {};
  const hash = sha256(ballotSetText(texts, commitment));
  const { ballot_type, status } = file.election;
  const withdrawn = file.options.filter((option) => option.withdrawn);
  const { void: isVoid, quorate } = file;
  const counted = {
    status,
    void: isVoid,
    quorate,
    withdrawn,
    results_mode: 'computed',
    ballot_type,
    total_ballots,
    results: result,
  } as unknown as ComputedResultsJson;
  const earlierRule = viewOf(ballot_type).earlierRule?.(result);
  const lines = [
    file.election.title,
    outcomeSentence(counted).for(ENGLISH),
    ...(result.quorum === null
      ? []
      : [`The quorum of ${result.quorum} ballots was ${result.quorum_met ? 'met' : 'not met'}.`]),
    `Ballots counted: ${total_ballots}`,
    ...outcomeNotes(counted).map((note) => note.for(ENGLISH)),
    ...(earlierRule ? [earlierRule.for(ENGLISH)] : []),
    ...(committed ? [`Question SHA-256: ${question}`] : []),
    `Ballot set SHA-256: ${hash}`,
    ...(committed || file.ballot_set_sha256 === null ? [] : [EARLIER_FORM]),
  ];
  const differences = differencesOf(file, { ballots: total_ballots, result, hash, question });
  if (file.ballot_set_sha256 === null) {
    lines.push(`The election is ${file.election.status}: the file holds no ballot-set hash to compare with.`);
  } else if (differences.length === 0) {
    lines.push(
      committed
        ? 'Compare both hashes with those that were published when the election closed.'
        : 'Compare this hash with the one that was published when the election closed.',
    );
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

/** Reports an invalid ballot as an invalid file. */
function readable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new Unreadable((error as Error).message);
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function differencesOf(
  file: Export,
  {
    ballots,
    result,
    hash,
    question,
  }: { ballots: number; result: TallyResult; hash: string; question: string },
): string[] {
  const differs = (what: string, given: unknown, counted: unknown) =>
    `${what} differs: the file says ${shown(given)}, the recount ${shown(counted)}.`;
  const counted: Record<string, unknown> = { ...result };
  return [
    ...(file.total_ballots === ballots ? [] : [differs('total_ballots', file.total_ballots, ballots)]),
    ...(file.question_sha256 === null || file.question_sha256 === question
      ? []
      : [differs('question_sha256', file.question_sha256, question)]),
    ...(file.ballot_set_sha256 === null || file.ballot_set_sha256 === hash
      ? []
      : [differs('ballot_set_sha256', file.ballot_set_sha256, hash)]),
    ...listDifferences(result, file.results).map((key) =>
      differs(`results.${key}`, file.results[key], counted[key]),
    ),
  ];
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
}

/** Replaces control characters: texts of the file must not control the terminal or fake a line of the report. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?');
}
