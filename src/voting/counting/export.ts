import { z } from 'zod';
import type { Permission } from '#kernel/access/roles.ts';
import type { Context } from '#kernel/context.ts';
import { csvText, padRow } from '#kernel/csv.ts';
import { badRequest, forbidden } from '#kernel/http/errors.ts';
import { oneOf } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { truncate } from '#kernel/text.ts';
import { readBallots } from '#voting/ballots/ballot-store.ts';
import { EXPORT_FORMATS, type ExportFormat, handlingOf } from '#voting/ballots/ballot-types.ts';
import { shuffled } from '#voting/ballots/shown-order.ts';
import { readSettings } from '#voting/election-settings.ts';
import {
  type Election,
  electionJson,
  electionStatus,
  listOptions,
  type OptionRow,
  optionJson,
} from '#voting/elections/elections.ts';
import { askedQuestion } from '#voting/elections/question.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { LISTED_FROM, readableBallot } from '#voting/shared/ballot-file.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { BLANK, withoutOptions } from '#voting/shared/choice.ts';
import { ballotCells, countedFacts } from './public-ballots.ts';
import { recheckResult } from './recheck.ts';
import { computedJson, ensureVisible, loadResult } from './results.ts';

export const ExportQuery = z.object({
  format: oneOf(EXPORT_FORMATS).default('csv'),
});

/** Of file names; `.cvotes` is the one that the Condorcet Election Format recommends. */
const ENDINGS: Record<ExportFormat, string> = { csv: 'csv', json: 'json', cef: 'cvotes', blt: 'blt' };

export interface ExportFile {
  name: string;
  type: string;
  body: string;
}

/**
 * Exports the anonymous ballots of an election in random order, as CSV, as JSON (which `npm run recount` reads), for
 * ranked ones in the Condorcet Election Format (github.com/CondorcetVote/CondorcetElectionFormat), or in the BLT format
 * of programs that count single transferable votes.
 * @param granted see `whyHidden`
 * @throws 403 while results are hidden (the ballots are the results), and before the close with fewer than ten ballots
 */
export async function exportElection(
  ctx: Context,
  election: Election,
  { format }: z.output<typeof ExportQuery>,
  granted?: ReadonlySet<Permission>,
): Promise<ExportFile> {
  ensureVisible(ctx, election, granted);
  if (!handlingOf(election.ballot_type).formats.includes(format)) {
    throw badRequest(format === 'blt' ? 'blt_for_stv' : 'cef_for_ranked');
  }
  if (!isExportable(ctx, election)) throw forbidden('too_few_ballots_to_export', { min: LISTED_FROM });
  await recheckResult(ctx, election);
  const options = listOptions(ctx.db, election.id);
  const choices = await shuffledChoices(ctx, election);
  const name = `election-${localDate(election.close_at, ctx.config.TIME_ZONE)}-${election.id.slice(-8)}.${ENDINGS[format]}`;

  if (format === 'json')
    return { name, type: 'application/json', body: await toJson(ctx, election, options, choices) };
  const counted = withoutWithdrawn(options, choices);
  if (format === 'cef')
    return {
      name,
      type: 'text/plain; charset=utf-8',
      body: toCef(election, counted.options, counted.choices),
    };
  if (format === 'blt')
    return {
      name,
      type: 'text/plain; charset=utf-8',
      body: toBlt(election, counted.options, counted.choices),
    };
  return { name, type: 'text/csv; charset=utf-8', body: toCsv(election, options, choices) };
}

/** Whether the ballots of an election whose results are visible can be exported: each of a few would name a voter. */
export const isExportable = (ctx: Context, election: Election): boolean =>
  electionStatus(election, ctx.now()) === 'closed' || countBallots(ctx.db, election.id) >= LISTED_FROM;

/** Returns the ballots in random order. They are stored by id, and with inclusion codes the ids are published. */
async function shuffledChoices(ctx: Context, election: Election): Promise<string[]> {
  const choices: string[] = [];
  await readBallots(ctx, election, (choice, times) => {
    for (let i = 0; i < times; i++) choices.push(choice);
  });
  return shuffled(choices);
}

async function toJson(
  ctx: Context,
  election: Election,
  options: OptionRow[],
  choices: string[],
): Promise<string> {
  const { id, ballot_type, status, open_at, close_at, settings } = electionJson(ctx, election);
  const computed = computedJson(await loadResult(ctx, election, true));
  const names = namesOf(options);
  const document = {
    format: 'publichouse-export-1',
    election: { id, ...askedQuestion(election), ballot_type, status, open_at, close_at, settings },
    options: options.map((option) => ({ ...optionJson(option), number: option.number })),
    ballots: choices.map((choice) =>
      choice.startsWith('[') ? JSON.parse(choice) : readableBallot(choice, names),
    ),
    ...countedFacts(computed),
  };
  return `${JSON.stringify(document)}\n`;
}

function toCsv(election: Election, options: OptionRow[], choices: string[]): string {
  const names = namesOf(options);
  const ballots = choices.map((choice) => readableBallot(choice, names));
  const widest = Math.max(
    1,
    ...new Set(ballots.map((ballot) => (Array.isArray(ballot) ? ballot.length : 1))),
  );
  const columns = handlingOf(election.ballot_type).columns(
    options.map(({ name }) => name),
    widest,
  );
  const rows = ballots.map((ballot) => padRow(ballotCells(ballot, columns), columns.length));
  return csvText([columns, ...rows]);
}

const namesOf = (options: readonly OptionRow[]) => new Map(options.map(({ number, name }) => [number, name]));

/** What is counted, for programs that know no withdrawals. */
function withoutWithdrawn(options: OptionRow[], choices: string[]) {
  const withdrawn = new Set(
    options.flatMap(({ number, withdrawn_at }) => (withdrawn_at === null ? [] : number)),
  );
  return {
    options: options.filter(({ number }) => !withdrawn.has(number)),
    choices: choices.map((choice) => withoutOptions(choice, withdrawn)),
  };
}

function toCef({ ballot_type, settings }: Election, options: OptionRow[], choices: string[]): string {
  const names = cefNames(options);
  const lines = [...countEqual(choices)].map(
    ([choice, times]) =>
      `${(JSON.parse(choice) as number[]).map((number) => names.get(number)).join(' > ')} * ${times}`,
  );
  const blank = choices.filter((choice) => choice === BLANK).length;
  if (blank > 0) lines.push(`/EMPTY_RANKING/ * ${blank}`);
  const head = [
    `#/Candidates: ${[...names.values()].join(' ; ')}`,
    // Whether candidates that a ballot does not list share its last place.
    `#/Implicit Ranking: ${rulesOf(ballot_type).partial(readSettings(settings))}`,
    `#/Number of Seats: ${seatsOf(settings)}`,
  ];
  return `${[...head, ...lines].join('\n')}\n`;
}

const seatsOf = (settings: string): number => readSettings(settings).seats ?? 1;

/** Equal rankings with their number, in their order. */
function countEqual(choices: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const choice of choices) if (choice.startsWith('[')) counts.set(choice, (counts.get(choice) ?? 0) + 1);
  return counts;
}

/**
 * Writes the ballots as Hill, Wichmann and Woodall do (Algorithm 123, 1987): numbers of candidates and seats; lines of
 * equal ballots with their number, each ended by 0; a 0; the names of the candidates, and the title.
 */
function toBlt(election: Election, options: OptionRow[], choices: string[]): string {
  // Numbers of stored ballots can have gaps.
  const places = new Map(options.map(({ number }, at) => [number, at + 1]));
  const lines = [...countEqual(choices)].map(([choice, times]) =>
    [times, ...(JSON.parse(choice) as number[]).map((number) => places.get(number)), 0].join(' '),
  );
  const quoted = (text: string) => `"${text.replaceAll('"', '’').replace(/[\p{Cc}\s]+/gu, ' ')}"`;
  const names = options.map(({ name }) => quoted(name));
  const head = `${options.length} ${seatsOf(election.settings)}`;
  return `${[head, ...lines, '0', ...names, quoted(askedQuestion(election).title)].join('\n')}\n`;
}

const CEF_NAME_LENGTH = 100;

/**
 * Returns names that the reference reader of the format accepts: at most 100 characters, none that has a meaning in the
 * format, and no two alike.
 */
function cefNames(options: readonly OptionRow[]): Map<number, string> {
  const plain = options.map(({ number, name }) => {
    const text = name.replace(/[<>=;:,#/*^$"|\s\p{Cc}]+/gu, ' ').trim();
    return { number, text: truncate(text, CEF_NAME_LENGTH).trim() || `Candidate ${number}` };
  });
  const taken = new Set<string>();
  const isUnique = ({ text }: (typeof plain)[number]) =>
    plain.filter((other) => other.text === text).length === 1;
  // Unique names first: a number that is added to another name must not make it equal to one of them.
  const names = new Map<number, string>();
  for (const option of [...plain.filter(isUnique), ...plain.filter((one) => !isUnique(one))]) {
    let name = option.text;
    for (let end = ` (${option.number})`; taken.has(name); end += '+')
      name = truncate(option.text, CEF_NAME_LENGTH - end.length) + end;
    taken.add(name);
    names.set(option.number, name);
  }
  return new Map(options.map(({ number }) => [number, names.get(number) ?? '']));
}
