import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may, type Permission } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { nestForm } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { needsSetlist } from '#pub/http/device-guard.ts';
import { enteredOf, readForm, refusalOf } from '#pub/http/forms.ts';
import { pageBuild } from '#pub/http/page-build.ts';
import { ControlsInput, changeControls } from '#pub/now-playing/controls.ts';
import { DecisionInput, decideRequest } from '#pub/requests/moderation.ts';
import { LightingInput } from '#pub/room/lighting.ts';
import { readOverview } from '#pub/room/overview.ts';
import { wish } from '#pub/room/relay-commands.ts';
import { SoundInput } from '#pub/room/sound.ts';
import { NowShowingInput, setNowShowing } from '#pub/screen/now-showing.ts';
import { closeScreening, revertScreening } from '#pub/screen/screening-admin.ts';
import { HideInput, hideName, showName } from '#pub/setlist/hidden-names.ts';
import { changePlay, PlayChange } from '#pub/setlist/moderation.ts';
import { staffRoomPage } from '#views/pub/staff-room/page.ts';

const DONE: Record<string, string> = {
  lights: 'The lights were asked.',
  sound: 'The sound was asked.',
  displays: 'The displays were switched.',
  screen: 'The big screen was told.',
  requests: 'The request was decided.',
  setlist: 'The setlist was changed.',
  films: 'The film was changed.',
};

const WholeId = wholeNumber(1, Number.MAX_SAFE_INTEGER);

/** The page behind the bar: what the room sees and hears, and the controls this person may touch. */
export function staffRoomPages(app: App, { ctx }: { ctx: Context }): void {
  const readFor = (request: FastifyRequest) =>
    readOverview(ctx, (permission) => may(request, permission), pageBuild(ctx));

  app.get('/api/admin/pub', { config: { permission: 'any' }, schema: { summary: 'The room now' } }, readFor);

  app.get(
    '/admin/pub',
    {
      config: { permission: 'any' },
      schema: { summary: 'The room now', querystring: z.object({ done: z.string().max(20).optional() }) },
    },
    async (request, reply) => show(request, reply, { done: request.query.done }),
  );

  control('/lights', 'lights', 'lighting:write', async (request, actor) => {
    const light = readForm(LightingInput, withNumbers(nestForm(enteredOf(request))));
    if (light.action === 'strobe' && !may(request, 'lighting:strobe'))
      throw new AppError(403, 'Forbidden', {
        extra: { message: 'The strobe needs the permission lighting:strobe.' },
      });
    await wish(ctx, 'lighting', light, actor);
  });
  control('/sound', 'sound', 'sound:write', async (request, actor) => {
    await wish(ctx, 'sound', readForm(SoundInput, enteredOf(request)), actor);
  });
  control('/displays', 'displays', 'controls:write', async (request, actor) => {
    await changeControls(ctx, readForm(ControlsInput, enteredOf(request)), actor);
  });
  control('/showing', 'screen', 'now_showing:write', async (request, actor) => {
    await setNowShowing(ctx, readForm(NowShowingInput, enteredOf(request)), actor);
  });
  control('/requests/:id', 'requests', 'requests:moderate', async (request, actor) => {
    await decideRequest(ctx, idOf(request), readForm(DecisionInput, enteredOf(request)), actor);
  });
  control('/plays/:id', 'setlist', 'requests:moderate', async (request, actor) => {
    await changePlay(ctx, readForm(WholeId, idOf(request)), readForm(PlayChange, enteredOf(request)), actor);
  });
  control('/names', 'setlist', 'requests:moderate', async (request, actor) => {
    await hideName(ctx, readForm(HideInput, enteredOf(request)), actor);
  });
  control('/names/:id/show', 'setlist', 'requests:moderate', async (request, actor) => {
    await showName(ctx, readForm(WholeId, idOf(request)), actor);
  });
  control('/films/:id/close', 'films', 'screenings:write', async (request, actor) => {
    await closeScreening(ctx, idOf(request), actor);
  });
  control('/films/:id/revert', 'films', 'screenings:write', async (request, actor) => {
    await revertScreening(ctx, idOf(request), actor);
  });

  /** A form of the page: done, it leads back to its part; refused, the page says why. */
  function control(
    path: string,
    part: string,
    permission: Permission,
    run: (request: FastifyRequest, actor: Actor) => Promise<void>,
  ): void {
    const relay = part === 'lights' || part === 'sound';
    app.post(
      `/admin/pub${path}`,
      {
        config: { permission },
        schema: { hide: true },
        bodyLimit: 16 * 1024,
        ...(relay && { preHandler: needsSetlist(ctx) }),
      },
      async (request, reply) => {
        try {
          await run(request, actorOf(request, ctx.now));
        } catch (error) {
          const { status, message } = refusalOf(error, reply);
          return show(request, reply, { refused: message }, status);
        }
        return reply.redirect(`/admin/pub?done=${part}#${part}`, 303);
      },
    );
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    { done, refused }: { done?: string | undefined; refused?: string },
    status = 200,
  ) {
    const overview = await readFor(request);
    const { identity } = request;
    const said = ownValue(DONE, done);
    const zone = ctx.config.TIME_ZONE;
    return sendHtml(reply, staffRoomPage({ overview, identity, zone, done: said, refused }), status);
  }
}

const idOf = (request: FastifyRequest) => Id.parse((request.params as { id?: unknown }).id);

/** A form sends texts; what the lights are told are numbers. */
function withNumbers({ params, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (typeof params !== 'object' || params === null) return rest;
  const read = Object.entries(params).map(([name, value]) => [
    name,
    typeof value === 'string' && /^\d{1,6}(\.\d{1,3})?$/.test(value) ? Number(value) : value,
  ]);
  return { ...rest, params: Object.fromEntries(read) };
}
