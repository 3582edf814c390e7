import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { formatNumber } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import {
  type Election,
  type ElectionJson,
  electionsJson,
  endTime,
  getElection,
  listElections,
} from './elections.ts';
import { listTurnouts, type Turnout } from './turnout.ts';

/** An open election with less time left counts as closing soon. */
const CLOSING_SOON_MS = 24 * HOUR;

export interface DashboardRow {
  election: ElectionJson;
  open_at: number;
  ends_at: number;
  turnout: Turnout;
  /** What an officer still has to do, in sentences. */
  needs: string[];
  /** Suggestions that officers can dismiss. */
  hints: { name: HintName; sentence: string }[];
}

/** Lists every election with its turnout and what an officer still has to do. */
export function listDashboard(ctx: Context): DashboardRow[] {
  const elections = listElections(ctx.db);
  const json = electionsJson(ctx, elections);
  const turnouts = listTurnouts(
    ctx.db,
    elections.map(({ id }) => id),
  );
  const doubtful = listDoubtful(ctx.db);
  const failed = countFailed(ctx.db);
  const slips = countSlipsToPrint(ctx.db);
  return elections.map((election, index) => {
    const turnout = turnouts.get(election.id)!;
    const needs = listNeeds(election, json[index]!, turnout, ctx.now());
    if (doubtful.has(election.id))
      needs.unshift(
        'Ballots, used codes and log entries do not agree, or a recount gave another result: see its page.',
      );
    const unreached = failed.get(election.id) ?? 0;
    if (unreached > 0 && json[index]!.status !== 'closed')
      needs.push(
        `${formatNumber(unreached)} ${unreached === 1 ? 'invitation was' : 'invitations were'} not delivered.`,
      );
    const toPrint = slips.get(election.id) ?? 0;
    if (toPrint > 0 && json[index]!.status !== 'closed')
      needs.push(`${formatNumber(toPrint)} ${toPrint === 1 ? 'slip' : 'slips'} to print.`);
    const { open_at } = election;
    const hints = listHints(election, json[index]!);
    return { election: json[index]!, open_at, ends_at: endTime(election), turnout, needs, hints };
  });
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
  return [{ name: 'not_on_home', sentence: 'Its result is not on the home page.' }];
}

function listNeeds(row: Election, election: ElectionJson, { issued, used }: Turnout, now: number): string[] {
  if (election.status === 'closed') return [];
  const needs: string[] = [];
  if (election.candidates && election.candidates.length < 2) needs.push('It needs at least two candidates.');
  if (issued === 0) needs.push('Nobody has a voting code yet.');
  if (election.status === 'open' && row.close_at - now <= CLOSING_SOON_MS && used < issued) {
    const hours = Math.max(1, Math.round((row.close_at - now) / HOUR));
    const left = issued - used;
    const when = hours === 1 ? 'an hour' : `${hours} hours`;
    needs.push(
      `It closes in ${when}; ${formatNumber(left)} of ${formatNumber(issued)} ${left === 1 ? 'has' : 'have'} not voted.`,
    );
  }
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
