import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { optionalName, optionalText } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { addDays } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import { readWindow } from './changes.ts';
import { type Election, getElection, listStanding, type RollSource } from './elections.ts';
import { insertOptions } from './options.ts';
import { withoutTitles } from './translations.ts';

export const CloneInput = z.object({
  title: optionalName(500),
  open_at: optionalText(64),
  close_at: optionalText(64),
});

/**
 * Copies an election without tokens, ballots and results. Without dates the copy opens tomorrow at the present time of
 * day; without a title it is called “Copy of …” and the home page does not show it. @throws 400, 404
 */
export async function cloneElection(
  ctx: Context,
  id: string,
  { title, open_at, close_at }: z.output<typeof CloneInput>,
  actor: Actor,
): Promise<string> {
  const source = getElection(ctx.db, id);
  const planned = readCopy(ctx, source, { title, open_at, close_at }, actor);
  return ctx.write((tx) => copyElection(tx, getElection(tx, id), planned, actor));
}

type PlannedCopy = Pick<Election, 'title' | 'settings' | 'open_at' | 'close_at'>;

/** Reads what a copy does not take from its source. @throws 400 naming the field */
export function readCopy(
  ctx: Context,
  source: Election,
  { title, open_at, close_at }: z.output<typeof CloneInput>,
  actor: Actor,
): PlannedCopy {
  const hasDates = open_at !== null || close_at !== null;
  const window = hasDates
    ? readWindow(ctx, { open_at: open_at ?? '', close_at: close_at ?? '' })
    : proposeCopy(ctx, source);
  if (window.close_at <= actor.at) throw badField('close_at', 'not_in_future');
  if (title !== null) return { ...window, title, settings: source.settings };
  const settings = { ...JSON.parse(source.settings), publish_results_to_home: false };
  return {
    ...window,
    title: t('voting-admin.clone_form.copy_of', { title: source.title }).for(clubReader()).slice(0, 500),
    settings: JSON.stringify(settings),
  };
}

/** Stores a copy with its options, or with others. @returns its id */
export function copyElection(
  tx: Tx,
  source: Election,
  planned: PlannedCopy,
  actor: Actor,
  options: Parameters<typeof insertOptions>[2] = listStanding(tx, source.id),
): string {
  const copy = newId(actor.at);
  const invited_from = source.invited_from ?? sourceOfElectors(tx, source.paper_id ?? source.id);
  const translations =
    planned.title === source.title ? source.translations : withoutTitles(source.translations);
  const row = {
    ...source,
    ...NOT_COPIED,
    ...planned,
    translations,
    invited_from,
    id: copy,
    created_at: actor.at,
  };
  tx.run(build.insertInto('elections').values(row));
  insertOptions(tx, copy, options, actor.at);
  const metadata = { cloned_from: source.id };
  recordAudit(tx, actor, { action: 'election.created', election_id: copy, metadata });
  return copy;
}

/** The kinds of membership of electors who were invited before these were stored; null for none. */
function sourceOfElectors(tx: Tx, election_id: string): string | null {
  const rows = tx.all(
    build
      .selectFrom('electors')
      .select('standing')
      .distinct()
      .where('election_id', '=', election_id)
      .where('standing', 'is not', null)
      .orderBy('standing'),
  );
  const kinds = rows.flatMap(({ standing }) => standing ?? []);
  return kinds.length === 0 ? null : JSON.stringify({ kinds, groups: [] } satisfies RollSource);
}

/** Proposes a voting period that starts tomorrow and is as long as that of `source`. */
export function proposeCopy(ctx: Context, source: Pick<Election, 'open_at' | 'close_at'>) {
  const now = ctx.now();
  const open_at = addDays(now - (now % 60_000), 1, ctx.config.TIME_ZONE);
  return { open_at, close_at: open_at + (source.close_at - source.open_at) };
}

/** The columns that a copy does not take from its source. The copy of a trial is a real election. */
const NOT_COPIED = {
  translations: null,
  trial: 0 as const,
  closed_at: null,
  reopened_at: null,
  reopened_ballots: null,
  figures_withheld: 0 as const,
  opened_at: null,
  electors: null,
  sealed_at: null,
  tokens_deleted: 0,
  used_tokens_deleted: 0,
  papers_awaited: 0,
  paper_ballots: 0,
  invalid_papers: 0,
  dismissed_hints: '[]',
  question: null,
  voided_at: null,
  void_reason: null,
  repeat_of: null,
  paper_id: null,
  paper_position: null,
  announced_at: null,
  follow_up_of: null,
  follow_up_kind: null,
} satisfies Omit<
  Election,
  | keyof PlannedCopy
  | 'id'
  | 'created_at'
  | 'description'
  | 'ballot_type'
  | 'attachment_url'
  | 'invite_mode'
  | 'invited_from'
>;
