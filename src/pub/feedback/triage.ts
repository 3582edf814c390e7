import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import type { FeedbackTable } from '#kernel/db/schema.ts';
import { badField, conflict, notFound } from '#kernel/http/errors.ts';
import { listOf, oneOf, optionalText, pageSize, requiredText } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate, parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';

export type FeedbackState = Selectable<FeedbackTable>['state'];

/** The states that can follow each state. A settled message can only become new again. */
const NEXT: Record<FeedbackState, readonly FeedbackState[]> = {
  new: ['seen', 'in_progress', 'done', 'declined', 'duplicate', 'spam'],
  seen: ['in_progress', 'done', 'declined', 'duplicate', 'spam'],
  in_progress: ['done', 'declined', 'duplicate', 'spam'],
  done: ['new'],
  declined: ['new'],
  duplicate: ['new'],
  spam: ['new'],
};

/** The states within a sentence. */
export const STATE_LABELS: Record<FeedbackState, Words> = {
  new: t('pub-staff.feedback.new'),
  seen: t('pub-staff.feedback.seen'),
  in_progress: t('pub-staff.feedback.in_progress'),
  done: t('pub-staff.feedback.done'),
  declined: t('pub-staff.feedback.declined'),
  duplicate: t('pub-staff.feedback.duplicate'),
  spam: t('pub-staff.feedback.spam'),
};

export const FEEDBACK_STATES = Object.keys(NEXT) as FeedbackState[];
const isSettled = (state: FeedbackState) => NEXT[state].length === 1;

const error = coded('not_one_of', { values: FEEDBACK_STATES });
const state = z.enum(FEEDBACK_STATES, { error });

export const FeedbackQuery = z.object({
  state: z.union([z.literal('').transform(() => undefined), state], { error }).optional(),
  before: optionalText(40),
  limit: pageSize(50, 200),
  format: oneOf(['json', 'csv']).default('json'),
});

/** Absent fields stay unchanged; an empty text clears a field. */
export const TriageInput = z.object({
  state: state.optional(),
  assignee: optionalText(254).optional(),
  tags: listOf(requiredText(30), 10).optional(),
  note: optionalText(2_000).optional(),
});

/** A message as staff see it. */
export type FeedbackJson = ReturnType<typeof feedbackJson>;

/** Lists messages, newest first. `nextBefore` is the next page's cursor, null on the last. @throws 400 for `before` */
export function listFeedback(
  ctx: Context,
  query: Pick<z.output<typeof FeedbackQuery>, 'state' | 'before' | 'limit'> & { offset?: number },
): { items: FeedbackJson[]; nextBefore: string | null } {
  const { offset = 0 } = query;
  const rows = ctx.db.all(
    matchingFeedback(ctx, query)
      .selectAll()
      // Ids are ordered by time.
      .orderBy('id', 'desc')
      .limit(query.limit + 1)
      .offset(offset),
  );
  const items = rows.slice(0, query.limit).map(feedbackJson);
  return { items, nextBefore: rows.length > items.length ? (items.at(-1)?.id ?? null) : null };
}

/** Counts messages. @throws 400 for `before` */
export function countFeedback(
  ctx: Context,
  query: Pick<z.output<typeof FeedbackQuery>, 'state' | 'before'>,
): number {
  const counted = matchingFeedback(ctx, query).select((of) => of.fn.countAll<number>().as('count'));
  return ctx.db.first(counted)?.count ?? 0;
}

/** The messages of a state that are older than the cursor. @throws 400 for a cursor that is none */
function matchingFeedback(ctx: Context, query: Pick<z.output<typeof FeedbackQuery>, 'state' | 'before'>) {
  let matching = build.selectFrom('feedback');
  if (query.state) matching = matching.where('state', '=', query.state);
  if (query.before && isId(query.before)) matching = matching.where('id', '<', query.before);
  else if (query.before) {
    const at = parseTimestamp(query.before, ctx.config.TIME_ZONE);
    if (at === undefined) throw badField('before', 'not_feedback_cursor');
    matching = matching.where('created_at', '<', at);
  }
  return matching;
}

/** Counts the messages in each state, and averages the ratings of each of the last twelve weeks that has any. */
export function summarizeFeedback(ctx: Context) {
  const counted = ctx.db.all(
    build
      .selectFrom('feedback')
      .select(['state', (of) => of.fn.countAll<number>().as('count')])
      .groupBy('state'),
  );
  const rated = ctx.db.all(
    build
      .selectFrom('feedback')
      .select(['created_at', 'rating'])
      .where('rating', 'is not', null)
      .where('state', '<>', 'spam')
      .where('created_at', '>', ctx.now() - WEEKS * 7 * DAY)
      .orderBy('created_at', 'desc'),
  );
  const weeks = Map.groupBy(rated, (row) => findMonday(row.created_at, ctx.config.TIME_ZONE));
  return {
    counts: Object.fromEntries(
      FEEDBACK_STATES.map((name) => [name, counted.find((row) => row.state === name)?.count ?? 0]),
    ) as Record<FeedbackState, number>,
    ratings: [...weeks].map(([week, rows]) => {
      const sum = rows.reduce((total, row) => total + (row.rating ?? 0), 0);
      return { week, average: Math.round((sum / rows.length) * 100) / 100, count: rows.length };
    }),
  };
}

/** Exports all matching messages as CSV. */
export function exportFeedback(ctx: Context, query: Pick<z.output<typeof FeedbackQuery>, 'state'>): string {
  const { items } = listFeedback(ctx, { ...query, before: null, limit: Number.MAX_SAFE_INTEGER - 1 });
  const fields = Object.keys(HEADINGS) as (keyof typeof HEADINGS)[];
  return csvText([
    Object.values(HEADINGS),
    ...items.map((one) => fields.map((field) => [one[field] ?? ''].flat().join(', '))),
  ]);
}

/** The columns of the export. */
const HEADINGS: Record<Exclude<keyof FeedbackJson, 'id' | 'updatedAt' | 'resolvedAt'>, string> = {
  createdAt: 'time',
  state: 'state',
  rating: 'rating',
  message: 'message',
  name: 'name',
  contact: 'contact',
  page: 'page',
  assignee: 'assignee',
  tags: 'tags',
  note: 'note',
};

/**
 * Changes the state, assignee, tags or note of a message, and audits the change.
 * @throws 404, 409 for a state that cannot follow the current one
 */
export async function triageFeedback(
  ctx: Context,
  id: string,
  { state: to, assignee, tags, note }: z.output<typeof TriageInput>,
  actor: Actor,
): Promise<FeedbackJson> {
  return ctx.write((tx) => {
    const row = tx.first(build.selectFrom('feedback').selectAll().where('id', '=', id));
    if (!row) throw notFound('message_not_found');
    const from = row.state;
    if (to && to !== from && !NEXT[from].includes(to)) {
      throw conflict('feedback_state_impossible', {
        state: STATE_LABELS[from],
        states: NEXT[from].map((next) => STATE_LABELS[next]),
      });
    }
    const wanted = {
      ...(to !== undefined && { state: to }),
      ...(assignee !== undefined && { assignee }),
      ...(tags !== undefined && { tags: JSON.stringify([...new Set(tags)]) }),
      ...(note !== undefined && { internal_note: note }),
    };
    const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
      (name) => wanted[name] !== row[name],
    );
    if (changed.length === 0) return feedbackJson(row);
    const next = { ...row, ...wanted, updated_at: actor.at };
    if (next.state !== from) next.resolved_at = isSettled(next.state) ? actor.at : null;
    const { id: _, ...values } = next;
    tx.run(build.updateTable('feedback').set(values).where('id', '=', id));
    const metadata = { feedback_id: id, from, to: next.state, changed };
    recordAudit(tx, actor, { action: 'feedback.triaged', metadata });
    return feedbackJson(next);
  });
}

/** The states that can follow this one. */
export const nextStates = (from: FeedbackState): readonly FeedbackState[] => NEXT[from];

function feedbackJson(row: Selectable<FeedbackTable>) {
  return {
    id: row.id,
    createdAt: isoTime(row.created_at),
    message: row.message,
    rating: row.rating,
    name: row.name,
    contact: row.contact,
    page: row.page,
    state: row.state,
    assignee: row.assignee,
    tags: JSON.parse(row.tags) as string[],
    note: row.internal_note,
    updatedAt: isoTime(row.updated_at),
    resolvedAt: row.resolved_at === null ? null : isoTime(row.resolved_at),
  };
}

const WEEKS = 12;

function findMonday(at: number, zone: string): string {
  const day = Temporal.PlainDate.from(localDate(at, zone));
  return day.subtract({ days: day.dayOfWeek - 1 }).toString();
}

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
