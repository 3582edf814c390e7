import { type Selectable, sql } from 'kysely';
import { kept } from '#kernel/cache.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import type { BallotType, ElectionsTable, OptionsTable, WorkspaceLinksTable } from '#kernel/db/schema.ts';
import { notFound } from '#kernel/http/errors.ts';
import { findLost } from '#kernel/http/lost.ts';
import { inEnglish, readText } from '#kernel/language/kept-text.ts';
import { readSettings } from '#voting/election-settings.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import type { Translations } from '#voting/shared/question.ts';
import type { ElectionSettings } from '#voting/shared/settings.ts';

import { translationsOf } from './translations.ts';

export type ElectionStatus = 'scheduled' | 'open' | 'closed';
export type ResultsMode = 'computed' | 'manual';
export type Election = Selectable<ElectionsTable>;
export type OptionRow = Selectable<OptionsTable>;
/**
 * What a follow-up is about: for one seat the two best, for several those who were not elected or everybody, or the same
 * again.
 */
export const FOLLOW_UPS = ['two_best', 'unelected', 'all', 'repeat'] as const;
export type FollowUpKind = (typeof FOLLOW_UPS)[number];
export type { BallotType } from '#kernel/db/schema.ts';

/** Open while open_at <= now < close_at, unless it was closed: then it stays closed (specification, Election). */
export function electionStatus(
  election: Pick<Election, 'open_at' | 'close_at' | 'closed_at'>,
  now: number,
): ElectionStatus {
  if (election.closed_at !== null || now >= election.close_at) return 'closed';
  return now >= election.open_at ? 'open' : 'scheduled';
}

/** The time at which voting ended or will end: a close by hand, or close_at. */
export const endTime = (election: Pick<Election, 'closed_at' | 'close_at'>): number =>
  Math.min(election.closed_at ?? Infinity, election.close_at);

/** The latest end of the elections in which voting is open; undefined while none is. */
export function votingOpenUntil(reader: Reader, now: number): number | undefined {
  const open = listElections(reader).filter((election) => electionStatus(election, now) === 'open');
  return open.length === 0 ? undefined : Math.max(...open.map(endTime));
}

/** The time at which an officer closed it before close_at; null otherwise. */
export const closedEarlyAt = ({ closed_at, close_at }: Election): number | null =>
  closed_at !== null && closed_at < close_at ? closed_at : null;

/** How long a trial is kept. */
const TRIAL_KEPT = 7 * DAY;

/** When a trial is deleted with everything. */
export const deleteAt = ({ created_at }: Pick<Election, 'created_at'>): number => created_at + TRIAL_KEPT;

const electionById = prepare((p: { id: string }) =>
  build.selectFrom('elections').selectAll().where('id', '=', p.id),
);

export function findElection(reader: Reader, id: string): Election | undefined {
  return reader.first(electionById({ id }));
}

/** @throws 404 when there is no such election. */
export function getElection(reader: Reader, id: string): Election {
  const election = findElection(reader, id);
  if (!election) throw findLost(reader, id) ?? electionNotFound();
  return election;
}

export const electionNotFound = (): Error => notFound('election_not_found');

/** The newest first. */
export function listElections(reader: Reader): Election[] {
  return reader.all(
    build.selectFrom('elections').selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc'),
  );
}

const optionsByElection = prepare((p: { election_id: string }) =>
  build
    .selectFrom('options')
    .selectAll()
    .where('election_id', '=', p.election_id)
    .orderBy('display_order')
    .orderBy('number'),
);

/** The candidates or options of an election, in display order. */
export function listOptions(reader: Reader, electionId: string): OptionRow[] {
  return reader.all(optionsByElection({ election_id: electionId }));
}

/** Those of them that were not withdrawn. */
export const listStanding = (reader: Reader, electionId: string): OptionRow[] =>
  listOptions(reader, electionId).filter(({ withdrawn_at }) => withdrawn_at === null);

/** An option as the API returns it. */
export interface OptionJson {
  id: string;
  name: string;
  display_order: number;
  is_none_of_the_above: boolean;
  text: string | null;
  picture: { id: string; url: string } | null;
  /** Set if it was withdrawn after the opening: it is taken off all ballots before the count. */
  withdrawn?: { at: string; note: string };
}

export function optionJson(row: OptionRow): OptionJson {
  const { id, name, display_order, is_none_of_the_above, text, picture, withdrawn_at } = row;
  return {
    id,
    name,
    display_order,
    is_none_of_the_above: is_none_of_the_above === 1,
    text,
    picture: picture === null ? null : { id: picture, url: `/assets/candidates/${picture}` },
    ...(withdrawn_at !== null && {
      withdrawn: { at: isoTime(withdrawn_at), note: row.withdrawn_note ?? '' },
    }),
  };
}

/** The workspace link as the API returns it; `synced_at` in milliseconds. */
export function workspaceLinkJson(row: Selectable<WorkspaceLinksTable>) {
  const { database_id, page_id, status_property_name, synced_at, last_error } = row;
  const error = last_error === null ? null : inEnglish(readText(last_error));
  return { database_id, page_id, status_property_name, synced_at, last_error: error };
}

export type WorkspaceLinkJson = ReturnType<typeof workspaceLinkJson>;

/** The kinds of membership and the groups from which electors were chosen. */
export interface RollSource {
  /** Ids or names; without kinds every kind with a vote, without groups regardless of groups. */
  kinds: string[];
  groups: string[];
}

/** An election as the API returns it; `candidates` or `options` if its type has any, see `OptionKind`. */
export interface ElectionJson {
  id: string;
  title: string;
  description: string | null;
  open_at: string;
  close_at: string;
  /** When it was closed, by an officer or at close_at; null before. */
  closed_at: string | null;
  status: ElectionStatus;
  ballot_type: BallotType;
  settings: ElectionSettings;
  results_mode: ResultsMode;
  attachment_url: string | null;
  invite_mode: 'individual' | 'batch' | null;
  workspace_link: WorkspaceLinkJson | null;
  created_at: number;
  /** From where in the roll its electors come; of a copy, those of its source. */
  invited_from?: RollSource;
  /** Set for a trial, with the time at which it is deleted. */
  trial?: true;
  delete_at?: string;
  /** Set where an officer announces the result: when that happened, or null. */
  announced_at?: string | null;
  /** Set if it was closed as void. */
  void?: { at: string; reason: string };
  /** The id of the void election that it repeats. */
  repeat_of?: string;
  /** The id of the ballot paper that it is a question of. */
  paper_id?: string;
  /** The id of the election that it follows, and what it is about; see `FOLLOW_UPS`. */
  follow_up_of?: string;
  follow_up_kind?: FollowUpKind;
  /** The ids of its own follow-ups, the oldest first. */
  follow_ups?: string[];
  candidates?: OptionJson[];
  options?: OptionJson[];
  /** Its texts in other languages; absent without any. */
  translations?: Translations;
}

/** An election as its ballots show it: without what was withdrawn, which is apart. */
export type BallotJson = ElectionJson & { withdrawn: OptionJson[] };

/** By the election: a whole meeting asks for the same ballot at once. */
const BALLOTS = kept<BallotJson>();

export const ballotJson = (ctx: Context, election: Election): BallotJson =>
  ctx.cache.get(BALLOTS, election.id, () => makeBallotJson(ctx, election), [
    ctx.changes(),
    electionStatus(election, ctx.now()),
  ]);

function makeBallotJson(ctx: Context, election: Election): BallotJson {
  const { candidates, options, ...json } = electionJson(ctx, election);
  const standing = (all: OptionJson[]) => all.filter(({ withdrawn }) => !withdrawn);
  return {
    ...json,
    ...(candidates && { candidates: standing(candidates) }),
    ...(options && { options: standing(options) }),
    withdrawn: [...(candidates ?? []), ...(options ?? [])].filter(({ withdrawn }) => withdrawn),
  };
}

/** An election for voters' pages, without the fields that only officers need. */
export type PublicElectionJson = Omit<
  ElectionJson,
  'invite_mode' | 'workspace_link' | 'created_at' | 'invited_from'
>;

export function electionJson(ctx: Context, election: Election): ElectionJson {
  const [json] = electionsJson(ctx, [election]);
  return json!;
}

/** Ids as the list of a condition, given as JSON. */
const among = (ids: string) => sql<string>`(SELECT value FROM json_each(${ids}))`;

const optionsOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('options')
    .selectAll()
    .where('election_id', 'in', among(p.ids))
    .orderBy('display_order')
    .orderBy('number'),
);
const certifiedOf = prepare((p: { ids: string }) =>
  build.selectFrom('manual_results').select('election_id').where('election_id', 'in', among(p.ids)),
);
const linksOf = prepare((p: { ids: string }) =>
  build.selectFrom('workspace_links').selectAll().where('election_id', 'in', among(p.ids)),
);
const followUpsOf = prepare((p: { ids: string }) =>
  build
    .selectFrom('elections')
    .select(['id', 'follow_up_of'])
    .where('follow_up_of', 'in', among(p.ids))
    .orderBy('created_at'),
);

/** The names of the options of several elections, by the id of the election, in display order. */
export function namesOf(reader: Reader, elections: readonly Election[]): Map<string, string[]> {
  const options = reader.all(optionsOf({ ids: JSON.stringify(elections.map(({ id }) => id)) }));
  const byElection = Map.groupBy(options, ({ election_id }) => election_id);
  return new Map([...byElection].map(([id, all]) => [id, all.map(({ name }) => name)]));
}

/** Reads several elections with four queries, whatever their number. */
export function electionsJson(ctx: Context, elections: Election[]): ElectionJson[] {
  const ids = JSON.stringify(elections.map(({ id }) => id));
  const options = ctx.db.all(optionsOf({ ids }));
  const manual = ctx.db.all(certifiedOf({ ids }));
  const links = ctx.db.all(linksOf({ ids }));
  const following = ctx.db.all(followUpsOf({ ids }));
  const followUps = Map.groupBy(following, ({ follow_up_of }) => follow_up_of);
  const linksByElection = new Map(links.map((link) => [link.election_id, workspaceLinkJson(link)]));
  const byElection = Map.groupBy(options, (option) => option.election_id);
  const certified = new Set(manual.map((row) => row.election_id));
  return elections.map((election) => ({
    ...toJson(election, byElection.get(election.id) ?? [], certified.has(election.id), ctx.now()),
    workspace_link: linksByElection.get(election.id) ?? null,
    ...(followUps.has(election.id) && { follow_ups: followUps.get(election.id)!.map(({ id }) => id) }),
  }));
}

export function publicJson(json: ElectionJson): PublicElectionJson {
  const { invite_mode: _, workspace_link: __, created_at: ___, invited_from: ____, ...election } = json;
  return election;
}

function toJson(
  row: Election,
  options: OptionRow[],
  manual: boolean,
  now: number,
): Omit<ElectionJson, 'workspace_link'> {
  const kind = rulesOf(row.ballot_type).options?.kind;
  const settings = readSettings(row.settings);
  const translations = translationsOf(row, options);
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    open_at: isoTime(row.open_at),
    close_at: isoTime(row.close_at),
    closed_at: row.closed_at === null ? null : isoTime(row.closed_at),
    status: electionStatus(row, now),
    ballot_type: row.ballot_type,
    // After a re-opening the figures are hidden until the new close, whatever the setting says.
    settings: {
      ...settings,
      ...(row.reopened_at !== null && { hide_results_until_close: true }),
    },
    results_mode: manual ? 'manual' : 'computed',
    attachment_url: row.attachment_url,
    invite_mode: row.invite_mode,
    created_at: row.created_at,
    ...(row.invited_from !== null && { invited_from: JSON.parse(row.invited_from) as RollSource }),
    ...(row.trial === 1 && { trial: true, delete_at: isoTime(deleteAt(row)) }),
    ...(settings.announce === 'by_officer' && {
      announced_at: row.announced_at === null ? null : isoTime(row.announced_at),
    }),
    ...(row.voided_at !== null && { void: { at: isoTime(row.voided_at), reason: row.void_reason ?? '' } }),
    ...(row.follow_up_of !== null && { follow_up_of: row.follow_up_of }),
    ...(row.follow_up_kind !== null && { follow_up_kind: row.follow_up_kind }),
    ...(row.repeat_of !== null && { repeat_of: row.repeat_of }),
    ...(row.paper_id !== null && { paper_id: row.paper_id }),
    ...(kind && { [`${kind}s`]: options.map(optionJson) }),
    ...(translations && { translations }),
  };
}

/** Whether the opening was moved into the future after voting had begun. */
export const isPaused = (
  election: Pick<Election, 'opened_at' | 'open_at' | 'close_at' | 'closed_at'>,
  now: number,
): boolean => election.opened_at !== null && electionStatus(election, now) === 'scheduled';
