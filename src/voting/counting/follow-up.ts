import { sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { oneOf, optionalName, requiredName, requiredText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { isSameName } from '#kernel/names.ts';
import { ensureFitting, readSettings } from '#voting/election-settings.ts';
import { ensureNames, readWindow } from '#voting/elections/changes.ts';
import { copyElection } from '#voting/elections/clone.ts';
import {
  type Election,
  electionStatus,
  FOLLOW_UPS,
  type FollowUpKind,
  findElection,
  getElection,
  listStanding,
  type OptionRow,
} from '#voting/elections/elections.ts';
import { getIssuer, type Issuer, isInMeeting } from '#voting/elections/issuers.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { createInvites } from '#voting/invitations/create-invites.ts';
import { startInvitations } from '#voting/invitations/invitation-runs.ts';
import { listPrepared, planPrepared } from '#voting/invitations/prepared.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import { ensureVisible, loadResult } from './results.ts';
import { copyElectorate } from './void-and-repeat.ts';

export const FollowUpInput = z.object({
  kind: oneOf(FOLLOW_UPS),
  /** Ids or names of the election's own options, or names of new ones; by default those of the kind. */
  options: z
    .array(requiredName(300), coded('not_list_of_names'))
    .max(100, coded('too_many_entries', { max: 100 }))
    .optional(),
  title: optionalName(500),
  /** Both are needed outside a meeting, where the chair opens and closes it. */
  open_at: requiredText(64).optional(),
  close_at: requiredText(64).optional(),
});

/** What a follow-up of an election can be about. */
export interface FollowUpChoice {
  kind: FollowUpKind;
  options: OptionRow[];
  /** The seats that it fills; null where the election has none. */
  seats: number | null;
}

/**
 * Lists the follow-ups that the result of a closed election allows, the most usual first. The options of one show who
 * was not elected, so before the result is public the only one is its repetition.
 * @param declined ids of the elected who do not accept: their seats are open, and they stand for none of them
 */
export async function listFollowUps(
  ctx: Context,
  election: Election,
  declined: readonly string[] = [],
): Promise<FollowUpChoice[]> {
  const options = listStanding(ctx.db, election.id);
  const hidden = election.voided_at !== null || areResultsHidden(election, ctx.now());
  const counted = hidden ? undefined : (await loadResult(ctx, election)).counted;
  const result = (counted?.results ?? {}) as Partial<SeatsResult>;
  const { seats = null, elected = [] } = result;
  const empty = declined.filter((id) => elected.includes(id));
  const open_seats = (result.open_seats ?? 0) + empty.length;
  const all = options.map(({ id }) => id).filter((id) => !empty.includes(id));
  const unelected = all.filter((id) => !elected.includes(id));
  const next = empty.length > 0 ? { unelected, ...((seats ?? 1) > 1 && { all }) } : (result.next ?? {});
  // Candidates of a ranking can also be added to the follow-up.
  const least = rulesOf(election.ballot_type).options?.least ?? 1;
  const byResult = FOLLOW_UPS.flatMap((kind): FollowUpChoice[] => {
    const ids = kind === 'repeat' ? undefined : next[kind];
    return ids && (ids.length > 0 || least === 0)
      ? [{ kind, options: options.filter(({ id }) => ids.includes(id)), seats: open_seats }]
      : [];
  });
  return [...byResult, { kind: 'repeat', options, seats }];
}

/**
 * Makes an election that follows a closed one, with the same electors and new codes: for its open seats, or the same
 * again; or finds the one of this kind that it has, see `findFollowUp`. As many get a code as had one: it is mailed when
 * voting opens; electors without an address, and those of whom nobody knows who they are, get slips to print. While no
 * mail can be sent nobody is invited yet.
 * @returns its id @throws 404; 409 before the close, for a trial, or when no seat is open; 403 while the result is hidden
 */
export async function createFollowUp(
  ctx: Context,
  id: string,
  { open_at, close_at, ...input }: z.output<typeof FollowUpInput>,
  actor: Actor,
): Promise<string> {
  if (open_at === undefined) throw badField('open_at', 'required');
  if (close_at === undefined) throw badField('close_at', 'required');
  const plan = await planFollowUp(ctx, id, input, () => {
    const window = readWindow(ctx, { open_at, close_at });
    if (window.close_at <= actor.at) throw badField('close_at', 'not_in_future');
    return window;
  });
  const { made, isNew } = await ctx.write((tx) => {
    const known = findFollowUp(tx, plan);
    if (known !== undefined) return { made: known, isNew: false };
    const made = storeFollowUp(tx, plan, actor);
    copyElectorate(ctx, tx, plan.source, made, actor);
    return { made, isNew: true };
  });
  if (isNew) await inviteElectors(ctx, getIssuer(ctx.db, made), actor);
  return made;
}

/** An election that a follow-up can be made of. @throws 404; 409 before the close, and for a trial */
export function getFollowable(ctx: Context, id: string): Election {
  const source = getElection(ctx.db, id);
  if (electionStatus(source, ctx.now()) !== 'closed') throw conflict('follow_up_after_close');
  // It would be a real election with the electors of a trial.
  if (source.trial === 1) throw conflict('trial_not_repeated');
  return source;
}

/** A follow-up whose fields were checked. */
export interface PlannedFollowUp {
  source: Election;
  kind: FollowUpKind;
  planned: Parameters<typeof copyElection>[2];
  options: ReturnType<typeof readOptions>;
}

/** Checks a follow-up. @param declined as of `listFollowUps` @throws as `createFollowUp` */
export async function planFollowUp(
  ctx: Context,
  id: string,
  input: Omit<z.output<typeof FollowUpInput>, 'open_at' | 'close_at'>,
  readDates: () => { open_at: number; close_at: number },
  declined: readonly string[] = [],
): Promise<PlannedFollowUp> {
  const source = getFollowable(ctx, id);
  if (source.voided_at !== null && input.kind !== 'repeat') throw conflict('election_void_no_follow_up');
  if (input.kind !== 'repeat') ensureVisible(ctx, source);
  const choices = await listFollowUps(ctx, source, declined);
  const choice = choices.find(({ kind }) => kind === input.kind);
  if (choices.length === 1 && !choice) throw conflict('no_open_seats');
  if (!choice) throw badField('kind', 'not_this_follow_up', { list: choices.map(({ kind }) => kind) });
  const window = readDates();
  const options = readOptions(ctx.db, source, input.options, choice.options);
  const planned = {
    ...window,
    title: input.title ?? titleOf(ctx.db, source),
    settings: fittingSettings(source, choice.seats, options.length, isInMeeting(ctx.db, source)),
  };
  return { source, kind: input.kind, planned, options };
}

/**
 * Finds the follow-up of this kind that an election has, unless that is void: there is one at a time. It is made again
 * only from its own follow-up.
 */
export const findFollowUp = (
  reader: Reader,
  { source, kind }: Pick<PlannedFollowUp, 'source' | 'kind'>,
): string | undefined =>
  reader.first(
    build
      .selectFrom('elections')
      .select('id')
      .where('follow_up_of', '=', source.id)
      .where('follow_up_kind', '=', kind)
      .where('voided_at', 'is', null),
  )?.id;

/** Whether the open seats of an election are voted on again: then no lot decides about them. */
export const isVotedOnAgain = (reader: Reader, id: string): boolean =>
  reader.first(
    build
      .selectFrom('elections')
      .select('id')
      .where('follow_up_of', '=', id)
      .where('follow_up_kind', '!=', 'repeat')
      .where('voided_at', 'is', null),
  ) !== undefined;

/** Stores a follow-up without its electors. @returns its id */
export function storeFollowUp(
  tx: Tx,
  { source, kind, planned, options }: PlannedFollowUp,
  actor: Actor,
): string {
  const copy = copyElection(tx, source, planned, actor, options);
  const set = { follow_up_of: source.id, follow_up_kind: kind };
  tx.run(build.updateTable('elections').set(set).where('id', '=', copy));
  const metadata = { follow_up: copy, kind };
  recordAudit(tx, actor, { action: 'election.followed_up', election_id: source.id, metadata });
  return copy;
}

async function inviteElectors(ctx: Context, election: Issuer, actor: Actor): Promise<void> {
  const invitees = listPrepared(ctx.db, election.id);
  if (invitees.length === 0) return;
  const mode = ctx.db.first(
    build.selectFrom('invites').select('mode').where('election_id', '=', election.id),
  )!.mode;
  const plan = { ...planPrepared(ctx, election, invitees), mode };
  if (invitees.every(({ email }) => email === null)) await createInvites(ctx, plan, actor);
  else if (ctx.mailer.missing().length === 0) await startInvitations(ctx, plan, actor);
}

/** The options of a follow-up, in the order of the ballot before; new ones come last. @throws 400 */
function readOptions(
  reader: Reader,
  { id, ballot_type }: Election,
  given: string[] | undefined,
  usual: OptionRow[],
): Pick<OptionRow, 'name' | 'is_none_of_the_above' | 'text' | 'picture'>[] {
  const rules = rulesOf(ballot_type).options;
  if (rules === null) {
    if (given) throw badField('options', 'no_options_of_type');
    return [];
  }
  if (given === undefined) {
    ensureNames('options', usual, usual.length < rules.least ? rules : undefined);
    return usual;
  }
  const own = listStanding(reader, id);
  const chosen = given.map(
    (text) => own.find((option) => option.id === text || isSameName(option.name, text)) ?? newOption(text),
  );
  ensureNames('options', chosen, chosen.length < rules.least ? rules : undefined);
  const place = (option: object) => own.indexOf(option as OptionRow) + 1 || own.length + 1;
  return chosen.sort((a, b) => place(a) - place(b));
}

const newOption = (name: string) => ({ name, is_none_of_the_above: 0 as const, text: null, picture: null });

/** The settings of a follow-up: with its seats, and nothing that asks for more options than it has. */
function fittingSettings(
  { settings, ballot_type }: Election,
  seats: number | null,
  options: number,
  in_meeting: boolean,
): string {
  const before = readSettings(settings);
  const atMost = (value: number | null, most: number) => value !== null && Math.min(value, most);
  const most = options || Number.POSITIVE_INFINITY;
  const places = seats !== null && Math.min(seats, most);
  const changed = {
    ...JSON.parse(settings),
    ...(places !== false && { seats: places }),
    ...(before.max_choices !== null && { max_choices: atMost(before.max_choices, most) }),
    ...(before.min_choices !== null && { min_choices: atMost(before.min_choices, places || most) }),
    ...(before.max_yes !== null && { max_yes: atMost(before.max_yes, most) }),
  };
  const text = JSON.stringify(changed);
  ensureFitting({}, { ballot_type, options, in_meeting }, readSettings(text));
  return text;
}

const ROUND = / \(round \d+\)$/;

/** `Chair (round 2)`: the title of the first election with the number of this one. */
export function titleOf(reader: Reader, source: Election): string {
  let round = 2;
  for (let one = source; one.follow_up_of !== null; round += 1) {
    const before = findElection(reader, one.follow_up_of);
    if (!before) break;
    one = before;
  }
  const suffix = ` (round ${round})`;
  return `${source.title.replace(ROUND, '').slice(0, 500 - suffix.length)}${suffix}`;
}

/** The number of open seats of a closed election; 0 before its result is settled, or without seats. */
export function countOpenSeats(reader: Reader, electionId: string): number {
  const row = reader.first(
    build
      .selectFrom('results')
      .select(sql<number | null>`result ->> '$.results.open_seats'`.as('open'))
      .where('election_id', '=', electionId),
  );
  return row?.open ?? 0;
}
