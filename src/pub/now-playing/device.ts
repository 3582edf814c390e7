import type { Selectable } from 'kysely';
import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { CaptureDeviceTable } from '#kernel/db/schema.ts';

const CONTENT_KINDS = ['music', 'sports', 'movie', 'tv', 'speech', 'silence', 'unknown'] as const;

/** The device's classification of the sound in the room. Times are milliseconds. */
export interface Verdict {
  kind: (typeof CONTENT_KINDS)[number];
  /** 0 to 1. */
  confidence: number;
  hint: string | null;
  /** The first heartbeat with this verdict. */
  since: number;
  /** The last heartbeat with this verdict. */
  at: number;
}

export interface Device {
  /** The last heartbeat in milliseconds; null before the first. */
  lastSeen: number | null;
  online: boolean;
  qsysDown: boolean;
  quietActive: boolean;
  /** The current verdict: reported by two heartbeats in a row, the last at most 90 s ago. */
  verdict: Verdict | null;
  id: string | null;
  version: string | null;
  uptimeS: number | null;
}

/** The lowest confidence at which a verdict counts. */
export const SURE = 0.6;
/** Older verdicts are ignored, no matter after which time a silent device counts as offline. */
const VERDICT_LIFE = 90 * SECOND;

/** A text from the device, cut to `max`: rejecting a long one would make the device appear offline. */
const cutText = (max: number) =>
  z
    .string()
    .transform((text) => text.toWellFormed().trim().slice(0, max) || null)
    .nullish();

/** The fields of a heartbeat. */
export const Heartbeat = z.object({
  content: z
    .object({
      kind: z.string().transform((kind) => CONTENT_KINDS.find((known) => known === kind) ?? 'unknown'),
      confidence: z.number().default(0).transform(clampUnit),
      hint: cutText(120),
    })
    .nullish(),
  qsys_down: z.boolean().nullish(),
  quiet_active: z.boolean().nullish(),
  device: z
    .object({ id: cutText(64), version: cutText(32), uptime_s: z.number().min(0).nullish() })
    .nullish(),
});

export type DeviceRow = Selectable<CaptureDeviceTable>;

/** Returns the current state of the capture device. */
export function findDevice(db: Reader, ctx: Pick<Context, 'now' | 'config'>): Device {
  return toDevice(findDeviceRow(db), ctx.now(), ctx.config.NOW_PLAYING_OFFLINE_MS);
}

/** What the device last reported; undefined before its first heartbeat. */
export function findDeviceRow(db: Reader): DeviceRow | undefined {
  return db.first(deviceRow);
}

/** The device's state at `now`: offline after `offlineMs` without a heartbeat, and without an expired verdict. */
export function toDevice(row: DeviceRow | undefined, now: number, offlineMs: number): Device {
  const online = row !== undefined && now - row.last_seen <= offlineMs;
  const verdict = parseVerdict(row?.verdict);
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

/** Whether the sound comes from a film or a game on the screen, according to the current verdict. */
export function hearsVideo({ verdict }: Device): boolean {
  return verdict !== null && verdict.confidence >= SURE && ['movie', 'tv', 'sports'].includes(verdict.kind);
}

/** Stores a heartbeat. Missing fields keep their values; flags are reset to false once the device was offline. */
export function recordHeartbeat(tx: Tx, ctx: Context, beat: z.output<typeof Heartbeat>): void {
  const now = ctx.now();
  const { NOW_PLAYING_OFFLINE_MS: offlineMs } = ctx.config;
  const before = findDeviceRow(tx);
  const known = toDevice(before, now, offlineMs);
  const verdicts = { verdict: before?.verdict ?? null, candidate: before?.candidate ?? null };
  if (beat.content) {
    const said = { ...beat.content, hint: beat.content.hint ?? null, since: now, at: now };
    const candidate = parseVerdict(verdicts.candidate);
    const next = currentVerdict(known.verdict, isCurrent(candidate, now) ? candidate : null, said);
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
 * A new verdict becomes current only when it is reported twice in a row, whether it shows or hides something; the
 * current one is refreshed at once. A verdict whose confidence crosses `SURE` counts as a new one.
 */
export function currentVerdict(
  held: Verdict | null,
  candidate: Verdict | null,
  said: Verdict,
): { verdict: Verdict | null; candidate: Verdict | null } {
  if (held && isSameVerdict(held, said)) return { verdict: { ...said, since: held.since }, candidate: null };
  if (candidate && isSameVerdict(candidate, said))
    return { verdict: { ...said, since: candidate.since }, candidate: null };
  return { verdict: held, candidate: said };
}

function isCurrent(verdict: Verdict | null, now: number): verdict is Verdict {
  return verdict !== null && now - verdict.at <= VERDICT_LIFE;
}

function isSameVerdict(one: Verdict, other: Verdict): boolean {
  return one.kind === other.kind && one.confidence >= SURE === other.confidence >= SURE;
}

/** The nearest value from 0 to 1. */
export function clampUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}

function bit(flag: boolean): 0 | 1 {
  return flag ? 1 : 0;
}

function parseVerdict(json: string | null | undefined): Verdict | null {
  return json ? JSON.parse(json) : null;
}

const deviceRow = build.selectFrom('capture_device').selectAll().compile();
