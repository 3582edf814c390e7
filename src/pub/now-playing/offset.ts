import type { Selectable } from 'kysely';
import { z } from 'zod';
import { MINUTE } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { LyricsOffsetTable } from '#kernel/db/schema.ts';
import { coded } from '#kernel/messages/messages.ts';
import { clampUnit } from './device.ts';

const OFFSET_LIFETIME_MS = MINUTE;

export const OffsetInput = z.object({
  trackId: z.number(coded('not_positive')).positive(coded('not_positive')),
  offsetMs: z.number(coded('negative')).min(0, coded('negative')).transform(Math.round),
  confidence: z
    .number(coded('not_number'))
    .nullish()
    .transform((value) => clampUnit(value ?? 0)),
  source: z
    .string(coded('not_text'))
    .trim()
    .max(32, coded('too_long', { max: 32 }))
    .nullish()
    .transform((text) => text?.toWellFormed() || 'chromaprint'),
});

/** The position in the song that the device reported; `capturedAt` in milliseconds, by this service's clock. */
export interface Offset {
  trackId: number;
  offsetMs: number;
  confidence: number;
  capturedAt: number;
}

/** Stores the newest position in the song. */
export async function recordOffset(ctx: Context, input: z.output<typeof OffsetInput>): Promise<void> {
  const row = {
    track_id: input.trackId,
    offset_ms: input.offsetMs,
    confidence: input.confidence,
    source: input.source,
    captured_at: ctx.now(),
  };
  await ctx.write((tx) =>
    tx.run(
      build
        .insertInto('lyrics_offset')
        .values({ id: 1, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
    ),
  );
  ctx.hub.publish('offset');
}

export type OffsetRow = Selectable<LyricsOffsetTable>;

/** The newest position that the device reported, however old. */
export function findOffsetRow(db: Reader): OffsetRow | undefined {
  return db.first(build.selectFrom('lyrics_offset').selectAll());
}

/** Returns the offset at `now`; null if the report is a minute old or older. */
export function toOffset(row: OffsetRow | undefined, now: number): Offset | null {
  if (!row || now - row.captured_at >= OFFSET_LIFETIME_MS) return null;
  return {
    trackId: row.track_id,
    offsetMs: row.offset_ms,
    confidence: row.confidence,
    capturedAt: row.captured_at,
  };
}
