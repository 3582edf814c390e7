import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { namesIn } from '#content/records/rows.ts';
import { may } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { siteOf } from '#kernel/http/site.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { shownParts } from '#kernel/settings/parts.ts';
import { type Overview, readOverview } from '#pub/room/overview.ts';
import { listUndos, offerUndo, undoAct } from '#pub/undo.ts';
import { pageBuild } from '#views/assets.ts';
import { staffRoomPage } from '#views/pub/staff-room/page.ts';

/** The confirmations of changes, by the part of the page with the form. */
const DONE = {
  lights: 'The command was sent to the lights.',
  sound: 'The command was sent to the sound system.',
  displays: 'The displays were switched.',
  screen: 'The big screen was changed.',
  takeover: 'The notice was changed.',
  requests: 'The decision was saved.',
  setlist: 'The setlist was changed.',
  films: 'The film was changed.',
  undone: 'It was undone.',
};

/** The staff page: the state of the room, and the controls that this person may use. */
export function room(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/pub',
    { config: { permission: 'any' }, schema: { summary: 'The room now' } },
    (request) => overviewFor(ctx, request),
  );

  app.get(
    '/admin/pub',
    {
      config: { permission: 'any' },
      schema: { summary: 'The room now', querystring: z.object({ done: z.string().max(20).optional() }) },
    },
    async (request, reply) => {
      const done = ownValue<string>(DONE, request.query.done);
      return sendHtml(reply, await renderRoomPage(ctx, request, { done }));
    },
  );

  app.post(
    '/admin/pub/undo',
    {
      config: { permission: 'any', ...refusedOnRoomPage(ctx) },
      schema: { hide: true, body: z.object({ undo: Id }) },
      bodyLimit: 16 * 1024,
    },
    async (request, reply) => {
      await undoAct(ctx, request.body.undo, actorOf(request, ctx.now));
      const { data } = Spot.safeParse(request.query);
      return reply.redirect(`/admin/pub?done=undone${data ? `#${encodeURIComponent(data.at)}` : ''}`, 303);
    },
  );
}

/** The route config of a form on this page: shows a refusal on the page. */
export function refusedOnRoomPage(ctx: Context) {
  return refusedOn((request, refused) => renderRoomPage(ctx, request, { refused }));
}

/** Each button of the page adds its own id to the address of its form. */
const Spot = z.object({ at: z.string().regex(/^[\p{L}\p{N}-]{1,150}$/u) });

/**
 * Redirects after a form of this page was accepted, to the button that sent it, else to the part of the page.
 * @param undo reverses the change: offered from the same button for a while
 */
export function redirectToRoomPage(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  part: Exclude<keyof typeof DONE, 'undone'>,
  undo?: (actor: Actor) => Promise<unknown>,
): FastifyReply {
  const { data } = Spot.safeParse(request.query);
  if (data && undo) offerUndo(ctx, actorOf(request, ctx.now), data.at, undo);
  return reply.redirect(`/admin/pub?done=${part}#${encodeURIComponent(data?.at ?? part)}`, 303);
}

async function renderRoomPage(
  ctx: Context,
  request: FastifyRequest,
  shown: { done?: string | undefined; refused?: RefusedForm },
): Promise<Html> {
  const undo = listUndos(ctx, actorOf(request, ctx.now));
  const overview = await overviewFor(ctx, request, undo);
  const { identity } = request;
  const parts = shownParts(ctx);
  // People are stored by id and shown by name.
  const nameOf = namesIn(ctx.db);
  const override = overview.override && { ...overview.override, setBy: nameOf(overview.override.setBy) };
  return staffRoomPage({
    overview: { ...overview, override },
    identity,
    parts,
    zone: ctx.config.TIME_ZONE,
    undo,
    ...shown,
  });
}

function overviewFor(
  ctx: Context,
  request: FastifyRequest,
  undo: ReadonlyMap<string, string> = new Map(),
): Promise<Overview> {
  const decided = [...undo.keys()].map((spot) => /^do-(?:played|declined)-(.+)$/.exec(spot)?.[1] ?? '');
  return readOverview(
    ctx,
    (permission) => may(request, permission),
    pageBuild(ctx.version, siteOf(ctx).version),
    new Set(decided),
  );
}
