import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { BALLOT_TYPES } from '#kernel/db/schema/voting.ts';
import { badField, conflict, fieldError } from '#kernel/http/errors.ts';
import { flag, oneOf, optionalText, requiredName } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { coded } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import {
  ensureFitting,
  FIXED_BY_CLOSE,
  findFixed,
  readSettings,
  SettingsInput,
} from '#voting/election-settings.ts';
import { nameOfNone } from '#voting/option-names.ts';
import { type OptionRules, rulesIn, rulesOf } from '#voting/shared/ballot-types.ts';
import { deleteLots } from './drawn-lots.ts';
import { type Election, electionStatus, getElection, listOptions } from './elections.ts';
import { ensureNotLed, followQuestion, getPaper, isInMeeting } from './issuers.ts';
import { endVoting } from './lifecycle.ts';
import { moveInvitations } from './moved-invitations.ts';
import { ballotsExist, insertOptions, OPTIONS_AT_MOST } from './options.ts';
import { storeChangedQuestion } from './question.ts';
import { figuresOf, findSettledResult } from './stored-result.ts';
import { changedTexts, PERIOD, TEXTS } from './texts-and-period.ts';
import {
  byId,
  NewTranslationsInput,
  storeTranslations,
  TranslationsInput,
  translationsOf,
} from './translations.ts';
import { trialWindow } from './trials.ts';
import { countBallots, getTurnout, hasBallots, type Turnout } from './turnout.ts';
import { hasNoFigures, whyHidden } from './visibility.ts';
import { checkLink, insertLink, WorkspaceLinkInput } from './workspace-link.ts';

const httpsUrl = z
  .string(coded('not_https_address_or_null'))
  .trim()
  .max(2_000, coded('too_long', { max: 2_000 }))
  .refine(
    (text) => text === '' || (URL.canParse(text) && new URL(text).protocol === 'https:'),
    coded('not_https_address'),
  );

export const BallotTypeInput = oneOf(BALLOT_TYPES);

/** Labels of options or candidates. */
const labels = z
  .array(requiredName(300), coded('not_list_of_names'))
  .max(100, coded('too_many_entries', { max: 100 }));

export const ElectionInput = z.object({
  ...TEXTS.input.shape,
  ...PERIOD.input.shape,
  /** Opens the election now, in place of open_at. */
  open_now: flag.optional(),
  allow_past_close: flag.optional(),
  ballot_type: BallotTypeInput,
  settings: SettingsInput.optional(),
  options: labels.optional(),
  candidates: labels.optional(),
  none_of_the_above: flag.optional(),
  attachment_url: httpsUrl.nullish().transform((text) => text || null),
  invite_mode: oneOf(['individual', 'batch']).nullish(),
  workspace_link: WorkspaceLinkInput.nullish(),
  /** Has few voters, is shown nowhere else, and is deleted some days later. */
  trial: flag.optional(),
  /** Its texts in other languages; names of options by position. */
  translations: NewTranslationsInput.optional(),
});

export const DatesInput = PERIOD.input.extend({
  /** Required to open a closed election with ballots again, with a reason that is published. */
  reopen: flag.optional(),
  /** Required to move the opening of an open election with ballots into the future. */
  pause: flag.optional(),
  reason: optionalText(300),
});
// Only null clears it, so that a misspelt key clears nothing.
export const AttachmentInput = z.object({
  attachment_url: httpsUrl.nullable().transform((text) => text || null),
});
export const SettingsPatch = z.object({ settings: SettingsInput });

/** Creates an election with its options or candidates. @returns its id. @throws 400 naming the field. */
export async function createElection(
  ctx: Context,
  input: z.output<typeof ElectionInput>,
  actor: Actor,
): Promise<string> {
  const planned = await planElection(ctx, input, actor);
  return ctx.write((tx) => insertElection(tx, planned, actor));
}

/** An election whose fields were checked. */
export type PlannedElection = Awaited<ReturnType<typeof planElection>>;

/**
 * Checks the fields of a new election. The candidates of a question of a meeting may be nominated later.
 * @throws 400 naming the field
 */
export async function planElection(
  ctx: Context,
  input: z.output<typeof ElectionInput>,
  actor: Actor,
  { in_meeting = false }: { in_meeting?: boolean } = {},
) {
  const trial = input.trial === true;
  if (trial) ensureKeptApart(input.settings);
  if (trial && input.workspace_link) throw badField('workspace_link', 'trial_not_linked');
  const asked = readWindow(ctx, input);
  const { open_at, close_at } = trial ? trialWindow({ created_at: actor.at }, asked) : asked;
  if (close_at <= ctx.now() && !input.allow_past_close) {
    throw badField('close_at', 'close_not_in_future');
  }
  const names = namesFor(input, in_meeting);
  const { ballot_type } = input;
  const options = in_meeting && names.length === 0 ? OPTIONS_AT_MOST : names.length;
  ensureFitting(input.settings ?? {}, { ballot_type, options, in_meeting });
  const link = input.workspace_link && (await checkLink(ctx, input.workspace_link));
  return { input, open_at, close_at, trial, names, link };
}

/** Stores a new election. @returns its id */
export function insertElection(
  tx: Tx,
  { input, open_at, close_at, trial, names, link }: PlannedElection,
  actor: Actor,
): string {
  const id = newId(actor.at);
  tx.run(
    build.insertInto('elections').values({
      id,
      title: input.title,
      description: input.description,
      ballot_type: input.ballot_type,
      open_at,
      close_at,
      closed_at: null,
      settings: JSON.stringify(input.settings ?? {}),
      attachment_url: input.attachment_url,
      invite_mode: input.invite_mode ?? null,
      created_at: actor.at,
      trial: trial ? 1 : 0,
    }),
  );
  insertOptions(tx, id, names, actor.at);
  if (input.translations) {
    const options = listOptions(tx, id);
    storeTranslations(tx, getElection(tx, id), options, byId(input.translations, options));
  }
  const metadata = {
    ballot_type: input.ballot_type,
    open_at: isoTime(open_at),
    close_at: isoTime(close_at),
    ...(trial && { trial }),
  };
  recordAudit(tx, actor, { action: 'election.created', election_id: id, metadata });
  if (link) insertLink(tx, id, link, actor);
  return id;
}

/**
 * Changes the voting period. A close_at in the future opens a closed election again, an open_at in the future pauses an
 * open one, and a close_at in the past closes it, as an officer's close.
 * @throws 400, 404, 409 with `needs: 'reopen'` or `needs: 'pause'` if the election has ballots
 */
export async function changeDates(
  ctx: Context,
  id: string,
  input: z.output<typeof DatesInput>,
  actor: Actor,
) {
  const asked = readWindow(ctx, input);
  await changeElection(ctx, id, (tx, election) => moveDates(tx, election, { ...input, asked }, actor));
}

type AskedDates = Omit<z.output<typeof DatesInput>, 'open_at' | 'close_at'> & {
  asked: ReturnType<typeof readWindow>;
};

/** Changes the voting period in a transaction. @throws as `changeDates` */
export function moveDates(tx: Tx, election: Election, { asked, ...input }: AskedDates, actor: Actor): void {
  const { id } = election;
  ensureNotLed(tx, election);
  const { open_at, close_at } = election.trial === 1 ? trialWindow(election, asked) : asked;
  if (election.voided_at !== null && close_at > actor.at) throw conflict('election_void');
  const status = electionStatus(election, actor.at);
  const ballots = countBallots(tx, id);
  const turnout = getTurnout(tx, id);
  const pauses = status === 'open' && open_at > actor.at && ballots > 0;
  if (pauses && !input.pause)
    throw conflict(
      'dates_pause_voting',
      { ballots },
      {
        extra: { needs: 'pause', ballots },
      },
    );
  const closed_at = election.closed_at && isoTime(election.closed_at);
  const from = { open_at: isoTime(election.open_at), close_at: isoTime(election.close_at), closed_at };
  const to = { open_at: isoTime(open_at), close_at: isoTime(close_at) };
  tx.run(build.updateTable('elections').set({ open_at, close_at }).where('id', '=', id));
  followQuestion(tx, id);
  moveInvitations(tx, election.paper_id === null ? { id, open_at } : getPaper(tx, election.paper_id));
  if (status === 'closed' && close_at > actor.at) {
    openAgain(tx, id, { ...input, from, to, ballots, turnout }, actor);
    return;
  }
  const metadata = { from, to, turnout, ...(pauses && { paused: true, ballots }) };
  recordAudit(tx, actor, { action: 'election.dates_changed', election_id: id, metadata });
  if (status === 'closed' || close_at > actor.at) return;
  endVoting(tx, id, close_at);
  recordAudit(tx, actor, { action: 'election.closed', election_id: id, metadata: { through: 'dates' } });
}

/**
 * Opens a closed election again. Deletes its settled result; the public history keeps its ballot count and hash.
 * Without ballots no result was shown, so it is a change of dates like any other.
 */
function openAgain(
  tx: Tx,
  id: string,
  {
    reopen,
    reason,
    from,
    to,
    ballots,
    turnout,
  }: Omit<AskedDates, 'asked'> & { from: object; to: object; ballots: number; turnout: Turnout },
  actor: Actor,
): void {
  if (ballots > 0 && !reopen)
    throw conflict(
      'dates_open_again',
      {},
      {
        extra: { needs: 'reopen' },
      },
    );
  const before = getElection(tx, id);
  if (ballots > 0 && before.reopened_at !== null) throw conflict('opened_again_once');
  if (ballots > 0 && reason === null) throw badField('reason', 'required');
  const settled = findSettledResult(tx, id);
  const set_aside = settled && {
    total_ballots: settled.total_ballots,
    ballot_set_sha256: settled.ballot_set_sha256,
    // Kept for the history of an election that is declared void afterwards: everybody has seen them.
    ...(whyHidden(before, actor.at) === undefined && { figures: figuresOf(before, settled) }),
  };
  const again =
    ballots > 0 ? { reopened_at: actor.at, reopened_ballots: ballots, figures_withheld: 1 as const } : {};
  const set = { closed_at: null, sealed_at: null, announced_at: null, ...again };
  tx.run(build.updateTable('elections').set(set).where('id', '=', id));
  followQuestion(tx, id);
  tx.run(build.deleteFrom('results').where('election_id', '=', id));
  deleteLots(tx, id);
  const reopened = { from, to, turnout, set_aside: set_aside ?? null };
  recordAudit(tx, actor, {
    action: ballots === 0 ? 'election.dates_changed' : 'election.reopened',
    election_id: id,
    metadata: ballots === 0 ? { from, to, turnout } : reopened,
    ...(ballots > 0 && { personal: { reason } }),
  });
}

/** Shows figures that stayed hidden after a re-opening because they can show single votes. @throws 404, 409 */
export async function showWithheldFigures(ctx: Context, id: string, actor: Actor): Promise<void> {
  await changeElection(ctx, id, (tx, election) => {
    if (hasNoFigures({ ...election, figures_withheld: 0 })) throw conflict('election_void_no_result');
    if (election.figures_withheld === 0 || electionStatus(election, actor.at) !== 'closed')
      throw conflict('nothing_withheld');
    tx.run(build.updateTable('elections').set({ figures_withheld: 0 }).where('id', '=', id));
    recordAudit(tx, actor, { action: 'results.shown', election_id: id });
  });
}

/** Announces the result of a closed election. Does nothing where it is announced already. @throws 404, 409 before the close */
export async function announceResult(ctx: Context, id: string, actor: Actor): Promise<void> {
  await changeElection(ctx, id, (tx, election) => {
    ensureNotLed(tx, election);
    announceIn(tx, election, actor);
  });
}

/** The same in a transaction, also for a question of a meeting. */
export function announceIn(tx: Tx, election: Election, actor: Actor): void {
  const { id } = election;
  if (hasNoFigures(election)) throw conflict('election_void_no_result');
  if (electionStatus(election, actor.at) !== 'closed') throw conflict('announced_after_close');
  if (readSettings(election.settings).announce === 'at_close' || election.announced_at !== null) return;
  tx.run(build.updateTable('elections').set({ announced_at: actor.at }).where('id', '=', id));
  const settled = findSettledResult(tx, id);
  const metadata = { ballot_set_sha256: settled?.ballot_set_sha256 };
  recordAudit(tx, actor, { action: 'results.announced', election_id: id, metadata });
}

/** @throws 400 if a trial would be shown on the home page */
function ensureKeptApart(settings: z.output<typeof SettingsInput> = {}): void {
  if (settings.publish_results_to_home)
    throw badField('settings.publish_results_to_home', 'trial_not_on_home');
}

/** Merges into the stored settings. @throws 409 for a setting that the first ballot has fixed, 404 */
export async function changeSettings(
  ctx: Context,
  id: string,
  { settings }: z.output<typeof SettingsPatch>,
  actor: Actor,
) {
  await changeElection(ctx, id, (tx, election) => mergeSettings(tx, election, settings, actor));
}

/** Merges into the stored settings in a transaction. @throws as `changeSettings` */
export function mergeSettings(
  tx: Tx,
  election: Election,
  settings: z.output<typeof SettingsInput>,
  actor: Actor,
): void {
  const { id } = election;
  if (election.trial === 1) ensureKeptApart(settings);
  const before = readSettings(election.settings);
  const merged = { ...JSON.parse(election.settings), ...settings };
  const isClosed = electionStatus(election, actor.at) === 'closed';
  const late = FIXED_BY_CLOSE.find((key) => settings[key] !== undefined && settings[key] !== before[key]);
  if (isClosed && late !== undefined)
    throw conflict(
      'fixed_after_close',
      {},
      { errors: [fieldError(`settings.${late}`, 'fixed_since_close')] },
    );
  const fixed = findFixed(before, settings, isClosed);
  if (fixed && hasBallots(tx, id)) throw ballotsExist(`settings.${fixed}`);
  const { ballot_type } = election;
  const options = listOptions(tx, id).length;
  const in_meeting = isInMeeting(tx, election);
  ensureFitting(
    settings,
    { ballot_type, options: in_meeting ? OPTIONS_AT_MOST : options, in_meeting },
    before,
  );
  tx.run(
    build
      .updateTable('elections')
      .set({ settings: JSON.stringify(merged) })
      .where('id', '=', id),
  );
  // Without ballots the rules may change even after the close. They are part of the result.
  const after = readSettings(JSON.stringify(merged));
  if (!isDeepStrictEqual(rulesIn(ballot_type, after), rulesIn(ballot_type, before)))
    tx.run(build.deleteFrom('results').where('election_id', '=', id));
  const metadata = { settings, ...storeChangedQuestion(tx, id) };
  recordAudit(tx, actor, { action: 'election.settings_changed', election_id: id, metadata });
}

/** Sets or clears the document, at any time: the public history keeps both addresses, and ballot and result say so. */
export async function changeAttachment(
  ctx: Context,
  id: string,
  input: z.output<typeof AttachmentInput>,
  actor: Actor,
) {
  await changeElection(ctx, id, (tx, before) => {
    if (before.attachment_url === input.attachment_url) return;
    tx.run(build.updateTable('elections').set(input).where('id', '=', id));
    const [from, to] = [before.attachment_url, input.attachment_url];
    const ballots = hasBallots(tx, id) && { while: electionStatus(before, actor.at) };
    const metadata = { from, to, ...ballots, ...storeChangedQuestion(tx, id) };
    recordAudit(tx, actor, { action: 'election.attachment_changed', election_id: id, metadata });
  });
}

/**
 * Closes an election at once: the next ballot is refused. Does nothing to a closed election. `changeDates` with a past
 * close_at closes it too.
 */
export async function closeElection(ctx: Context, id: string, actor: Actor): Promise<void> {
  await changeElection(ctx, id, (tx, election) => {
    ensureNotLed(tx, election);
    endByOfficer(tx, election, actor);
  });
}

/** Closes an election in a transaction. */
export function endByOfficer(tx: Tx, election: Election, actor: Actor): void {
  const { id } = election;
  if (electionStatus(election, actor.at) === 'closed') return;
  endVoting(tx, id, actor.at);
  recordAudit(tx, actor, { action: 'election.closed', election_id: id });
}

/** Runs a change on an election that exists, in one transaction. @throws 404 */
async function changeElection(
  ctx: Context,
  id: string,
  change: (tx: Tx, election: Election) => void,
): Promise<void> {
  await ctx.write((tx) => change(tx, getElection(tx, id)));
}

/** @throws 400 naming the field */
export function readWindow(ctx: Context, input: { open_at: string; close_at: string }) {
  const window = PERIOD.columns(input, ctx);
  if (window.close_at <= window.open_at) throw badField('close_at', 'close_before_open');
  return window;
}

function namesFor(input: z.output<typeof ElectionInput>, canComeLater: boolean) {
  const rules = rulesOf(input.ballot_type).options;
  if (input.none_of_the_above && !rules?.noneOfTheAbove)
    throw badField('none_of_the_above', 'no_none_of_the_above');
  if (rules === null) return [];
  const field = `${rules.kind}s` as const;
  const other = field === 'options' ? 'candidates' : 'options';
  // A client that sends both lists is answered by the one of the type.
  if ((input[field]?.length ?? 0) === 0 && (input[other]?.length ?? 0) > 0)
    throw badField(other, 'other_names_of_type', { field });
  const names = input[field] ?? [];
  const rows = names.map((name) => ({ name, is_none_of_the_above: 0 as 0 | 1 }));
  if (rules.noneOfTheAbove && input.none_of_the_above)
    rows.push({ name: nameOfNone(), is_none_of_the_above: 1 });
  const comeLater = canComeLater && names.length === 0;
  ensureNames(field, rows, names.length < rules.least && !comeLater ? rules : undefined);
  return rows;
}

/**
 * @param lacking the rules, where there are too few
 * @throws 400 for too few options, or for two that people would see as one
 */
export function ensureNames(
  field: 'options' | 'candidates',
  rows: readonly { name: string }[],
  lacking: OptionRules | undefined,
) {
  if (lacking) throw badField(field, lacking.least === 1 ? 'needs_one_option' : 'too_few_options');
  const seen = new Set<string>();
  for (const { name } of rows) {
    const key = nameKey(name);
    if (seen.has(key)) throw badField(field, 'name_listed_twice', { name });
    seen.add(key);
  }
}

export const WordingInput = TEXTS.patch.extend({ translations: TranslationsInput.optional() });

/** Changes title and description, also in other languages, until the first ballot. @throws 404, 409 naming the field that ballots have fixed */
export async function changeWording(
  ctx: Context,
  id: string,
  input: z.output<typeof WordingInput>,
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => changeWordingIn(tx, id, input, actor));
}

/** The same in a transaction. */
export function changeWordingIn(
  tx: Tx,
  id: string,
  input: z.output<typeof WordingInput>,
  actor: Actor,
): void {
  const before = getElection(tx, id);
  const { fields, from, to } = changedTexts(before, input);
  const options = listOptions(tx, id);
  const isTranslated =
    input.translations !== undefined && storeTranslations(tx, before, options, input.translations);
  if (fields.length === 0 && !isTranslated) return;
  if (hasBallots(tx, id)) throw ballotsExist(...fields, ...(isTranslated ? ['translations'] : []));
  if (fields.length > 0) tx.run(build.updateTable('elections').set(to).where('id', '=', id));
  const translated = isTranslated && {
    translations: translationsOf(getElection(tx, id), listOptions(tx, id)) ?? null,
  };
  const metadata = { from, to, ...translated, ...storeChangedQuestion(tx, id) };
  recordAudit(tx, actor, { action: 'election.text_changed', election_id: id, metadata });
}
