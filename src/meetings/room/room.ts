import { kept } from '#kernel/cache.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { newRandomId } from '#kernel/ids.ts';
import { sha256 } from '#kernel/secrets.ts';
import { documentPath, listUploaded, type StoredDocument } from '#meetings/documents/documents.ts';
import { countPresent } from '#meetings/door/attendance-rows.ts';
import { agendaNow, findItemOf, type Item, listItems } from '#meetings/items.ts';
import { getMeeting, type Meeting } from '#meetings/meetings.ts';
import { listUses } from '#voting/ballot-papers/casting.ts';
import { findToken, hashToken } from '#voting/ballots/tokens.ts';
import { findCodeEnd } from '#voting/ballots/withdrawn-codes.ts';
import { getElection, listStanding } from '#voting/elections/elections.ts';
import { endedCodes, findMeetingOfPaper } from '#voting/elections/issuers.ts';
import { officersTurnout, type ShownTurnout } from '#voting/elections/shown-turnout.ts';
import { getTurnout } from '#voting/elections/turnout.ts';
import { countLinks } from '#voting/elections/ways-to-vote.ts';
import { codeOfInvite } from '#voting/electors/joins.ts';
import { noteArrival } from './base.ts';
import { findAlarm } from './declaring.ts';
import { missingDoors, officersMark } from './officers-mark.ts';
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
  /**
   * Of how many votes: as they were said at the opening and with the last arrival, or at the close. Null before the
   * opening, and while more have voted than that and nobody has noted why.
   */
  voters: number | null;
  /** What can be chosen, in the order of the ballot, from the opening on; none of a motion. */
  names: string[];
}

/** What everybody in the room sees: the same for all, so that it is made once for all of them. */
export interface RoomJson {
  /** Another one whenever more has changed than how many are present and have voted. */
  version: string;
  meeting: {
    id: string;
    title: string;
    state: Meeting['state'];
    held_at: string;
    paper_id: string | null;
    public: boolean;
  };
  /** What is discussed. */
  item: RoomItem | null;
  /** Its question. */
  question: RoomQuestion | null;
  /** Every open question; one ballot answers them. */
  open: RoomQuestion[];
  /** People, each once: in the room, or elsewhere with their link. */
  present: number;
  /** Those of them in the room who have no card: they wait for one, or somebody else has it. */
  without_card: number;
  speakers: Speaker[];
  members_ask: boolean;
  /** Another text whenever something else has changed that officers see. */
  officers: string;
}

/** What is discussed, with its documents. */
export interface RoomItem extends ItemWithResult {
  files: { title: string; url: string }[];
}

/** What a card can do. */
export interface RoomCode {
  valid: boolean;
  /** Of a link that was valid until a card was handed out for its holder, or links ended for all. */
  ended?: true;
  /** Of a link: whether its holder counts as present elsewhere. */
  here?: boolean;
  /** `paper`: its holder was handed a paper for it; absent elsewhere. */
  questions: { id: string; state: Item['state']; used: boolean; paper?: true }[];
}

/** Kept until something is stored: hundreds of phones ask for it when the chair has done something. */
const ROOM = kept<Promise<RoomJson>>();

/** The room as everybody sees it. @throws 404 */
export async function roomJson(ctx: Context, meetingId: string): Promise<RoomJson> {
  await closeTimers(ctx);
  return ctx.cache.get(ROOM, meetingId, () => makeRoom(ctx, meetingId), [roomState(ctx, meetingId)]);
}

/** Another text whenever the room may be another one. */
export const roomState = (ctx: Context, meetingId: string): string =>
  `${ctx.changes()} ${missingDoors(ctx, meetingId)}`;

async function makeRoom(ctx: Context, meetingId: string): Promise<RoomJson> {
  const meeting = getMeeting(ctx.db, meetingId);
  const items = listItems(ctx.db, meetingId);
  const current = items.find(({ id }) => id === meeting.current_item);
  const open = items.filter(({ state }) => state === 'open').map((item) => questionOf(ctx, item));
  const { id, title, state, paper_id } = meeting;
  const room = {
    meeting: {
      id,
      title,
      state,
      held_at: isoTime(meeting.held_at),
      paper_id,
      public: meeting.public === 1,
    },
    item: current
      ? { ...(await itemWithResult(ctx, current)), files: filesOf(current, listUploaded(ctx.db, id)) }
      : null,
    question:
      current && current.election_id !== null
        ? (open.find((one) => one.item === current.id) ?? questionOf(ctx, current))
        : null,
    open,
    ...presentIn(ctx.db, meeting),
    speakers: listSpeakers(ctx.db, id),
    members_ask: meeting.members_ask === 1,
  };
  return { version: versionOf(room), ...room, officers: officersMark(ctx, id) };
}

/** Those of the uploaded documents of a meeting that belong to an item. */
export const filesOf = (
  { id, meeting_id }: Pick<Item, 'id' | 'meeting_id'>,
  uploaded: readonly StoredDocument[],
): RoomItem['files'] =>
  uploaded
    .filter(({ item_id }) => item_id === id)
    .map((one) => ({ title: one.title, url: documentPath(meeting_id, one.id) }));

function presentIn(reader: Reader, meeting: Meeting): Pick<RoomJson, 'present' | 'without_card'> {
  const { present, without_card } = countPresent(reader, meeting.id);
  return { present: present + countLinks(reader, meeting).here, without_card };
}

/** The figures that every arrival and every vote changes. */
const FIGURES = ['present', 'without_card', 'voted', 'voters'];

/** Hundreds of phones load the page again with each version, and only then. */
const versionOf = (room: Omit<RoomJson, 'version' | 'officers'>): string =>
  sha256(JSON.stringify(room, (key, value) => (FIGURES.includes(key) ? undefined : value))).slice(0, 16);

function questionOf(ctx: Context, item: Item): RoomQuestion {
  const id = item.election_id ?? '';
  const { title, close_at } = getElection(ctx.db, id);
  const voted = getTurnout(ctx.db, id).used;
  const isTimed = item.state === 'open' && close_at - ctx.now() < LONGEST_TIMER;
  return {
    id,
    item: item.id,
    title,
    state: item.state,
    closes_at: isTimed ? isoTime(close_at) : null,
    voted,
    voters: shownVoters(ctx.db, item, voted),
    // Until then candidates are those of the call, which may not be over.
    names: item.state === 'prepared' ? [] : listStanding(ctx.db, id).map(({ name }) => name),
  };
}

/** A timer can be put off; the date of a vote that the chair closes is thousands of years away. */
const LONGEST_TIMER = 1_000 * 3_600_000;

/** What a card can do with the questions of a meeting. */
export function codeJson(ctx: Context, meeting: Meeting, text: string): RoomCode {
  const { db } = ctx;
  const { paper_id } = meeting;
  const hash = hashToken(text);
  if (paper_id === null) return { valid: false, questions: [] };
  const link = db.first(linkByCode({ paper_id, token_hash: hash, meeting_id: meeting.id }));
  const hasEnded = findCodeEnd(db, paper_id, hash) !== undefined;
  if (hasEnded || !findToken(db, paper_id, hash))
    return { valid: false, ...(hasEnded && link && { ended: true as const }), questions: [] };
  const uses = listUses(db, paper_id, hash);
  return {
    valid: true,
    ...(link && { here: link.number !== null }),
    questions: agendaNow(ctx, meeting.id).flatMap(({ election_id, state }) => {
      const use = election_id === null ? undefined : uses.get(election_id);
      if (!use || election_id === null) return [];
      return [{ id: election_id, state, used: use.used, ...(use.on_paper && { paper: true as const }) }];
    }),
  };
}

/**
 * The votes of an item as walls and phones say them, `voted` of which are cast. A vote by a link may have made its holder
 * present.
 */
function shownVoters(reader: Reader, item: Item, voted: number): number | null {
  const isKnown = item.shown_voters !== null && (item.note !== null || findAlarm(reader, item) === undefined);
  return isKnown ? Math.max(item.shown_voters ?? 0, voted) : null;
}

/** The turnout of an election as everybody may see it; until its announcement a question says what walls and phones say. */
export function publicTurnout(reader: Reader, { id }: { id: string }): ShownTurnout {
  const turnout = getTurnout(reader, id);
  const item = findItemOf(reader, id);
  if (item?.state !== 'open' && item?.state !== 'closed') return officersTurnout(reader, { id }, turnout);
  const voters = shownVoters(reader, item, turnout.used);
  return { ...turnout, issued: voters ?? turnout.used, of: voters === null ? 'unknown' : 'voters' };
}

/**
 * Counts a member elsewhere as present, whose page says so or who votes, while the meeting is held: by a random number
 * of the invitation, without a time. A card changes nothing: its holder was counted at the door. A link that has ended
 * counts nobody.
 */
export async function noteRemote(ctx: Context, meeting: Meeting, token_hash: string): Promise<void> {
  const { id, paper_id, state, remote } = meeting;
  if (remote === 0 || state !== 'running' || paper_id === null) return;
  const link = { meeting_id: id, paper_id, token_hash };
  if (!ctx.db.first(absentLink(link))) return;
  await ctx.write((tx) => {
    const invite = tx.first(absentLink(link));
    if (!invite) return;
    const number = invite.room_number ?? newRandomId();
    tx.run(build.updateTable('invites').set({ room_number: number }).where('id', '=', invite.id));
    tx.run(build.insertInto('remote_presence').values({ meeting_id: id, number }));
    noteArrival(tx, getMeeting(tx, id));
  });
}

/**
 * The same of whoever has cast a ballot of a paper, by whichever address: it makes them present on what else is open. On
 * its own question a ballot counts its link already.
 */
export async function noteVoter(ctx: Context, paperId: string, token_hash: string): Promise<void> {
  const id = findMeetingOfPaper(ctx.db, paperId);
  if (id !== undefined) await noteRemote(ctx, getMeeting(ctx.db, id), token_hash);
}

const linkByCode = prepare((p: { paper_id: string; token_hash: string; meeting_id: string }) =>
  build
    .selectFrom('invites')
    .leftJoin('remote_presence', (join) =>
      join.onRef('number', '=', 'room_number').on('meeting_id', '=', p.meeting_id),
    )
    .select('number')
    .where('election_id', '=', p.paper_id)
    .where('token_hash', '=', p.token_hash),
);

/** The invitation of a link that votes, and whose holder is not counted as present. */
const absentLink = prepare((p: { meeting_id: string; paper_id: string; token_hash: string }) =>
  build
    .selectFrom('invites')
    .innerJoin('tokens', codeOfInvite)
    .leftJoin('remote_presence', (join) =>
      join.onRef('number', '=', 'room_number').on('meeting_id', '=', p.meeting_id),
    )
    .select(['invites.id', 'room_number'])
    .where('invites.election_id', '=', p.paper_id)
    .where('tokens.token_hash', '=', p.token_hash)
    .where('number', 'is', null)
    .where('tokens.token_hash', 'not in', endedCodes(p.paper_id)),
);
