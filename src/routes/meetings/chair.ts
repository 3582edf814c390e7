import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actsOn, doneQuery } from '#kernel/http/act.ts';
import { type App, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { listMissing } from '#meetings/door/heard.ts';
import { getItem } from '#meetings/items.ts';
import { keyedWallPath } from '#meetings/keys.ts';
import { areMinutesSigned, getMeeting, wallPath } from '#meetings/meetings.ts';
import { listNext } from '#meetings/room/follow-up.ts';
import { isCountedByDoor } from '#meetings/room/opening.ts';
import { roomJson } from '#meetings/room/room.ts';
import { hideWall, isWallShown, ScreensInput, showWall } from '#meetings/room/screens.ts';
import { askToSpeak, NextInput, nextSpeaker, removeSpeaker, SpeakerInput } from '#meetings/room/speakers.ts';
import { actingPerson } from '#people/approvals/approvals.ts';
import { listScreenNames } from '#pub/devices/screens.ts';
import { chairPage } from '#views/meetings/admin/chair.ts';
import type { ChairProps } from '#views/meetings/admin/chair-side.ts';
import { readSettings } from '#voting/election-settings.ts';
import { getElection, namesOf } from '#voting/elections/elections.ts';
import { countVoters } from '#voting/elections/ways-to-vote.ts';
import { wholeJson } from './meetings.ts';

const params = z.object({ id: Id });

/** The page with which the chair leads a meeting, and the list of speakers. */
export function chair(app: App, { ctx }: { ctx: Context }): void {
  const page = actsOn(app, ctx, {
    at: '/admin/meetings/:id',
    params,
    page: ({ id }) => `/admin/meetings/${id}/chair`,
    refused: (request, refused) => renderChair(ctx, request, request.params.id, { refused }),
    said: { 'followed-up': t('meetings-admin.done.chair_followed_up') },
  });

  app.get(
    '/admin/meetings/:id/chair',
    { config: { permission: 'elections:run' }, schema: { params, querystring: doneQuery } },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const { id } = request.params;
      if (!wantsHtml(request)) return wholeJson(ctx, getMeeting(ctx.db, id), request);
      return sendHtml(reply, await renderChair(ctx, request, id, { done: page.said(request.query.done) }));
    },
  );

  const toSpeakers = (_: unknown, { params: { id } }: { params: { id: string } }) =>
    `/admin/meetings/${id}/chair#speakers`;
  const speakers = (_: unknown, { params: { id } }: { params: { id: string } }) =>
    roomJson(ctx, id).then(({ speakers: all }) => ({ ok: true, speakers: all }));

  page.add('POST /screens', 'Hand the TVs to the wall of a meeting', {
    body: ScreensInput,
    run: ({ params: { id }, body, actor }) => showWall(ctx, id, body, actor),
    done: ['wall-shown', t('meetings-admin.done.tvs_show_wall_until_meeting')],
  });

  page.add('POST /screens/end', 'Give the TVs back', {
    run: ({ params: { id }, actor }) => hideWall(ctx, id, actor),
    done: ['wall-hidden', t('meetings-admin.done.tvs_show_their_own_programme')],
  });

  page.add('POST /speakers', 'Put somebody on the list of speakers', {
    body: SpeakerInput,
    run: ({ params: { id }, body }) => askToSpeak(ctx, id, body),
    json: speakers,
    next: toSpeakers,
  });

  page.add('POST /speakers/next', 'The next speaker begins', {
    body: NextInput,
    run: ({ params: { id }, body }) => nextSpeaker(ctx, id, body),
    json: speakers,
    next: toSpeakers,
  });

  page.add('DELETE /speakers/:entry', 'Take somebody off the list of speakers', {
    params: params.extend({ entry: z.string().max(64) }),
    run: ({ params: { id, entry } }) => removeSpeaker(ctx, id, entry),
    json: speakers,
    next: toSpeakers,
  });
}

/** The page of the chair. @throws 404 */
export async function renderChair(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { done, refused }: { done?: Words | string | undefined; refused?: RefusedForm },
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
    next: current && meeting.state !== 'closed' ? await listNextOf(ctx, current) : [],
    asked: current && askedIn(ctx, current),
    voters: current ? countVoters(ctx.db, getItem(ctx.db, current.id)).voters : undefined,
    missingDoors: listMissing(ctx, id),
    areMinutesSigned: areMinutesSigned(ctx.db, { id }),
    countsPresent: !isCountedByDoor(ctx.db, id),
    speakers,
    screens: listScreenNames(ctx).map(({ name }) => name),
    isWallShown: isWallShown(ctx, id),
    wall: keyedWallPath(ctx, meeting, wallPath(id)),
    now: ctx.now(),
    person: actingPerson(request),
    done,
    refused,
    viewer: request.viewer,
  });
}

/** The question of an item, for the chair to read before the vote; undefined where it has none. */
function askedIn({ db }: Context, { election_id }: { election_id: string | null }): ChairProps['asked'] {
  if (election_id === null) return undefined;
  const election = getElection(db, election_id);
  const { ballot_type, settings } = election;
  return {
    ballot_type,
    settings: readSettings(settings),
    names: namesOf(db, [election]).get(election_id) ?? [],
  };
}

/** The follow-ups of an item whose vote is over; none while it can still be announced. */
async function listNextOf(
  ctx: Context,
  { election_id, state }: { election_id: string | null; state: string },
): Promise<ChairProps['next']> {
  if (election_id === null || (state !== 'declared' && state !== 'void')) return [];
  const choices = await listNext(ctx, election_id);
  return choices.map(({ options, ...choice }) => ({ ...choice, names: options.map(({ name }) => name) }));
}
