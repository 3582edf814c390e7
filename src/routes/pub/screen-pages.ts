import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendFraming } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { siteOf } from '#kernel/http/site.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { forgetScreen, reloadScreen, renameScreen, ScreenForm } from '#pub/devices/screen-admin.ts';
import { areScreensExpectedOff, getScreen, listScreens } from '#pub/devices/screens.ts';
import type { Visitors } from '#pub/devices/visitors.ts';
import { pageBuild } from '#views/assets.ts';
import { screenPage, screensPage } from '#views/pub/staff-screens.ts';

const DONE = {
  renamed: 'Saved. The screen knows it within seconds, without a network when it is back.',
  forgotten: 'The screen is forgotten. It comes back if it is still on.',
  reload: 'The screen was told to load its page again.',
};

/** The staff pages about screens: the list, and one screen with what it shows. */
export function screenDesk(app: App, { ctx, visitors }: { ctx: Context; visitors: Visitors }): void {
  const read = { permission: 'now_showing:read' } as const;
  const params = z.object({ id: Id });
  const querystring = z.object({ done: z.string().max(20).optional() });
  const render = (request: FastifyRequest, id: string, refused?: RefusedForm): Html =>
    screenPage({
      screen: getScreen(ctx, id, pageBuild(ctx.version, siteOf(ctx).version)),
      ...common(request),
      ...(refused && { refused }),
    });
  const common = (request: FastifyRequest) => ({
    now: ctx.now(),
    zone: ctx.config.TIME_ZONE,
    expectedOff: areScreensExpectedOff(ctx),
    identity: request.identity,
    done: ownValue<string>(DONE, (request.query as { done?: string }).done),
  });

  app.get(
    '/admin/pub/screens',
    { config: read, schema: { summary: 'The screens', querystring } },
    async (request, reply) => {
      const { screens } = listScreens(ctx, pageBuild(ctx.version, siteOf(ctx).version));
      const page = screensPage({ screens, visitors: visitors.count(ctx.now()), ...common(request) });
      return sendFraming(reply, page);
    },
  );
  app.get(
    '/admin/pub/screens/:id',
    { config: read, schema: { summary: 'A screen, with what it shows', params, querystring } },
    async (request, reply) => sendFraming(reply, render(request, request.params.id)),
  );
  app.post(
    '/admin/pub/screens/:id',
    {
      config: {
        permission: 'controls:write',
        ...refusedOn((request, refused) => render(request, (request.params as { id: string }).id, refused)),
      },
      schema: { hide: true, params, body: ScreenForm },
    },
    async (request, reply) => {
      const { id } = request.params;
      await renameScreen(ctx, id, request.body, actorOf(request, ctx.now));
      return reply.redirect(`/admin/pub/screens/${id}?done=renamed`, 303);
    },
  );
  app.post(
    '/admin/pub/screens/:id/forget',
    { config: { permission: 'controls:write' }, schema: { hide: true, params } },
    async (request, reply) => {
      await forgetScreen(ctx, request.params.id, actorOf(request, ctx.now));
      return reply.redirect('/admin/pub/screens?done=forgotten', 303);
    },
  );
  app.post(
    '/admin/pub/screens/:id/reload',
    { config: { permission: 'controls:write' }, schema: { hide: true, params } },
    async (request, reply) => {
      const { id } = request.params;
      await reloadScreen(ctx, id, actorOf(request, ctx.now));
      return reply.redirect(`/admin/pub/screens/${id}?done=reload`, 303);
    },
  );
}
