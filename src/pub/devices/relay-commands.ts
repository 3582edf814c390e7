import { z } from 'zod';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import type { RelayCommandsTable } from '#kernel/db/schema.ts';
import { conflict } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { forClub } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';

/** Commands expire, so that a device that was off does not carry them out hours later. */
const COMMAND_LIFETIME_MS = 10 * MINUTE;

export type Relay = RelayCommandsTable['relay'];

/** The command of a relay as it is sent; both fields are null while there is none. */
export interface RelayCommand<Desired> {
  desired: Desired | null;
  /** Identifies the command: the device sends it back when it has carried the command out. */
  desiredSetAt: string | null;
}

/** The same for staff, with the device's error if the command failed. */
export interface RelayCommandState<Desired> extends RelayCommand<Desired> {
  error: string | null;
}

export const NO_COMMAND: RelayCommand<never> = { desired: null, desiredSetAt: null };

/** A heartbeat's report on a command: which one, whether it was carried out, and why not. */
export const Applied = z.object({
  set_at: z.union([z.string(), z.number()], coded('not_set_at')),
  ok: z.boolean(coded('not_true_or_false')),
  error: z
    .string()
    .transform((text) => text.toWellFormed().trim().slice(0, 200))
    .nullish(),
});

/** The actions that the log records. */
const ACTIONS: Readonly<Record<Relay, { requested: string; withdrawn: string }>> = {
  lighting: { requested: 'lighting.requested', withdrawn: 'lighting.withdrawn' },
  sound: { requested: 'sound.requested', withdrawn: 'sound.withdrawn' },
};

/** Sets the command of a relay, which replaces the previous one, and audits it. */
export async function setCommand<Desired extends object>(
  ctx: Context,
  relay: Relay,
  desired: Desired,
  actor: Actor,
): Promise<RelayCommand<Desired>> {
  const setAt = await ctx.write((tx) => {
    const before = tx.first(build.selectFrom('relay_commands').select('set_at').where('relay', '=', relay));
    // The time identifies a command, so two commands of one millisecond must differ.
    const set_at = Math.max(ctx.now(), (before?.set_at ?? 0) + 1);
    const row = {
      desired: JSON.stringify(desired),
      set_at,
      set_by: actor.by ?? actor.ip,
      failed_at: null,
      error: null,
    };
    tx.run(
      build
        .insertInto('relay_commands')
        .values({ relay, ...row })
        .onConflict((conflict) => conflict.column('relay').doUpdateSet(row)),
    );
    recordAudit(tx, actor, { action: ACTIONS[relay].requested, metadata: { desired } });
    return set_at;
  });
  return { desired, desiredSetAt: isoTime(setAt) };
}

/**
 * Puts a relay back to what it was asked for or did before a command. Where that is not known, a command that the
 * device has not taken up is withdrawn.
 * @throws AppError 409 when the device has taken it up, or somebody has asked for something else since
 */
export async function undoCommand<Desired extends object>(
  ctx: Context,
  relay: Relay,
  { before, setAt }: { before: Desired | null; setAt: string | null },
  actor: Actor,
): Promise<void> {
  const pending = findCommand(ctx, relay).desiredSetAt;
  if (pending !== null && pending !== setAt) throw conflict('other_command_since');
  if (before) {
    await setCommand(ctx, relay, before, actor);
    return;
  }
  if (pending === null) throw conflict('command_taken_up');
  await ctx.write((tx) => {
    tx.run(build.deleteFrom('relay_commands').where('relay', '=', relay));
    recordAudit(tx, actor, { action: ACTIONS[relay].withdrawn, metadata: {} });
  });
}

/** What a relay was last asked for or did, to go back to it. */
export function findLastCommand<Desired>(ctx: Context, relay: Relay): Desired | null {
  return findCommand<Desired>(ctx, relay).desired ?? findRoomState<Desired>(ctx, relay)?.applied ?? null;
}

/** Returns the command that was not carried out yet, if it is younger than ten minutes. */
export function findCommand<Desired>(ctx: Context, relay: Relay): RelayCommandState<Desired> {
  const row = ctx.db.first(
    build
      .selectFrom('relay_commands')
      .select(['desired', 'set_at', 'error'])
      .where('relay', '=', relay)
      .where('set_at', '>', ctx.now() - COMMAND_LIFETIME_MS),
  );
  if (!row) return { ...NO_COMMAND, error: null };
  return { desired: JSON.parse(row.desired), desiredSetAt: isoTime(row.set_at), error: row.error };
}

/**
 * Stores the result of a command: one that was carried out is deleted, one that failed stays with its error. Applies
 * only to the command that the device names, so a late report never deletes a newer command.
 */
export function acknowledgeCommand(
  tx: Tx,
  ctx: Context,
  relay: Relay,
  applied: z.output<typeof Applied>,
): void {
  const setAt =
    typeof applied.set_at === 'number'
      ? applied.set_at
      : parseTimestamp(applied.set_at, ctx.config.TIME_ZONE);
  if (setAt === undefined || !Number.isSafeInteger(setAt)) return;
  if (!applied.ok) {
    tx.run(failure(relay, setAt, ctx.now(), applied.error));
    return;
  }
  const command = tx.first(deletion(relay, setAt));
  if (!command) return;
  const state = { applied: command.desired, applied_at: ctx.now() };
  tx.run(
    build
      .insertInto('room_states')
      .values({ relay, ...state })
      .onConflict((conflict) => conflict.column('relay').doUpdateSet(state)),
  );
}

/** The last command that a relay carried out, and when; null before the first. */
export function findRoomState<Desired>(
  ctx: Context,
  relay: Relay,
): { applied: Desired; appliedAt: string } | null {
  const row = ctx.db.first(
    build.selectFrom('room_states').select(['applied', 'applied_at']).where('relay', '=', relay),
  );
  return row ? { applied: JSON.parse(row.applied), appliedAt: isoTime(row.applied_at) } : null;
}

function deletion(relay: Relay, setAt: number) {
  return build
    .deleteFrom('relay_commands')
    .where('relay', '=', relay)
    .where('set_at', '=', setAt)
    .returning('desired');
}

function failure(relay: Relay, setAt: number, now: number, error: string | null | undefined) {
  return build
    .updateTable('relay_commands')
    .set({ failed_at: now, error: error || forClub(t('pub-staff.room.command_failed')) })
    .where('relay', '=', relay)
    .where('set_at', '=', setAt);
}
