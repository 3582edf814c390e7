import type { Context } from '#kernel/context.ts';
import { build, type Tx } from '#kernel/db/queries.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { newRandomId } from '#kernel/ids.ts';
import type { Meeting } from '#meetings/meetings.ts';
import {
  findWait,
  listOpen,
  moveHolder,
  noteGivenBack,
  noteHolder,
  votesOn,
} from '#voting/elections/ways-to-vote.ts';
import { type Attendance, countEach, findAttendance, setAttendance } from './attendance-rows.ts';
import { endLinkOf } from './links.ts';
import { classOf, getPerson, listVoters } from './people.ts';
import type { AtDoor, DoorAnswer, DoorInput, Entry } from './press.ts';
import { listProxies, takeBackProxies } from './proxies.ts';

type AtDoorKnown = AtDoor & { known: Attendance };

/**
 * Takes the last check-in back. Where it handed out cards, the door says what became of them: somebody else has the card
 * (`for`), it is back and will be scanned (`gave_back: true`), or none was handed out (`gave_back: false`).
 * @throws 400 naming `gave_back` if cards were handed out and nothing is said of them; 409
 */
export function undoEntry(
  ctx: Context,
  tx: Tx,
  { meeting, known }: AtDoorKnown,
  input: DoorInput,
): DoorAnswer {
  if (known.person_id === null) {
    tx.run(build.deleteFrom('attendance').where('id', '=', known.id));
    return { cards: {} };
  }
  // They are back with the cards that they kept.
  if (known.state === 'out') {
    if (known.card === 'back') throw conflict('gave_card_back', { name: known.name });
    setAttendance(tx, known.id, { state: 'in', press: input.press, last_entry: null });
    return { cards: {} };
  }
  const last: Entry = known.last_entry === null ? { from: 'in', proxies: [] } : JSON.parse(known.last_entry);
  const handed = [
    ...(last.card === undefined ? [] : [known.class ?? '']),
    ...listProxies(tx, meeting.id)
      .filter(({ id }) => last.proxies.includes(id))
      .map((proxy) => proxy.class),
  ];
  if (last.from === 'in' && handed.length === 0) throw conflict('no_entry_to_undo', { name: known.name });
  if (handed.length > 0 && input.for === null && input.gave_back === undefined)
    throw badField('gave_back', 'undo_says_card');
  if (input.for !== null && handed.length > 0)
    return giveToOther(ctx, tx, { meeting, known, last }, input.for);
  restore(tx, known, last);
  takeBackProxies(tx, last.proxies);
  const givers = listProxies(tx, meeting.id).filter(({ id }) => last.proxies.includes(id));
  const isBack = input.gave_back === true;
  if (handed.length === 0) return { cards: {} };
  if (isBack) {
    noteGivenBack(tx, meeting.id, handed);
    for (const own of new Set(handed)) noteUndone(tx, meeting, own);
  }
  // Without a card nobody had one. A card that is back may have voted, and whoever had it may come as somebody else.
  if (last.card !== undefined && known.person_id !== null && (!isBack || isFirst(last)))
    moveHolder(tx, meeting.id, known.person_id, null);
  for (const { giver_id } of givers)
    if (giver_id !== null && !isBack) moveHolder(tx, meeting.id, giver_id, null);
  const taken = countEach(handed);
  return { cards: {}, ...(isBack ? { takes: taken } : { undone: taken }), ...linkOf(last) };
}

/** What an undo would ask: whether cards were handed out, and whether somebody else can have the only one. */
export interface Undoable {
  handed: boolean;
  movable: boolean;
}

/** What the last check-in of somebody who is in can be taken back as; undefined if there is nothing. */
export function undoable({ last_entry }: Attendance): Undoable | undefined {
  if (last_entry === null) return undefined;
  const last: Entry = JSON.parse(last_entry);
  const handed = last.card !== undefined || last.proxies.length > 0;
  if (last.from === 'in' && !handed) return undefined;
  return { handed, movable: last.card !== undefined && last.proxies.length === 0 };
}

/** Their link has ended for nothing, so the door says that it has to be made again. */
const linkOf = ({ link_ended }: Entry) => (link_ended ? { link_ended } : {});

const isFirst = ({ card }: Entry): boolean => card === 'none';

function restore(tx: Tx, { id, card }: Attendance, last: Entry): void {
  if (last.from === 'absent') {
    tx.run(build.deleteFrom('attendance').where('id', '=', id));
    return;
  }
  setAttendance(tx, id, { state: last.from, card: last.card ?? card, press: null, last_entry: null });
}

/** A card of this class was handed out by mistake, and has come back. */
function noteUndone(tx: Tx, { id }: Meeting, own: string): void {
  for (const item of listOpen(tx, id)) {
    if (!votesOn(item, own)) continue;
    const undone = JSON.stringify([...(JSON.parse(item.undone) as string[]), own]);
    tx.run(build.updateTable('meeting_items').set({ undone }).where('id', '=', item.id));
  }
}

/** Moves a check-in to the person who has the card. @throws 400; 409 for somebody who may not have this card */
function giveToOther(
  ctx: Context,
  tx: Tx,
  { meeting, known, last }: AtDoorKnown & { last: Entry },
  otherId: string,
): DoorAnswer {
  const other = getPerson(tx, otherId, listVoters(tx, meeting, ctx.config.TIME_ZONE));
  const { name } = other;
  if (otherId === known.person_id) throw badField('for', 'undo_same_person');
  if (last.card === undefined || last.proxies.length > 0)
    throw conflict('undo_proxies', { name: known.name });
  const there = findAttendance(tx, meeting.id, otherId);
  if (there?.state === 'in') throw conflict('in_already', { name });
  if (there?.card === 'held') throw conflict('left_with_card', { name });
  const own = known.class ?? '';
  const byRoll = other.kind === null ? null : classOf(tx, meeting, other);
  if (byRoll !== own) throw conflict('undo_other_class', { name, class: own });
  restore(tx, known, last);
  const wait = findWait(tx, meeting, {
    personId: otherId,
    before: there?.card ?? 'none',
    classes: [own, byRoll],
  });
  // The card is in the hand already, so the pile does not matter.
  if (wait && (wait.questions.length > 0 || wait.holder !== undefined || wait.cards === 'unscanned'))
    throw conflict('undo_waits', { name });
  const entry: Entry = { from: there?.state ?? 'absent', card: there?.card ?? 'none', proxies: [] };
  const set = { class: own, state: 'in', card: 'held', last_entry: JSON.stringify(entry) } as const;
  if (there) setAttendance(tx, there.id, set);
  else
    tx.run(
      build
        .insertInto('attendance')
        .values({ ...set, id: newRandomId(), meeting_id: meeting.id, person_id: otherId, name, press: null }),
    );
  endLinkOf(tx, meeting, otherId);
  if (known.person_id !== null) moveHolder(tx, meeting.id, known.person_id, otherId);
  noteHolder(tx, meeting.id, otherId, own);
  return { cards: {}, ...linkOf(last) };
}
