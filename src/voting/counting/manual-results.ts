import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { optionalText, requiredName } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { Note } from '#kernel/language/words.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { TwoPeople } from '#people/approvals/approvals.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { listHistory } from '#voting/elections/history.ts';
import { isInMeeting } from '#voting/elections/issuers.ts';
import { hasBallots } from '#voting/elections/turnout.ts';

/** Maximum length of a question, and of each answer. */
export const LABEL_AT_MOST = 300;

const label = requiredName(LABEL_AT_MOST);
const MOST_VOTES = 1_000_000_000;
const error = coded('not_number_of_votes', { min: 0, max: MOST_VOTES });
const votes = z.int({ error }).min(0, { error }).max(MOST_VOTES, { error });
const NOTHING_ENTERED = coded('nothing_entered');
const Item = z.object({ label, votes });
const Contest = z.object({
  label,
  items: z
    .array(Item, coded('not_list'))
    .min(1, NOTHING_ENTERED)
    .max(200, coded('too_many', { max: 200 })),
});

export const ManualResultsInput = z.object({
  certified_at: optionalText(64),
  certified_by: optionalText(300),
  notes: optionalText(5_000),
  /** Of a question of a meeting: why there are other figures than those that were counted. */
  reason: optionalText(300),
  results: z.object(
    {
      contests: z
        .array(Contest, coded('not_list'))
        .min(1, NOTHING_ENTERED)
        .max(100, coded('too_many', { max: 100 })),
    },
    coded('required'),
  ),
});

/** The body of PUT manual-results. */
export type ManualResultsBody = z.output<typeof ManualResultsInput>;

/** The stored body of PUT manual-results. */
export type ManualResults = Omit<ManualResultsBody, 'reason'> & { reason?: string };

/** Certified figures of a question of a meeting, which stand beside the count and never in its place. */
export interface CertifiedBeside {
  manual: ManualResults;
  display: ManualDisplay;
  reason: string;
  /** The two people who entered them. */
  by: Note | string;
}

/** Manual results for display: shares of the contest's votes (0 to 1) and the winner. */
export interface ManualDisplay {
  contests: {
    label: string;
    total_votes: number;
    items: { label: string; votes: number; share: number }[];
    /** The item with the most votes; null when tied or without votes. */
    winner: string | null;
    tied: boolean;
  }[];
}

/**
 * Stores certified results, which replace the computed ones; of a question of a meeting they stand beside them. Earlier
 * versions stay.
 * @param two who does it, for a question of a meeting
 * @throws 404, 400 naming the field, 409 while voting is open and has ballots, and before a meeting has announced it
 */
export async function setManualResults(
  ctx: Context,
  electionId: string,
  { reason: given, ...input }: ManualResultsBody,
  actor: Actor,
  two?: TwoPeople,
) {
  const reason = two?.words.reason ?? given;
  const at = input.certified_at && parseTimestamp(input.certified_at, ctx.config.TIME_ZONE);
  if (at === undefined) throw badField('certified_at', 'not_timestamp');

  await ctx.write((tx) => {
    const election = getElection(tx, electionId);
    if (election.voided_at !== null) throw conflict('election_void_no_result');
    const beside = isInMeeting(tx, election);
    if (beside) ensureAnnounced(tx, electionId, two);
    if (beside && reason === null) throw badField('reason', 'required');
    const certified_at = typeof at === 'number' ? isoTime(at) : null;
    const payload = JSON.stringify({ ...input, certified_at, ...(beside && { reason }) });
    if (election.trial === 1) throw conflict('trial_not_certified');
    if (electionStatus(election, actor.at) === 'open' && hasBallots(tx, electionId))
      throw conflict('certified_after_close');
    tx.run(
      build
        .insertInto('manual_results')
        .values({ election_id: electionId, payload, set_at: actor.at })
        .onConflict((conflict) => conflict.column('election_id').doUpdateSet({ payload, set_at: actor.at })),
    );
    const figures_sha256 = sha256(payload);
    const version = { election_id: electionId, sha256: figures_sha256, payload, set_at: actor.at };
    tx.run(build.replaceInto('certified_versions').values(version));
    const metadata = {
      contests: input.results.contests.length,
      figures_sha256,
      ...(beside && { by_two: two?.by_two }),
    };
    const personal = { certified_by: input.certified_by, ...(beside && { reason }) };
    recordAudit(tx, actor, { action: 'results.manual_set', election_id: electionId, metadata, personal });
  });
}

/**
 * The chair's announcement is of what was counted: nothing else may stand there first.
 * @throws 409 before it, and where one person does it
 */
function ensureAnnounced(reader: Reader, electionId: string, two: TwoPeople | undefined): void {
  const item = reader.first(
    build.selectFrom('meeting_items').select('state').where('election_id', '=', electionId),
  );
  if (item?.state !== 'declared')
    throw conflict('certified_after_declaration', { state: item?.state ?? 'open' });
  if (!two) throw conflict('led_by_chair');
}

/** Goes back to computed results. @param two as `setManualResults` @throws 404 for an unknown election, 409 as there */
export async function clearManualResults(
  ctx: Context,
  electionId: string,
  actor: Actor,
  two?: TwoPeople,
): Promise<void> {
  await ctx.write((tx) => {
    const beside = isInMeeting(tx, getElection(tx, electionId));
    if (beside && !two) throw conflict('led_by_chair');
    const cleared = tx.run(build.deleteFrom('manual_results').where('election_id', '=', electionId));
    const metadata = beside ? { by_two: two?.by_two } : {};
    if (cleared)
      recordAudit(tx, actor, { action: 'results.manual_cleared', election_id: electionId, metadata });
  });
}

/** The certified figures that stand beside the count of a question of a meeting; undefined without any. */
export function findCertifiedBeside(
  reader: Reader,
  election: Pick<Election, 'id' | 'paper_id'>,
): CertifiedBeside | undefined {
  const manual = findManualResults(reader, election.id);
  if (!manual || !isInMeeting(reader, election)) return undefined;
  const event = listHistory(reader, election.id, ['results.manual_set']).at(-1);
  return {
    manual,
    display: summarizeContests(manual),
    reason: manual.reason ?? '',
    by: event?.by ?? new Note(t('voting.history.two_officers')),
  };
}

/** The figures with this SHA-256 as they were stored; their text has that hash. */
export function findCertifiedVersion(reader: Reader, electionId: string, sha256: string): string | undefined {
  const of = build
    .selectFrom('certified_versions')
    .select('payload')
    .where('election_id', '=', electionId)
    .where('sha256', '=', sha256);
  return reader.first(of)?.payload;
}

export function findManualResults(reader: Reader, electionId: string): ManualResults | undefined {
  const row = reader.first(
    build.selectFrom('manual_results').select('payload').where('election_id', '=', electionId),
  );
  return row && JSON.parse(row.payload);
}

export function summarizeContests({ results }: ManualResults): ManualDisplay {
  return {
    contests: results.contests.map(({ label, items }) => {
      const total_votes = items.reduce((sum, { votes }) => sum + votes, 0);
      const most = Math.max(...items.map(({ votes }) => votes));
      const leaders = total_votes > 0 ? items.filter(({ votes }) => votes === most) : [];
      return {
        label,
        total_votes,
        items: items.map((item) => ({ ...item, share: total_votes ? item.votes / total_votes : 0 })),
        winner: leaders.length === 1 ? leaders[0]!.label : null,
        tied: leaders.length > 1,
      };
    }),
  };
}
