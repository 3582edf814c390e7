import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { AppError, badField, badRequest, notFound } from '#kernel/http/errors.ts';
import { flag, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { hasBallots } from '#voting/ballots/ballot-store.ts';
import { getElection, listOptions, type OptionRow, optionJson } from './elections.ts';

/** Candidates belong to ranked elections, options to polls; they differ in nothing else. */
export type OptionKind = 'candidate' | 'option';

export const OptionInput = z.object({
  name: requiredText(300),
  display_order: z.preprocess(
    (value) => (value === '' ? undefined : value),
    wholeNumber(-1_000_000, 1_000_000).optional(),
  ),
  is_none_of_the_above: flag.optional(),
});

/** Options an election may have: a longer ranking is not practical, and the matrix would not fit a page. */
const OPTIONS_AT_MOST = 100;

/** The one type of election that has options of a kind. */
export const BALLOT_TYPE_WITH = { candidate: 'RANKED_CONDORCET', option: 'POLL' } as const;

/** The listing for officers: an option may be changed until the first ballot is in. */
export function listEditableOptions(reader: Reader, electionId: string) {
  const editable = !hasBallots(reader, electionId);
  return listOptions(reader, electionId).map((row) => ({ ...optionJson(row), editable }));
}

/** Appends one, or puts it where display_order says. @throws 400 with ballots in, 404 */
export async function addOption(
  ctx: Context,
  kind: OptionKind,
  electionId: string,
  input: z.output<typeof OptionInput>,
  actor: Actor,
) {
  return ctx.write((tx) => {
    const options = ensureChangeable(tx, kind, electionId);
    if (options.length >= OPTIONS_AT_MOST)
      throw badRequest(`An election has at most ${OPTIONS_AT_MOST} ${kind}s`);
    if (options.some(({ name }) => name === input.name)) throw badField('name', 'is there already');
    const none = kind === 'candidate' && input.is_none_of_the_above === true;
    if (none && options.some((option) => option.is_none_of_the_above)) {
      throw badField('is_none_of_the_above', 'another candidate has this flag');
    }
    const row: OptionRow = {
      id: newId(actor.at),
      election_id: electionId,
      number: Math.max(0, ...options.map(({ number }) => number)) + 1,
      name: input.name,
      display_order:
        input.display_order ?? Math.max(0, ...options.map(({ display_order }) => display_order)) + 1,
      is_none_of_the_above: none ? 1 : 0,
    };
    tx.run(build.insertInto('options').values(row));
    recordAudit(tx, actor, {
      action: `${kind}.added`,
      election_id: electionId,
      metadata: { name: row.name },
    });
    return optionJson(row);
  });
}

/** @throws 409 with ballots in, 400 when a poll would keep less than two; 404 */
export async function removeOption(
  ctx: Context,
  kind: OptionKind,
  electionId: string,
  optionId: string,
  actor: Actor,
) {
  await ctx.write((tx) => {
    const options = ensureChangeable(tx, kind, electionId);
    const option = options.find(({ id }) => id === optionId);
    if (!option) throw notFound(kind === 'option' ? 'Option not found' : 'Candidate not found');
    if (kind === 'option' && options.length <= 2) throw badRequest('A poll needs at least two options');
    tx.run(build.deleteFrom('options').where('id', '=', optionId));
    recordAudit(tx, actor, {
      action: `${kind}.removed`,
      election_id: electionId,
      metadata: { name: option.name },
    });
  });
}

/** 409 for what the first ballot has fixed; `field` names it. */
export const ballotsExist = (field?: string) =>
  new AppError(409, 'Ballots exist', {
    ...(field !== undefined && { errors: [{ path: field, message: 'is fixed since the first ballot' }] }),
  });

/** Numbers and stores the options of a new election in the order given. */
export function insertOptions(
  tx: Tx,
  electionId: string,
  options: Pick<OptionRow, 'name' | 'is_none_of_the_above'>[],
  now: number,
) {
  options.forEach(({ name, is_none_of_the_above }, index) => {
    const place = { number: index + 1, display_order: index + 1 };
    tx.run(
      build
        .insertInto('options')
        .values({ id: newId(now), election_id: electionId, name, is_none_of_the_above, ...place }),
    );
  });
}

/**
 * The options of an election, when they may be changed.
 * @throws 404, 400 when its type has no such options, 409 when a ballot was cast
 */
function ensureChangeable(tx: Tx, kind: OptionKind, electionId: string): OptionRow[] {
  if (getElection(tx, electionId).ballot_type !== BALLOT_TYPE_WITH[kind])
    throw badRequest(kind === 'option' ? 'Only polls have options' : 'Only ranked elections have candidates');
  if (hasBallots(tx, electionId)) throw ballotsExist();
  return listOptions(tx, electionId);
}
