import { kept } from '#kernel/cache.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { findToken, hashToken } from '#voting/ballots/tokens.ts';
import { getElection, listStanding } from '#voting/elections/elections.ts';
import { getTurnout } from '#voting/elections/turnout.ts';
import { listUses } from '#voting/papers/casting.ts';
import { countPresent, countRemote } from '../door/attendance.ts';
import { growBases } from '../door/bases.ts';
import { type Item, listItems } from '../items.ts';
import { getMeeting, type Meeting } from '../meetings.ts';
import { noteArrivals } from './base.ts';
import { type ItemWithResult, itemWithResult } from './results.ts';
import { listSpeakers, type Speaker } from './speakers.ts';
import { closeTimers } from './timers.ts';

/** A question that is voted on, without anything that depends on the choices. */
export interface RoomQuestion {
  id: string;
  item: string;
  title: string;
  state: Item['state'];
  closes_at: string | null;
  /** How many have voted. */
  voted: number;
  /** What can be chosen, in the order of the ballot, from the opening on; none of a motion. */
  names: string[];
}

/** What everybody in the room sees: the same for all, so that it is made once for all of them. */
export interface RoomJson {
  /** Another one whenever more has changed than how many are present and have voted. */
  version: string;
  meeting: { id: string; title: string; state: Meeting['state']; held_at: string; paper_id: string | null };
  /** What is discussed. */
  item: ItemWithResult | null;
  /** Its question. */
  question: RoomQuestion | null;
  /** Every open question; one ballot answers them. */
  open: RoomQuestion[];
  present: number;
  speakers: Speaker[];
  members_ask: boolean;
}

/** What a card can do. */
export interface RoomCode {
  valid: boolean;
  /** `paper`: its holder was handed a paper for it; absent elsewhere. */
  questions: { id: string; state: Item['state']; used: boolean; paper?: true }[];
}

/** Kept until something is stored: hundreds of phones ask for it when the chair has done something. */
const ROOM = kept<Promise<RoomJson>>();

/** The room as everybody sees it. @throws 404 */
export async function roomJson(ctx: Context, meetingId: string): Promise<RoomJson> {
  await closeTimers(ctx);
  return ctx.cache.get(ROOM, meetingId, () => makeRoom(ctx, meetingId), [ctx.changes()]);
}

async function makeRoom(ctx: Context, meetingId: string): Promise<RoomJson> {
  const meeting = getMeeting(ctx.db, meetingId);
  const items = listItems(ctx.db, meetingId);
  const current = items.find(({ id }) => id === meeting.current_item);
  const open = items.filter(({ state }) => state === 'open').map((item) => questionOf(ctx, item));
  const { id, title, state, paper_id } = meeting;
  const room = {
    meeting: { id, title, state, held_at: isoTime(meeting.held_at), paper_id },
    item: current ? await itemWithResult(ctx, current) : null,
    question: current && current.election_id !== null ? questionOf(ctx, current) : null,
    open,
    present: countPresent(ctx.db, id) + countRemote(ctx.db, id),
    speakers: listSpeakers(ctx.db, id),
    members_ask: meeting.members_ask === 1,
  };
  return { version: versionOf(room), ...room };
}

/** The figures that every arrival and every vote changes. */
const FIGURES = ['present', 'voted'];

/** Hundreds of phones load the page again with each version, and only then. */
const versionOf = (room: Omit<RoomJson, 'version'>): string =>
  sha256(JSON.stringify(room, (key, value) => (FIGURES.includes(key) ? undefined : value))).slice(0, 16);

function questionOf(ctx: Context, item: Item): RoomQuestion {
  const id = item.election_id ?? '';
  const { title, close_at } = getElection(ctx.db, id);
  const isTimed = item.state === 'open' && close_at - ctx.now() < LONGEST_TIMER;
  return {
    id,
    item: item.id,
    title,
    state: item.state,
    closes_at: isTimed ? isoTime(close_at) : null,
    voted: getTurnout(ctx.db, id).used,
    // Until then candidates are those of the call, which may not be over.
    names: item.state === 'prepared' ? [] : listStanding(ctx.db, id).map(({ name }) => name),
  };
}

/** A timer can be put off; the date of a vote that the chair closes is thousands of years away. */
const LONGEST_TIMER = 1_000 * 3_600_000;

/** What a card can do with the questions of a meeting. */
export function codeJson(reader: Reader, meeting: Meeting, text: string): RoomCode {
  const { paper_id } = meeting;
  const hash = hashToken(text);
  if (paper_id === null || !findToken(reader, paper_id, hash)) return { valid: false, questions: [] };
  const uses = listUses(reader, paper_id, hash);
  return {
    valid: true,
    questions: listItems(reader, meeting.id).flatMap(({ election_id, state }) => {
      const use = election_id === null ? undefined : uses.get(election_id);
      if (!use || election_id === null) return [];
      return [{ id: election_id, state, used: use.used, ...(use.on_paper && { paper: true as const }) }];
    }),
  };
}

/**
 * Counts a member elsewhere as present, who has opened the page with their link while the meeting is held; stored
 * without a time. A card changes nothing: its holder was counted at the door.
 */
export async function noteRemote(ctx: Context, meeting: Meeting, text: string): Promise<void> {
  const { id, paper_id, state, remote } = meeting;
  if (remote === 0 || state !== 'running' || paper_id === null) return;
  const code_hash = hashToken(text);
  const row = { meeting_id: id, code_hash };
  const isKnown = (reader: Reader) =>
    reader.first(
      build
        .selectFrom('remote_presence')
        .select('code_hash')
        .where('meeting_id', '=', id)
        .where('code_hash', '=', code_hash),
    ) !== undefined;
  const isCard = ctx.db.first(
    build.selectFrom('voting_cards').select('code_hash').where('code_hash', '=', code_hash),
  );
  if (isCard || isKnown(ctx.db) || !findToken(ctx.db, paper_id, code_hash)) return;
  await ctx.write((tx) => {
    if (isKnown(tx)) return;
    tx.run(build.insertInto('remote_presence').values(row));
    growBases(tx, id, 1, null);
    noteArrivals(tx, getMeeting(tx, id), ctx.config.TIME_ZONE);
  });
}
