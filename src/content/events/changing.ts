import { isDeepStrictEqual } from 'node:util';
import { ensureNoProblems, parseBody, problemsOf, readBody } from '#content/records/kind.ts';
import { getRevision } from '#content/records/reading.ts';
import { completed, ensureNewest, getPresent } from '#content/records/records.ts';
import { type Changed, insertRecord, storeChanged } from '#content/records/storing.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Tx } from '#kernel/db/queries.ts';
import { badField, type FieldError } from '#kernel/http/errors.ts';
import { parseInput } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import { changeOf, DateChange, EventBody } from './body.ts';
import { EVENT } from './kind.ts';
import { changeDate, changeSeries, type SeriesPatch, settleUnfit, splitSeries, type Unfit } from './scope.ts';

/** A requested change of a date of a series. */
export interface DateOrder {
  /** The version that the user opened. */
  version: number;
  scope: 'this' | 'following' | 'all';
  /** `unchanged` removes the change of this date. */
  as: DateChange['as'] | 'unchanged';
  publish: boolean;
  /** Whether to discard the earlier change of this date instead of merging with it. */
  replace?: boolean;
  /** How to handle changes whose date no longer exists; if undefined, the request is refused when there are any. */
  unfit?: Unfit | undefined;
  /** The changed fields by name; unchecked. */
  fields: Record<string, unknown>;
}

/** The stored versions; `next` is the part split off the series, `singles` are the single events made of lost dates. */
export interface DatesChanged extends Changed {
  next?: Changed | null;
  singles?: Changed[];
}

/**
 * Changes one date of a series, that date and the following, or all dates, in one transaction.
 * @throws AppError 400; 404 for a date that the series does not have; 409 when the record was changed meanwhile, or
 * when changes of single dates would lose their date and `order.unfit` does not say how to handle them
 */
export async function changeDates(
  ctx: Context,
  id: string,
  date: string,
  order: DateOrder,
  actor: Actor,
): Promise<DatesChanged> {
  const changed = await ctx.write((tx) => {
    const work = { ctx, tx, id: getPresent(tx, EVENT, id, actor).id, date, order, actor };
    if (order.scope === 'this') return changeOne(work);
    if (order.as === 'unchanged') throw badField('as', 'unchanged_for_this_only');
    return order.scope === 'all' ? changeAll(work) : changeFollowing(work);
  });
  if (order.publish) ctx.hub.publish('content');
  return changed;
}

interface Work {
  ctx: Context;
  tx: Tx;
  id: string;
  date: string;
  order: DateOrder;
  actor: Actor;
}

/** Keeps what others changed on other dates since the version was opened. */
function changeOne(work: Work): DatesChanged {
  const { tx, date, id, order } = work;
  const change = readChange(order);
  const current = bodyNow(work);
  const row = getPresent(tx, EVENT, id, work.actor);
  if (order.version !== row.version) {
    if (order.version > row.version) throw badField('version', 'not_version');
    const opened = readBody(EVENT, getRevision(tx, id, order.version).body);
    if (!isDeepStrictEqual(changeOf(opened, date), changeOf(current, date)))
      ensureNewest(tx, EVENT, row, order.version);
  }
  const before = order.replace && change ? changeDate(current, date, null) : current;
  return store(work, current, changeDate(before, date, change));
}

function changeAll(work: Work): DatesChanged {
  const current = bodyAsOpened(work);
  const { as, unfit } = work.order;
  const { body } = changeSeries(current, work.date, seriesAs(as), readPatch(work.order, current));
  const settled = settleUnfit(body, current, unfit);
  return { ...store(work, current, settled.body), singles: settled.singles.map((one) => insert(work, one)) };
}

function changeFollowing(work: Work): DatesChanged {
  const current = bodyAsOpened(work);
  const { as, unfit } = work.order;
  const parts = splitSeries(current, work.date, seriesAs(as), readPatch(work.order, current));
  if (!parts.body && !parts.next) throw badField('as', 'every_date_skipped');
  const settled = parts.next && settleUnfit(parts.next, current, unfit);
  const singles = settled?.singles.map((one) => insert(work, one)) ?? [];
  // Splitting at the first date changes the whole series.
  if (!parts.body) return { ...store(work, current, settled!.body), next: null, singles };
  const stored = store(work, current, parts.body);
  const next = settled ? insert(work, settled.body, current) : null;
  return { ...stored, next, singles };
}

const seriesAs = (as: DateOrder['as']) => (as === 'unchanged' ? 'changed' : as);

function bodyNow({ tx, id, actor }: Work): EventBody {
  const { version } = getPresent(tx, EVENT, id, actor);
  return readBody(EVENT, getRevision(tx, id, version).body);
}

function bodyAsOpened(work: Work): EventBody {
  const row = getPresent(work.tx, EVENT, work.id, work.actor);
  ensureNewest(work.tx, EVENT, row, work.order.version);
  return bodyNow(work);
}

function store({ ctx, tx, id, order, actor }: Work, before: EventBody, body: EventBody): Changed {
  const about = { before, id, prefix: '' };
  const row = getPresent(tx, EVENT, id, actor);
  const whole = completed(ctx, tx, EVENT, parseBody(EVENT, body), about, actor);
  const { version } = storeChanged(tx, EVENT, row, { before, body: whole, publish: order.publish }, actor);
  return { id, version };
}

/** @param from the series it was split from: its dates keep their calendar ids */
function insert({ ctx, tx, id: old, order, actor }: Work, body: EventBody, from?: EventBody): Changed {
  const stamped = from ? EVENT.complete!(body, { before: from, at: actor.at, config: ctx.config }) : body;
  const about = { before: undefined, prefix: '' };
  const whole = completed(ctx, tx, EVENT, parseBody(EVENT, stamped), about, actor);
  const id = newId(actor.at).replaceAll('-', '');
  const uid_base = from ? getPresent(tx, EVENT, old, actor).uid_base : id;
  const { publish } = order;
  insertRecord(tx, EVENT, { id, body: whole, publish, reason: 'created', uid_base }, actor);
  return { id, version: 1 };
}

function readChange({ as, fields }: DateOrder): DateChange | null {
  if (as === 'unchanged') return null;
  const parsed = parseInput(DateChange, { ...fields, as }, 'change');
  if (!parsed.success) ensureNoProblems(problemsOf(parsed.error), '');
  return parsed.data ?? null;
}

/** Validates a patch together with the rest of the body that it changes. */
function readPatch(
  { fields }: DateOrder,
  { changes: _changes, stamps: _stamps, ...body }: EventBody,
): SeriesPatch {
  const parsed = parseInput(PATCHABLE, { ...body, ...fields }, 'change');
  const problems: FieldError[] = parsed.success ? [] : problemsOf(parsed.error);
  ensureNoProblems(problems, '');
  return Object.fromEntries(
    Object.entries(parsed.data ?? {}).filter(([field]) => Object.hasOwn(fields, field)),
  );
}

const PATCHABLE = EventBody.omit({ changes: true, stamps: true });
