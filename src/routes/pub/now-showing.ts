import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act } from '#kernel/http/act.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { findCard, findNowShowing, NowShowingInput, setNowShowing } from '#pub/screen/now-showing.ts';
import { findOverride } from '#pub/screen/override.ts';
import { whenOn } from './feature-flags.ts';
import { onRoomPage, toRoomPage } from './staff-room.ts';

/** The card of the bar TV. */
export function nowShowing(app: App, { ctx }: { ctx: Context }): void {
  const gate = whenOn(ctx, 'big_screen', {
    json: { showing: false },
    code: 'now_showing_off',
  });

  app.get(
    '/api/now-showing',
    { onRequest: [gate, noStore], schema: { summary: 'What is on the big screen' } },
    async () => findCard(ctx),
  );
}

/** For staff: what the card shows. */
export function staffNowShowing(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/now-showing',
    {
      config: { permission: 'now_showing:read' },
      schema: { summary: 'The override, the card and the games that can be chosen' },
    },
    async () => ({ ok: true, ...(await findNowShowing(ctx)) }),
  );

  act(app, ctx, {
    ...onRoomPage(ctx, 'screen'),
    api: 'POST /api/admin/now-showing',
    form: 'POST /admin/pub/showing',
    summary: 'Decide what is on the screen',
    permission: 'now_showing:write',
    body: NowShowingInput,
    run: async ({ body, actor }) => {
      const { mode, label, gameId } = findOverride(ctx.db, ctx.now());
      const state = await setNowShowing(ctx, body, actor);
      return { state, undo: (actor: Actor) => setNowShowing(ctx, { mode, label, gameId }, actor) };
    },
    json: ({ state }) => ({ ok: true, ...state }),
    next: toRoomPage(ctx, 'screen'),
  });
}
