import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { findGranted } from '#kernel/access/guards.ts';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { Html } from '#kernel/html.ts';
import { doneQuery } from '#kernel/http/act.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { languageOf, sendHtml, sendTvPage } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id, newCode, newRandomId } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { type Place, patternPage } from '#kernel/site.ts';
import { type Item, listItems } from '#meetings/items.ts';
import { isMeetingKey } from '#meetings/keys.ts';
import { getMeeting, type Meeting, meetingNow } from '#meetings/meetings.ts';
import { meetingDifferences } from '#meetings/recorded.ts';
import { itemWithResult } from '#meetings/room/results.ts';
import { noteRemote, type RoomCode, type RoomJson, roomJson, roomState } from '#meetings/room/room.ts';
import { isWallShown } from '#meetings/room/screens.ts';
import { askToSpeak, SpeakerInput } from '#meetings/room/speakers.ts';
import { MeetingStreams } from '#meetings/room/streams.ts';
import { cardOf, mayReadPapers, sendForInvited } from '#routes/readers.ts';
import {
  type CardPlaces,
  isShuffled,
  type RoomBallot,
  roomBallot,
} from '#routes/voting/ballot-papers/voters-pages.ts';
import { cardMark, cardPage, keepCard, keptCard } from '#routes/voting/ballots/card-cookie.ts';
import { memberPage, type WrongCode } from '#views/meetings/member.ts';
import { type MeetingWallProps, meetingWallPage } from '#views/meetings/wall.ts';
import { decisionWords } from '#views/meetings/words.ts';
import { ruleSentences } from '#views/voting/ballot-types.ts';
import { randomFilling } from '#views/voting/ballots/equal-length.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { readSettings } from '#voting/election-settings.ts';
import { getElection } from '#voting/elections/elections.ts';
import { type Paper, paperNow } from '#voting/elections/issuers.ts';

const params = z.object({ id: Id });
const querystring = doneQuery.extend({
  t: z.string().max(200).optional().catch(undefined),
  /** Gives the card back: the next one on this phone. */
  card: z.literal('other').optional().catch(undefined),
  /** Shows the agenda, the documents and what was announced, also on a phone that follows the meeting. */
  agenda: z.literal('1').optional().catch(undefined),
  /** Shows the form to ask to speak. */
  ask: z.literal('1').optional().catch(undefined),
  /** The questions that somebody without script does not vote on now, so that the page can go on. */
  later: z.string().max(2_000).default('').catch(''),
});
export const RoomQuery = querystring;

/** The pages of a meeting in the room: what everybody follows on phones and on the wall. */
export function room(app: App, { ctx }: { ctx: Context }): void {
  const streams = new MeetingStreams(ctx);
  // The server waits for open responses when it closes.
  app.addHook('preClose', async () => streams.close());

  app.get(
    '/m/:id/stream',
    {
      config: { json: true, admission: 'uncounted' },
      schema: { summary: 'A meeting as it goes on', params },
    },
    async (request, reply) => {
      await streams.open(request, reply, request.params.id);
      return reply;
    },
  );

  const keyed = z.object({ k: z.string().max(60).optional().catch(undefined) });
  app.get('/m/:id/wall', { schema: { params, querystring: keyed } }, async (request, reply) => {
    const meeting = getMeeting(ctx.db, request.params.id);
    if (!(await mayReadWall(request, meeting)))
      return sendForInvited(ctx, request, reply, meeting, { status: 403 });
    const json = await roomJson(ctx, request.params.id);
    const origin = linkOrigin(ctx, request);
    const items = listItems(ctx.db, request.params.id);
    const at = items.findIndex(({ id }) => id === json.item?.id);
    const { default: QRCode } = await import('qrcode');
    // The TVs show it in a frame.
    return sendTvPage(
      reply,
      meetingWallPage({
        ...json,
        rule: json.question ? ruleOf(ctx, json.question.id) : [],
        decided: json.meeting.state === 'closed' ? await listDecided(ctx, items) : [],
        following: items.slice(at + 1).map(({ number, title }) => `${number}. ${title}`),
        now: ctx.now(),
        way: origin && {
          qr: QRCode.create(`${origin}/m/${request.params.id}`, { errorCorrectionLevel: 'M' }).modules,
          address: `${origin.replace(/^https?:\/\//, '')}/vote`,
        },
      }),
      { namesAddress: true },
    );
  });

  /** Besides the readers: a projector by its key, and the TVs while they show it, which are signed in nowhere. */
  const mayReadWall = async (
    request: FastifyRequest<{ Querystring: { k?: string | undefined } }>,
    meeting: Meeting,
  ) =>
    isMeetingKey(ctx, 'wall', meeting, request.query.k ?? '') ||
    isWallShown(ctx, meeting.id) ||
    mayReadPapers(ctx, request, meeting);

  app.post(
    `${cardPage(':id')}/here`,
    {
      config: { json: true, admission: 'voting' },
      bodyLimit: 1024,
      schema: { summary: 'Say that a member elsewhere is present', params },
    },
    async (request, reply) => {
      const { id } = request.params;
      const meeting = getMeeting(ctx.db, id);
      const card = keptCard(request);
      if (card) await noteRemote(ctx, meeting, hashToken(card));
      if (wantsHtml(request)) return reply.redirect(cardPage(id), 303);
      return { ok: true };
    },
  );

  app.post(
    '/m/:id/speakers',
    {
      config: refusedOn(async (request, { message }) => {
        const { id } = request.params as { id: string };
        const json = await roomJson(ctx, id);
        return renderMember(ctx, getMeeting(ctx.db, id), json, { refused: message });
      }),
      bodyLimit: 4 * 1024,
      schema: { summary: 'Ask to speak', params, body: SpeakerInput },
    },
    async (request, reply) => {
      const { id } = request.params;
      await askToSpeak(ctx, id, request.body, request.client);
      if (wantsHtml(request)) return reply.redirect(`/m/${id}?done=asked`, 303);
      return { ok: true };
    },
  );
}

/** What a meeting has decided about its items. */
async function listDecided(ctx: Context, items: readonly Item[]): Promise<MeetingWallProps['decided']> {
  const shown = await Promise.all(items.map((item) => itemWithResult(ctx, item)));
  return shown.flatMap((item) => {
    const outcome = decisionWords(item);
    return outcome === undefined ? [] : [{ title: `${item.number}. ${item.title}`, outcome }];
  });
}

/** What decides about a question, in sentences. */
function ruleOf({ db }: Context, id: string): (Words | string)[] {
  const { ballot_type, settings } = getElection(db, id);
  return ruleSentences({ ballot_type, settings: readSettings(settings) });
}

/**
 * Answers GET /m/:id of a meeting that is held: a page that goes on by itself.
 * @param mayRead whether its reader may read it without a card too
 */
export async function sendRoom(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { meeting: asked, mayRead }: { meeting: Meeting; mayRead: boolean },
): Promise<FastifyReply> {
  const { id } = asked;
  const { t, card, ...query } = request.query as z.output<typeof querystring>;
  if (card === 'other') keepCard(ctx, request, reply, { meetingId: id, code: '' });
  const asOfStart = roomState(ctx, id);
  const granted = keptCard(request) === undefined ? undefined : await findGranted(ctx, request);
  const json = await roomJson(ctx, id);
  // Nothing is awaited from here on: what the card has done and what the page shows are of one moment.
  const meeting = meetingNow(ctx, id) ?? asked;
  const own = card === 'other' ? undefined : cardOf(ctx, request, meeting);
  if (!own?.found.valid) {
    const wrongCode = wrongCodeOf(own, t);
    if (!mayRead) return sendForInvited(ctx, request, reply, meeting, { wrongCode });
    return sendHtml(reply, renderMember(ctx, meeting, json, { ...query, wrongCode }));
  }
  const { text, found } = own;
  if (t !== undefined) {
    keepCard(ctx, request, reply, { meetingId: id, code: text });
    // The code is not kept in the address.
    return reply.redirect(cardPage(id), 303);
  }
  const returns = granted?.has('meetings:door') ? text : undefined;
  const paper = openPaper(ctx, json);
  // What was stored while the room was awaited may be on one half of the page only: nobody else gets that.
  const state = roomState(ctx, id);
  const isTorn = state !== asOfStart;
  const isOwn = returns !== undefined || isTorn || (paper !== undefined && isShuffled(ctx, paper));
  const language = languageOf(request);
  const page = patternPage(ctx, {
    key: isOwn ? undefined : [found],
    state,
    own: text,
    make: (place) => {
      const held = { found, places: placesOf(id, place) };
      const ballot = paper && roomBallot(ctx, paper, text, { language, places: held.places });
      return renderMember(ctx, meeting, json, { ...query, held, ballot, returns });
    },
  });
  return sendHtml(reply, page);
}

/** What the page of a card has of this card, and draws anew each time. */
const placesOf = (meetingId: string, place: Place): CardPlaces & { mark: string } => ({
  mark: place((code) => cardMark(meetingId, code)),
  token: place((code) => code),
  submissionId: place(newRandomId),
  inclusionCode: place(newCode),
  filling: (range) => new Html(place(() => randomFilling(range))),
});

/** The ballot paper of a meeting while one of its questions is open. */
const openPaper = (ctx: Context, { open, meeting }: RoomJson): Paper | undefined =>
  open.length > 0 ? paperNow(ctx, meeting.paper_id ?? '') : undefined;

function renderMember(
  ctx: Context,
  meeting: Meeting,
  json: RoomJson,
  {
    held,
    ballot,
    ask,
    later = '',
    wrongCode = false,
    returns,
    done,
    refused,
  }: {
    held?: { found: RoomCode; places: { mark: string } };
    ballot?: RoomBallot | undefined;
    ask?: string | undefined;
    later?: string;
    wrongCode?: WrongCode;
    returns?: string | undefined;
    done?: string | undefined;
    refused?: Words;
  },
): Html {
  const { id } = meeting;
  return memberPage({
    differences: meetingDifferences(ctx, meeting),
    ...json,
    now: ctx.now(),
    when:
      meeting.state === 'prepared'
        ? { at: formatWhen(meeting.held_at, ctx.config.TIME_ZONE), place: meeting.place }
        : undefined,
    address: held ? cardPage(id) : `/m/${id}`,
    questions: held?.found.questions,
    card: held?.places.mark,
    here: meeting.remote === 1 ? held?.found.here : undefined,
    ballot,
    isLater: ballot?.questions.every((one) => later.split(',').includes(one)) ?? false,
    asks: ask !== undefined || refused !== undefined,
    wrongCode,
    returns,
    done,
    refused,
  });
}

/** @param typed the code in the address, if there is one */
function wrongCodeOf(own: { found: RoomCode } | undefined, typed: string | undefined): WrongCode {
  if (own?.found.ended) return 'ended';
  return own === undefined ? typed !== undefined : !own.found.valid;
}
