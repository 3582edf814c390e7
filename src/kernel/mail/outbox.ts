import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { OutboxTable } from '#kernel/db/schema.ts';
import { newId } from '#kernel/ids.ts';
import type { MailContent, MailMessage } from './message.ts';

/**
 * What the mails of each kind are composed from: ids and words, never a code or a link that opens something. Each
 * domain adds its kinds.
 */
export interface MailFacts {
  /** A test of the settings. */
  'first-test': object;
}

export type MailKind = keyof MailFacts;

/** A mail of the outbox, with its facts. */
export type OutboxMail<Kind extends MailKind = MailKind> = Omit<Selectable<OutboxTable>, 'kind' | 'facts'> & {
  kind: Kind;
  facts: MailFacts[Kind];
};

/** A mail to be stored. */
export type NewMail = {
  [Kind in MailKind]: Pick<OutboxMail<Kind>, 'kind' | 'email' | 'facts'> &
    Partial<Pick<OutboxMail, 'ref' | 'bundle' | 'group_id' | 'due_at'>>;
}[MailKind];

/** A composed mail; its address and its id come from its row. */
export type ComposedRow = MailContent & Pick<MailMessage, 'headers' | 'origin' | 'files'>;

/** Why a mail is not sent: it has `FAILED`, or is not needed any more. */
export interface NotSent {
  state: 'FAILED' | 'SKIPPED';
  error: string;
  /** Whether the server would accept it later. */
  putOff?: boolean | undefined;
}

/** What became of a mail; `WAITING` if it is tried again later. */
export type Outcome =
  | { state: 'SENT' }
  /** It may have arrived: the service ended meanwhile, or the server did not answer; then `error` says that. */
  | { state: 'UNSURE'; error?: string }
  | NotSent
  | ({ state: 'WAITING'; error: string } & Pick<OutboxMail, 'put_off_at' | 'due_at'>);

/** Keeps values that several mails of one run share, by name. */
export type Once = <T>(name: string, make: () => T) => T;

/** The rows of one mail: one, or those of a bundle. */
export type MailRows<Kind extends MailKind = MailKind> = [OutboxMail<Kind>, ...OutboxMail<Kind>[]];

/** How the mails of one kind are made, and what follows from their outcome. */
export interface MailSort<Kind extends MailKind> {
  /** Composes the mail at the moment at which it is sent. There are several rows if they have one bundle. */
  compose(mails: MailRows<Kind>, once: Once): ComposedRow | NotSent | Promise<ComposedRow | NotSent>;
  /** Stores what follows from the outcome, in the same transaction. */
  settle?(tx: Tx, mails: MailRows<Kind>, outcome: Outcome, actor: Actor): void;
  /** What else has to be true of a waiting mail before it is sent. */
  isDue?(now: number): RawBuilder<SqlBool>;
  /** Whether a mail is sent again that was under way when the service ended. Otherwise it is `UNSURE`. */
  repeats: boolean;
  /** Whether it also waits while the server cannot be reached: nobody sees its failure at once. */
  waits: boolean;
  /** Whether it is sent before others. */
  isUrgent?: boolean;
  /** Whether it can be sent again after it failed. */
  mayRepeat?: boolean;
  /** How long its row is kept: some days, a year, as long as its mailing, or until it is sent. */
  kept: 'days' | 'year' | 'mailing' | 'until sent';
}

/** Every kind of mail. The compiler finds one that is missing. */
export type MailSorts = { [Kind in MailKind]: MailSort<Kind> };

const insertMail = prepare((row: Omit<Selectable<OutboxTable>, 'put_off_at' | 'ended_at' | 'error'>) =>
  build.insertInto('outbox').values({
    id: row.id,
    kind: row.kind,
    ref: row.ref,
    facts: row.facts,
    email: row.email,
    bundle: row.bundle,
    group_id: row.group_id,
    state: row.state,
    created_at: row.created_at,
    due_at: row.due_at,
    tries: row.tries,
    claimed_by: row.claimed_by,
    claimed_at: row.claimed_at,
  }),
);

/**
 * Stores a mail.
 * @param run the run of the service, if the caller sends it itself; otherwise the job does
 */
export function putMail(tx: Tx, { facts, ...mail }: NewMail, now: number, run?: string): OutboxMail {
  const row = {
    ref: null,
    bundle: null,
    group_id: null,
    due_at: now,
    ...mail,
    id: newId(now),
    state: run === undefined ? ('WAITING' as const) : ('SENDING' as const),
    created_at: now,
    tries: run === undefined ? 0 : 1,
    claimed_by: run ?? null,
    claimed_at: run === undefined ? null : now,
  };
  tx.run(insertMail({ ...row, facts: JSON.stringify(facts) }));
  return { ...row, facts, put_off_at: null, ended_at: null, error: null } as OutboxMail;
}

/** A row with its facts. */
export const readMail = (row: Selectable<OutboxTable>): OutboxMail =>
  ({ ...row, facts: JSON.parse(row.facts) }) as OutboxMail;

/** Deletes the mails about some rows, also those that are being sent: their outcome is then not stored. */
export function withdrawMails(tx: Tx, kinds: readonly MailKind[], refs: readonly string[]): void {
  const among = sql<string>`(SELECT value FROM json_each(${JSON.stringify(refs)}))`;
  tx.run(build.deleteFrom('outbox').where('ref', 'in', among).where('kind', 'in', kinds));
}

const SOONEST = MINUTE;
const LATEST = HOUR;
const GIVEN_UP_AFTER = DAY;

/**
 * Returns when to try a mail again (RFC 5321, 4.5.4.1): the pause is the time since the first failure, at least a
 * minute and at most an hour.
 * @returns undefined after a day: then the mail has failed
 */
export function nextTry(
  { put_off_at }: Pick<OutboxMail, 'put_off_at'>,
  now: number,
): Pick<OutboxMail, 'put_off_at' | 'due_at'> | undefined {
  const since = put_off_at ?? now;
  if (now - since >= GIVEN_UP_AFTER) return undefined;
  return { put_off_at: since, due_at: now + Math.min(LATEST, Math.max(SOONEST, now - since)) };
}

const SHOWN = { failed: ['FAILED', 'UNSURE'], waiting: ['WAITING', 'SENDING'] } as const;

/** Lists mails, the newest first. Their facts are left out. */
export function listMails(
  reader: Reader,
  show: keyof typeof SHOWN | undefined,
  { limit, offset }: { limit: number; offset: number },
): { rows: Omit<OutboxMail, 'facts'>[]; total: number } {
  let all = build.selectFrom('outbox');
  if (show) all = all.where('state', 'in', SHOWN[show]);
  const { total } = reader.first(all.select((of) => of.fn.countAll<number>().as('total')))!;
  const rows = reader.all(
    all
      .selectAll()
      .orderBy((of) => of.fn.coalesce('ended_at', 'created_at'), 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset),
  );
  return { rows: rows.map(({ facts: _, ...row }) => row as Omit<OutboxMail, 'facts'>), total };
}

/** Queues a failed mail again, if its kind allows it. @returns its kind; undefined if nothing was queued */
export function sendAgain(tx: Tx, id: string, sorts: MailSorts, now: number): MailKind | undefined {
  const row = tx.first(build.selectFrom('outbox').select('kind').where('id', '=', id));
  const kind = row?.kind as MailKind | undefined;
  if (!kind || !sorts[kind].mayRepeat) return undefined;
  const waiting = { state: 'WAITING', due_at: now, put_off_at: null, ended_at: null, error: null } as const;
  const failed = build.updateTable('outbox').set(waiting).where('id', '=', id).where('state', '=', 'FAILED');
  return tx.run(failed) > 0 ? kind : undefined;
}
