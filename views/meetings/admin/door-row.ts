import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Waiting } from '#meetings/door/attendance.ts';
import { countEach } from '#meetings/door/attendance-rows.ts';
import type { DoorSearch } from '#meetings/door/people.ts';
import type { DoorAnswer, DoorInput } from '#meetings/door/press.ts';
import type { Undoable } from '#meetings/door/undo.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { hidden } from '#views/components/slots.ts';
import { badge } from '#views/components/status.ts';
import { disclosure } from '#views/components/structure.ts';
import type { OfficerProps } from '#views/voting/admin/frame.ts';
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

/** The data of the page of the door. */
export interface DoorProps extends OfficerProps, MeetingFigures {
  meeting: {
    id: string;
    title: string;
    state: MeetingState;
    takesProxies: boolean;
    classes: readonly string[];
  };
  search: DoorSearch;
  /** Whoever matches the search; without one those who are not in. */
  people: readonly DoorRow[];
  total: number;
  /** Without a search those who are in. */
  here: { people: readonly DoorRow[]; total: number };
  /** Whoever has just passed the door. */
  last: readonly DoorRow[];
  guests: readonly string[];
  proxies: readonly {
    id: string;
    giver: Words | string;
    holder: Words | string;
    document: string | null;
    state: 'given' | 'used';
  }[];
  waiting: readonly Waiting[];
  /** For the form of proxies. */
  voters: readonly { value: string; label: string }[];
  packs: readonly {
    id: string;
    number: number;
    class: string;
    cards: number;
    state: 'printed' | 'open' | 'void';
  }[];
  done: Words | string | undefined;
  refused: Words | string | undefined;
  /** What to do after somebody passed the door. */
  passed: (DoorAnswer & { action: DoorInput['action'] }) | undefined;
  returned: { returned: number; unknown: number } | undefined;
  /** The card to hand out for the stub of a lost one. */
  replaced: Record<string, number> | undefined;
}

/** Why somebody waits, in words. */
export function whyWaiting({ questions, holder, cards }: Wait): Words {
  if (holder !== undefined) return t('meetings-admin.door_row.card_take_back_scan_while', { holder });
  if (questions.length > 0)
    return t('meetings-admin.door_row.way_vote_hand_out_card', { titles: quoted(questions) });
  return cards === 'unscanned'
    ? t('meetings-admin.door_row.card_given_back_scanned_scan')
    : t('meetings-admin.door_row.valid_card_left_pile_open');
}

/** Titles in quotation marks. */
export const quoted = (titles: readonly string[]): Words =>
  allOf(titles.map((title) => t('meetings-admin.door.quoted', { title })));

/** `2 cards of Members and 1 card of Board`; undefined without any. */
export const cardsOf = (cards: Record<string, number>): Words | undefined =>
  Object.keys(cards).length === 0
    ? undefined
    : allOf(
        Object.entries(cards).map(([name, n]) => t('meetings-admin.door_row.cards_of_class', { n, name })),
      );

/** What a check-in hands out: `Board`, or `2 Members and 1 Board`; of the only class `1 card`. */
export function handed(cards: Record<string, number>, classes: readonly string[]): Words | string {
  const all = Object.entries(cards);
  const [only, number] = all[0] ?? [];
  if (only === undefined || number === undefined) return t('meetings-admin.door_row.no_card');
  if (classes.length === 1 && only === classes[0]) return t('meetings-admin.door_row.cards', { n: number });
  if (all.length === 1 && number === 1) return only;
  return allOf(all.map(([name, n]) => t('meetings-admin.door_row.of_class', { n, class: name })));
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
  const words = commas([
    number && t('meetings-admin.door_row.no', { number }),
    kind ?? t('meetings-admin.door_row.no_vote'),
    represents > 0 && t('meetings-admin.door_row.represents', { n: represents }),
    represented && t('meetings-admin.door_row.is_represented'),
    has_link && t('meetings-admin.door_row.has_link'),
  ]);
  const isWaiting = state === 'in' && wait !== undefined;
  return html`<li class="door-row" data-person="${id}" data-find="${person.find}"><div><p class="door-name">${name} ${
    state === 'in' && badge(t('meetings-admin.door_row.in'), 'open')
  }${state === 'out' && badge(Object.keys(printed(person.cards, look)).length > 0 ? t('meetings-admin.door_row.left_card') : t('meetings-admin.shared.left'))}${
    isWaiting && badge(t('meetings-admin.door_row.waits_card'))
  } <span class="badge" data-waits hidden></span></p><p class="small soft">${words}</p>${
    wait && state !== 'absent' && html`<p class="small">${whyWaiting(wait)}</p>`
  }</div>
<div class="door-acts">${rowActs(path, person, look)}<button class="button button-quiet" type="button" data-undo="none" hidden>${t('meetings-admin.door_row.undo_card_handed_out', { hidden, name })}</button><button class="button button-quiet" type="button" data-undo="back" hidden>${t('meetings-admin.door_row.undo_card_back', { hidden, name })}</button></div></li>`;
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
    return classes.length === 1
      ? allOf(Object.values(real).map((n) => t('meetings-admin.door_row.cards', { n })))
      : cardsOf(real);
  };
  const button = (
    fields: Record<string, string>,
    label: Words,
    { isQuiet = false, handed: out = {}, alone = false, seen }: ButtonLook = {},
  ) =>
    html`<form method="post" action="${path}" data-door="${name}" data-cards="${JSON.stringify(out)}" data-handed="${handedWords(out)}"${
      alone && html` data-alone`
    }>${hiddenInputs({ person_id: id, ...fields, ...search })}
<button class="button${isQuiet && ' button-quiet'}"${
      seen !== undefined && html` aria-label="${t('meetings-admin.door_row.aria', { act: label, name })}"`
    }>${classSigns(classes, out)}${seen ?? t('meetings-admin.door_row.with_name', { act: label, name, hidden })}</button></form>`;
  const due = Object.keys(hands_out).length > 0;
  const real = printed(hands_out, look);
  const cardsDue = sum(real);
  // One card of the only class goes without saying.
  const checkInWords = (): [label: Words, seen: Words] => {
    if (!due)
      return may_vote && wait
        ? [t('meetings-admin.door_row.check_in_waits'), t('meetings-admin.door_row.in_waits')]
        : [t('meetings-admin.door_row.check_in_no_card'), t('meetings-admin.door_row.in_no_card')];
    if (cardsDue === 0) return [t('meetings-admin.door_row.check_in'), t('meetings-admin.door_row.in')];
    const cards = handed(real, classes);
    if (classes.length > 1)
      return [
        t('meetings-admin.door_row.check_in_class_cards', { cards }),
        t('meetings-admin.door_row.in_class_cards', { cards }),
      ];
    return [
      t('meetings-admin.door_row.check_in_cards', { cards }),
      cardsDue === 1 ? t('meetings-admin.door_row.in') : t('meetings-admin.door_row.in_cards', { cards }),
    ];
  };
  const checkIn = (isQuiet: boolean) => {
    const [label, seen] = checkInWords();
    return button({ action: 'in' }, label, { isQuiet, handed: hands_out, alone: isAlone, seen });
  };
  const held = sum(printed(cards, look));
  const leaving =
    held === 0
      ? button({ action: 'out' }, t('meetings-admin.shared.left'), { isQuiet: true, alone: true })
      : html`${button(
          { action: 'out', gave_back: 'true' },
          t('meetings-admin.door_row.left_gave_back_cards', { held }),
          { isQuiet: true, alone: true },
        )}${button({ action: 'out', gave_back: 'false' }, t('meetings-admin.door_row.left_cards', { held }), {
          isQuiet: true,
          alone: true,
        })}`;
  switch (state) {
    case 'absent':
      return html`${checkIn(!may_vote)}${otherClasses(person, button, isAlone, classes)}`;
    case 'in':
      return html`${due && button({ action: 'card' }, t('meetings-admin.door_row.hand_out', { out: handed(hands_out, classes) }), { handed: hands_out })}${
        wait?.holder !== undefined &&
        button(
          { action: 'card', gave_back: 'true' },
          t('meetings-admin.door_row.gave_card_back_hand_out', { holder: wait.holder }),
        )
      }${leaving}<div data-undoing${!undo && html` hidden`}>${undoing(path, person, look)}</div>`;
    case 'out':
      if (person.has_card && held === 0)
        return button({ action: 'in' }, t('meetings-admin.door_row.back'), { alone: true });
      return person.has_card
        ? html`${button({ action: 'in' }, t('meetings-admin.door_row.back_card'), { alone: true })}${button(
            { action: 'out', gave_back: 'true' },
            t('meetings-admin.door_row.gave_card_back'),
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
    t('meetings-admin.door_row.another_class', { hidden, name }),
    html`${others.map((other) => {
      const due = Object.entries(hands_out).flatMap(([of, number]) => Array<string>(number).fill(of));
      const at = due.indexOf(own ?? '');
      const cards = countEach(at < 0 ? due : due.with(at, other));
      const given = handed(cards, classes);
      const [label, seen] =
        at < 0
          ? [
              t('meetings-admin.door_row.check_in_as_waits', { class: other }),
              t('meetings-admin.door_row.in_as_waits', { class: other }),
            ]
          : [
              t('meetings-admin.door_row.check_in_class_cards', { cards: given }),
              t('meetings-admin.door_row.in_class_cards', { cards: given }),
            ];
      return button({ action: 'in', class: other }, label, {
        isQuiet: true,
        handed: cards,
        alone,
        seen,
      });
    })}`,
  );
}

type RowButton = (fields: Record<string, string>, label: Words, look?: ButtonLook) => Html;

interface ButtonLook {
  isQuiet?: boolean;
  /** The cards that it hands out. */
  handed?: Record<string, number>;
  /** Whether it can be pressed without network. */
  alone?: boolean;
  /** What it shows, where that is shorter than its name. */
  seen?: Words;
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
  const button = (act: Words) =>
    html`<button class="button button-quiet">${t('meetings-admin.door_row.with_name', { act, name, hidden })}</button>`;
  if (!undoable.handed) return form({}, button(t('meetings-admin.door_row.undo')));
  if (sum(printed(cards, look)) === 0)
    return form({ gave_back: 'false' }, button(t('meetings-admin.door_row.undo')));
  return disclosure(
    t('meetings-admin.door_row.undo_for', { hidden, name }),
    html`${form({ gave_back: 'false' }, button(t('meetings-admin.door_row.card_handed_out')))}${form(
      { gave_back: 'true' },
      button(t('meetings-admin.door_row.card_back_scan')),
    )}${
      undoable.movable &&
      form(
        {},
        html`${openField({ name: 'for', id: `for-${id}`, label: t('meetings-admin.door_row.somebody_else_name_number') })}${button(t('meetings-admin.door_row.card'))}`,
      )
    }`,
  );
}
