import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { eventPath } from '#content/events/shown.ts';
import { AT_A_MEETING, demand } from '#kernel/access/guards.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { type App, isForm, type RefusedForm, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { optionalText, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { formatWhen, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { afterMails } from '#meetings/after.ts';
import { updateMeeting } from '#meetings/changes.ts';
import { callOff, deleteMeeting } from '#meetings/deletion.ts';
import { documentPath, listUploaded } from '#meetings/documents/documents.ts';
import { listVoters } from '#meetings/door/people.ts';
import { meetingFigures } from '#meetings/figures.ts';
import { listInvited, listUnreached, untoldChange } from '#meetings/invitations.ts';
import { type Item, listItems } from '#meetings/items.ts';
import {
  areMinutesSigned,
  getMeeting,
  listMeetings,
  MEETING,
  type Meeting,
  MeetingInput,
  MeetingPatch,
  meetingJson,
  placeOf,
} from '#meetings/meetings.ts';
import { findSigner } from '#meetings/minutes/facts.ts';
import { readSigners } from '#meetings/minutes/signers.ts';
import { areToCorrect } from '#meetings/minutes/versions.ts';
import { motionCallSummary } from '#meetings/motions/calls.ts';
import { listReadyMotions } from '#meetings/motions/motions.ts';
import { newMeeting } from '#meetings/new-meeting.ts';
import { callSummary } from '#meetings/nominations/candidates.ts';
import { followMeeting } from '#meetings/program.ts';
import { meetingDifferences } from '#meetings/recorded.ts';
import { awaitedAnswers, findVoidAsked, itemWithResult } from '#meetings/room/results.ts';
import { filesOf } from '#meetings/room/room.ts';
import { closeTimers } from '#meetings/room/timers.ts';
import type { Entered } from '#views/components/entered.ts';
import { meetingPage, type RefusedAt } from '#views/meetings/admin/meeting.ts';
import { meetingFormPage } from '#views/meetings/admin/meeting-form.ts';
import { meetingsPage } from '#views/meetings/admin/meetings.ts';
import { openPages } from '#views/meetings/admin/sub-pages.ts';
import { ITEMS_A_PAGE, MEETING_PAGES, type MeetingPage, meetingPath } from '#views/meetings/words.ts';
import { readSettings } from '#voting/election-settings.ts';
import { namesOf } from '#voting/elections/elections.ts';
import { listQuestions } from '#voting/elections/issuers.ts';
import { countByClass } from '#voting/electors/classes.ts';
import { listDistributionLists } from '#voting/invitations/distribution-lists.ts';

const params = z.object({ id: Id });
const DeletionInput = z.object({ confirm: z.string().trim().optional(), reason: optionalText(300) });

/** The notice after an act on the page of a meeting. */
const DONE: Readonly<Record<string, Words>> = {
  created: t('meetings-admin.done.meetings_created'),
  saved: t('meetings-admin.done.saved'),
  closed: t('meetings-admin.done.meetings_closed'),
  called_off: t('meetings-admin.done.meetings_called_off'),
  told: t('meetings-admin.done.meetings_told'),
  mailed: t('meetings-admin.done.mails_way'),
  added: t('meetings-admin.done.meetings_added'),
  removed: t('meetings-admin.done.meetings_removed'),
  event: t('meetings-admin.done.meetings_event'),
  document: t('meetings-admin.done.meetings_document'),
  undocument: t('meetings-admin.done.meetings_undocument'),
  moved: t('meetings-admin.done.meetings_moved'),
};

/** The meetings themselves: list, create, change, close, delete, and the officers' page of each. */
export function meetings(app: App, { ctx }: { ctx: Context }): void {
  const list = { config: { permission: AT_A_MEETING }, schema: { querystring: doneQuery } };
  app.get('/admin/meetings', list, async (request, reply) => {
    reply.header('vary', 'Accept');
    const all = listMeetings(ctx.db);
    if (!wantsHtml(request)) return { meetings: all.map(meetingJson) };
    const rows = all.map((meeting) => ({
      id: meeting.id,
      title: meeting.title,
      state: meeting.state,
      when: formatWhen(meeting.held_at, ctx.config.TIME_ZONE),
      place: meeting.place,
      ...itemsInList(ctx, meeting),
    }));
    const done = request.query.done === 'deleted' ? t('meetings-admin.done.deleted') : undefined;
    return sendHtml(reply, meetingsPage({ rows, done, viewer: request.viewer }));
  });

  app.get('/admin/meetings/new', { config: { permission: 'elections:write' } }, async (request, reply) =>
    sendHtml(reply, renderForm(ctx, request)),
  );

  act(app, ctx, {
    both: 'POST /admin/meetings',
    summary: 'A new meeting',
    body: MeetingInput,
    fromForm: MEETING.readForm,
    refused: (request, refused) => renderForm(ctx, request, refused),
    refusedStatuses: [400],
    run: ({ body, actor }) => newMeeting(ctx, body, actor),
    json: (id) => ({ id, paper_id: getMeeting(ctx.db, id).paper_id }),
    next: (id) => meetingPath(id, 'agenda', '?done=created'),
  });

  app.get('/admin/meetings/:id', { schema: { params, querystring: pageQuery } }, async (request, reply) => {
    reply.header('vary', 'Accept');
    const meeting = getMeeting(ctx.db, request.params.id);
    if (wantsHtml(request))
      return sendHtml(reply, await renderMeeting(ctx, request, meeting.id, shownBy(request.query, 'agenda')));
    return wholeJson(ctx, meeting, request);
  });

  const ofPage = params.extend({ page: z.string().max(20) });
  app.get(
    '/admin/meetings/:id/:page',
    { schema: { params: ofPage, querystring: pageQuery } },
    async (request, reply) => {
      const { id, page } = request.params;
      const found = MEETING_PAGES.find((one) => one === page && one !== 'agenda');
      const { viewer } = request;
      if (
        found === undefined ||
        !openPages({ meeting: placeOf(getMeeting(ctx.db, id)), viewer }).includes(found)
      )
        throw notFound('not_found');
      return sendHtml(reply, await renderMeeting(ctx, request, id, shownBy(request.query, found)));
    },
  );

  act(app, ctx, {
    both: 'PATCH /admin/meetings/:id',
    summary: 'Change a meeting, or end it',
    permission: ['elections:write', 'elections:certify'],
    params,
    body: MeetingPatch,
    fromForm: MEETING.readForm,
    refused: (request, refused) =>
      renderMeeting(ctx, request, request.params.id, {
        refused,
        at: 'state' in refused.entered ? 'end' : 'details',
      }),
    run: async ({ params: { id }, body: { chair, secretary, state, reason, ...fields }, actor, request }) => {
      // Whoever leads a meeting ends it, and changes nothing else of it.
      const isEnd = state === 'closed' && isOnlyEnd({ chair, secretary, ...fields });
      if (!isEnd) await demand(ctx, request, 'elections:write');
      const signers = readSigners(ctx.db, getMeeting(ctx.db, id), { chair, secretary });
      const patch = { ...fields, ...signers, ...(state === 'closed' && { state }) };
      await updateMeeting(ctx, id, patch, actor);
      if (state === 'called_off') await callOff(ctx, id, reason ?? null, actor);
      await followMeeting(ctx, id, actor);
    },
    json: (_, { params: { id }, request }) => wholeJson(ctx, getMeeting(ctx.db, id), request),
    next: (_, { params: { id }, body }) => {
      if (body.state !== undefined) return meetingPath(id, 'agenda', `?done=${body.state}`);
      // The form of the details has its title; what stands alone is a setting on the page of the minutes.
      if (body.title === undefined) return `/admin/meetings/${id}/minutes?done=saved`;
      return meetingPath(id, 'details', '?done=saved');
    },
  });

  act(app, ctx, {
    both: 'DELETE /admin/meetings/:id',
    summary: 'Delete a meeting on which nothing was voted',
    params,
    body: DeletionInput,
    refused: (request, refused) => renderMeeting(ctx, request, request.params.id, { refused, at: 'delete' }),
    run: async ({ params: { id }, body: { confirm, reason }, actor, request }) => {
      if (isForm(request) && confirm !== getMeeting(ctx.db, id).title)
        throw badField('confirm', 'title_not_typed');
      const calledOff = await deleteMeeting(ctx, id, reason, actor);
      if (calledOff) await followMeeting(ctx, id, actor);
      return calledOff;
    },
    json: (calledOff) => ({ success: true, ...(calledOff && { called_off: true }) }),
    next: (calledOff, { params: { id } }) =>
      calledOff ? meetingPath(id, 'agenda', '?done=called_off') : '/admin/meetings?done=deleted',
  });
}

/** Whether a change of a meeting has no field of its own, so that it is its end alone. */
const isOnlyEnd = ({ confirm: _, ...fields }: Partial<z.output<typeof MeetingPatch>>): boolean =>
  Object.values(fields).every((value) => value === undefined);

/** What the list of meetings says of the agenda of one. */
function itemsInList(ctx: Context, { id, state }: Meeting) {
  const items = listItems(ctx.db, id);
  const isCounting = (item: Item) => item.election_id !== null && ['open', 'closed'].includes(item.state);
  return { items: items.length, counting: state === 'closed' ? [] : items.filter(isCounting) };
}

/** A meeting with its agenda and its figures, for officers. */
export async function wholeJson(
  ctx: Context,
  meeting: Meeting,
  { granted }: Pick<FastifyRequest, 'granted'>,
) {
  await closeTimers(ctx);
  const items = listItems(ctx.db, meeting.id).map((item) => itemWithCall(ctx, item, granted));
  const differences = meetingDifferences(ctx, meeting);
  const motions = motionsCalled(ctx, meeting);
  return {
    ...(differences.length > 0 && { differences }),
    ...(motions && { motions }),
    meeting: {
      ...meetingWithFigures(ctx, meeting),
      chair: findSigner(ctx.db, meeting.chair_id) ?? null,
      secretary: findSigner(ctx.db, meeting.secretary_id) ?? null,
    },
    items: await Promise.all(items),
  };
}

/** The call for motions, and how many of them wait for a decision; undefined without a call. */
function motionsCalled(ctx: Context, meeting: Meeting) {
  const call = motionCallSummary(ctx.db, meeting, ctx.now());
  return call && { ...call, waiting: listReadyMotions(ctx.db, meeting.id).length };
}

const meetingWithFigures = (ctx: Context, meeting: Meeting) => ({
  ...meetingJson(meeting),
  ...meetingFigures(ctx.db, meeting, ctx.config.TIME_ZONE),
});

/** An item with its result and what its call for candidates has brought. */
async function itemWithCall(ctx: Context, item: Item, granted: FastifyRequest['granted']) {
  const nominations = callSummary(ctx.db, item, ctx.now());
  return { ...(await itemWithResult(ctx, item, granted)), ...(nominations && { nominations }) };
}

function renderForm(
  ctx: Context,
  request: FastifyRequest,
  { errors, entered }: Pick<RefusedForm, 'errors' | 'entered'> = { errors: [], entered: {} },
): Html {
  return meetingFormPage({
    errors,
    entered,
    agendas: listMeetings(ctx.db).map(({ id, title }) => ({ id, title })),
    zone: zoneName(ctx.config.TIME_ZONE),
    viewer: request.viewer,
  });
}

/** The query of these pages. */
const pageQuery = doneQuery.extend({
  /** Of the agenda, from 1. */
  page: wholeNumber(1, 1_000_000).optional().catch(undefined),
});

const shownBy = ({ done, page: listPage }: z.output<typeof pageQuery>, page: MeetingPage): Shown => ({
  page,
  done,
  listPage,
});

/** What a page of a meeting shows: after an act its notice, or the form that was refused. */
export interface Shown {
  page?: MeetingPage;
  /** Of the agenda, from 1. */
  listPage?: number | undefined;
  done?: string | undefined;
  /** A whole sentence instead. */
  said?: Words | undefined;
  /** What the form of the invitation holds, to be changed. */
  entered?: Entered;
  refused?: RefusedForm;
  at?: RefusedAt;
}

/** The sub-page with each form. */
const PAGE_OF_FORM: Readonly<Record<RefusedAt, MeetingPage>> = {
  details: 'details',
  end: 'end',
  delete: 'end',
  invite: 'mails',
  event: 'mails',
  tell: 'agenda',
  after: 'agenda',
  documents: 'documents',
};

/** The documents that were uploaded, and the items that one can belong to. */
function documentsOf(ctx: Context, id: string) {
  const items = listItems(ctx.db, id).map((item) => ({
    value: item.id,
    label: `${item.number}. ${item.title}`,
    isOpen: item.state === 'prepared',
  }));
  const labels = new Map(items.map(({ value, label }) => [value, label]));
  return {
    documents: listUploaded(ctx.db, id).map((one) => ({
      ...one,
      url: documentPath(id, one.id),
      item: labels.get(one.item_id ?? ''),
    })),
    items: items.filter(({ isOpen }) => isOpen),
  };
}

/** A sub-page of the officers' page of a meeting. @throws 404; the refusal itself where its page cannot be shown */
export async function renderMeeting(
  ctx: Context,
  request: FastifyRequest,
  id: string,
  { page: asked, listPage, done, said, entered, refused, at }: Shown,
): Promise<Html> {
  const zone = ctx.config.TIME_ZONE;
  await closeTimers(ctx);
  const stored = getMeeting(ctx.db, id);
  const change = untoldChange(ctx.db, stored);
  const meeting = meetingWithFigures(ctx, stored);
  // A form of a page that is closed by now is refused on the first one.
  const wanted = asked ?? (at ? PAGE_OF_FORM[at] : 'agenda');
  const page = openPages({ meeting, viewer: request.viewer }).includes(wanted) ? wanted : 'agenda';
  return meetingPage({
    page,
    untold: change && { change, people: listInvited(ctx.db, id).length },
    meeting,
    awaitedAnswers: page === 'agenda' ? await answersAwaitedIn(ctx, stored) : [],
    minutesToCorrect: areToCorrect(ctx.db, id),
    when: formatWhen(stored.held_at, zone),
    classPeople:
      meeting.classes.length > 1 && meeting.state !== 'closed'
        ? countByClass(ctx.db, stored, listVoters(ctx.db, stored, zone))
        : undefined,
    done: said ?? ownValue(DONE, done),
    agenda: page === 'agenda' ? await shownAgenda(ctx, stored, request, listPage) : undefined,
    mails:
      page === 'mails'
        ? {
            entered,
            unreached: listUnreached(ctx.db, stored, zone).length,
            lists: listDistributionLists(ctx.db).map(({ id, name, count }) => ({ id, name, count })),
            event: meeting.event_id === null ? undefined : eventPath(meeting.event_id),
          }
        : undefined,
    documents: page === 'documents' ? documentsOf(ctx, id) : undefined,
    details: page === 'details' ? { stored: MEETING.entered(stored, ctx), zone: zoneName(zone) } : undefined,
    end:
      page === 'end'
        ? {
            waiting: listItems(ctx.db, id)
              .filter(({ state }) => state === 'closed')
              .map(({ title }) => title),
            voidAsked: listItems(ctx.db, id)
              .filter((item) => item.state === 'declared' && findVoidAsked(ctx, item).void_asked)
              .map(({ title }) => title),
          }
        : undefined,
    refused: refused && at ? { ...refused, at } : undefined,
    viewer: request.viewer,
  });
}

/** The elected of a meeting that is over who have not said whether they accept, while its minutes can still say it. */
async function answersAwaitedIn(ctx: Context, meeting: Meeting): Promise<string[]> {
  if (meeting.state !== 'closed' || areMinutesSigned(ctx.db, meeting)) return [];
  const announced = listItems(ctx.db, meeting.id).filter(({ state }) => state === 'declared');
  return awaitedAnswers(await Promise.all(announced.map((item) => itemWithResult(ctx, item))));
}

/** One page of the agenda; a page that it does not have is the last one. */
async function shownAgenda(
  ctx: Context,
  meeting: Meeting,
  { granted }: Pick<FastifyRequest, 'granted'>,
  listPage = 1,
) {
  const items = listItems(ctx.db, meeting.id);
  const last = Math.max(1, Math.ceil(items.length / ITEMS_A_PAGE));
  const first = (Math.min(listPage, last) - 1) * ITEMS_A_PAGE;
  const shown = items.slice(first, first + ITEMS_A_PAGE);
  const questions = listQuestions(ctx.db, meeting.paper_id ?? '');
  const names = namesOf(ctx.db, questions);
  const uploaded = listUploaded(ctx.db, meeting.id);
  return {
    items: await Promise.all(
      shown.map(async (item) => {
        const question = questions.find(({ id }) => id === item.election_id);
        return {
          ...(await itemWithCall(ctx, item, granted)),
          files: filesOf(item, uploaded),
          question: question && {
            ballot_type: question.ballot_type,
            settings: readSettings(question.settings),
            names: names.get(question.id) ?? [],
          },
        };
      }),
    ),
    first,
    total: items.length,
    motions: motionsCalled(ctx, meeting),
    differences: meetingDifferences(ctx, meeting),
    after: afterMails(ctx.db, meeting),
    timeZone: ctx.config.TIME_ZONE,
  };
}
