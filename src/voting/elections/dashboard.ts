import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { HOUR, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { coded } from '#kernel/messages/messages.ts';
import { listAwaitingLots } from './drawn-lots.ts';
import {
  type Election,
  type ElectionJson,
  electionStatus,
  electionsJson,
  endTime,
  getElection,
  listElections,
} from './elections.ts';
import { isInMeeting, listPapers } from './issuers.ts';
import { getPaperTurnout, listTurnouts, type Turnout } from './turnout.ts';

/** An open election with less time left counts as closing soon. */
const CLOSING_SOON_MS = 24 * HOUR;

/** An election or a ballot paper on the dashboard. */
export type DashboardElection = Pick<
  ElectionJson,
  'id' | 'title' | 'status' | 'open_at' | 'closed_at' | 'close_at' | 'trial'
> & {
  /** Absent for a paper. */
  ballot_type?: ElectionJson['ballot_type'];
  isPaper?: boolean;
  /** The titles of a paper's questions. */
  questions?: string[];
  settings: Pick<ElectionJson['settings'], 'publish_results_to_home'>;
};

export interface DashboardRow {
  election: DashboardElection;
  open_at: number;
  ends_at: number;
  turnout: Turnout;
  /** What an officer still has to do, in sentences. */
  needs: Words[];
  /** Suggestions that officers can dismiss. */
  hints: { name: HintName; sentence: Words }[];
}

/** Lists every election with codes of its own and every ballot paper, with what an officer still has to do. */
export function listDashboard(ctx: Context): DashboardRow[] {
  const elections = listElections(ctx.db);
  const json = electionsJson(ctx, elections);
  const turnouts = listTurnouts(
    ctx.db,
    elections.map(({ id }) => id),
  );
  const doubtful = listDoubtful(ctx.db);
  const tied = listAwaitingLots(ctx.db);
  const failed = countFailed(ctx.db);
  const slips = countSlipsToPrint(ctx.db);
  const asked = elections.map((election, index) => {
    const needs = needsOfQuestion(json[index]!, doubtful, tied);
    return { election, json: json[index]!, needs };
  });
  const needsOfCodes = (one: CodesState) => listNeeds(one, ctx.now(), failed, slips);
  const single = asked
    .filter(({ election }) => election.paper_id === null)
    .map(({ election, json, needs: own }): DashboardRow => {
      const turnout = turnouts.get(election.id)!;
      const { id, open_at, close_at } = election;
      const needs = [...own, ...needsOfCodes({ id, status: json.status, close_at, turnout })];
      const hints = listHints(election, json);
      return { election: json, open_at, ends_at: endTime(election), turnout, needs, hints };
    });
  // Those of meetings are on the pages of their meetings.
  const ownPapers = listPapers(ctx.db).filter(({ id }) => !isInMeeting(ctx.db, { paper_id: id }));
  const papers = ownPapers.map((paper): DashboardRow => {
    const { id, title, open_at, close_at } = paper;
    const questions = asked
      .filter(({ election }) => election.paper_id === id)
      .sort((a, b) => (a.election.paper_position ?? 0) - (b.election.paper_position ?? 0));
    const status = electionStatus(paper, ctx.now());
    const turnout = getPaperTurnout(ctx.db, id);
    const needs = questions.flatMap(({ json, needs }) =>
      needs.map((need) => t('voting-admin.dashboard.need_of_question', { title: json.title, need })),
    );
    const isOnHome =
      questions.length > 0 && questions.every(({ json }) => json.settings.publish_results_to_home);
    return {
      election: {
        id,
        title,
        status,
        isPaper: true,
        questions: questions.map(({ json }) => json.title),
        open_at: isoTime(open_at),
        close_at: isoTime(close_at),
        closed_at: paper.closed_at === null ? null : isoTime(paper.closed_at),
        settings: { publish_results_to_home: isOnHome },
      },
      open_at,
      ends_at: endTime(paper),
      turnout,
      needs: [
        ...(questions.length === 0 ? [t('voting-admin.dashboard.needs_questions')] : []),
        ...needs,
        ...needsOfCodes({ id, status, close_at, turnout }),
      ],
      hints: [],
    };
  });
  return [...single, ...papers];
}

/** What an election needs apart from codes and invitations. */
function needsOfQuestion(election: ElectionJson, doubtful: Set<string>, tied: Set<string>): Words[] {
  const { id, status, candidates, announced_at } = election;
  const needs: Words[] = [];
  if (doubtful.has(id)) needs.push(t('voting-admin.dashboard.needs_look'));
  if (status !== 'closed' && candidates && candidates.length < 2)
    needs.push(t('voting-admin.dashboard.needs_candidates'));
  if (status === 'closed' && announced_at === null && !election.void)
    needs.push(t('voting-admin.dashboard.needs_announcement'));
  // Before the announcement nobody else is told of a tie.
  else if (tied.has(id) && !election.void) needs.push(t('voting-admin.dashboard.needs_lot'));
  return needs;
}

/** Closed elections whose books did not balance, or whose ballots no longer give the stored result. */
function listDoubtful(reader: Reader): Set<string> {
  const rows = reader.all(
    build
      .selectFrom('results')
      .select('election_id')
      .where(sql<SqlBool>`matches = 0 OR json_extract(result, '$.books.balanced') = 0`),
  );
  return new Set(rows.map(({ election_id }) => election_id));
}

/** Counts the invitations by mail that could not be delivered, by election. */
const countFailed = (reader: Reader) => countInvites(reader, sql<SqlBool>`status = 'FAILED'`);

/** Counts the slips of people without an address that were not printed yet, by election. */
const countSlipsToPrint = (reader: Reader) =>
  countInvites(
    reader,
    sql<SqlBool>`status = 'SLIP' AND slip_printed_at IS NULL AND EXISTS (SELECT 1 FROM tokens
      WHERE tokens.token_hash = invites.token_hash AND used_at IS NULL)`,
  );

function countInvites(reader: Reader, which: RawBuilder<SqlBool>): Map<string, number> {
  const rows = reader.all(
    build
      .selectFrom('invites')
      .select((of) => ['election_id', of.fn.countAll<number>().as('count')])
      .where(which)
      .where('withdrawn_at', 'is', null)
      .groupBy('election_id'),
  );
  return new Map(rows.map(({ election_id, count }) => [election_id, count]));
}

function listHints(row: Election, { status, settings }: ElectionJson): DashboardRow['hints'] {
  if (
    row.trial === 1 ||
    status !== 'closed' ||
    settings.publish_results_to_home ||
    isDismissed(row, 'not_on_home')
  )
    return [];
  return [{ name: 'not_on_home', sentence: t('voting-admin.dashboard.not_on_home') }];
}

interface CodesState {
  id: string;
  status: ElectionJson['status'];
  close_at: number;
  turnout: Turnout;
}

/** What the codes and invitations of an election or a paper need. */
function listNeeds(
  { id, status, close_at, turnout: { issued, used } }: CodesState,
  now: number,
  failed: Map<string, number>,
  slips: Map<string, number>,
): Words[] {
  if (status === 'closed') return [];
  const needs: Words[] = [];
  if (issued === 0) needs.push(t('voting-admin.dashboard.needs_codes'));
  if (status === 'open' && close_at - now <= CLOSING_SOON_MS && used < issued) {
    const hours = Math.max(1, Math.round((close_at - now) / HOUR));
    const left = issued - used;
    needs.push(t('voting-admin.dashboard.closes_soon', { hours, left, issued }));
  }
  const unreached = failed.get(id) ?? 0;
  if (unreached > 0) needs.push(t('voting-admin.dashboard.not_delivered', { unreached }));
  const toPrint = slips.get(id) ?? 0;
  if (toPrint > 0) needs.push(t('voting-admin.dashboard.slips_to_print', { slips: toPrint }));
  return needs;
}

const HINTS = ['not_on_home'] as const;

export type HintName = (typeof HINTS)[number];

export const HintInput = z.object({ hint: z.enum(HINTS, coded('not_hint')) });

const dismissedOf = ({ dismissed_hints }: Pick<Election, 'dismissed_hints'>): string[] =>
  JSON.parse(dismissed_hints);

/** Whether an officer has dismissed a hint about an election. */
export const isDismissed = (election: Pick<Election, 'dismissed_hints'>, hint: HintName): boolean =>
  dismissedOf(election).includes(hint);

/** Dismisses a hint about an election for all officers, permanently. @throws 404 */
export async function dismissHint(ctx: Context, id: string, hint: HintName, actor: Actor): Promise<string[]> {
  return ctx.write((tx) => {
    const election = getElection(tx, id);
    const before = dismissedOf(election);
    if (before.includes(hint)) return before;
    const dismissed = [...before, hint];
    const set = { dismissed_hints: JSON.stringify(dismissed) };
    tx.run(build.updateTable('elections').set(set).where('id', '=', id));
    recordAudit(tx, actor, { action: 'election.hint_dismissed', election_id: id, metadata: { hint } });
    return dismissed;
  });
}
