import { type Selectable, sql } from 'kysely';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { PlaysTable, ScrobbleStateTable } from '#kernel/db/schema.ts';
import { readText } from '#kernel/language/kept-text.ts';
import type { Words } from '#kernel/language/words.ts';

/** A play that is queued for scrobbling. */
export type Waiting = Pick<
  Selectable<PlaysTable>,
  'id' | 'started_at' | 'artist' | 'title' | 'album' | 'isrc' | 'duration_ms'
>;

/** The state of scrobbling, for staff. */
export interface SendingState {
  waiting: number;
  /** Why the last try failed. */
  error: Words | string | null;
  /** The token was rejected: nothing is sent until it is changed. */
  stopped: boolean;
  /** When sending is retried after a failure. */
  nextAt: string | null;
}

type Row = Waiting &
  Pick<Selectable<PlaysTable>, 'kind' | 'hidden'> & { listened: 0 | 1; next_at: number | null };

type State = Omit<ScrobbleStateTable, 'id'>;

/** A song counts as heard after half of its length, at the latest after this long. */
const HEARD_AFTER = 4 * MINUTE;
/** A song of unknown length counts as heard if it lasted this long before the next one began. */
const HEARD_WHOLE = 2 * MINUTE;
const AT_ONCE = 50;
const CALM: State = { failures: 0, next_at: 0, error: null, stopped: 0 };

/** Stores that a player reported the play as listened to, in the transaction of that report. */
export function markListened(tx: Tx, { config }: Pick<Context, 'config'>, play_id: number): void {
  if (config.SCROBBLE_URL) tx.run(storeListened({ play_id }));
}

/** Returns the plays that are due, in the order in which they were stored; removes those that will never be sent. */
export async function takeDue(ctx: Context): Promise<Waiting[]> {
  const rows = ctx.db.all(waitingRows);
  const judged = Map.groupBy(rows, (row) => hearingOf(row, ctx.now()));
  const [unheard, withheld] = (['not heard', 'not to be sent'] as const).map((verdict) =>
    (judged.get(verdict) ?? []).map(({ id }) => id),
  );
  if (unheard?.length || withheld?.length)
    await ctx.write((tx) => {
      // A player may meanwhile have reported one as listened to.
      tx.run(
        build
          .deleteFrom('scrobbles')
          .where('play_id', 'in', unheard ?? [])
          .where('listened', '=', 0),
      );
      const refused = 'hidden, or the sound of a film';
      tx.run(
        build
          .updateTable('scrobbles')
          .set({ refused })
          .where('play_id', 'in', withheld ?? []),
      );
    });
  return judged.get('heard') ?? [];
}

/** Decides whether a play was heard long enough to be sent. */
function hearingOf(row: Row, now: number): 'heard' | 'not yet' | 'not heard' | 'not to be sent' {
  if (row.kind !== 'music' || row.hidden === 1) return 'not to be sent';
  if (row.listened === 1) return 'heard';
  const lasted = (row.next_at ?? now) - row.started_at;
  const needed = Math.min(HEARD_AFTER, (row.duration_ms ?? 2 * HEARD_AFTER) / 2);
  if (lasted >= needed) return 'heard';
  if (row.next_at === null) return 'not yet';
  return row.duration_ms === null && lasted >= HEARD_WHOLE ? 'heard' : 'not heard';
}

/** Marks a play as sent. @param next_at nothing more is sent before this time, in milliseconds */
export async function markSent(ctx: Context, play_id: number, next_at: number): Promise<void> {
  await ctx.write((tx) => {
    tx.run(build.updateTable('scrobbles').set({ sent_at: ctx.now() }).where('play_id', '=', play_id));
    storeState(tx, { ...CALM, next_at });
  });
}

/** Marks a play that the receiver rejected: it is not sent again. */
export async function markRefused(ctx: Context, play_id: number, refused: string): Promise<void> {
  await ctx.write((tx) =>
    tx.run(build.updateTable('scrobbles').set({ refused }).where('play_id', '=', play_id)),
  );
}

export function findSendingState(db: Reader): State {
  return db.first(stateRow) ?? CALM;
}

export function storeState(tx: Tx, state: State): void {
  const now = findSendingState(tx);
  if (now.failures === state.failures && now.next_at === state.next_at && now.stopped === state.stopped)
    return;
  tx.run(
    build
      .insertInto('scrobble_state')
      .values({ id: 1, ...state })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(state)),
  );
}

/** Null while scrobbling is not configured. */
export function describeSending({ db, config }: Pick<Context, 'db' | 'config'>): SendingState | null {
  if (!config.SCROBBLE_URL) return null;
  const { error, stopped, next_at } = findSendingState(db);
  const { waiting } = db.first(countWaiting)!;
  return {
    waiting,
    error: error === null ? null : readText(error),
    stopped: stopped === 1,
    nextAt: error !== null && !stopped ? isoTime(next_at) : null,
  };
}

const stateRow = build.selectFrom('scrobble_state').selectAll().compile();

const storeListened = prepare((p: { play_id: number }) =>
  build
    .insertInto('scrobbles')
    .values({ play_id: p.play_id, listened: sql.lit(1) })
    .onConflict((conflict) => conflict.column('play_id').doUpdateSet({ listened: sql.lit(1) })),
);

const waitingScrobbles = () =>
  build
    .selectFrom('scrobbles')
    .innerJoin('plays', 'plays.id', 'scrobbles.play_id')
    .where('sent_at', 'is', null)
    .where('refused', 'is', null);

const waitingRows = waitingScrobbles()
  .select([
    'id',
    'started_at',
    'artist',
    'title',
    'album',
    'isrc',
    'duration_ms',
    'kind',
    'hidden',
    'listened',
  ])
  .select(
    // The next play ends this one, be it a song or silence; imported plays do not.
    sql<number | null>`(
      SELECT next.started_at FROM plays AS next
      WHERE next.origin <> 'import' AND (next.started_at, next.id) > (plays.started_at, plays.id)
      ORDER BY next.started_at, next.id LIMIT 1)`.as('next_at'),
  )
  .orderBy('play_id')
  .limit(sql.lit(AT_ONCE))
  .compile();

const countWaiting = waitingScrobbles().select(sql<number>`count(*)`.as('waiting')).compile();

/** Lets what waits be sent at once, also after the token was refused. */
export const sendAgain = (ctx: Context): Promise<void> => ctx.write((tx) => storeState(tx, CALM));
