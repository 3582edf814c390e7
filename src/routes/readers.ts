import type { FastifyReply, FastifyRequest } from 'fastify';
import { findGranted } from '#kernel/access/guards.ts';
import { untilStored } from '#kernel/cache.ts';
import { DAY, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { isSecure, readCookie } from '#kernel/http/cookies.ts';
import { AppError } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { fieldsOf } from '#kernel/http/validation.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { clubReader } from '#kernel/locale.ts';
import { isMeetingKey, meetingKey } from '#meetings/keys.ts';
import { findMeeting, listNotPublic, type Meeting } from '#meetings/meetings.ts';
import { codeJson, type RoomCode } from '#meetings/room/room.ts';
import { keptCard } from '#routes/voting/ballots/card-cookie.ts';
import { forInvitedPage } from '#views/meetings/for-invited.ts';
import type { WrongCode } from '#views/meetings/member.ts';
import { tryCode } from '#voting/ballots/code-guesses.ts';
import { readVotingCode } from '#voting/ballots/voting-code.ts';
import { findElection } from '#voting/elections/elections.ts';

const KEPT_FOR = 90 * DAY;

/** Says that this browser came by an invitation or a card. Pages of votes read it too, so it has no path of its own. */
const cookieOf = ({ id }: Pick<Meeting, 'id'>): string => `house_invited_${id}`;

/**
 * Keeps in a browser that its reader belongs to a meeting: the key of the invitation, which says nothing of a card or of
 * a person.
 */
export function keepReader(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  meeting: Pick<Meeting, 'id'>,
): void {
  const secure = isSecure(ctx, request) ? '; Secure' : '';
  const rest = `Path=/; Max-Age=${KEPT_FOR / SECOND}; HttpOnly; SameSite=Lax${secure}`;
  reply.header('set-cookie', `${cookieOf(meeting)}=${meetingKey(ctx, 'invitation', meeting)}; ${rest}`);
}

/** The card of a request: that of its address or its form, or the one that the phone keeps. */
export function cardOf(
  ctx: Context,
  request: FastifyRequest,
  meeting: Meeting,
): { text: string; found: RoomCode } | undefined {
  const text = sentCode(request) ?? keptCard(request);
  if (text === undefined || text === '') return undefined;
  return { text, found: codeJson(ctx, meeting, text) };
}

/** The voting code that a request carries, without the address that may have been typed with it. */
function sentCode({ query, body }: FastifyRequest): string | undefined {
  const sent = fieldsOf(query).t ?? fieldsOf(body).token;
  if (typeof sent !== 'string') return undefined;
  const read = readVotingCode(sent);
  return 'code' in read ? read.code : sent;
}

/** Whether a request carries the key of the invitation to a meeting, or its browser keeps it. */
function isInvited(ctx: Context, request: FastifyRequest, meeting: Meeting): boolean {
  const { i: sent } = fieldsOf(request.query);
  const keys = [sent, readCookie(request, cookieOf(meeting))];
  return keys.some((key) => typeof key === 'string' && isMeetingKey(ctx, 'invitation', meeting, key));
}

/**
 * Whether somebody may read what a meeting has: everybody, or where it is not public whoever came by an invitation, has
 * a card of it, or is signed in. Every page, file and answer about a meeting and its votes asks this.
 */
export async function mayReadPapers(
  ctx: Context,
  request: FastifyRequest,
  meeting: Meeting,
): Promise<boolean> {
  if (meeting.public === 1 || isInvited(ctx, request, meeting)) return true;
  if (cardOf(ctx, request, meeting)?.found.valid) return true;
  return (await findGranted(ctx, request)) !== undefined;
}

/** The public addresses of a meeting that say themselves what they show to others, or show nothing of what it has. */
const OWN_ANSWER: Readonly<Record<string, string>> = {
  '/m/:id': 'that there is a meeting, and how to get in',
  '/m/:id/card': 'the same: a phone whose card has ended learns it there',
  '/m/:id/calendar.ics': 'the title and the time alone, also that it is called off',
  '/m/:id/door/:number': 'the number of its own address, title and time',
  '/m/:id/void': 'the title alone, to whoever has lost a card',
  '/m/:id/nominations/:token': 'what was mailed to whoever has the link',
  '/m/:id/motions/:token': 'what was mailed to whoever has the link',
  '/m/:id/wall': 'the wall, to its key and to the screens that were handed to it',
  '/p/:id/vote': 'a ballot to its code, and to others the title alone',
  '/p/:id/vote/review': 'the same',
};

/** Whether a request casts a ballot as a script does: the answer tells nothing of the question. */
const isCast = (request: FastifyRequest): boolean =>
  request.routeOptions.config.admission === 'always' && !wantsHtml(request);

const keptNotPublic = untilStored(listNotPublic);

/** The meetings that are not public. */
export const notPublic = (ctx: Context): readonly Meeting[] => keptNotPublic(ctx, '');

/** What the `:id` of a route names: a meeting, its ballot paper, or a question of it. */
type Named = 'meeting' | 'paper' | 'question';

/** The meeting that a route is about, if it is not public. */
function findNotPublic(ctx: Context, named: Named, id: string): Meeting | undefined {
  const closed = notPublic(ctx);
  if (closed.length === 0) return undefined;
  if (named === 'meeting') return closed.find((one) => one.id === id);
  const paper = named === 'paper' ? id : findElection(ctx.db, id)?.paper_id;
  return paper == null ? undefined : closed.find(({ paper_id }) => paper_id === paper);
}

/**
 * Opens every address of a scope whose `:id` names a meeting, its ballot paper or a question of it to those who may read
 * the meeting, and keeps in their browser that they may. Others are told how to get in: with 403 on a page, else 401.
 */
export function onlyForReaders(ctx: Context, scope: App, named: Named): void {
  scope.addHook('preValidation', async (request: FastifyRequest, reply: FastifyReply) => {
    const { id } = fieldsOf(request.params);
    if (typeof id !== 'string' || isCast(request)) return;
    if (named === 'meeting' && fieldsOf(request.query).i !== undefined) {
      const meeting = findMeeting(ctx.db, id);
      if (meeting && isInvited(ctx, request, meeting)) keepReader(ctx, request, reply, meeting);
      // The key is not kept in the address.
      if (request.method === 'GET' && wantsHtml(request)) return reply.redirect(withoutKey(request), 303);
    }
    const meeting = findNotPublic(ctx, named, id);
    // Where it is called off, its addresses say that.
    if (!meeting || (named === 'meeting' && meeting.called_off_at !== null)) return;
    reply.header('x-robots-tag', 'noindex');
    const card = cardOf(ctx, request, meeting);
    if (card?.found.valid && !isInvited(ctx, request, meeting)) keepReader(ctx, request, reply, meeting);
    const { url = '' } = request.routeOptions;
    if (url in OWN_ANSWER || (await mayReadPapers(ctx, request, meeting))) return;
    const { client } = request;
    // A code that was tried here counts like those that are tried elsewhere.
    if (card && named !== 'meeting')
      tryCode(ctx, { text: card.text, electionId: meeting.paper_id ?? '', client });
    return sendForInvited(ctx, request, reply, meeting, { status: 403 });
  });
}

/** The address of a request without the key of an invitation. */
function withoutKey({ url }: FastifyRequest): string {
  const [path = '', query] = url.split('?');
  const rest = new URLSearchParams(query);
  rest.delete('i');
  return rest.size === 0 ? path : `${path}?${rest}`;
}

/**
 * Says that there is a meeting, and how to get in. @throws 401 for clients that do not want a page
 */
export function sendForInvited(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  meeting: Meeting,
  { status = 200, wrongCode }: { status?: number; wrongCode?: WrongCode } = {},
): FastifyReply {
  const when = formatWhen(meeting.held_at, ctx.config.TIME_ZONE);
  const { id, title } = meeting;
  if (!wantsHtml(request))
    throw new AppError(401, 'meeting_for_invited', { title, when: when.for(clubReader()) });
  return sendHtml(reply, forInvitedPage({ meeting: { id, title }, when, wrongCode }), status);
}
