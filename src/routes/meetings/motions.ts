import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actsOn, doneQuery } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, type RefusedForm, roomFor, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting, placeOf } from '#meetings/meetings.ts';
import { answerMotion, MotionAnswerInput } from '#meetings/motions/answers.ts';
import {
  callForMotions,
  findMotionCall,
  getMotionCall,
  MOTION_CALL,
  mailMotionCall,
  motionCallState,
  motionsPath,
} from '#meetings/motions/calls.ts';
import { acceptAllMotions, decideMotion, MotionDecision } from '#meetings/motions/decisions.ts';
import {
  HandedIn,
  handIn,
  listMotionSeconders,
  listMotions,
  listMotionsWaitingFor,
  listSeconded,
  motionState,
  openMotionLink,
} from '#meetings/motions/motions.ts';
import { followMeeting } from '#meetings/program.ts';
import { CallMailInput, listCalled } from '#meetings/proposals/call-mails.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { proposePeriod } from '#meetings/proposals/periods.ts';
import { answerableUntil } from '#meetings/proposals/proof.ts';
import { motionsPage } from '#views/meetings/admin/motions.ts';
import { handedInPage, handInPage, motionAnswerPage } from '#views/meetings/hand-in.ts';

const params = z.object({ id: Id });
const ofMotion = params.extend({ motion: Id });
const ofToken = params.extend({ token: z.string().max(200) });
/** Of a name, a title, a wording, its reasons and the addresses. */
const ROOM = roomFor(19_000);

const timeOf = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** The call for motions, and the decisions of officers. */
export function motions(app: App, { ctx }: { ctx: Context }): void {
  const address = '/admin/meetings/:id/motions' as const;
  const page = actsOn(app, ctx, {
    at: address,
    params,
    page: ({ id }) => `/admin/meetings/${id}/motions`,
    refused: (request, refused) => renderMotions(ctx, request, { refused }),
    json: ({ params: { id } }) => motionsJson(ctx, id),
  });

  app.get(address, { schema: { params, querystring: doneQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const { id } = request.params;
    if (wantsHtml(request))
      return sendHtml(reply, renderMotions(ctx, request, { done: page.said(request.query.done) }));
    getMeeting(ctx.db, id);
    return motionsJson(ctx, id);
  });

  page.add('PUT', 'Call for motions of members, or extend the call', {
    body: MOTION_CALL.input,
    fromForm: MOTION_CALL.readForm,
    run: ({ params: { id }, body, actor }) => callForMotions(ctx, id, body, actor),
    done: ['called', t('meetings-admin.done.motions_called_mail_call_knows')],
  });

  page.add('POST /mail', 'Mail the call to everybody who may vote on the day of the meeting', {
    body: CallMailInput,
    run: ({ params: { id }, body, actor, request }) =>
      mailMotionCall(ctx, { meetingId: id, origin: getLinkOrigin(ctx, request) }, body, actor),
    json: (queued) => ({ queued }),
    done: ['mailed', t('meetings-admin.done.mails_way')],
  });

  page.add('POST /accept-all', 'Accept all motions that wait for a decision', {
    run: async ({ params: { id }, actor, request }) => {
      const accepted = await acceptAllMotions(ctx, id, getLinkOrigin(ctx, request), actor);
      await followMeeting(ctx, id, actor);
      return accepted;
    },
    json: (accepted, { params: { id } }) => ({ now_accepted: accepted, ...motionsJson(ctx, id) }),
    done: ['all', t('meetings-admin.done.motions_agenda_author_gets_mail')],
  });

  page.add('POST /:motion', 'Accept or refuse a motion', {
    params: ofMotion,
    body: MotionDecision,
    run: async ({ params: { id, motion }, body, actor, request }) => {
      const origin = getLinkOrigin(ctx, request);
      await decideMotion(ctx, { meetingId: id, motionId: motion, origin }, body, actor);
      await followMeeting(ctx, id, actor);
    },
    done: ['decided', t('meetings-admin.done.decided_author_gets_mail')],
  });
}

/** Handing in a motion, and answering by a mailed link. */
export function handingIn(app: App, { ctx }: { ctx: Context }): void {
  app.get('/m/:id/motions', { config: { once: true }, schema: { params } }, async (request, reply) =>
    sendHtml(reply, renderHandIn(ctx, request.params.id)),
  );

  app.post(
    '/m/:id/motions',
    {
      bodyLimit: ROOM,
      config: {
        once: true,
        ...refusedOn((request, refused) => renderHandIn(ctx, (request.params as { id: string }).id, refused)),
      },
      schema: { summary: 'Hand in a motion', params, body: HandedIn },
      // The form has one address on each line.
      preValidation: async (request) => {
        const fields = request.body as Record<string, unknown> | undefined;
        if (request.entered && typeof fields?.seconders === 'string')
          fields.seconders = linesOf(fields.seconders);
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { email } = request.body;
      const { seconders } = getMotionCall(ctx.db, getMeeting(ctx.db, id).id);
      await handIn(ctx, id, request.body, {
        origin: getLinkOrigin(ctx, request),
        client: request.client,
      });
      reply.code(202);
      if (wantsHtml(request)) return sendHtml(reply, handedInPage({ meetingId: id, email, seconders }), 202);
      return { ok: true };
    },
  );

  app.get(
    '/m/:id/motions/:token',
    {
      config: { secretAddress: true },
      exposeHeadRoute: false,
      schema: { params: ofToken, querystring: doneQuery },
    },
    async (request, reply) => {
      const { id, token } = request.params;
      if (wantsHtml(request))
        return sendHtml(reply, renderAnswer(ctx, id, token, { done: request.query.done !== undefined }));
      return answerJson(ctx, id, token);
    },
  );

  app.post(
    '/m/:id/motions/:token',
    {
      config: {
        secretAddress: true,
        ...refusedOn((request, refused) => {
          const { id, token } = request.params as z.output<typeof ofToken>;
          return renderAnswer(ctx, id, token, { refused });
        }),
      },
      schema: { summary: 'Confirm, second or withdraw a motion', params: ofToken, body: MotionAnswerInput },
    },
    async (request, reply) => {
      const { id, token } = request.params;
      const actor = actorOf(request, ctx.now);
      await answerMotion(ctx, id, token, request.body, actor);
      await followMeeting(ctx, id, actor);
      if (wantsHtml(request)) return reply.redirect(`${motionsPath(id)}/${token}?done=yes`, 303);
      return { ok: true, ...answerJson(ctx, id, token) };
    },
  );
}

function renderHandIn(
  ctx: Context,
  id: string,
  refused: Pick<RefusedForm, 'entered' | 'errors' | 'message'> | undefined = undefined,
): Html {
  const meeting = getMeeting(ctx.db, id);
  const call = getMotionCall(ctx.db, id);
  const zone = ctx.config.TIME_ZONE;
  return handInPage({
    meeting: { id, title: meeting.title },
    call: {
      who: call.who,
      seconders: call.seconders,
      state: motionCallState(meeting, call, ctx.now()),
      opens: formatWhen(call.opens_at, zone),
      closes: formatWhen(call.closes_at, zone),
      isPast: ctx.now() >= call.closes_at,
    },
    refused,
  });
}

/** The item of the agenda that a motion became. */
function itemOf(ctx: Context, { item_id }: { item_id: string | null }) {
  if (item_id === null) return undefined;
  const { id, number, state } = getItem(ctx.db, item_id);
  return { id, number, state };
}

function renderAnswer(
  ctx: Context,
  meetingId: string,
  token: string,
  { done = false, refused }: { done?: boolean; refused?: RefusedForm },
): Html {
  const { motion, seconder } = openMotionLink(ctx.db, meetingId, token, ctx.now());
  const meeting = getMeeting(ctx.db, meetingId);
  const call = getMotionCall(ctx.db, meetingId);
  const { name, title, text, reason, decision_reason: refusal } = motion;
  const state = motionState(ctx.db, motion);
  const item = itemOf(ctx, motion);
  const own = seconder ?? motion;
  const until = Math.min(call.closes_at, answerableUntil(ctx.db, 'motion', motion));
  return motionAnswerPage({
    action: `${motionsPath(meetingId)}/${token}`,
    meeting: { id: meetingId, title: meeting.title },
    name,
    title,
    text,
    reason,
    state,
    refusal,
    item,
    seconders: { needed: call.seconders, have: listSeconded(ctx.db, motion.id).length },
    role: seconder ? 'seconder' : 'author',
    seconded: seconder?.seconded_at != null,
    isOpen: motionCallState(meeting, call, ctx.now()) === 'open',
    mayWithdraw:
      !['withdrawn', 'refused'].includes(state) &&
      meeting.state !== 'closed' &&
      (item === undefined || meeting.state === 'prepared'),
    closes: formatWhen(call.closes_at, ctx.config.TIME_ZONE),
    until: formatWhen(until, ctx.config.TIME_ZONE),
    waiting: listMotionsWaitingFor(ctx.db, meetingId, own.email, ctx.now())
      .filter(({ id }) => id !== own.id)
      .map(({ id, role, motion: other }) => ({
        href: `${motionsPath(meetingId)}/${proposalCode(ctx, id)}`,
        title: other.title,
        author: other.name,
        role,
      })),
    done,
    refused: refused?.message,
  });
}

/** What a mailed link is about, without addresses. */
function answerJson(ctx: Context, meetingId: string, token: string) {
  const { motion, seconder } = openMotionLink(ctx.db, meetingId, token, ctx.now());
  const { id, name, title, text, reason, item_id } = motion;
  return {
    motion: { id, name, title, text, reason, state: motionState(ctx.db, motion), item_id },
    role: seconder ? 'seconder' : 'author',
    ...(seconder && { seconded: seconder.seconded_at !== null }),
  };
}

/** The call of a meeting with everything that came in, for officers. @throws 404 */
function motionsJson(ctx: Context, meetingId: string) {
  const call = getMotionCall(ctx.db, meetingId);
  return {
    ...MOTION_CALL.json(call),
    first_closes_at: isoTime(call.first_closes_at),
    state: motionCallState(getMeeting(ctx.db, meetingId), call, ctx.now()),
    motions: listMotions(ctx.db, meetingId).map((one) => {
      const { id, name, email, title, text, reason, decision_reason, item_id } = one;
      return {
        id,
        name,
        email,
        title,
        text,
        reason,
        state: motionState(ctx.db, one),
        decision_reason,
        item_id,
        created_at: isoTime(one.created_at),
        consented_at: timeOf(one.consented_at),
        seconders: listMotionSeconders(ctx.db, id).map((seconder) => ({
          name: seconder.name,
          email: seconder.email,
          seconded: seconder.seconded_at !== null,
        })),
      };
    }),
  };
}

/** The officers' page of a call. @throws 404 */
function renderMotions(
  ctx: Context,
  request: FastifyRequest,
  { done, refused }: { done?: Words | string | undefined; refused?: RefusedForm },
): Html {
  const { id } = request.params as { id: string };
  const meeting = getMeeting(ctx.db, id);
  const call = findMotionCall(ctx.db, id);
  const zone = ctx.config.TIME_ZONE;
  const now = ctx.now();
  return motionsPage({
    meeting: placeOf(meeting),
    call: call && {
      state: motionCallState(meeting, call, now),
      mailed: call.mailed_at === null ? undefined : formatWhen(call.mailed_at, zone),
      called: listCalled(ctx.db, meeting, zone).length,
      opens: formatWhen(call.opens_at, zone),
      closes: formatWhen(call.closes_at, zone),
      extendedFrom:
        call.first_closes_at < call.closes_at ? formatWhen(call.first_closes_at, zone) : undefined,
      motions: motionsJson(ctx, id).motions.map((one) => ({ ...one, item: itemOf(ctx, one) ?? null })),
    },
    fields: MOTION_CALL.entered(
      call ?? { ...proposePeriod(meeting.held_at, now, zone), who: 'members', seconders: 1 },
      ctx,
    ),
    zone: zoneName(zone),
    done,
    refused,
    viewer: request.viewer,
  });
}
