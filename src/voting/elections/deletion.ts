import { type SqlBool, sql } from 'kysely';
import { z } from 'zod';
import { deletePictureUnlessUsed } from '#content/pictures/pictures.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, prepareInsert, type Reader, type Tx } from '#kernel/db/queries.ts';
import { optionalText } from '#kernel/http/validation.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type Election, electionStatus, getElection, listOptions } from './elections.ts';
import { publicName } from './history.ts';
import { followQuestions } from './issuers.ts';
import { officersTurnout, type ShownTurnout } from './shown-turnout.ts';
import { findSettledResult } from './stored-result.ts';
import { countBallots } from './turnout.ts';

/** `confirm`: the title, which only the form asks for. */
export const DeletionInput = z.object({
  confirm: z.string().trim().optional(),
  reason: optionalText(300),
});

/** Figures of a result as its page shows them. */
export interface Figures {
  outcome: string;
  totals: { label: string; votes: number }[];
}

/** The figures of a result that everybody could see, as its page showed them. */
export interface ShownFigures extends Figures {
  /** What the service counted, where certified figures stood in its place. */
  counted?: Figures;
}

/** What stays of a deleted election that had ballots. */
export interface DeletedElection {
  election_id: string;
  title: string;
  open_at: string;
  close_at: string;
  /** Null if it was deleted before its close. */
  closed_at: string | null;
  deleted_at: string;
  /** Name of the person; null: an officer. */
  deleted_by: string | null;
  reason: string | null;
  turnout: ShownTurnout;
  /** Only after the close. */
  result?: {
    total_ballots: number;
    ballot_set_sha256: string;
    question_sha256?: string;
    electors_sha256: string;
  } & Partial<ShownFigures>;
}

/**
 * Deletes an election with its options, tokens, ballots, results and invites. Its audit entries stay; if it had
 * ballots, the last one holds what `findDeleted` returns. Of a trial nothing else stays: its addresses answer as unknown
 * ones. The write-ahead log is erased later, see `sealElections`.
 */
export async function deleteElection(
  ctx: Context,
  id: string,
  { reason, figures }: { reason: string | null; figures: ShownFigures | undefined },
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => removeElection(tx, id, { reason, figures }, actor));
}

/** Deletes an election in a transaction. @returns whether something stays of it that its address says */
export function removeElection(
  tx: Tx,
  id: string,
  { reason, figures }: { reason: string | null; figures: ShownFigures | undefined },
  actor: Actor,
): boolean {
  const election = getElection(tx, id);
  const isTrial = election.trial === 1;
  const hadBallots = countBallots(tx, id) > 0;
  const facts = hadBallots && !isTrial ? factsOf(tx, election, actor.at) : undefined;
  if (hadBallots || isTrial)
    tx.run(build.insertInto('deleted_elections').values({ id, log_erased_at: null }));
  if (facts) keepCodes(tx, id);
  const pictures = new Set(listOptions(tx, id).map(({ picture }) => picture));
  deleteMails(tx, id);
  if (isTrial) deleteOwnLinks(tx, id);
  deleteIssued(tx, id);
  tx.run(build.deleteFrom('elections').where('id', '=', id));
  if (election.paper_id !== null) followQuestions(tx, election.paper_id);
  for (const picture of pictures) if (picture !== null) deletePictureUnlessUsed(tx, picture, actor);
  recordAudit(tx, actor, {
    action: 'election.deleted',
    election_id: id,
    metadata: { title: election.title, ...(isTrial && { trial: true }), ...facts },
    // Names of candidates may be erased, as the reason.
    personal: { ...(reason !== null && { reason }), ...(facts?.result && figures) },
  });
  return facts !== undefined;
}

/** Deletes the mails about an election or a paper and its invites; those that are being sent then change nothing. */
export function deleteMails(tx: Tx, id: string): void {
  const invites = build.selectFrom('invites').select('id').where('election_id', '=', id);
  tx.run(build.deleteFrom('outbox').where((is) => is.or([is('ref', '=', id), is('ref', 'in', invites)])));
}

/** Deletes what an election or a paper has issued: these rows have no reference to it, because it may be either. */
export function deleteIssued(tx: Tx, id: string): void {
  for (const table of ISSUED) tx.run(build.deleteFrom(table).where('election_id', '=', id));
}

const ISSUED = [
  'tokens',
  'deleted_used_codes',
  'withdrawn_codes',
  'invites',
  'electors',
  'magic_link_elections',
  'mailings',
] as const;

/** Deletes the links to the lists of own elections that lead to this one alone: they hold an address. */
export function deleteOwnLinks(tx: Tx, id: string): void {
  const links = build.selectFrom('magic_link_elections').select('token_hash');
  tx.run(
    build
      .deleteFrom('magic_links')
      .where('token_hash', 'in', links.where('election_id', '=', id))
      .where('token_hash', 'not in', links.where('election_id', '!=', id)),
  );
}

function factsOf(tx: Tx, election: Election, now: number) {
  const { id, open_at, close_at, closed_at } = election;
  const closed = electionStatus(election, now) === 'closed';
  const settled = closed ? findSettledResult(tx, id) : undefined;
  return {
    open_at: isoTime(open_at),
    close_at: isoTime(close_at),
    closed_at: closed ? isoTime(closed_at ?? close_at) : null,
    turnout: officersTurnout(tx, { id }),
    ...(settled && {
      result: {
        total_ballots: settled.total_ballots,
        ballot_set_sha256: settled.ballot_set_sha256,
        question_sha256: settled.question_sha256,
        electors_sha256: settled.electors_sha256,
      },
    }),
  };
}

/** Keeps hashes of the stored hashes: a code is still recognized, and the hash beside its use is deleted. */
function keepCodes(tx: Tx, election_id: string): void {
  const tables = ['tokens', 'deleted_used_codes', 'withdrawn_codes'] as const;
  const codes = tables.flatMap((table) =>
    tx.all(build.selectFrom(table).select('token_hash').where('election_id', '=', election_id)),
  );
  insertCodes(
    tx,
    codes.map(({ token_hash }) => ({ code_sha256: sha256(token_hash), election_id })),
  );
}

const insertCodes = prepareInsert((rows: { code_sha256: string; election_id: string }[]) =>
  build
    .insertInto('deleted_codes')
    .values(rows.map(({ code_sha256, election_id }) => ({ code_sha256, election_id }))),
);

/** Returns what stays of a deleted election; undefined for others, and for elections that had no ballots. */
export function findDeleted(reader: Reader, id: string): DeletedElection | undefined {
  const row = reader.first(
    build
      .selectFrom('audit_log')
      .select(['timestamp', 'metadata', 'personal'])
      .where('action', '=', 'election.deleted')
      // The plus makes SQLite use the index of the actions: most entries of an election are its votes.
      .where(sql<SqlBool>`+election_id = ${id}`)
      .orderBy('seq', 'desc'),
  );
  const { by, reason, outcome, totals, counted, result, ...kept } = row ? shownMetadata(row) : {};
  if (!row || kept.turnout === undefined) return undefined;
  return {
    election_id: id,
    ...(kept as Pick<DeletedElection, 'title' | 'open_at' | 'close_at' | 'closed_at' | 'turnout'>),
    deleted_at: isoTime(row.timestamp),
    deleted_by: typeof by === 'string' ? publicName(reader, by) : null,
    reason: typeof reason === 'string' ? reason : null,
    ...(result !== undefined && {
      result: {
        ...(result as NonNullable<DeletedElection['result']>),
        ...({ outcome, totals, ...(counted !== undefined && { counted }) } as ShownFigures),
      },
    }),
  };
}

/** Finds the deleted election that a voting code was for. */
export function findDeletedByCode(reader: Reader, tokenHash: string): DeletedElection | undefined {
  const row = reader.first(
    build.selectFrom('deleted_codes').select('election_id').where('code_sha256', '=', sha256(tokenHash)),
  );
  return row && findDeleted(reader, row.election_id);
}
