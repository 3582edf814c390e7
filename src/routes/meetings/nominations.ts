import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { acceptPictures } from '#content/pictures/accept.ts';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, actsOn, doneQuery } from '#kernel/http/act.ts';
import { actorOf } from '#kernel/http/client.ts';
import { linesOf } from '#kernel/http/form.ts';
import { type App, type RefusedForm, roomFor, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { getItem } from '#meetings/items.ts';
import { getMeeting, placeOf } from '#meetings/meetings.ts';
import { AnswerInput, answerNomination } from '#meetings/nominations/answers.ts';
import { mailCall } from '#meetings/nominations/call-mails.ts';
import { CALL, callForCandidates, callState, findCall, getCall } from '#meetings/nominations/calls.ts';
import {
  acceptAll,
  countCandidates,
  DecisionInput,
  decideNomination,
} from '#meetings/nominations/candidates.ts';
import {
  findStanding,
  listNominations,
  listSeconders,
  listWaitingFor,
  NominationInput,
  nominate,
  nominationState,
  openNomination,
} from '#meetings/nominations/nominations.ts';
import { CallMailInput, listCalled } from '#meetings/proposals/call-mails.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { periodState, proposePeriod } from '#meetings/proposals/periods.ts';
import { answerableUntil } from '#meetings/proposals/proof.ts';
import { EACH } from '#meetings/questions.ts';
import { nominationsPage } from '#views/meetings/admin/nominations.ts';
import { answerPage, nominatedPage, nominatePage } from '#views/meetings/nominate.ts';
import { itemOnAgenda } from './items.ts';

const ofItem = z.object({ id: Id, item: Id });
const ofNomination = ofItem.extend({ nomination: Id });
const ofToken = z.object({ id: Id, token: z.string().max(200) });
/** Of two names, a text and the addresses. */
const ROOM = roomFor(4_500);

const DONE: Readonly<Record<string, Words>> = {
  called: t('meetings-admin.done.nominations_called'),
  mailed: t('meetings-admin.done.mails_way'),
  all: t('meetings-admin.done.nominations_all'),
  accepted: t('meetings-admin.done.nominations_accepted'),
  refused: t('meetings-admin.done.nominations_refused'),
};

/** The call for candidates, and the decisions of officers. */
export function nominations(app: App, { ctx }: { ctx: Context }): void {
  const address = '/admin/meetings/:id/items/:item/nominations' as const;

  app.get(address, { schema: { params: ofItem, querystring: doneQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const { id, item } = request.params;
    if (wantsHtml(request))
      return sendHtml(reply, renderNominations(ctx, request, { done: request.query.done }));
    getItem(ctx.db, item, id);
    getCall(ctx.db, item);
    return nominationsJson(ctx, id, item);
  });

  act(app, ctx, {
    both: `PUT ${address}`,
    summary: 'Call for candidates, or extend the call',
    params: ofItem,
    body: CALL.input,
    fromForm: CALL.readForm,
    refused: (request, refused) => renderNominations(ctx, request, { refused }),
    run: ({ params: { id, item }, body, actor }) => callForCandidates(ctx, id, item, body, actor),
    json: (_, { params: { id, item } }) => nominationsJson(ctx, id, item),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}/items/${item}/nominations?done=called`,
  });

  const page = actsOn(app, ctx, {
    at: address,
    params: ofItem,
    page: ({ id, item }) => `/admin/meetings/${id}/items/${item}/nominations`,
    refused: (request, refused) => renderNominations(ctx, request, { refused }),
  });
  page.add('POST /mail', 'Mail the call to everybody who may vote on the day of the meeting', {
    permission: 'elections:write',
    body: CallMailInput,
    run: ({ params: { id, item }, body, actor, request }) =>
      mailCall(ctx, { meetingId: id, itemId: item, origin: getLinkOrigin(ctx, request) }, body, actor),
    json: (queued) => ({ queued }),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}/items/${item}/nominations?done=mailed`,
  });
  page.add('POST /accept-all', 'Accept all nominations that wait for a decision', {
    run: ({ params: { id, item }, actor, request }) =>
      acceptAll(ctx, { meetingId: id, itemId: item }, getLinkOrigin(ctx, request), actor),
    json: (accepted, { params: { id, item } }) => ({
      success: true,
      now_accepted: accepted,
      ...nominationsJson(ctx, id, item),
    }),
    next: (_, { params: { id, item } }) => `/admin/meetings/${id}/items/${item}/nominations?done=all`,
  });

  act(app, ctx, {
    both: `POST ${address}/:nomination`,
    summary: 'Accept or refuse a nomination',
    params: ofNomination,
    body: DecisionInput,
    refused: (request, refused) => renderNominations(ctx, request, { refused }),
    run: ({ params: { id, item, nomination }, body, actor, request }) =>
      decideNomination(
        ctx,
        { meetingId: id, itemId: item, nominationId: nomination },
        body,
        getLinkOrigin(ctx, request),
        actor,
      ),
    json: (_, { params: { id, item } }) => ({ success: true, ...nominationsJson(ctx, id, item) }),
    next: (_, { params: { id, item }, body }) =>
      `/admin/meetings/${id}/items/${item}/nominations?done=${body.decision === 'accept' ? 'accepted' : 'refused'}`,
  });
}

/** Nominating somebody, and answering by a mailed link. */
export async function nominating(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await acceptPictures(app, ctx);

  const nominating = { config: { once: true }, schema: { params: ofItem } };
  app.get('/m/:id/nominate/:item', nominating, async (request, reply) =>
    sendHtml(reply, renderNominate(ctx, request.params)),
  );

  app.post(
    '/m/:id/nominate/:item',
    {
      bodyLimit: ROOM,
      config: {
        once: true,
        ...refusedOn((request, refused) => renderNominate(ctx, request.params as Of, refused)),
      },
      schema: { summary: 'Nominate somebody', params: ofItem, body: NominationInput },
      // The form has one address on each line.
      preValidation: async (request) => {
        const fields = request.body as Record<string, unknown> | undefined;
        if (request.entered && typeof fields?.seconders === 'string')
          fields.seconders = linesOf(fields.seconders);
      },
    },
    async (request, reply) => {
      const { id, item } = request.params;
      const { email } = request.body;
      const call = getCall(ctx.db, getItem(ctx.db, item, id).id);
      const sent = { origin: getLinkOrigin(ctx, request), client: request.client };
      await nominate(ctx, id, item, request.body, sent);
      reply.code(202);
      if (wantsHtml(request))
        return sendHtml(reply, nominatedPage({ meetingId: id, email, seconders: call.seconders }), 202);
      return { ok: true };
    },
  );

  app.get(
    '/m/:id/nominations/:token',
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
    '/m/:id/nominations/:token',
    {
      config: {
        secretAddress: true,
        takesPicture: true,
        ...refusedOn((request, refused) => {
          const { id, token } = request.params as { id: string; token: string };
          return renderAnswer(ctx, id, token, { refused });
        }),
      },
      schema: { summary: 'Consent, second or withdraw', params: ofToken, body: AnswerInput },
    },
    async (request, reply) => {
      const { id, token } = request.params;
      const actor = actorOf(request, ctx.now);
      await answerNomination(ctx, id, token, request.body, actor, request.upload);
      return answered(reply, request);
    },
  );

  function answered(reply: FastifyReply, request: FastifyRequest) {
    const { id, token } = request.params as { id: string; token: string };
    if (wantsHtml(request)) return reply.redirect(`/m/${id}/nominations/${token}?done=yes`, 303);
    return reply.send({ ok: true, ...answerJson(ctx, id, token) });
  }
}

type Of = z.output<typeof ofItem>;

function renderNominate(
  ctx: Context,
  { id, item: itemId }: Of,
  refused: Pick<RefusedForm, 'entered' | 'errors' | 'message'> | undefined = undefined,
): Html {
  const { title } = getMeeting(ctx.db, id);
  const item = getItem(ctx.db, itemId, id);
  const call = getCall(ctx.db, itemId);
  const zone = ctx.config.TIME_ZONE;
  return nominatePage({
    meeting: { id, title },
    item: { id: item.id, title: item.title, text: item.text },
    call: {
      who: call.who,
      seconders: call.seconders,
      state: callState(ctx.db, item, call, ctx.now()),
      opens: formatWhen(call.opens_at, zone),
      closes: formatWhen(call.closes_at, zone),
      isPast: ctx.now() >= call.closes_at,
    },
    refused,
  });
}

function renderAnswer(
  ctx: Context,
  meetingId: string,
  token: string,
  { done = false, refused }: { done?: boolean; refused?: RefusedForm },
): Html {
  const { nomination, seconder } = openNomination(ctx.db, meetingId, token, ctx.now());
  const item = getItem(ctx.db, nomination.item_id);
  const call = getCall(ctx.db, nomination.item_id);
  const own = seconder ?? nomination;
  const until = Math.min(call.closes_at, answerableUntil(ctx.db, 'nomination', nomination));
  const state = nominationState(ctx.db, nomination);
  // Before the nominee says so, a seconder is told nothing of another proposal.
  const standing = !seconder || state === 'withdrawn' ? findStanding(ctx.db, nomination) : undefined;
  return answerPage({
    action: `/m/${meetingId}/nominations/${token}`,
    meeting: { id: meetingId, title: getMeeting(ctx.db, meetingId).title },
    item: { title: item.title },
    name: nomination.name,
    text: nomination.text,
    proposer: nomination.proposer,
    state,
    standing: standing && nominationState(ctx.db, standing),
    reason: nomination.reason,
    seconders: { needed: call.seconders, have: countSeconded(ctx, nomination.id) },
    role: seconder ? 'seconder' : 'nominee',
    seconded: seconder?.seconded_at != null,
    takesPicture: call.picture === 1,
    hasPicture: nomination.picture !== null,
    isOpen: periodState(call, ctx.now()) === 'open',
    mayWithdraw: item.state === 'prepared',
    closes: formatWhen(call.closes_at, ctx.config.TIME_ZONE),
    until: formatWhen(until, ctx.config.TIME_ZONE),
    waiting: listWaitingFor(ctx.db, meetingId, own.email, ctx.now())
      .filter(({ id }) => id !== own.id)
      .map(({ id, role, nomination: { item_id, name: nominee, proposer } }) => ({
        href: `/m/${meetingId}/nominations/${proposalCode(ctx, id)}`,
        office: getItem(ctx.db, item_id).title,
        nominee,
        proposer,
        role,
      })),
    done,
    refused: refused?.message,
  });
}

/** What a mailed link is about, without addresses. */
function answerJson(ctx: Context, meetingId: string, token: string) {
  const { nomination, seconder } = openNomination(ctx.db, meetingId, token, ctx.now());
  const { id, name, text, proposer } = nomination;
  return {
    nomination: { id, name, text, proposer, state: nominationState(ctx.db, nomination) },
    role: seconder ? 'seconder' : 'nominee',
    ...(seconder && { seconded: seconder.seconded_at !== null }),
  };
}

const countSeconded = (ctx: Context, nominationId: string): number =>
  listSeconders(ctx.db, nominationId).filter(({ seconded_at }) => seconded_at !== null).length;

/** The call of an item with everything that came in, for officers. */
function nominationsJson(ctx: Context, meetingId: string, itemId: string) {
  const item = getItem(ctx.db, itemId, meetingId);
  const call = getCall(ctx.db, itemId);
  const now = ctx.now();
  return {
    ...CALL.json(call),
    first_closes_at: isoTime(call.first_closes_at),
    open: periodState(call, now) === 'open',
    ...countCandidates(ctx.db, item, now),
    nominations: listNominations(ctx.db, itemId).map((one) => ({
      id: one.id,
      name: one.name,
      email: one.email,
      text: one.text,
      proposer: one.proposer,
      picture: one.picture,
      state: nominationState(ctx.db, one),
      reason: one.reason,
      option_id: one.option_id,
      created_at: isoTime(one.created_at),
      consented_at: one.consented_at === null ? null : isoTime(one.consented_at),
      seconders: listSeconders(ctx.db, one.id).map(({ email, seconded_at }) => ({
        email,
        seconded: seconded_at !== null,
      })),
    })),
  };
}

/** The officers' page of a call. @throws 404 */
function renderNominations(
  ctx: Context,
  request: FastifyRequest,
  { done, refused }: { done?: string | undefined; refused?: RefusedForm },
): Html {
  const { id, item: itemId } = request.params as Of;
  const meeting = getMeeting(ctx.db, id);
  const { held_at } = meeting;
  const item = getItem(ctx.db, itemId, id);
  const call = findCall(ctx.db, itemId);
  const zone = ctx.config.TIME_ZONE;
  const json = call && nominationsJson(ctx, id, itemId);
  return nominationsPage({
    meeting: placeOf(meeting),
    item: { id: itemId, title: item.title, state: item.state },
    call: json && {
      ...json,
      state: callState(ctx.db, item, call, ctx.now()),
      mailed: call.mailed_at === null ? undefined : formatWhen(call.mailed_at, zone),
      called: listCalled(ctx.db, meeting, zone).length,
      opens: formatWhen(call.opens_at, zone),
      closes: formatWhen(call.closes_at, zone),
      extendedFrom:
        call.first_closes_at < call.closes_at ? formatWhen(call.first_closes_at, zone) : undefined,
    },
    fields: CALL.entered(call ?? usualCall(ctx, held_at), ctx),
    each: EACH,
    zone: zoneName(zone),
    done: ownValue(DONE, done),
    added: done === 'added' && !call ? itemOnAgenda(ctx, id, itemId, 'added') : undefined,
    refused,
    viewer: request.viewer,
  });
}

/** What the form of a new call begins with: members, with one seconder. */
const usualCall = ({ now, config }: Context, heldAt: number) =>
  ({
    ...proposePeriod(heldAt, now(), config.TIME_ZONE),
    who: 'members',
    seconders: 1,
    picture: 0,
  }) as const;
