import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import type { DisplaySettingsTable } from '#kernel/db/schema.ts';
import { flag } from '#kernel/http/validation.ts';

/** The display switches, which staff set. */
export interface Controls {
  /** The right TV shows what is playing. */
  barRightDisplay: boolean;
  /** The projector shows lyrics. */
  projectorLyrics: boolean;
  /** The right TV shows lyrics. */
  barRightLyrics: boolean;
}

export const ControlsInput = z.object({
  barRightDisplay: flag.optional(),
  projectorLyrics: flag.optional(),
  barRightLyrics: flag.optional(),
});

/** Returns the current switches. */
export function findControls(db: Reader): Controls {
  return toControls(db.first(build.selectFrom('display_settings').selectAll())!);
}

/** Changes the given switches, audits the changes, and notifies every screen. @returns all switches */
export async function changeControls(
  ctx: Context,
  input: z.output<typeof ControlsInput>,
  actor: Actor,
): Promise<Controls> {
  const controls = await ctx.write((tx) => {
    const before = findControls(tx);
    const named = Object.entries(input).filter(([, value]) => value !== undefined);
    const changed = named.filter(([name, value]) => before[name as keyof Controls] !== value);
    if (changed.length === 0) return before;
    const after: Controls = { ...before, ...Object.fromEntries(changed) };
    tx.run(build.updateTable('display_settings').set(toRow(after)));
    recordAudit(tx, actor, { action: 'controls.changed', metadata: Object.fromEntries(changed) });
    return after;
  });
  ctx.hub.publish('controls');
  return controls;
}

/** Whether any screen shows lyrics. */
export function showsLyrics({ projectorLyrics, barRightLyrics }: Controls): boolean {
  return projectorLyrics || barRightLyrics;
}

/** The message of the controls socket. */
export function controlsMessage(controls: Controls): string {
  return JSON.stringify({ type: 'now_playing_controls', ...controls });
}

function toControls(row: Omit<DisplaySettingsTable, 'id'>): Controls {
  return {
    barRightDisplay: row.bar_right_display === 1,
    projectorLyrics: row.projector_lyrics === 1,
    barRightLyrics: row.bar_right_lyrics === 1,
  };
}

function toRow(controls: Controls): Omit<DisplaySettingsTable, 'id'> {
  return {
    bar_right_display: controls.barRightDisplay ? 1 : 0,
    projector_lyrics: controls.projectorLyrics ? 1 : 0,
    bar_right_lyrics: controls.barRightLyrics ? 1 : 0,
  };
}
