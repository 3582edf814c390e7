import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { ownValue } from '#kernel/own-value.ts';
import { listMissing } from '#meetings/door/heard.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { isCountedByDoor } from '#meetings/room/opening.ts';
import { roomJson } from '#meetings/room/room.ts';
import { hideWall, isWallShown, ScreensInput, showWall } from '#meetings/room/screens.ts';
import { askToSpeak, NextInput, nextSpeaker, removeSpeaker, SpeakerInput } from '#meetings/room/speakers.ts';
import { listScreenNames } from '#pub/devices/screens.ts';
import { chairPage } from '#views/meetings/admin/chair.ts';
import { countVoters } from '#voting/elections/ways-to-vote.ts';
import { wholeJson } from './meetings.ts';

const params = z.object({ id: Id });

/** The notice after an act of the chair. */
const DONE: Readonly<Record<string, string>> = {
  'followed-up': 'The follow-up is the next item.',
  'wall-shown': 'The TVs show the wall, until the meeting is closed.',
  'wall-hidden': 'The TVs show their own programme again.',
};

/** The page with which the chair leads a meeting, and the list of speakers. */
export function chair(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/admin/meetings/:id/chair',
    { config: { permission: 'elections:run' }, schema: { params, querystring: doneQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { id } = request.params;
      if (!wantsHtml(request)) return wholeJson(ctx, getMeeting(ctx.db, id), request);
      return sendHtml(reply, await renderChair(ctx, request, id, { done: request.query.done }));
    },
  );

  const page = ({ params: { id } }: { params: { id: string } }) => `/admin/meetings/${id}/chair#speakers`;
  const speakers = (_: unknown, { params: { id } }: { params: { id: string } }) =>
    roomJson(ctx, id).then(({ speakers: all }) => ({ ok: true, speakers: all }));

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/screens',
    summary: 'Hand the TVs to the wall of a meeting',
    params,
    body: ScreensInput,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body, actor }) => showWall(ctx, id, body, actor),
    next: (_, { params: { id } }) => `/admin/meetings/${id}/chair?done=wall-shown`,
  });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/screens/end',
    summary: 'Give the TVs back',
    params,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, actor }) => hideWall(ctx, id, actor),
    next: (_, { params: { id } }) => `/admin/meetings/${id}/chair?done=wall-hidden`,
  });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/speakers',
    summary: 'Put somebody on the list of speakers',
    params,
    body: SpeakerInput,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body }) => askToSpeak(ctx, id, body),
    json: speakers,
    next: (_, sent) => page(sent),
  });

  act(app, ctx, {
    both: 'POST /admin/meetings/:id/speakers/next',
    summary: 'The next speaker begins',
    params,
    body: NextInput,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id }, body }) => nextSpeaker(ctx, id, body),
    json: speakers,
    next: (_, sent) => page(sent),
  });

  act(app, ctx, {
    both: 'DELETE /admin/meetings/:id/speakers/:entry',
    summary: 'Take somebody off the list of speakers',
    params: params.extend({ entry: z.string().max(64) }),
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    run: ({ params: { id, entry } }) => removeSpeaker(ctx, id, entry),
    json: speakers,
    next: (_, sent) => page(sent),
  });
}

/** The page of the chair. @throws 404 */
export async function renderChair(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { done, refused }: { done?: string | undefined; refused?: RefusedForm },
): Promise<Html> {
  const { meeting, items, differences } = await wholeJson(ctx, getMeeting(ctx.db, id), request);
  const { item, question, speakers, members_ask } = await roomJson(ctx, id);
  const current = items.find((one) => one.id === item?.id);
  return chairPage({
    meeting: { ...meeting, members_ask },
    items,
    differences,
    current,
    question,
    voters: current ? countVoters(ctx.db, getItem(ctx.db, current.id)).voters : undefined,
    missingDoors: listMissing(ctx, id),
    countsPresent: !isCountedByDoor(ctx.db, id),
    speakers,
    screens: listScreenNames(ctx).map(({ name }) => name),
    isWallShown: isWallShown(ctx, id),
    now: ctx.now(),
    done: ownValue(DONE, done),
    refused,
    viewer: request.viewer,
  });
}
