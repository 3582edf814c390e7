import { type Html, html } from '#kernel/html.ts';
import type { DoorSearch } from '#meetings/door/people.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import { openField } from '#views/components/fields.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';

/** Somebody at the door. */
export interface DoorRow {
  id: string;
  name: string;
  number: string | null;
  kind: string | null;
  may_vote: boolean;
  class: string | null;
  state: 'in' | 'out' | 'absent';
  /** The cards that a check-in hands out, by class. */
  hands_out: Record<string, number>;
  /** Of somebody who left: whether they can have their card still, and whether they can have returned it. */
  has_card?: boolean;
  has_returned?: boolean;
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
  people: readonly DoorRow[];
  total: number;
  guests: readonly string[];
  proxies: readonly {
    id: string;
    giver: string;
    holder: string;
    document: string | null;
    state: 'given' | 'used' | 'ended';
  }[];
  /** For the form of proxies. */
  voters: readonly { value: string; label: string }[];
  packs: readonly {
    id: string;
    number: number;
    class: string;
    cards: number;
    state: 'printed' | 'open' | 'void';
  }[];
  done: string | undefined;
  refused: string | undefined;
  /** What to do after somebody passed the door. */
  passed:
    | {
        action: 'in' | 'out' | 'undo';
        cards: Record<string, number>;
        returns?: { name: string; class: string };
        takes?: Record<string, number>;
        link_ended?: true;
      }
    | undefined;
  returned: { returned: number; unknown: number } | undefined;
  /** The card to hand out for the stub of a lost one. */
  replaced: Record<string, number> | undefined;
}

/** The page of the door, for a phone or a tablet. */
export function doorPage(props: DoorProps): Html {
  const { meeting, present, represented, quorum, cards_too_many, viewer } = props;
  const body = html`${props.refused && notice('danger', props.refused, 'Nothing was changed')}
${props.done && notice('success', props.done)}${said(props)}
${pageHeader({
  title: 'The door',
  lede: meeting.title,
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  ],
})}
${statFigures([
  { label: 'Present with a vote', value: count(present) },
  ...(meeting.takesProxies ? [{ label: 'Represented', value: count(represented) }] : []),
  ...(props.remote > 0 ? [{ label: 'Present with their link', value: count(props.remote_present) }] : []),
  ...(quorum.needed > 0
    ? [{ label: 'Quorum', value: `${count(quorum.needed)}: ${quorum.met ? 'met' : 'not met'}` }]
    : []),
  ...(cards_too_many > 0 && !props.door_closed
    ? [{ label: 'Cards in the pile, or kept by somebody who left', value: count(cards_too_many) }]
    : []),
])}
${
  cards_too_many > 0 &&
  props.door_closed &&
  notice(
    'attention',
    'Valid cards that nobody who is here was handed. Scan what is left of the opened packs: what then remains, somebody kept.',
    `${counted(cards_too_many, 'card')} too many`,
  )
}
<div data-offline role="status" hidden>${notice(
    'attention',
    html`<p><span data-count>0</span> waiting to be sent. Go on with your own letters, and keep this page open. Hand out
the cards that the buttons name.</p><p data-signed-out hidden>You are signed out. <a href="/sign-in" target="_blank"
rel="opener">Sign in again</a> in another tab: what waits is kept.</p>`,
    'Not sent yet',
  )}</div>
<div data-conflicts role="alert" hidden>${notice(
    'danger',
    html`<p><strong data-more></strong> Ask for what is too many and scan it below.</p><ul></ul>
<p><button class="button button-quiet" type="button" data-settled>Settled</button></p>`,
    'Not as this door had it',
  )}</div>
${
  meeting.state === 'closed'
    ? notice(
        'info',
        'Nobody is checked in any more. Scan what is left of the cards.',
        'The meeting is closed',
      )
    : html`${peopleSection(props)}${meeting.takesProxies && proxiesSection(props)}`
}
${cardsSection(props)}`;
  return officerPage({
    title: `The door: ${meeting.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
    scripts: ['meetings/door.js'],
  });
}

/** Whoever may come, each with the next act, and guests. */
function peopleSection({ meeting, search, people, total, guests }: DoorProps): Html {
  const path = `/admin/meetings/${meeting.id}/door`;
  return html`<section aria-labelledby="people"><h2 id="people">Who comes</h2>
<form class="door-search" method="get" action="${path}" role="search">${openField({
    name: 'q',
    label: 'Name or number',
    value: search.q ?? '',
    type: 'search',
  })}<button class="button">Search</button></form>
<p class="small" role="status" data-searched hidden></p>
<p class="small soft">Or scan the square of their invitation with this phone’s camera.</p>
${disclosure(
  'Several doors',
  html`<p class="small soft">Give each door its own letters. Then each can go on alone while there is no network.</p>
<form class="door-search" method="get" action="${path}">${openField({
    name: 'from',
    label: 'From',
    value: search.from ?? '',
  })}${openField({ name: 'to', label: 'To', value: search.to ?? '' })}<button
class="button button-quiet">Show these</button></form>`,
  search.from !== null || search.to !== null,
)}
${
  people.length === 0
    ? html`<p>Nobody like that is on the roll. Let them in as a guest, or look under another spelling.</p>`
    : html`<ul class="door-list" role="list">${people.map((person) => doorRow(path, person, search))}</ul>`
}
${total > people.length && html`<p class="small soft">${count(people.length)} of ${count(total)}: search for the others.</p>`}
${disclosure(
  'A guest without a vote',
  html`<form method="post" action="${path}" data-door="">${hiddenInputs({ action: 'in' })}${field({
    name: 'guest',
    label: 'Name',
    maxlength: 300,
    autocomplete: 'off',
  })}<button class="button">Let in</button></form>${
    guests.length > 0 &&
    html`<ul class="door-list" role="list">${guests.map(
      (guest) => html`<li class="door-row"><p class="door-name">${guest}</p>
<form method="post" action="${path}" data-door="${guest}">${hiddenInputs({ guest, action: 'undo' })}<button
class="button button-quiet button-small">Undo<span class="visually-hidden">: ${guest}</span></button></form></li>`,
    )}</ul>`
  }`,
)}</section>`;
}

/** What to do now: the cards to hand out, or to take back. */
function said({ passed, returned, replaced }: DoorProps): Html | null {
  if (replaced)
    return notice(
      'success',
      'The lost one is void. What it has voted stays.',
      `Hand out ${listed(cardsOf(replaced))}`,
    );
  if (returned)
    return notice(
      returned.unknown > 0 ? 'attention' : 'success',
      `${counted(returned.returned, 'card')} returned and void.${
        returned.unknown > 0 ? ` ${counted(returned.unknown, 'code')} of no card of this meeting.` : ''
      }`,
    );
  if (!passed) return null;
  const { action, cards, returns, takes = {}, link_ended } = passed;
  const hand = cardsOf(cards);
  const back = listed(cardsOf(takes));
  return html`${
    action === 'in'
      ? notice(
          'success',
          hand.length === 0
            ? 'Hand out no card: they have theirs, or no vote.'
            : 'From the pile, whichever comes.',
          hand.length === 0 ? 'Checked in' : `Hand out ${listed(hand)}`,
        )
      : notice(
          'success',
          action === 'out'
            ? `${back === '' ? '' : `Take ${back} and scan what you take below: that names nobody. `}Whoever keeps their card can come back with it.`
            : back === ''
              ? hand.length === 0
                ? 'They are in again, with the card they have.'
                : `Their card was returned: hand out ${listed(hand)}.`
              : `Put ${back} back into the pile, if handed out.`,
          action === 'out' ? 'Has left' : back === '' ? 'Back' : 'Taken back',
        )
  }${
    link_ended &&
    notice(
      'attention',
      'They vote with the card now. If this was the wrong person, replace their link on the page of links.',
      'Their link has ended',
    )
  }${
    returns &&
    notice(
      'attention',
      `${returns.name} holds a card of ${returns.class} for this person: take it back and scan it.`,
      'A proxy has ended',
    )
  }`;
}

const cardsOf = (cards: Record<string, number>): string[] =>
  Object.entries(cards).map(([name, number]) => `${counted(number, 'card')} of ${name}`);

/** What a check-in hands out: `Members`, or `2 Members and 1 Board`. */
function handed(cards: Record<string, number>): string {
  const [[only, number] = ['no card', 1], ...others] = Object.entries(cards);
  if (others.length === 0 && number === 1) return only;
  return listed(Object.entries(cards).map(([name, of]) => `${count(of)} ${name}`));
}

function doorRow(path: string, person: DoorRow, search: DoorSearch): Html {
  const { id, name, number, kind, state, represents, represented, has_link, may_vote, hands_out } = person;
  const words = [
    number && `No. ${number}`,
    kind ?? 'no vote',
    represents > 0 && `represents ${count(represents)}`,
    represented && 'is represented',
    has_link && 'has a link',
  ].filter(Boolean);
  const button = (action: string, label: string, isQuiet: boolean, cards: Record<string, number> = {}) =>
    html`<form method="post" action="${path}" data-door="${name}" data-cards="${JSON.stringify(cards)}">${hiddenInputs(
      {
        person_id: id,
        action,
        ...search,
      },
    )}
<button class="button${isQuiet && ' button-quiet'}">${label}<span class="visually-hidden">: ${name}</span></button></form>`;
  const checkIn = (isQuiet: boolean) =>
    button('in', may_vote ? `Check in: ${handed(hands_out)}` : 'Check in, no card', isQuiet, hands_out);
  // The second tap at the same place takes the first one back.
  const acts = {
    absent: () => checkIn(!may_vote),
    in: () =>
      html`${button('undo', 'Undo', true)}${button('out', 'Has left', true)}${
        Object.keys(hands_out).length > 0 && button('in', `Hand out: ${handed(hands_out)}`, false, hands_out)
      }`,
    out: () =>
      html`${person.has_card && button('undo', 'Back with their card', false)}${
        person.has_returned !== false && checkIn(person.has_card === true)
      }`,
  };
  return html`<li class="door-row" data-person="${id}" data-find="${person.find}"><div><p class="door-name">${name} ${
    state === 'in' && badge('In', 'open')
  }${state === 'out' && badge('Has left')} <span class="badge" data-waits hidden></span></p><p class="small soft">${words.join(', ')}</p></div>
<div class="door-acts">${acts[state]()}<button class="button button-quiet" type="button" data-undo hidden>Undo<span
class="visually-hidden">: ${name}</span></button></div></li>`;
}

const PROXY_STATES = {
  given: 'Card not handed out yet',
  used: 'Card handed out',
  ended: 'Ended: take the card back',
};

function proxiesSection({ meeting, proxies, voters }: DoorProps): Html {
  const path = `/admin/meetings/${meeting.id}/proxies`;
  return pageSection({
    id: 'proxies',
    title: 'Proxies',
    about: 'Whoever represents somebody gets one more card when they are checked in.',
    work: html`${
      proxies.length > 0 &&
      table({
        caption: 'Who is represented by whom',
        quietCaption: true,
        columns: [
          { label: 'Absent' },
          { label: 'Represented by' },
          { label: 'State' },
          { label: 'Acts', quiet: true },
        ],
        rows: proxies.map(({ id, giver, holder, document, state }) => [
          giver,
          html`${holder}${document && html`<br><span class="small soft">${document}</span>`}`,
          PROXY_STATES[state],
          state === 'given'
            ? html`<form method="post" action="${path}/${id}?_method=DELETE"><button
class="button button-quiet button-small">Remove<span class="visually-hidden">: ${giver}</span></button></form>`
            : '',
        ]),
      })
    }${disclosure(
      'Enter a proxy',
      html`<form method="post" action="${path}">${selectField({ name: 'giver', label: 'Absent', options: voters })}
${selectField({ name: 'holder', label: 'Represented by', options: voters })}
${field({ name: 'document', label: 'Document', optional: true, maxlength: 500, hint: 'Where the signed form is.' })}
<button class="button">Save</button></form>`,
    )}`,
  });
}

function cardsSection({ meeting, cards, packs }: DoorProps): Html {
  const path = `/admin/meetings/${meeting.id}`;
  const closed = packs.filter(({ state }) => state === 'printed');
  return pageSection({
    id: 'cards',
    title: 'Cards',
    about: 'No card belongs to a name: the numbers have to fit.',
    work: html`${table({
      caption: 'Cards by class',
      quietCaption: true,
      columns: [
        { label: 'Class' },
        ...['Printed', 'Handed out', 'Returned', 'Void'].map((label) => ({ label, number: true })),
      ],
      rows: Object.entries(cards).map(([name, own]) => [
        name,
        ...[own.printed, own.handed_out, own.returned, own.void].map(count),
      ]),
    })}
<form method="post" action="${path}/door/return">${openField({
      name: 'codes',
      id: 'codes',
      label: 'Cards that come back',
      hint: 'Their codes, one on each line; or scan one with this phone’s camera, and take it back on its page. They are void from then on; what they voted stays.',
      rows: 2,
    })}<div class="actions"><button class="button">Take back</button></div></form>
${disclosure(
  'A lost card',
  html`<form method="post" action="${path}/door/replace">${field({
    name: 'stub',
    label: 'Code on the stub',
    hint: 'The lost card becomes void, and you hand out another one. Without the stub they vote by hand.',
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'characters',
  })}<div class="actions"><button class="button">Replace it</button></div></form>`,
)}
${
  closed.length > 0 &&
  meeting.state !== 'closed' &&
  html`<h3>Packs that are closed</h3><ul class="door-list" role="list">${closed.map(
    ({ id, number, class: name, cards: inside }) =>
      html`<li class="door-row"><p>Pack ${number}: ${counted(inside, 'card')} of ${name}</p>
<form method="post" action="${path}/packs/${id}/open"><button class="button button-quiet">Open<span
class="visually-hidden"> pack ${number}</span></button></form></li>`,
  )}</ul>
${disclosure(
  'Close the door',
  html`<form method="post" action="${path}/packs/void"><p>Packs that were not opened become void. Then scan the cards that
are left of the opened ones.</p><button class="button button-danger">Close the door</button></form>`,
)}`
}
${
  meeting.state !== 'closed' &&
  disclosure(
    'Print cards',
    html`<form method="post" action="${path}/packs">${selectField({
      name: 'class',
      label: 'Class',
      options: meeting.classes.map((name) => ({ value: name, label: name })),
    })}${openField({
      name: 'packs',
      label: 'Packs of ten',
      type: 'number',
      value: '1',
      min: 1,
      short: true,
    })}<div class="toolbar"><button class="button">Print on A4</button>
<button class="button button-quiet" formaction="${path}/packs?paper=a6">Print on A6</button></div></form>`,
    packs.length === 0,
  )
}`,
  });
}
