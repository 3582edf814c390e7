import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendFraming } from '#kernel/http/pages.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { siteOf } from '#kernel/site.ts';
import { forgetScreen, reloadScreen, renameScreen, ScreenInput } from '#pub/devices/screen-admin.ts';
import {
  areScreensExpectedOff,
  findNames,
  getScreen,
  HeartbeatInput,
  listScreens,
  recordHeartbeat,
} from '#pub/devices/screens.ts';
import type { Visitors } from '#pub/devices/visitors.ts';
import { pageBuild } from '#views/assets.ts';
import { screenPage, screensPage } from '#views/pub/staff-screens.ts';

/** Heartbeats per address: many screens share one address, and each sends one a minute. */
const BEATS_A_MINUTE = 120;

const DONE = {
  renamed: 'Saved. The screen knows it within seconds, without a network when it is back.',
  forgotten: 'The screen is forgotten. It comes back if it is still on.',
  reload: 'The screen was told to load its page again.',
};

interface Deps {
  ctx: Context;
  visitors: Visitors;
}

/** The heartbeats of the screens; the answer sets their clock and has the name that staff gave them. */
export function screens(app: App, { ctx, visitors }: Deps): void {
  app.post(
    '/api/screens/heartbeat',
    {
      bodyLimit: 2048,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'screens', BEATS_A_MINUTE),
      schema: { summary: 'The heartbeat of a screen', body: HeartbeatInput },
    },
    async (request, reply) => {
      const { body } = request;
      if (!body.named) visitors.saw(body, ctx.now());
      // A preview on the staff page counts as a visitor too; it gets the name and groups of the screen it previews.
      const own = body.named ? await recordHeartbeat(ctx, body) : findNames(ctx, body);
      reply.header('cache-control', 'no-store');
      return { ok: true, now: ctx.now(), build: pageBuild(ctx.version, siteOf(ctx).version), ...own };
    },
  );
}

/** For staff: the list of screens, and the actions on each. */
export function staffScreens(app: App, { ctx, visitors }: Deps): void {
  const read = { permission: 'now_showing:read' } as const;
  const params = z.object({ id: Id });
  const build = () => pageBuild(ctx.version, siteOf(ctx).version);
  const common = (request: FastifyRequest) => ({
    now: ctx.now(),
    zone: ctx.config.TIME_ZONE,
    expectedOff: areScreensExpectedOff(ctx),
    identity: request.identity,
    done: ownValue<string>(DONE, (request.query as { done?: string }).done),
  });
  const render = (request: FastifyRequest, id: string, refused?: RefusedForm): Html =>
    screenPage({ screen: getScreen(ctx, id, build()), ...common(request), ...(refused && { refused }) });

  app.get(
    '/api/admin/screens',
    { config: read, schema: { summary: 'Screens: seen when, which build' } },
    async () => ({
      ...listScreens(ctx, build()),
      visitors: visitors.count(ctx.now()),
    }),
  );
  app.get(
    '/admin/pub/screens',
    { config: read, schema: { summary: 'The screens', querystring: doneQuery } },
    async (request, reply) => {
      const { screens } = listScreens(ctx, build());
      const page = screensPage({ screens, visitors: visitors.count(ctx.now()), ...common(request) });
      return sendFraming(reply, page);
    },
  );

  app.get(
    '/admin/pub/screens/:id',
    {
      config: read,
      schema: { summary: 'A screen, with what it shows', params, querystring: doneQuery },
    },
    async (request, reply) => sendFraming(reply, render(request, request.params.id)),
  );

  act(app, ctx, {
    api: 'PATCH /api/admin/screens/:id',
    form: 'POST /admin/pub/screens/:id',
    summary: 'Name and groups of a screen',
    permission: 'controls:write',
    params,
    body: ScreenInput,
    // The groups are one line, with commas.
    fromForm: ({ groups = '', ...fields }) => ({ ...fields, groups: String(groups).split(',') }),
    refused: (request, refused) => render(request, request.params.id, refused),
    run: ({ params: { id }, body, actor }) => renameScreen(ctx, id, body, actor),
    next: (_, { params: { id } }) => `/admin/pub/screens/${id}?done=renamed`,
  });

  act(app, ctx, {
    api: 'DELETE /api/admin/screens/:id',
    form: 'POST /admin/pub/screens/:id/forget',
    summary: 'Forget a screen',
    permission: 'controls:write',
    params,
    run: ({ params: { id }, actor }) => forgetScreen(ctx, id, actor),
    next: '/admin/pub/screens?done=forgotten',
  });

  act(app, ctx, {
    api: 'POST /api/admin/screens/:id/reload',
    form: 'POST /admin/pub/screens/:id/reload',
    summary: 'Have a screen load its page again',
    permission: 'controls:write',
    params,
    run: ({ params: { id }, actor }) => reloadScreen(ctx, id, actor),
    next: (_, { params: { id } }) => `/admin/pub/screens/${id}?done=reload`,
  });
}
