import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { listOf } from '#kernel/http/validation.ts';
import { ensureNotClosed, getMeeting, wallPath } from '#meetings/meetings.ts';
import { screenLabel } from '#pub/display/screen-label.ts';
import { TITLE_AT_MOST } from '#pub/display/takeover-input.ts';
import { endPage, isPageShown, showPage } from '#pub/display/takeovers.ts';

const SCREENS_AT_MOST = 50;

export const ScreensInput = z.preprocess(
  (body) => body ?? {},
  z.object({
    /** Names of screens or their groups; none: all. A form sends an empty name for all. */
    screens: listOf(screenLabel, SCREENS_AT_MOST)
      .default([])
      .transform((names) => [...new Set(names)].filter((name) => name !== '')),
  }),
);

/** Hands the TVs to the wall of a meeting, until it is closed or somebody ends that. @throws 404, 409 once it is closed */
export async function showWall(
  ctx: Context,
  id: string,
  { screens }: z.output<typeof ScreensInput>,
  actor: Actor,
): Promise<void> {
  const meeting = getMeeting(ctx.db, id);
  ensureNotClosed(meeting);
  await showPage(ctx, { page: wallPath(id), title: meeting.title.slice(0, TITLE_AT_MOST), screens }, actor);
}

/** Gives the TVs back. @throws 404 */
export async function hideWall(ctx: Context, id: string, actor: Actor): Promise<void> {
  getMeeting(ctx.db, id);
  await ctx.write((tx) => endPage(tx, wallPath(id), actor));
  ctx.hub.publish('takeovers');
}

/** Whether a TV shows the wall of a meeting. */
export const isWallShown = (ctx: Context, id: string): boolean => isPageShown(ctx, wallPath(id));
