import { hash } from 'node:crypto';
import { z } from 'zod';
import {
  addPicture,
  deletePictureUnlessUsed,
  findPicture,
  findPictureOf,
} from '#content/pictures/pictures.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { badField, badRequest, conflict, fieldError, notFound } from '#kernel/http/errors.ts';
import { atMost, flag, requiredName, requiredText, wholeNumber } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { type Code, coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import type { TwoPeople } from '#people/approvals/approvals.ts';
import { ensureFitting, readSettings } from '#voting/election-settings.ts';
import { type OptionKind, rulesOf } from '#voting/shared/ballot-types.ts';
import {
  type Election,
  electionStatus,
  getElection,
  listOptions,
  type OptionRow,
  optionJson,
} from './elections.ts';
import { isInMeeting } from './issuers.ts';
import { storeChangedQuestion } from './question.ts';
import { hasBallots } from './turnout.ts';

/** Maximum length of the text about a candidate, which is shown on the ballot. */
export const OPTION_TEXT_AT_MOST = 600;

const optionText = z
  .string(coded('not_string_or_null'))
  .transform((text) => text.replaceAll('\r\n', '\n').trim())
  .pipe(z.string().max(OPTION_TEXT_AT_MOST, atMost(OPTION_TEXT_AT_MOST)))
  .transform((text) => text || null)
  .nullable();

export const OptionInput = z.object({
  name: requiredName(300),
  display_order: z.preprocess(
    (value) => (value === '' ? undefined : value),
    wholeNumber(-1_000_000, 1_000_000).optional(),
  ),
  is_none_of_the_above: flag.optional(),
  text: optionText.optional(),
});

/** Absent fields stay unchanged. `picture` is the id of a stored picture; an uploaded file replaces it. */
export const OptionChange = z.object({
  name: requiredName(300).optional(),
  display_order: OptionInput.shape.display_order,
  text: optionText.optional(),
  picture: z.string(coded('not_picture_id_or_null')).nullable().optional(),
  /** A form's way to send `picture: null`. */
  remove_picture: flag.optional(),
});

/** Maximum number of options: a longer ranking is not practical, and the matrix would not fit a page. */
export const OPTIONS_AT_MOST = 100;

/** Lists the options for officers: they can be changed until the first ballot is cast. */
export function listEditableOptions(reader: Reader, electionId: string) {
  const editable = !hasBallots(reader, electionId);
  return listOptions(reader, electionId).map((row) => ({ ...optionJson(row), editable }));
}

/** Adds an option at the end or at `display_order`. @throws 400 for a wrong field, 404, 409 once a ballot was cast */
export async function addOption(
  ctx: Context,
  kind: OptionKind,
  electionId: string,
  input: z.output<typeof OptionInput>,
  actor: Actor,
) {
  return ctx.write((tx) => addOptionIn(tx, kind, electionId, input, actor));
}

/** The same in a transaction. @param input.picture the id of a stored picture */
export function addOptionIn(
  tx: Tx,
  kind: OptionKind,
  electionId: string,
  input: z.output<typeof OptionInput> & { picture?: string | null },
  actor: Actor,
) {
  const { options, rules } = ensureChangeable(tx, kind, electionId);
  if (options.length >= OPTIONS_AT_MOST) throw badRequest(CODES[kind].tooMany, { max: OPTIONS_AT_MOST });
  if (options.some(({ name }) => isSameName(name, input.name))) throw badField('name', 'already_exists');
  const none = input.is_none_of_the_above === true;
  if (none && !rules.noneOfTheAbove) throw badField('is_none_of_the_above', 'no_none_of_the_above');
  if (none && options.some((option) => option.is_none_of_the_above)) {
    throw badField('is_none_of_the_above', 'none_of_the_above_taken');
  }
  const row: OptionRow = {
    id: newId(actor.at),
    election_id: electionId,
    number: Math.max(0, ...options.map(({ number }) => number)) + 1,
    name: input.name,
    display_order:
      input.display_order ?? Math.max(0, ...options.map(({ display_order }) => display_order)) + 1,
    is_none_of_the_above: none ? 1 : 0,
    text: input.text ?? null,
    picture: input.picture ?? null,
    withdrawn_at: null,
    withdrawn_note: null,
    translations: null,
  };
  tx.run(build.insertInto('options').values(row));
  recordAudit(tx, actor, {
    action: ACTIONS[kind].added,
    election_id: electionId,
    metadata: storeChangedQuestion(tx, electionId),
    personal: { name: row.name, ...(row.text !== null && { text: row.text }) },
  });
  return optionJson(row);
}

/** @throws 409 once a ballot was cast, 400 when a poll would keep fewer than two, or than its seats; 404 */
export async function removeOption(
  ctx: Context,
  kind: OptionKind,
  electionId: string,
  optionId: string,
  actor: Actor,
) {
  await ctx.write((tx) => {
    const { options, rules } = ensureChangeable(tx, kind, electionId);
    if (ensureOption(options, kind, optionId) && options.length <= rules.least)
      throw badRequest(rules.least === 1 ? 'last_option' : 'poll_needs_two_options');
    const election = getElection(tx, electionId);
    // In a meeting names come and go until the vote, as in `changeSettings`.
    if (!isInMeeting(tx, election))
      ensureFitting(
        {},
        { ballot_type: election.ballot_type, options: options.length - 1, in_meeting: false },
        readSettings(election.settings),
      );
    removeOptionIn(tx, kind, electionId, optionId, actor);
  });
}

/** Takes an option away in a transaction, however few are left. @throws 409 once a ballot was cast, 404 */
export function removeOptionIn(
  tx: Tx,
  kind: OptionKind,
  electionId: string,
  optionId: string,
  actor: Actor,
): void {
  const { options } = ensureChangeable(tx, kind, electionId);
  const option = ensureOption(options, kind, optionId);
  tx.run(build.deleteFrom('options').where('id', '=', optionId));
  if (option.picture !== null) deletePictureUnlessUsed(tx, option.picture, actor);
  recordAudit(tx, actor, {
    action: ACTIONS[kind].removed,
    election_id: electionId,
    metadata: storeChangedQuestion(tx, electionId),
    personal: { name: option.name },
  });
}

export const WithdrawalInput = z.object({ note: requiredText(300) });

/**
 * Withdraws an option. Before the opening it is removed; from then on it stays, with a public note, and is taken off all
 * ballots before the count; in a meeting two people do that.
 * @throws 404; 409 after the close, for “none of the above”, or if it was withdrawn
 */
export async function withdrawOption(
  ctx: Context,
  { kind, electionId, optionId }: { kind: OptionKind; electionId: string; optionId: string },
  { note: given }: z.output<typeof WithdrawalInput>,
  actor: Actor,
  two?: TwoPeople,
): Promise<void> {
  const note = two?.words.note ?? given;
  if (getElection(ctx.db, electionId).opened_at === null)
    return removeOption(ctx, kind, electionId, optionId, actor);
  await ctx.write((tx) => {
    const option = ensureWithdrawable(tx, { kind, electionId, optionId }, actor.at);
    if (!two && isInMeeting(tx, getElection(tx, electionId))) throw conflict('led_by_chair');
    const set = { withdrawn_at: actor.at, withdrawn_note: note };
    tx.run(build.updateTable('options').set(set).where('id', '=', optionId));
    recordAudit(tx, actor, {
      action: ACTIONS[kind].withdrawn,
      election_id: electionId,
      metadata: { option: optionId, ...(two && { by_two: two.by_two }) },
      personal: { name: option.name, note },
    });
  });
}

/** @throws as `withdrawOption` */
export function ensureWithdrawable(
  reader: Reader,
  { kind, electionId, optionId }: { kind: OptionKind; electionId: string; optionId: string },
  now: number,
): OptionRow {
  const election = getElection(reader, electionId);
  const option = ensureOption(listOptions(reader, electionId), kind, optionId);
  if (electionStatus(election, now) === 'closed') throw conflict('withdrawn_before_close');
  if (option.is_none_of_the_above === 1) throw conflict('none_of_the_above_stands');
  if (option.withdrawn_at !== null) throw conflict('withdrawn_already');
  return option;
}

/** One of the options, by its id. @throws 404 */
export function ensureOption(options: OptionRow[], kind: OptionKind, id: string): OptionRow {
  const option = options.find((one) => one.id === id);
  if (!option) throw notFound(CODES[kind].notFound);
  return option;
}

/** The 409 error for fields that the first ballot has fixed. */
export const ballotsExist = (...fields: string[]) =>
  conflict(
    'ballots_exist',
    {},
    { errors: fields.map((path) => fieldError(path, 'fixed_since_first_ballot')) },
  );

/** Numbers and stores the options of a new election in the order given. */
export function insertOptions(
  tx: Tx,
  electionId: string,
  options: (Pick<OptionRow, 'name' | 'is_none_of_the_above'> &
    Partial<Pick<OptionRow, 'text' | 'picture' | 'translations'>>)[],
  now: number,
) {
  options.forEach(
    ({ name, is_none_of_the_above, text = null, picture = null, translations = null }, index) => {
      const place = { id: newId(now), election_id: electionId, number: index + 1, display_order: index + 1 };
      tx.run(
        build
          .insertInto('options')
          .values({ ...place, name, is_none_of_the_above, text, picture, translations }),
      );
    },
  );
}

/**
 * Returns the options of an election, with the rules of its type, if they may be changed.
 * @throws 404, 400 when its type has no such options, 409 when a ballot was cast
 */
function ensureChangeable(tx: Reader, kind: OptionKind, electionId: string) {
  const rules = rulesOf(getElection(tx, electionId).ballot_type).options;
  if (rules?.kind !== kind) throw badRequest(CODES[kind].otherType);
  if (hasBallots(tx, electionId)) throw ballotsExist(`${kind}s`);
  return { options: listOptions(tx, electionId), rules };
}

const CODES = {
  option: { notFound: 'option_not_found', otherType: 'only_polls_have_options', tooMany: 'too_many_options' },
  candidate: {
    notFound: 'candidate_not_found',
    otherType: 'only_ranked_have_candidates',
    tooMany: 'too_many_candidates',
  },
} as const satisfies Record<OptionKind, Record<string, Code>>;

/** The actions that the log records. */
const ACTIONS = {
  option: {
    added: 'option.added',
    changed: 'option.changed',
    withdrawn: 'option.withdrawn',
    removed: 'option.removed',
  },
  candidate: {
    added: 'candidate.added',
    changed: 'candidate.changed',
    withdrawn: 'candidate.withdrawn',
    removed: 'candidate.removed',
  },
} as const satisfies Record<OptionKind, Record<string, string>>;

type Change = z.output<typeof OptionChange>;

/** The columns that a change may set. */
const COLUMNS = ['name', 'display_order', 'text', 'picture'] as const;

/**
 * Corrects a candidate or an option, which keeps its id. @param upload a picture as sent, which replaces any other
 * @throws 400 naming the field, 404, 409 when a ballot was cast or there is no room for the picture
 */
export async function changeOption(
  ctx: Context,
  { kind, electionId, optionId }: { kind: OptionKind; electionId: string; optionId: string },
  { change, upload }: { change: Change; upload: Buffer | undefined },
  actor: Actor,
) {
  const read = (reader: Reader) => {
    const { options } = ensureChangeable(reader, kind, electionId);
    const option = ensureOption(options, kind, optionId);
    const others = options.filter(({ id }) => id !== optionId);
    if (others.some(({ name }) => isSameName(name, change.name ?? option.name)))
      throw badField('name', 'already_exists');
    return option;
  };
  // Also checked here, so that no picture is stored for a change that is refused.
  const { name } = read(ctx.db);
  const picture = await readPicture(ctx, change, upload, change.name ?? name, actor);
  return ctx.write((tx) => {
    const before = read(tx);
    const after: OptionRow = {
      ...before,
      name: change.name ?? before.name,
      display_order: change.display_order ?? before.display_order,
      text: change.text === undefined ? before.text : change.text,
      picture: picture === undefined ? before.picture : picture,
    };
    const changed = COLUMNS.filter((column) => before[column] !== after[column]);
    if (changed.length === 0) return optionJson(after);
    tx.run(build.updateTable('options').set(after).where('id', '=', optionId));
    if (before.picture !== null && before.picture !== after.picture)
      deletePictureUnlessUsed(tx, before.picture, actor);
    const valuesOf = (row: OptionRow) => Object.fromEntries(changed.map((column) => [column, row[column]]));
    recordAudit(tx, actor, {
      action: ACTIONS[kind].changed,
      election_id: electionId,
      metadata: { id: optionId, ...storeChangedQuestion(tx, electionId) },
      // Names and texts are often about people: the name finds the entry when a person is erased.
      personal: { name: before.name, from: valuesOf(before), to: valuesOf(after) },
    });
    return optionJson(after);
  });
}

/** Returns the id of the option's new picture; null removes its picture, undefined keeps it. */
async function readPicture(
  ctx: Context,
  { picture, remove_picture }: Change,
  upload: Buffer | undefined,
  name: string,
  actor: Actor,
): Promise<string | null | undefined> {
  if (upload) {
    // A picture that is stored already keeps its alternative text.
    const alt = findPictureOf(ctx.db, hash('sha256', upload, 'hex')) ? '' : name.slice(0, 200);
    return (await addPicture(ctx, { bytes: upload, alt, decorative: false, focus: 5 }, actor)).id;
  }
  if (remove_picture) return null;
  if (!picture) return picture;
  const known = findPicture(ctx.db, picture);
  if (!known) throw badField('picture', 'not_own_picture');
  return known.id;
}

/** An election that has fewer than two candidates. */
export interface WithoutChoice {
  election: Election;
  /** 0 or 1. */
  candidates: number;
}

/** The types whose elections can lack candidates; the others have their options from the beginning. */
export const MAY_LACK_CANDIDATES = BALLOT_TYPES.filter((type) => rulesOf(type).options?.least === 0);

/** Elections with fewer than two candidates. */
export function listWithoutChoice(reader: Reader, elections: readonly Election[]): WithoutChoice[] {
  return elections
    .filter(({ ballot_type }) => MAY_LACK_CANDIDATES.includes(ballot_type))
    .map((election) => ({ election, candidates: listOptions(reader, election.id).length }))
    .filter(({ candidates }) => candidates < 2);
}

/** @throws 400 for an open election without candidates: its links would open no ballot */
export function ensureChoice(ctx: Context, elections: readonly Election[]): void {
  const [empty] = listWithoutChoice(ctx.db, elections).filter(
    ({ election, candidates }) => candidates === 0 && electionStatus(election, ctx.now()) === 'open',
  );
  if (empty) throw badRequest('election_without_candidates', { title: empty.election.title });
}
