import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findGranted } from '#kernel/access/guards.ts';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { kept } from '#kernel/cache.ts';
import { isoTime, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { tooManyRequests } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, formatWhen, sentences, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { isAddition } from '#meetings/additions.ts';
import { listUploaded } from '#meetings/documents/documents.ts';
import { StubInput, voidByStub } from '#meetings/door/cards.ts';
import { doorNumberPath, formatDoorNumber, readDoorNumber } from '#meetings/door/numbers.ts';
import { ITEM, type Item, listItems } from '#meetings/items.ts';
import { documentsOf, getMeeting, type Meeting, meetingNow } from '#meetings/meetings.ts';
import { motionCallSummary } from '#meetings/motions/calls.ts';
import { callSummary, shownCandidates } from '#meetings/nominations/candidates.ts';
import { meetingFile, meetingPath } from '#meetings/program.ts';
import { meetingDifferences } from '#meetings/recorded.ts';
import { type ItemWithResult, itemWithResult } from '#meetings/room/results.ts';
import { roomJson } from '#meetings/room/room.ts';
import { cardOf, mayReadPapers } from '#routes/readers.ts';
import { cardMark, cardPage, keepsCard, keptCard } from '#routes/voting/ballots/card-cookie.ts';
import { refusalSentence } from '#views/components/entered.ts';
import { doorNumberPage } from '#views/meetings/door-number.ts';
import { publicMeetingPage } from '#views/meetings/meeting.ts';
import { itemOutcome, itemRule, voidOf } from '#views/meetings/outcome.ts';
import { voidCardPage } from '#views/meetings/void-card.ts';
import { hasCheckedCodes } from '#voting/ballot-papers/check.ts';
import { documentJson } from './documents.ts';
import { hasPublicMinutes } from './minutes.ts';
import { RoomQuery, sendRoom } from './room.ts';

const params = z.object({ id: Id });
const StubQuery = z.object({ s: z.string().max(200).optional().catch(undefined) });
/** A whole meeting may share one address. */
const STUBS_A_MINUTE = 60;

/** The page of a meeting for its members: agenda, documents, and how to take part. */
export function publicMeeting(app: App, { ctx }: { ctx: Context }): void {
  // When voting opens a whole meeting asks for it at once, from one address.
  const query = {
    config: { admission: 'voting' },
    schema: { summary: 'A meeting', params, querystring: RoomQuery },
  } as const;
  app.get('/m/:id', query, async (request, reply) => {
    // The card is sent to the page for cards alone.
    const isElsewhere = wantsHtml(request) && keepsCard(request) && keptCard(request) === undefined;
    const { t: code, card, done, agenda } = request.query;
    if (isElsewhere && code === undefined && card === undefined && agenda === undefined)
      return reply.redirect(`${cardPage(request.params.id)}${done === 'asked' ? '?done=asked' : ''}`, 303);
    return sendMeeting(request, reply);
  });
  app.get('/m/:id/card', query, (request, reply) => sendMeeting(request, reply));

  async function sendMeeting(
    request: FastifyRequest<{ Params: z.output<typeof params>; Querystring: z.output<typeof RoomQuery> }>,
    reply: FastifyReply,
  ) {
    reply.header('vary', 'Accept, Cookie');
    const { id } = request.params;
    const meeting = meetingNow(ctx, id) ?? getMeeting(ctx.db, id);
    const mayRead = await mayReadPapers(ctx, request, meeting);
    if (!wantsHtml(request)) {
      if (!mayRead) return { meeting: closedJson(meeting) };
      const json = await publicJson(ctx, meeting);
      const { meeting: shown, ...followed } = await roomJson(ctx, meeting.id);
      const code = cardOf(ctx, request, meeting)?.found;
      return { ...json, ...followed, meeting: { ...shown, ...json.meeting }, ...(code && { code }) };
    }
    const { t: code, card, agenda } = request.query;
    // A phone with a card follows before the first item is opened too.
    const hasCard = meeting.state === 'prepared' && cardOf(ctx, request, meeting)?.found.valid;
    const follows = meeting.state === 'running' || code !== undefined || card !== undefined || hasCard;
    // A code that was typed wrong is said there too.
    if (!mayRead || (follows && agenda === undefined))
      return sendRoom(ctx, request, reply, { meeting, mayRead });
    const json = await publicJson(ctx, meeting);
    return sendHtml(
      reply,
      publicMeetingPage({
        ...json,
        hasMinutes: json.has_minutes,
        codes: codesOf(request, meeting),
        motionsUntil:
          json.motions?.state === 'open'
            ? formatWhen(timeOf(json.motions.closes_at), ctx.config.TIME_ZONE)
            : undefined,
        items: json.items.map((item) => ({
          ...item,
          outcome: outcomeOf(item),
          closes: item.nominations && formatWhen(timeOf(item.nominations.closes_at), ctx.config.TIME_ZONE),
        })),
        when: formatWhen(meeting.held_at, ctx.config.TIME_ZONE),
        zone: zoneName(ctx.config.TIME_ZONE),
      }),
    );
  }

  /** Where a voter of a meeting that is over checks codes; undefined if no vote had some. */
  function codesOf(request: FastifyRequest, meeting: Meeting) {
    const { id, state, paper_id } = meeting;
    if (state !== 'closed' || paper_id === null || !hasCheckedCodes(ctx, paper_id)) return undefined;
    const card = cardOf(ctx, request, meeting);
    return { paper_id, card: card && cardMark(id, card.text) };
  }

  app.get(
    '/m/:id/calendar.ics',
    { config: { json: true }, schema: { summary: 'A meeting for a calendar', params } },
    async (request, reply) => {
      const meeting = getMeeting(ctx.db, request.params.id);
      return reply
        .type('text/calendar; charset=utf-8')
        .header('content-disposition', 'attachment; filename="meeting.ics"')
        .send(meetingFile(ctx, meeting, ctx.config.BASE_URL, await mayReadPapers(ctx, request, meeting)));
    },
  );
}

/**
 * The number of an invitation. It opens the door, looking for that person, to whoever works there, and shows itself to
 * everybody else. Nothing is looked up here, and nobody is checked in.
 */
export function doorNumbers(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/m/:id/door/:number',
    {
      config: { secretAddress: true },
      schema: {
        summary: 'The number of an invitation',
        params: params.extend({ number: z.string().max(40) }),
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const number = readDoorNumber(request.params.number);
      const meeting = getMeeting(ctx.db, id);
      reply.header('vary', 'Cookie');
      if (number === undefined || meeting.state === 'closed') return reply.redirect(meetingPath({ id }), 303);
      const granted = await findGranted(ctx, request);
      const shown = formatDoorNumber(number);
      if (granted?.has('meetings:door')) return reply.redirect(`/admin/meetings/${id}/door?q=${shown}`, 303);
      const address = `${linkOrigin(ctx, request) ?? ''}${doorNumberPath(id, shown)}`;
      const { default: QRCode } = await import('qrcode');
      const { modules } = QRCode.create(address, { errorCorrectionLevel: 'M' });
      const when = formatWhen(meeting.held_at, ctx.config.TIME_ZONE);
      const place = (await mayReadPapers(ctx, request, meeting)) ? meeting.place : null;
      const page = { meeting: { id, title: meeting.title, place }, when, number: shown, qr: modules };
      return sendHtml(reply, doorNumberPage(page));
    },
  );
}

/** Voiding a lost card with its stub. */
export function lostCards(app: App, { ctx }: { ctx: Context }): void {
  const config = refusedOn((request, refused) =>
    renderVoid(ctx, (request.params as { id: string }).id, {
      refused: refusalSentence(refused, { stub: t('meetings.lost_card.stub') }),
    }),
  );

  app.get(
    '/m/:id/void',
    {
      config: { secretAddress: true },
      schema: { summary: 'Make a lost card void', params, querystring: StubQuery },
    },
    async (request, reply) => {
      const replaces = (await findGranted(ctx, request))?.has('meetings:door') ?? false;
      return sendHtml(reply, renderVoid(ctx, request.params.id, { stub: request.query.s, replaces }));
    },
  );

  app.post(
    '/m/:id/void',
    { config, schema: { summary: 'Make a lost card void', params, body: StubInput } },
    async (request, reply) => {
      const { id } = request.params;
      countStub(ctx, request.client);
      await voidByStub(ctx, id, request.body.stub);
      return wantsHtml(request) ? sendHtml(reply, renderVoid(ctx, id, { done: true })) : { ok: true };
    },
  );
}

function renderVoid(
  ctx: Context,
  id: string,
  shown: { done?: boolean; refused?: Words | string; stub?: string | undefined; replaces?: boolean } = {},
) {
  const { title } = getMeeting(ctx.db, id);
  return voidCardPage({ meeting: { id, title }, ...shown });
}

/** Stubs have 75 random bits; this only keeps a guesser from filling the log. @throws 429 */
function countStub(ctx: Context, client: string): void {
  const { allowed, resetAt } = ctx.limiter.hit('stubs', client, STUBS_A_MINUTE);
  if (!allowed) throw tooManyRequests('too_many_requests', resetAt - ctx.now());
}

/** The call for candidates of an item as everybody may see it. */
function publicCall(ctx: Context, item: Item) {
  const call = callSummary(ctx.db, item, ctx.now());
  if (!call) return {};
  const { state, opens_at, closes_at } = call;
  const candidates = state === 'over' ? shownCandidates(ctx.db, item) : undefined;
  return { nominations: { state, opens_at, closes_at, ...(candidates && { candidates }) } };
}

/** The announced results of a meeting; once it is over, with how else its items ended. */
const ANNOUNCED = kept<Promise<{ item: Item; announced: Announced }[]>>({ age: SECOND });

type Announced = Partial<Pick<ItemWithResult, 'way' | 'quorate' | 'void' | 'elected' | 'result'>>;

const announcedItems = (ctx: Context, { id, state }: Meeting) =>
  ctx.cache.get(
    ANNOUNCED,
    id,
    () =>
      Promise.all(
        listItems(ctx.db, id).map(async (item) => {
          const isTold = state === 'closed' || item.state === 'declared' || item.state === 'void';
          if (!isTold) return { item, announced: {} };
          const { way, quorate, elected, result, ...rest } = await itemWithResult(ctx, item);
          const isVoid = rest.void && { void: rest.void };
          return {
            item,
            announced: { way, quorate, ...isVoid, ...(elected && { elected }), ...(result && { result }) },
          };
        }),
      ),
    [ctx.changes()],
  );

function outcomeOf({ way = null, quorate = null, ...item }: Announced) {
  if (item.void) return { said: voidOf(item.void), rule: undefined, page: undefined };
  const said = itemOutcome({ ...item, quorate });
  if (said === undefined || !item.result) return undefined;
  const { results_mode: mode, election_id } = item.result;
  const answers = (item.elected ?? []).filter(({ accepts }) => accepts === false).map(({ name }) => name);
  const page = mode === 'hands' || mode === 'unopposed' ? undefined : `/e/${election_id}/results`;
  const refused = answers.length > 0 && t('meetings.meeting.not_accepted', { names: allOf(answers) });
  return { said: sentences([said, refused])!, rule: itemRule({ result: item.result, way }), page };
}

/** What everybody learns of a meeting that is not public. */
const closedJson = ({ id, title, held_at }: Meeting) => ({
  id,
  title,
  held_at: isoTime(held_at),
  public: false,
});

/** A meeting as those who may read it see it. */
async function publicJson(ctx: Context, meeting: Meeting) {
  const { id, title, place, notes, state } = meeting;
  const differences = meetingDifferences(ctx, meeting);
  const motions = motionCallSummary(ctx.db, meeting, ctx.now());
  return {
    ...(differences.length > 0 && { differences }),
    ...(motions && { motions }),
    files: listUploaded(ctx.db, id).map(documentJson),
    meeting: {
      id,
      title,
      held_at: isoTime(meeting.held_at),
      place,
      notes,
      documents: documentsOf(meeting),
      state,
      allows_remote: meeting.remote === 1,
      public: meeting.public === 1,
    },
    has_minutes: hasPublicMinutes(ctx, meeting),
    items: (await announcedItems(ctx, meeting)).map(({ item, announced }) => ({
      id: item.id,
      number: item.number,
      kind: item.kind,
      ...ITEM.json(item),
      ...(isAddition(ctx.db, item) && { added: true as const }),
      state: item.state,
      ...announced,
      ...publicCall(ctx, item),
    })),
  };
}

const timeOf = (iso: string): number => Temporal.Instant.from(iso).epochMilliseconds;
