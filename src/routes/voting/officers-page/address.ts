import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import { findItemOf } from '#meetings/items.ts';
import { getMeeting, placeOf } from '#meetings/meetings.ts';
import { meetingLinks } from '#views/meetings/admin/sub-pages.ts';
import { meetingPath } from '#views/meetings/words.ts';
import type { MeetingPlace } from '#views/voting/admin/frame.ts';
import type { Named } from '#views/voting/words.ts';
import { getIssuer, type Issuer, meetingOf } from '#voting/elections/issuers.ts';

/**
 * Returns the election or the ballot paper that an officer's address names.
 * @throws 404; 409 for a question of a paper, whose codes are those of the paper
 */
export function issuerOf(ctx: Context, request: Pick<FastifyRequest, 'params' | 'routeOptions'>) {
  const issuer = getIssuer(ctx.db, (request.params as { id: string }).id);
  ensureAddress(issuer, request);
  return issuer;
}

/** Whether a request is about a ballot paper, by its address. */
export const isPaperAddress = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith('/admin/papers/') ?? false;

/** @throws 404 for a paper at an address of elections, and the reverse */
export function ensureAddress({ isPaper }: Issuer, request: Pick<FastifyRequest, 'routeOptions'>): void {
  const named = isPaperAddress(request);
  if (isPaper !== named) throw notFound(named ? 'paper_not_found' : 'election_not_found');
}

/** The same for a refused form. Without one there is no page to show: the refusal is sent as an error. */
export function issuerOfRefused(ctx: Context, request: FastifyRequest, error: unknown): Issuer {
  try {
    return issuerOf(ctx, request);
  } catch {
    throw error;
  }
}

/** An election or a ballot paper with the meeting that it belongs to, for the officers' pages about it. */
export const placed = <Of extends Named>(
  ctx: Context,
  request: Pick<FastifyRequest, 'viewer'>,
  of: Of,
): Of & Named => ({ ...of, meeting: of.isPaper ? findPlace(ctx, request, of.id) : undefined });

function findPlace(
  ctx: Context,
  { viewer }: Pick<FastifyRequest, 'viewer'>,
  paperId: string,
): Named['meeting'] {
  const found = meetingOf(ctx.db, paperId);
  if (!found) return undefined;
  const meeting = placeOf(found);
  return { title: meeting.title, href: meetingPath(meeting.id), pages: meetingLinks({ meeting, viewer }) };
}

/** The meeting that votes on an election, as the way to the pages about it. */
export function placeOfQuestion({ db }: Pick<Context, 'db'>, electionId: string): MeetingPlace | undefined {
  const item = findItemOf(db, electionId);
  if (!item) return undefined;
  const { id, title } = getMeeting(db, item.meeting_id);
  return { title, href: meetingPath(id) };
}
