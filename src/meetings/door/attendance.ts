import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { newRandomId } from '#kernel/ids.ts';
import { isSameName } from '#kernel/names.ts';
import { closeDueItems } from '#meetings/item-states.ts';
import { classesOf, ensureNotClosed, getMeeting, type Meeting } from '#meetings/meetings.ts';
import { isDoubtful } from '#voting/elections/doubtful-cards.ts';
import {
  countUnscanned,
  findUsedProxy,
  findWait,
  listOpen,
  noteGivenBack,
  noteHolder,
  type Wait,
} from '#voting/elections/ways-to-vote.ts';
import {
  type Attendance,
  countEach,
  findAttendance,
  listAttendance,
  setAttendance,
} from './attendance-rows.ts';
import { endLinkOf } from './links.ts';
import { classOf, getPerson, listVoters } from './people.ts';
import type { AtDoor, DoorAnswer, DoorInput, Entry } from './press.ts';
import {
  bringProxies,
  endUnusedProxy,
  handProxies,
  listWaitingProxies,
  takeBackProxies,
  usedProxies,
} from './proxies.ts';
import { undoEntry } from './undo.ts';

/** What a press has changed for the votes of open questions. */
export interface Moved {
  /** Whether a check-in was taken back. */
  isBack: boolean;
  /** The classes of the cards that were handed out, or that were not in truth. */
  cards: string[];
  /** How long ago it was pressed, in milliseconds. */
  ago: number;
}

/** What the room does about a press at the door. */
export interface DoorEvents {
  /** Before it: somebody may leave. */
  before: (tx: Tx, meeting: Meeting) => void;
  moved: (tx: Tx, meeting: Meeting, press: Moved) => void;
}

/**
 * Checks somebody in or out, hands out what they waited for, or takes a check-in back. Which card they are handed is
 * stored nowhere, and no entry of the log tells of it: their number is recorded when the door closes. `moved` runs
 * after somebody has come in or was handed a card, or that was taken back.
 * @throws 400; 404; 409 for somebody who is in already or still waits, and once the meeting is closed
 */
export function passDoor(
  ctx: Context,
  meetingId: string,
  input: DoorInput,
  { before, moved }: DoorEvents,
): Promise<DoorAnswer> {
  const isForAll = input.action === 'all_out';
  if (
    isForAll
      ? input.person_id !== null || input.guest !== null
      : (input.person_id === null) === (input.guest === null)
  )
    throw badField('person_id', isForAll ? 'not_for_all' : 'person_or_guest');
  return ctx.write((tx) => {
    // Who comes after a vote has ended does not count in it.
    closeDueItems(tx, ctx.now());
    const meeting = getMeeting(tx, meetingId);
    ensureNotClosed(meeting);
    before(tx, meeting);
    if (isForAll) return leaveAll(tx, meeting);
    const known =
      input.person_id === null
        ? listAttendance(tx, meetingId).find(
            (one) => one.person_id === null && isSameName(one.name, input.guest ?? ''),
          )
        : findAttendance(tx, meetingId, input.person_id);
    const answer = pass(ctx, tx, { meeting, known }, input);
    if (answer === undefined)
      return { cards: known?.state === 'in' ? cardsHeldBy(tx, known) : {}, repeated: true };
    const { action, ago } = input;
    const cards = classesOfCards(action === 'undo' ? (answer.undone ?? {}) : answer.cards);
    if (action !== 'out') moved(tx, meeting, { isBack: action === 'undo', cards, ago: (ago ?? 0) * SECOND });
    return answer;
  });
}

/** @returns undefined for a press that has happened already, or whose undoing has nothing to undo */
function pass(ctx: Context, tx: Tx, { meeting, known }: AtDoor, input: DoorInput): DoorAnswer | undefined {
  const { press, undoes, action, person_id, guest } = input;
  if (press !== null && known?.press === press) return undefined;
  if (undoes !== null && known?.press !== undoes) return undefined;
  if (action === 'in' && person_id === null)
    return letGuestIn(tx, meeting, known, { name: guest ?? '', press });
  if (action === 'in') return letIn(ctx, tx, { meeting, known, personId: person_id ?? '' }, input);
  if (!known) throw conflict('not_in');
  if (action === 'card') return handWaiting(ctx, tx, { meeting, known }, input);
  if (action === 'out') return leave(tx, { meeting, known }, input);
  return undoEntry(ctx, tx, { meeting, known }, input);
}

function letGuestIn(
  tx: Tx,
  { id: meeting_id }: Meeting,
  known: Attendance | undefined,
  { name, press }: Pick<Attendance, 'name' | 'press'>,
): DoorAnswer {
  if (known?.state === 'in') throw conflict('in_already', { name });
  if (known) setAttendance(tx, known.id, { state: 'in', press });
  else {
    const guest = { id: newRandomId(), meeting_id, person_id: null, name, class: null, press };
    tx.run(build.insertInto('attendance').values({ ...guest, state: 'in' }));
  }
  return { cards: {} };
}

function letIn(
  ctx: Context,
  tx: Tx,
  { meeting, known, personId }: AtDoor & { personId: string },
  input: DoorInput,
): DoorAnswer {
  const voters = listVoters(tx, meeting, ctx.config.TIME_ZONE);
  const person = getPerson(tx, personId, voters);
  if (input.proxies) bringProxies(tx, { meeting, holder: person, voters }, input.proxies);
  const isIn = known?.state === 'in';
  if (isIn && !listWaitingProxies(tx, meeting, personId).some(({ wait }) => wait === undefined))
    throw conflict('in_already', { name: known.name });
  // The holder of their proxy said that its card was given back, and it is not scanned.
  const isInDoubt = isDoubtful(tx, meeting.id, personId);
  endUnusedProxy(tx, meeting, personId);
  const byRoll = person.kind === null ? null : classOf(tx, meeting, person);
  const kept = known?.card === 'held' ? known.class : undefined;
  const named = input.class === null ? null : namedClass(meeting, input.class);
  const own = byRoll === null ? null : (kept ?? named ?? known?.class ?? byRoll);
  const found = known ?? insertRow(tx, meeting, { id: personId, name: person.name, class: own });
  const row = isInDoubt && found.card === 'none' ? { ...found, card: 'back' as const } : found;
  const entry: Entry = { from: known?.state ?? 'absent', proxies: [] };
  setAttendance(tx, row.id, { state: 'in', class: own, card: row.card, press: input.press });
  return handOut(tx, { meeting, row: { ...row, class: own }, byRoll, entry });
}

function insertRow(
  tx: Tx,
  { id: meeting_id }: Meeting,
  person: { id: string; name: string; class: string | null },
): Attendance {
  const { id: person_id, name, class: own } = person;
  const row = { id: newRandomId(), meeting_id, person_id, name, class: own, state: 'in' as const };
  tx.run(build.insertInto('attendance').values(row));
  return { ...row, card: 'none', press: null, last_entry: null };
}

/** Hands out to somebody who is in their own card, if they have none, and those of the people they represent. */
function handOut(
  tx: Tx,
  { meeting, row, byRoll, entry }: { meeting: Meeting; row: Attendance; byRoll: string | null; entry: Entry },
): DoorAnswer {
  const personId = row.person_id ?? '';
  const needs = row.class !== null && row.card !== 'held';
  const wait = needs
    ? findWait(tx, meeting, {
        personId,
        // The holder of their proxy may have its card still.
        before: isDoubtful(tx, meeting.id, personId) ? 'back' : row.card,
        classes: [row.class ?? '', byRoll ?? row.class ?? ''],
      })
    : undefined;
  const isHanded = needs && wait === undefined;
  let linkEnded = false;
  if (isHanded) {
    setAttendance(tx, row.id, { card: 'held' });
    // Its card came back while they waited: nobody gets it again for them.
    endUnusedProxy(tx, meeting, personId);
    linkEnded = endLinkOf(tx, meeting, personId);
    noteHolder(tx, meeting.id, personId, row.class ?? '');
  }
  const proxies = handProxies(tx, meeting, personId);
  const last: Entry = {
    ...entry,
    ...(isHanded && { card: row.card }),
    proxies: proxies.map(({ id }) => id),
    ...(linkEnded && { link_ended: true }),
  };
  setAttendance(tx, row.id, { last_entry: JSON.stringify(last) });
  const cards = countEach([...(isHanded ? [row.class ?? ''] : []), ...proxies.map((one) => one.class)]);
  return { cards, ...(wait && waitAnswer(wait)), ...(linkEnded && { link_ended: true as const }) };
}

const waitAnswer = ({ questions, holder, cards }: Wait) => ({
  waits: true as const,
  ...(questions.length > 0 && { waits_for: questions }),
  ...(holder !== undefined && { holder }),
  ...(cards && { waits_cards: cards }),
});

/**
 * Hands out what somebody who is in waits for. For the giver of a proxy it is the card that the holder has given back,
 * which was scanned before, and never while a question is open.
 * @throws 409 while they still wait, or have everything
 */
function handWaiting(
  ctx: Context,
  tx: Tx,
  { meeting, known }: AtDoor & { known: Attendance },
  input: DoorInput,
): DoorAnswer {
  const { id, person_id, name } = known;
  if (known.state === 'out') throw conflict('not_in');
  const person = getPerson(tx, person_id ?? '', listVoters(tx, meeting, ctx.config.TIME_ZONE));
  if (input.gave_back) endUsedProxy(tx, meeting, person);
  const byRoll = person.kind === null ? null : classOf(tx, meeting, person);
  setAttendance(tx, id, { press: input.press });
  const answer = handOut(tx, { meeting, row: known, byRoll, entry: { from: 'in', proxies: [] } });
  if (Object.keys(answer.cards).length > 0) return answer;
  if (!answer.waits) throw conflict('in_already', { name });
  const { waits_for = [], holder, waits_cards } = answer;
  if (holder !== undefined) throw conflict('waits_for_holder', { name, holder });
  const [title] = waits_for;
  if (title !== undefined) throw conflict('waits_for_question', { name, title });
  throw conflict(waits_cards === 'unscanned' ? 'waits_for_scan' : 'no_card_left', { name });
}

/** The holder of a proxy has given its card back to the giver, who has come. @throws 409 */
function endUsedProxy(tx: Tx, meeting: Meeting, { id, name }: { id: string; name: string }): void {
  const proxy = findUsedProxy(tx, meeting.id, id);
  if (!proxy) return;
  const [open] = listOpen(tx, meeting.id);
  if (open) throw conflict('proxy_card_votes', { name, title: open.title });
  takeBackProxies(tx, [proxy.id]);
  noteGivenBack(tx, meeting.id, [proxy.class]);
  if ((countUnscanned(tx, meeting.id)[proxy.class] ?? 0) > 0)
    throw conflict('waits_for_scan', { name: proxy.holder_name });
  endUnusedProxy(tx, meeting, id);
}

/** Somebody leaves, and gives back all their cards or none. @throws 409 for somebody who has no card to give back */
function leave(tx: Tx, { meeting, known }: AtDoor & { known: Attendance }, input: DoorInput): DoorAnswer {
  const { id, person_id, card, state } = known;
  const isLeaving = state === 'in' || input.gave_back === true;
  if (!isLeaving) return { cards: {}, takes: {} };
  const held = cardsHeldBy(tx, known);
  const set = { state: 'out' as const, press: input.press, last_entry: null };
  if (input.gave_back !== true) {
    setAttendance(tx, id, set);
    return { cards: {}, takes: {} };
  }
  setAttendance(tx, id, { ...set, ...(card === 'held' && { card: 'back' as const }) });
  const proxies = person_id === null ? [] : usedProxies(tx, meeting.id, person_id);
  takeBackProxies(
    tx,
    proxies.map((proxy) => proxy.id),
  );
  noteGivenBack(tx, meeting.id, classesOfCards(held));
  return { cards: {}, takes: held };
}

/** `{ Members: 2 }` as a list: a card each. */
const classesOfCards = (cards: Record<string, number>): string[] =>
  Object.entries(cards).flatMap(([own, count]) => Array<string>(count).fill(own));

/** Everybody has left, with the cards they have: the end of a day. @throws 409 while a question is open */
function leaveAll(tx: Tx, { id }: Meeting): DoorAnswer {
  const [open] = listOpen(tx, id);
  if (open) throw conflict('question_open', { title: open.title });
  const all = build.updateTable('attendance').set({ state: 'out', press: null, last_entry: null });
  tx.run(all.where('meeting_id', '=', id).where('state', '=', 'in'));
  return { cards: {} };
}

/** Somebody who is in and waits for cards. */
export interface Waiting {
  person_id: string;
  name: string;
  /** The cards that they get, by class. */
  cards: Record<string, number>;
  /** The questions after whose close they get them. */
  for: string[];
  /** Whether one tap hands all of them out now. */
  ready: boolean;
}

/** Everybody who waits for a card, by name. */
export function listWaiting(ctx: Context, meeting: Meeting, voters: ReadonlyMap<string, string>): Waiting[] {
  const people = listAttendance(ctx.db, meeting.id).filter(
    ({ state, class: own, person_id }) => state === 'in' && own !== null && person_id !== null,
  );
  return people.flatMap((row) => {
    const id = row.person_id ?? '';
    const own = row.class ?? '';
    const waiting = listWaitingProxies(ctx.db, meeting, id);
    if (row.card === 'held' && waiting.length === 0) return [];
    const byRoll = row.card === 'held' ? own : classOf(ctx.db, meeting, getPerson(ctx.db, id, voters));
    const of = { personId: id, before: row.card, classes: [own, byRoll] as const };
    const wait = row.card === 'held' ? undefined : findWait(ctx.db, meeting, of);
    const waits = [wait, ...waiting.map((one) => one.wait)].filter((one) => one !== undefined);
    const cards = countEach([
      ...(row.card === 'held' ? [] : [own]),
      ...waiting.map(({ proxy }) => proxy.class),
    ]);
    const questions = [...new Set(waits.flatMap((one) => one.questions))];
    return [{ person_id: id, name: row.name, cards, for: questions, ready: waits.length === 0 }];
  });
}

/** The cards that somebody has, with those of the people they represent. */
export const cardsHeldBy = (
  reader: Reader,
  {
    meeting_id,
    person_id,
    class: own,
    card,
  }: Pick<Attendance, 'meeting_id' | 'person_id' | 'class' | 'card'>,
): Record<string, number> =>
  countEach([
    ...(own === null || card !== 'held' ? [] : [own]),
    ...(person_id === null ? [] : usedProxies(reader, meeting_id, person_id).map((one) => one.class)),
  ]);

function namedClass(meeting: Meeting, name: string): string {
  const known = classesOf(meeting);
  const found = known.find((one) => isSameName(one, name));
  if (found === undefined) throw badField('class', 'not_class', { names: known });
  return found;
}
