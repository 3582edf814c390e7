import type { Selectable } from 'kysely';
import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { CaptureDeviceTable } from '#kernel/db/schema.ts';
import { build, prepare, type Tx } from '#kernel/db/writes.ts';

const CONTENT_KINDS = ['music', 'sports', 'movie', 'tv', 'speech', 'silence', 'unknown'] as const;

/** What the device takes the sound in the room for. Times are milliseconds. */
export interface Verdict {
  kind: (typeof CONTENT_KINDS)[number];
  /** 0 to 1. */
  confidence: number;
  hint: string | null;
  /** Since when it is this kind. */
  since: number;
  /** The last heartbeat that said so. */
  at: number;
}

export interface Device {
  /** The last heartbeat in milliseconds; null before the first. */
  lastSeen: number | null;
  online: boolean;
  qsysDown: boolean;
  quietActive: boolean;
  /** The verdict that holds: two heartbeats said so, the last of them at most 90 s ago. */
  verdict: Verdict | null;
  id: string | null;
  version: string | null;
  uptimeS: number | null;
}

/** From this confidence on a verdict counts. */
export const SURE = 0.6;
/** A verdict that is older says nothing, however long a device may be silent before it counts as offline. */
const VERDICT_LIFE = 90 * SECOND;

/** A free text of the device: cut, not refused, so that a long word never takes the device offline. */
const words = (max: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed().trim().slice(0, max) || null)
    .nullish();

/** What a heartbeat may carry (rulings: heartbeat extras). */
export const Heartbeat = z.object({
  content: z
    .object({
      kind: z.string().transform((kind) => CONTENT_KINDS.find((known) => known === kind) ?? 'unknown'),
      confidence: z.number().default(0).transform(unit),
      hint: words(120),
    })
    .nullish(),
  qsys_down: z.boolean().nullish(),
  quiet_active: z.boolean().nullish(),
  device: z.object({ id: words(64), version: words(32), uptime_s: z.number().min(0).nullish() }).nullish(),
});

/** The capture device as it is now. */
export async function findDevice(ctx: Context): Promise<Device> {
  const row = await ctx.db.selectFrom('capture_device').selectAll().executeTakeFirst();
  return deviceOf(row, ctx.now(), ctx.config.NOW_PLAYING_OFFLINE_MS);
}

/** The same inside a write transaction. */
export function readDevice(tx: Tx, ctx: Context): Device {
  return deviceOf(tx.first(theDevice()), ctx.now(), ctx.config.NOW_PLAYING_OFFLINE_MS);
}

/** The device that a row speaks of, at a moment: it goes offline, and its verdict lapses, without any new input. */
export function deviceOf(
  row: Selectable<CaptureDeviceTable> | undefined,
  now: number,
  offlineMs: number,
): Device {
  const online = row !== undefined && now - row.last_seen <= offlineMs;
  const verdict = readVerdict(row?.verdict);
  return {
    lastSeen: row?.last_seen ?? null,
    online,
    qsysDown: online && row.qsys_down === 1,
    quietActive: online && row.quiet_active === 1,
    verdict: isCurrent(verdict, now) ? verdict : null,
    id: row?.device_id ?? null,
    version: row?.version ?? null,
    uptimeS: row?.uptime_s ?? null,
  };
}

/** Whether what is heard now comes from a film or a game on the screen, by the verdict that holds. */
export function hearsVideo({ verdict }: Device): boolean {
  return verdict !== null && verdict.confidence >= SURE && ['movie', 'tv', 'sports'].includes(verdict.kind);
}

/** Stores a heartbeat. What it leaves out keeps its value, but a flag not past the device's absence. */
export function recordHeartbeat(tx: Tx, ctx: Context, beat: z.output<typeof Heartbeat>): void {
  const now = ctx.now();
  const { NOW_PLAYING_OFFLINE_MS: offlineMs } = ctx.config;
  const before = tx.first(theDevice());
  const known = deviceOf(before, now, offlineMs);
  const verdicts = { verdict: before?.verdict ?? null, candidate: before?.candidate ?? null };
  if (beat.content) {
    const said = { ...beat.content, hint: beat.content.hint ?? null, since: now, at: now };
    const candidate = readVerdict(verdicts.candidate);
    const next = judge(known.verdict, isCurrent(candidate, now) ? candidate : null, said);
    verdicts.verdict = next.verdict && JSON.stringify(next.verdict);
    verdicts.candidate = next.candidate && JSON.stringify(next.candidate);
  }
  const row = {
    last_seen: now,
    ...verdicts,
    qsys_down: bit(beat.qsys_down ?? known.qsysDown),
    quiet_active: bit(beat.quiet_active ?? known.quietActive),
    device_id: beat.device?.id ?? known.id,
    version: beat.device?.version ?? known.version,
    uptime_s: beat.device?.uptime_s ?? known.uptimeS,
  };
  tx.run(
    build
      .insertInto('capture_device')
      .values({ id: 1, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
  );
}

/**
 * A new verdict has to be said twice in a row before it holds, be it to show something or to drop it; one that
 * holds is refreshed at once. Crossing the confidence from which a verdict counts makes it a new one.
 */
export function judge(
  held: Verdict | null,
  candidate: Verdict | null,
  said: Verdict,
): { verdict: Verdict | null; candidate: Verdict | null } {
  if (held && alike(held, said)) return { verdict: { ...said, since: held.since }, candidate: null };
  if (candidate && alike(candidate, said))
    return { verdict: { ...said, since: candidate.since }, candidate: null };
  return { verdict: held, candidate: said };
}

function isCurrent(verdict: Verdict | null, now: number): verdict is Verdict {
  return verdict !== null && now - verdict.at <= VERDICT_LIFE;
}

function alike(one: Verdict, other: Verdict): boolean {
  return one.kind === other.kind && one.confidence >= SURE === other.confidence >= SURE;
}

/** Between 0 and 1. */
export function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function bit(flag: boolean): 0 | 1 {
  return flag ? 1 : 0;
}

function readVerdict(json: string | null | undefined): Verdict | null {
  return json ? JSON.parse(json) : null;
}

const theDevice = prepare(build.selectFrom('capture_device').selectAll(), () => []);
