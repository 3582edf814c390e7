import { type Html, html } from '#kernel/html.ts';
import { countEach } from '#meetings/door/attendance-rows.ts';
import type { DoorSearch } from '#meetings/door/people.ts';
import type { Undoable } from '#meetings/door/undo.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure } from '#views/components/structure.ts';
import type { Wait } from '#voting/elections/ways-to-vote.ts';
import { classSigns } from './class-sign.ts';

/** Somebody at the door. */
export interface DoorRow {
  id: string;
  name: string;
  number: string | null;
  kind: string | null;
  may_vote: boolean;
  class: string | null;
  /** Classes of which they can have a card instead. */
  other_classes: readonly string[];
  state: 'in' | 'out' | 'absent';
  /** The cards that a check-in hands out, or that somebody who is in gets now, by class. */
  hands_out: Record<string, number>;
  /** Whether they have their own card, and all cards that they have, by class. */
  has_card: boolean;
  cards: Record<string, number>;
  /** Why they get no card of their own now. */
  wait?: Wait;
  /** What can be taken back of the last check-in. */
  undoable?: Undoable | undefined;
  represents: number;
  represented: boolean;
  /** Whether they vote with a link, which ends when a card is handed out. */
  has_link: boolean;
  /** What a search without network looks in. */
  find: string;
}

/** Why somebody waits, in words. */
export function whyWaiting({ questions, holder, cards }: Wait): string {
  if (holder !== undefined)
    return `${holder} has a card for them. Take it back and scan it while no vote is open, then hand out their own.`;
  if (questions.length > 0)
    return `They had a way to vote on ${listed(questions.map((title) => `“${title}”`))}. Hand out a card once that has closed.`;
  return cards === 'unscanned'
    ? 'A card that was given back is not scanned. Scan it, then hand out another one.'
    : 'No valid card is left in the pile. Open a pack, then hand out a card.';
}

export const cardsOf = (cards: Record<string, number>): string[] =>
  Object.entries(cards).map(([name, number]) => `${counted(number, 'card')} of ${name}`);

/** What a check-in hands out: `Board`, or `2 Members and 1 Board`; of the only class `1 card`. */
export function handed(cards: Record<string, number>, classes: readonly string[]): string {
  const [[only, number] = ['no card', 1], ...others] = Object.entries(cards);
  if (classes.length === 1 && only === classes[0]) return counted(number, 'card');
  if (others.length === 0 && number === 1) return only;
  return listed(Object.entries(cards).map(([name, of]) => `${count(of)} ${name}`));
}

/** How a row is shown. */
interface RowLook {
  search: DoorSearch;
  /** Whether the check-in can be taken back here; else a script shows the way for whoever came last. */
  undo: boolean;
  /** The classes of cards: of one alone the button needs no name. */
  classes: readonly string[];
  /** Those of which no card was ever printed: nobody is handed one, whatever is counted. */
  unprinted: ReadonlySet<string>;
}

/** The cards that exist. */
export const printed = (cards: Record<string, number>, { unprinted }: Pick<RowLook, 'unprinted'>) =>
  Object.fromEntries(Object.entries(cards).filter(([name]) => !unprinted.has(name)));

export function doorRow(path: string, person: DoorRow, look: RowLook): Html {
  const { id, name, number, kind, state, represents, represented, has_link, wait } = person;
  const words = [
    number && `No. ${number}`,
    kind ?? 'no vote',
    represents > 0 && `represents ${count(represents)}`,
    represented && 'is represented',
    has_link && 'has a link',
  ].filter(Boolean);
  const isWaiting = state === 'in' && wait !== undefined;
  return html`<li class="door-row" data-person="${id}" data-find="${person.find}"><div><p class="door-name">${name} ${
    state === 'in' && badge('In', 'open')
  }${state === 'out' && badge(Object.keys(printed(person.cards, look)).length > 0 ? 'Left with the card' : 'Has left')}${
    isWaiting && badge('Waits for a card')
  } <span class="badge" data-waits hidden></span></p><p class="small soft">${words.join(', ')}</p>${
    wait && state !== 'absent' && html`<p class="small">${whyWaiting(wait)}</p>`
  }</div>
<div class="door-acts">${rowActs(path, person, look)}<button class="button button-quiet" type="button" data-undo="none" hidden>Undo: no card was
handed out<span class="visually-hidden">: ${name}</span></button><button class="button button-quiet" type="button" data-undo="back" hidden>Undo: the
card is back<span class="visually-hidden">: ${name}</span></button></div></li>`;
}

const sum = (cards: Record<string, number>): number =>
  Object.values(cards).reduce((all, own) => all + own, 0);

/** The acts of somebody by where they are. */
function rowActs(path: string, person: DoorRow, look: RowLook): Html {
  const { search, undo, classes } = look;
  const { id, name, state, hands_out, wait, cards, may_vote, represents, represented, has_link } = person;
  // Without network a card is handed out to people alone who were never in, and have no other way to vote.
  const isAlone = state === 'absent' && represents === 0 && !represented && !has_link && !wait;
  const handedWords = (out: Record<string, number>) => {
    const real = printed(out, look);
    return listed(
      classes.length === 1 ? Object.values(real).map((of) => counted(of, 'card')) : cardsOf(real),
    );
  };
  const button = (
    fields: Record<string, string>,
    label: string,
    { isQuiet = false, handed: out = {}, alone = false, seen }: ButtonLook = {},
  ) =>
    html`<form method="post" action="${path}" data-door="${name}" data-cards="${JSON.stringify(out)}" data-handed="${handedWords(out)}"${
      alone && html` data-alone`
    }>${hiddenInputs({ person_id: id, ...fields, ...search })}
<button class="button${isQuiet && ' button-quiet'}"${
      seen !== undefined && html` aria-label="${label}: ${name}"`
    }>${classSigns(classes, out)}${seen ?? html`${label}<span class="visually-hidden">: ${name}</span>`}</button></form>`;
  const due = Object.keys(hands_out).length > 0;
  const real = printed(hands_out, look);
  const cardsDue = sum(real);
  const checkIn = (isQuiet: boolean) => {
    const isOne = classes.length === 1;
    const what = due
      ? cardsDue > 0
        ? `${isOne ? ' – ' : ': '}${handed(real, classes)}`
        : ''
      : may_vote && wait
        ? ', waits for a card'
        : ', no card';
    // One card of the only class goes without saying.
    const seen = due && isOne && cardsDue <= 1 ? 'In' : `In${what}`;
    return button({ action: 'in' }, `Check in${what}`, { isQuiet, handed: hands_out, alone: isAlone, seen });
  };
  const held = sum(printed(cards, look));
  const leaving =
    held === 0
      ? button({ action: 'out' }, 'Has left', { isQuiet: true, alone: true })
      : html`${button(
          { action: 'out', gave_back: 'true' },
          held === 1 ? 'Left, gave the card back' : `Left, gave back ${counted(held, 'card')}`,
          { isQuiet: true, alone: true },
        )}${button(
          { action: 'out', gave_back: 'false' },
          held === 1 ? 'Left with the card' : 'Left with the cards',
          { isQuiet: true, alone: true },
        )}`;
  switch (state) {
    case 'absent':
      return html`${checkIn(!may_vote)}${otherClasses(person, button, isAlone, classes)}`;
    case 'in':
      return html`${due && button({ action: 'card' }, `Hand out: ${handed(hands_out, classes)}`, { handed: hands_out })}${
        wait?.holder !== undefined &&
        button({ action: 'card', gave_back: 'true' }, `${wait.holder} gave their card back: hand out one`)
      }${leaving}<div data-undoing${!undo && html` hidden`}>${undoing(path, person, look)}</div>`;
    case 'out':
      if (person.has_card && held === 0) return button({ action: 'in' }, 'Back', { alone: true });
      return person.has_card
        ? html`${button({ action: 'in' }, 'Back with their card', { alone: true })}${button(
            { action: 'out', gave_back: 'true' },
            'Gave the card back',
            { isQuiet: true, alone: true },
          )}`
        : html`${checkIn(false)}${otherClasses(person, button, false, classes)}`;
  }
}

/** Check-ins with a card of another class, where the roll names none for somebody. */
function otherClasses(
  person: DoorRow,
  button: RowButton,
  alone: boolean,
  classes: readonly string[],
): Html | null {
  const { name, class: own, other_classes: others, hands_out } = person;
  if (others.length === 0) return null;
  return disclosure(
    html`Another class<span class="visually-hidden">: ${name}</span>`,
    html`${others.map((other) => {
      const due = Object.entries(hands_out).flatMap(([of, number]) => Array<string>(number).fill(of));
      const at = due.indexOf(own ?? '');
      const cards = countEach(at < 0 ? due : due.with(at, other));
      const what = at < 0 ? ` as ${other}, waits for a card` : `: ${handed(cards, classes)}`;
      return button({ action: 'in', class: other }, `Check in${what}`, {
        isQuiet: true,
        handed: cards,
        alone,
        seen: `In${what}`,
      });
    })}`,
  );
}

type RowButton = (fields: Record<string, string>, label: string, look?: ButtonLook) => Html;

interface ButtonLook {
  isQuiet?: boolean;
  /** The cards that it hands out. */
  handed?: Record<string, number>;
  /** Whether it can be pressed without network. */
  alone?: boolean;
  /** What it shows, where that is shorter than its name. */
  seen?: string;
}

/** The last check-in taken back: of one that handed out a card, the door says what became of it. */
function undoing(path: string, { id, name, undoable, cards }: DoorRow, look: RowLook): Html | null {
  const { search } = look;
  if (!undoable) return null;
  const form = (fields: Record<string, string>, inner: Html) =>
    html`<form method="post" action="${path}" data-door="${name}" data-cards="{}">${hiddenInputs({
      person_id: id,
      action: 'undo',
      ...fields,
      ...search,
    })}${inner}</form>`;
  const button = (label: string) =>
    html`<button class="button button-quiet">${label}<span class="visually-hidden">: ${name}</span></button>`;
  if (!undoable.handed) return form({}, button('Undo'));
  if (sum(printed(cards, look)) === 0) return form({ gave_back: 'false' }, button('Undo'));
  return disclosure(
    html`Undo<span class="visually-hidden">: ${name}</span>`,
    html`${form({ gave_back: 'false' }, button('No card was handed out'))}${form(
      { gave_back: 'true' },
      button('The card is back: scan it'),
    )}${
      undoable.movable &&
      form(
        {},
        html`${openField({ name: 'for', id: `for-${id}`, label: 'It was somebody else: their name or number' })}${button('They have the card')}`,
      )
    }`,
  );
}
