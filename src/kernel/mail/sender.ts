import { once } from 'node:events';
import { sql } from 'kysely';
import { DAY, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, SERVICE } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { NO_ANSWER, REQUEST_WAITS, UNSURE_FOR } from './limits.ts';
import { CONNECTIONS } from './mailer.ts';
import {
  type MailKind,
  type MailRows,
  type MailSort,
  type NewMail,
  nextTry,
  type Once,
  type OutboxMail,
  type Outcome,
  putMail,
  readMail,
} from './outbox.ts';
import type { MailReason } from './reasons.ts';
import { concernsEveryMail } from './refusals.ts';
import { mailServer } from './server.ts';

/** One mail that was tried, with its rows. */
export interface Tried {
  mails: MailRows;
  outcome: Outcome;
}

interface SendOptions {
  /** Who caused the mail; by default the service. */
  actor?: Actor;
  /** Whether it is not tried again later: somebody waits for the outcome. */
  isFinal?: boolean;
  /**
   * The longest time that somebody waits for it, in milliseconds, by default `REQUEST_WAITS`. A final mail fails then
   * unless the server has it; any other goes on, and is WAITING for whoever asked.
   */
  within?: number | undefined;
  /** Whether the first answer of the server counts. */
  triesOnce?: boolean;
}

/**
 * The background job: claims due mails and sends as many as MAILER_PACE_PER_MINUTE allows in a second. Outcomes that
 * could not be stored are stored first. What an ended process was sending is due again, or unsure.
 */
export async function sendDueMails(ctx: Context): Promise<void> {
  await Promise.all(await beginDueMails(ctx));
}

/** The same without waiting for the mails: one that the server is slow to take holds up no other. */
export async function beginDueMails(ctx: Context): Promise<Promise<Tried>[]> {
  const left = [...ctx.outcomesToStore];
  ctx.outcomesToStore.clear();
  await Promise.allSettled(left.map((store) => store()));
  if (ctx.mailer.missing().length > 0) return [];
  const open = build.selectFrom('outbox').select('id').where('state', 'in', ['WAITING', 'SENDING']);
  if (!ctx.db.first(open.limit(1))) return [];
  const claimed = await ctx.write((tx) => {
    endInterrupted(ctx, tx);
    return claimDue(ctx, tx);
  });
  return sendBundles(ctx, claimed, {});
}

/** Stores mails and sends them at once. @returns their outcomes; a mail that is put off is sent later by the job */
export async function mailNow(ctx: Context, mails: NewMail[], options: SendOptions = {}): Promise<Tried[]> {
  const stored = await ctx.write((tx) => mails.map((mail) => putMail(tx, mail, ctx.now(), ctx.run)));
  return sendMails(ctx, stored, options);
}

/** The same for one mail. */
export async function mailOneNow(ctx: Context, mail: NewMail, options: SendOptions = {}): Promise<Outcome> {
  const [{ outcome }] = (await mailNow(ctx, [mail], options)) as [Tried];
  return outcome;
}

/**
 * Sends claimed mails concurrently and stores their outcomes. Rows of one bundle are one mail.
 * @returns what is known of each when `within` is over
 */
export async function sendMails(
  ctx: Context,
  mails: readonly OutboxMail[],
  options: SendOptions = {},
): Promise<Tried[]> {
  const { isFinal = false, within = REQUEST_WAITS } = options;
  const sending = sendBundles(ctx, mails, { ...options, within: isFinal ? within : undefined });
  if (isFinal) return Promise.all(sending);
  const late = once(AbortSignal.timeout(within), 'abort');
  return Promise.all(sending.map((one) => Promise.race([one, late.then(() => undefined)]))).then((tried) => {
    const bundles = bundlesOf(mails);
    return tried.map((one, at) => one ?? { mails: bundles[at]!, outcome: stillUnderWay(ctx) });
  });
}

/** For whoever does not wait longer; what becomes of the mail is stored when it is known. */
const stillUnderWay = (ctx: Context): Outcome => ({
  state: 'WAITING',
  error: 'The mail server has not answered yet' satisfies MailReason,
  put_off_at: null,
  due_at: ctx.now(),
});

const bundlesOf = (mails: readonly OutboxMail[]): MailRows[] =>
  [...Map.groupBy(mails, ({ bundle, id }) => bundle ?? id).values()] as MailRows[];

/** Begins to send mails, each bundle on its own. A stop of the service waits for them. */
function sendBundles(ctx: Context, mails: readonly OutboxMail[], options: SendOptions): Promise<Tried>[] {
  const kept = new Map<string, unknown>();
  const make: Once = (name, value) => {
    if (!kept.has(name)) kept.set(name, value());
    return kept.get(name) as ReturnType<typeof value>;
  };
  for (const { id } of mails) ctx.mailsBeingSent.add(id);
  const sending = bundlesOf(mails).map(async (rows) => {
    const outcome = await trySending(ctx, rows, make, options);
    await storeOutcome(ctx, rows, outcome, { ...(options.actor ?? { ip: SERVICE }), at: ctx.now() });
    return { mails: rows, outcome };
  });
  // One that cannot be stored must not let a stop overlook the others.
  const all = Promise.allSettled(sending).finally(() => ctx.mailsUnderWay.delete(all));
  ctx.mailsUnderWay.add(all);
  return sending;
}

/** Stores what became of a mail. While that is refused, the outcome is kept in memory for the next run of the job. */
async function storeOutcome(ctx: Context, mails: MailRows, outcome: Outcome, actor: Actor): Promise<void> {
  try {
    await ctx.write((tx) => settle(ctx, tx, mails, outcome, actor));
    for (const { id } of mails) ctx.mailsBeingSent.delete(id);
  } catch (error) {
    ctx.outcomesToStore.add(() => storeOutcome(ctx, mails, outcome, actor));
    throw error;
  }
}

const sortOf = (ctx: Context, kind: MailKind) => ctx.mailSorts[kind] as unknown as MailSort<MailKind>;

async function trySending(
  ctx: Context,
  mails: MailRows,
  once: Once,
  { isFinal = false, within, triesOnce = false }: SendOptions,
): Promise<Outcome> {
  const [first] = mails;
  const { kind, email: to, id } = first;
  const sort = sortOf(ctx, kind);
  try {
    const made = await sort.compose(mails, once);
    if ('state' in made) return made;
    const mail = { ...made, to, id: `${kind}-${id}` };
    const isUrgent = sort.isUrgent ?? false;
    const sent = await ctx.mailer.send(mail, {
      isUrgent,
      triesOnce,
      ...(within !== undefined && { within }),
    });
    if (sent.ok) return { state: 'SENT' };
    const { error, permanent, putOff, isUnsure } = sent;
    if (isUnsure) return unsureOf(first, error, !isFinal && sort.repeats, ctx.now());
    // A mail is not at fault for a wrong password, which an officer corrects.
    const isLater = !isFinal && (putOff || (sort.waits && (!permanent || concernsEveryMail(error))));
    const later = isLater ? nextTry(first, ctx.now()) : undefined;
    return later ? { state: 'WAITING', error, ...later } : { state: 'FAILED', error, putOff };
  } catch (err) {
    ctx.log.error({ err, kind }, 'a mail could not be sent');
    const error: MailReason = 'The service could not make this mail: see its log';
    return { state: 'FAILED', error };
  }
}

/**
 * The outcome of a mail that the server got and did not answer. It may have arrived, so it is tried once more at most,
 * by its own Message-ID, and not within the hour.
 */
function unsureOf(mail: OutboxMail, error: string, repeats: boolean, now: number): Outcome {
  if (!repeats || mail.error === error) return { state: 'UNSURE', error };
  return { state: 'WAITING', error, put_off_at: mail.put_off_at ?? now, due_at: now + UNSURE_FOR };
}

/** Stores an outcome. Not of a mail that was withdrawn while it was being sent. */
function settle(ctx: Context, tx: Tx, mails: MailRows, outcome: Outcome, actor: Actor): void {
  const { kind } = mails[0];
  const sort = sortOf(ctx, kind);
  const { state } = outcome;
  const isOver = state === 'SENT' || state === 'SKIPPED';
  const error = 'error' in outcome ? (outcome.error ?? null) : null;
  const set =
    state === 'WAITING'
      ? { state, error, claimed_by: null, put_off_at: outcome.put_off_at, due_at: outcome.due_at }
      : { state, error, ended_at: actor.at, ...(isOver && { facts: '{}' }) };
  const [first, ...others] = mails.filter(
    ({ id }) =>
      tx.run(build.updateTable('outbox').set(set).where('id', '=', id).where('state', '=', 'SENDING')) > 0,
  );
  if (!first) return;
  for (const { id, group_id } of [first, ...others])
    if (isOver && (sort.kept === 'until sent' || (sort.kept === 'mailing' && group_id === null)))
      tx.run(build.deleteFrom('outbox').where('id', '=', id));
  sort.settle?.(tx, [first, ...others], outcome, actor);
}

/** Lets mails that were put off be sent at once when the mail server is another one, or has another login. */
export function sendAfterChanges(ctx: Context): void {
  const inUse = () => JSON.stringify([mailServer(ctx.config), ctx.mailer.missing()]);
  let last = inUse();
  ctx.hub.on('settings', () => {
    const now = inUse();
    if (now === last) return;
    last = now;
    const waiting = build.updateTable('outbox').set({ due_at: ctx.now() });
    const putOff = waiting
      .where('state', '=', 'WAITING')
      .where('put_off_at', 'is not', null)
      // These may have arrived by the other server.
      .where('error', '!=', NO_ANSWER);
    ctx.write((tx) => tx.run(putOff)).catch((err) => ctx.log.error({ err }, 'mails go on waiting'));
  });
}

/** Longer than any request that claims mails takes until it begins to send them. */
const BEGUN_WITHIN = 10 * MINUTE;

/**
 * Frees what an ended process was sending, or marks it as unsure. Mails that this one claimed, and whose request failed
 * before it began to send them, are free too.
 */
function endInterrupted(ctx: Context, tx: Tx): void {
  const left = build.selectFrom('outbox').selectAll().where('state', '=', 'SENDING');
  const own = left.where('claimed_by', '=', ctx.run).where('claimed_at', '<=', ctx.now() - BEGUN_WITHIN);
  const free = build.updateTable('outbox').set({ state: 'WAITING', claimed_by: null });
  for (const { id } of tx.all(own)) if (!ctx.mailsBeingSent.has(id)) tx.run(free.where('id', '=', id));
  for (const row of tx.all(left.where('claimed_by', '!=', ctx.run))) {
    const mail = readMail(row);
    if (sortOf(ctx, mail.kind).repeats) tx.run(free.where('id', '=', mail.id));
    else settle(ctx, tx, [mail], { state: 'UNSURE' }, { ip: SERVICE, at: ctx.now() });
  }
}

/** Claims the due mails that one second allows, urgent ones first. A bundle is claimed as a whole. */
function claimDue(ctx: Context, tx: Tx): OutboxMail[] {
  const now = ctx.now();
  const pace = Math.max(1, Math.floor(ctx.config.MAILER_PACE_PER_MINUTE / 60));
  const sending = build.selectFrom('outbox').where('state', '=', 'SENDING');
  const { n } = tx.first(sending.select((of) => of.fn.countAll<number>().as('n')))!;
  // While the server is slow, others wait here and not in memory; every connection stays in use.
  const room = Math.min(pace, Math.max(pace, 2 * CONNECTIONS) - n);
  let due = build.selectFrom('outbox').selectAll().where('state', '=', 'WAITING').where('due_at', '<=', now);
  for (const kind of kindsThat(ctx, ({ isDue }) => isDue !== undefined)) {
    const isDue = sortOf(ctx, kind).isDue!(now);
    due = due.where((is) => is.or([is('kind', '!=', kind), isDue]));
  }
  const urgent = kindsThat(ctx, ({ isUrgent }) => isUrgent === true);
  const before = tx.all(due.where('kind', 'in', urgent).limit(pace));
  // In the order of the index: whatever waits behind these is not read.
  const others = due.where('kind', 'not in', urgent).orderBy('due_at').orderBy(sql`rowid`);
  const first = [...before, ...tx.all(others.limit(Math.max(0, room - before.length)))];
  const bundles = [...new Set(first.flatMap(({ bundle }) => bundle ?? []))];
  const together = bundles.length > 0 ? tx.all(due.where('bundle', 'in', bundles).orderBy(sql`rowid`)) : [];
  const rows = [...first.filter(({ bundle }) => bundle === null), ...together];
  const claim = { state: 'SENDING', claimed_by: ctx.run, claimed_at: now } as const;
  for (const { id } of rows)
    tx.run(
      build
        .updateTable('outbox')
        .set((of) => ({ ...claim, tries: of('tries', '+', 1) }))
        .where('id', '=', id),
    );
  return rows.map((row) => readMail({ ...row, ...claim }));
}

/** How long the rows of most kinds are kept after they were sent or given up, and those that are kept for a year. */
const KEPT = 7 * DAY;
const KEPT_LONG = 365 * DAY;

/** Deletes old rows. */
export async function deleteOldMails(ctx: Context): Promise<void> {
  const withMailing = kindsThat(ctx, ({ kept }) => kept === 'mailing');
  const forYear = kindsThat(ctx, ({ kept }) => kept === 'year');
  const endedBefore = (ms: number) => build.deleteFrom('outbox').where('ended_at', '<', ctx.now() - ms);
  await ctx.write((tx) => {
    tx.run(endedBefore(KEPT).where('kind', 'not in', [...withMailing, ...forYear]));
    tx.run(endedBefore(KEPT_LONG).where('kind', 'in', forYear));
  });
}

/** The kinds of mail of which something is true. */
function kindsThat({ mailSorts }: Context, test: (sort: MailSort<MailKind>) => boolean): MailKind[] {
  const sorts = Object.entries(mailSorts) as [MailKind, MailSort<MailKind>][];
  return sorts.filter(([, sort]) => test(sort)).map(([kind]) => kind);
}
