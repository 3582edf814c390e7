import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { pubDayEnd, pubDayOf } from '#pub/pub-day.ts';
import { requestHours } from './hours.ts';
import {
  inPlayOrder,
  isOpen,
  nextRequestAt,
  REQUESTS_A_DAY,
  type RequestRow,
  requestsOfDay,
} from './rules.ts';

/** A request as visitors see it. */
export interface RequestJson {
  id: string;
  artist: string;
  title: string;
  albumArtUrl: string;
  votes: number;
  status: RequestRow['status'];
  createdAt: string;
  playedAt: string | null;
  mine: boolean;
  voted: boolean;
  /** Why staff declined it; only for the browser that asked. */
  reason?: string;
}

/** The evening's requests: open ones in the order of play, then settled ones, newest first. */
export interface Queue {
  items: RequestJson[];
  open: boolean;
  /** When requests close and when they open next; null if that is not known. */
  closesAt: string | null;
  opensAt: string | null;
  /** How many more songs this browser may request this evening, and from when; `nextAt` null means now. */
  left: number;
  nextAt: string | null;
}

/** Lists the queue for one browser, with declined requests only if they are its own. */
export function listRequests(ctx: Context, browser: string): Queue {
  const now = ctx.now();
  const zone = ctx.config.TIME_ZONE;
  const day = pubDayOf(now, zone);
  const hours = requestHours(ctx);
  const rows = ctx.db.all(requestsOfDay({ day }));
  const voted = ctx.db.all(
    build.selectFrom('song_request_votes').select('request_id').where('browser_hash', '=', browser),
  );
  const votes = new Set(voted.map((vote) => vote.request_id));
  const own = rows.filter((row) => row.browser_hash === browser);
  const seen = rows.filter(
    (row) => row.status !== 'expired' && (row.status !== 'declined' || own.includes(row)),
  );
  const next = nextRequestAt(own, now, pubDayEnd(day, zone));
  return {
    items: [...inPlayOrder(seen.filter(isOpen)), ...listSettled(seen)].map((row) =>
      requestJson(row, browser, votes.has(row.id)),
    ),
    open: hours.open,
    closesAt: isoOrNull(hours.closesAt),
    opensAt: isoOrNull(hours.opensAt),
    left: Math.max(0, REQUESTS_A_DAY - own.length),
    nextAt: isoOrNull(next),
  };
}

/** Formats a request for one browser; `voted` says whether it has voted for it. */
export function requestJson(row: RequestRow, browser: string, voted: boolean): RequestJson {
  return {
    ...commonJson(row),
    mine: row.browser_hash === browser,
    voted,
    ...(row.status === 'declined' && row.reason && { reason: row.reason }),
  };
}

/** A request as staff see it. */
export type StaffRequestJson = Omit<RequestJson, 'mine' | 'voted' | 'reason'> & {
  note: string | null;
  decidedAt: string | null;
  decidedBy: string | null;
  reason: string | null;
};

/**
 * Lists the evening's requests for staff: open ones in the order of play, then the rest, newest first.
 * @param kept ids of settled requests that keep their place among the open ones
 */
export function listRequestsForStaff(
  ctx: Context,
  kept: ReadonlySet<string> = new Set(),
): StaffRequestJson[] {
  const rows = ctx.db.all(requestsOfDay({ day: pubDayOf(ctx.now(), ctx.config.TIME_ZONE) }));
  const isListed = (row: RequestRow) => isOpen(row) || kept.has(row.id);
  const settled = listSettled(rows).filter((row) => !kept.has(row.id));
  return [...inPlayOrder(rows.filter(isListed)), ...settled].map(staffRequestJson);
}

export function staffRequestJson(row: RequestRow): StaffRequestJson {
  return {
    ...commonJson(row),
    note: row.note,
    decidedAt: isoOrNull(row.decided_at),
    decidedBy: row.decided_by,
    reason: row.reason,
  };
}

function commonJson(row: RequestRow) {
  return {
    id: row.id,
    artist: row.artist,
    title: row.title,
    albumArtUrl: row.album_art_url,
    votes: row.votes,
    status: row.status,
    createdAt: isoTime(row.created_at),
    playedAt: isoOrNull(row.played_at),
  };
}

/** Requests that are no longer open, newest decision first. */
function listSettled(rows: readonly RequestRow[]): RequestRow[] {
  const at = (row: RequestRow) => row.played_at ?? row.decided_at ?? row.created_at;
  return rows.filter((row) => !isOpen(row)).toSorted((a, b) => at(b) - at(a));
}

const isoOrNull = (at: number | null) => (at === null ? null : isoTime(at));
