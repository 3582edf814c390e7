import { type SqlBool, sql } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { shownMetadata } from '#kernel/db/audit-personal.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import {
  deleteIssued,
  deleteMails,
  deleteOwnLinks,
  removeElection,
  type ShownFigures,
} from '#voting/elections/deletion.ts';
import { publicName } from '#voting/elections/history.ts';
import { getPaper, listQuestions } from '#voting/elections/issuers.ts';

/** What stays of a deleted paper of which a question had ballots. */
export interface DeletedPaper {
  paper_id: string;
  title: string;
  /** The questions that had ballots: each says at its address what stays of it. */
  questions: { id: string; title: string }[];
  deleted_at: string;
  /** Name of the person; null: an officer. */
  deleted_by: string | null;
  reason: string | null;
}

/**
 * Deletes a paper with its questions, codes and invitations.
 * @param figures of the questions whose result everybody could see, by id
 * @throws 404
 */
export async function deletePaper(
  ctx: Context,
  id: string,
  { reason, figures }: { reason: string | null; figures: ReadonlyMap<string, ShownFigures> },
  actor: Actor,
): Promise<void> {
  await ctx.write((tx) => removePaper(tx, id, { reason, figures }, actor));
}

/** The same in a transaction. */
export function removePaper(
  tx: Tx,
  id: string,
  { reason, figures }: { reason: string | null; figures: ReadonlyMap<string, ShownFigures> },
  actor: Actor,
): void {
  const { title } = getPaper(tx, id);
  const kept = listQuestions(tx, id).filter((question) =>
    removeElection(tx, question.id, { reason, figures: figures.get(question.id) }, actor),
  );
  deleteMails(tx, id);
  deleteOwnLinks(tx, id);
  deleteIssued(tx, id);
  tx.run(build.deleteFrom('papers').where('id', '=', id));
  const questions = kept.map((question) => ({ id: question.id, title: question.title }));
  recordAudit(tx, actor, {
    action: 'paper.deleted',
    election_id: id,
    metadata: { title, questions },
    ...(reason !== null && { personal: { reason } }),
  });
}

/** Returns what stays of a deleted paper; undefined for others, and for papers without ballots. */
export function findDeletedPaper(reader: Reader, id: string): DeletedPaper | undefined {
  const row = reader.first(
    build
      .selectFrom('audit_log')
      .select(['timestamp', 'metadata', 'personal'])
      .where('action', '=', 'paper.deleted')
      .where(sql<SqlBool>`+election_id = ${id}`),
  );
  if (!row) return undefined;
  const { by, reason, title, questions } = shownMetadata(row);
  const kept = questions as DeletedPaper['questions'];
  if (kept.length === 0) return undefined;
  return {
    paper_id: id,
    title: String(title),
    questions: kept,
    deleted_at: isoTime(row.timestamp),
    deleted_by: typeof by === 'string' ? publicName(reader, by) : null,
    reason: typeof reason === 'string' ? reason : null,
  };
}
