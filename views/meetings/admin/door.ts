import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Waiting } from '#meetings/door/attendance.ts';
import type { DoorSearch } from '#meetings/door/people.ts';
import type { DoorAnswer, DoorInput } from '#meetings/door/press.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingState } from '#meetings/meetings.ts';
import { openField } from '#views/components/fields.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { classSign, classSigns } from './class-sign.ts';
import { cardsOf, type DoorRow, doorRow, handed, printed, whyWaiting } from './door-row.ts';

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
    giver: string;
    holder: string;
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
  done: string | undefined;
  refused: Words | undefined;
  /** What to do after somebody passed the door. */
  passed: (DoorAnswer & { action: DoorInput['action'] }) | undefined;
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
    ...(mayDo(props, 'elections:read')
      ? [{ href: `/admin/meetings/${meeting.id}`, label: meeting.title }]
      : []),
  ],
})}
<div class="door-figures">${statFigures([
    {
      label: `Present with a vote${props.without_card > 0 ? `, ${count(props.without_card)} without a card` : ''}`,
      value: count(present),
    },
    ...(meeting.takesProxies ? [{ label: 'Represented', value: count(represented) }] : []),
    ...(props.remote > 0 ? [{ label: 'Present with their link', value: count(props.remote_present) }] : []),
    ...(quorum.needed > 0
      ? [{ label: quorum.met ? 'Quorum: met' : 'Quorum: not met', value: count(quorum.needed) }]
      : []),
    ...(cards_too_many > 0 && !props.door_closed
      ? [{ label: 'Cards left in the pile, or with somebody who left', value: count(cards_too_many) }]
      : []),
  ])}</div>
${
  cards_too_many > 0 &&
  props.door_closed &&
  notice(
    'attention',
    'Valid cards that nobody who is here was handed. Scan what is left of the opened packs: what then remains, somebody kept.',
    `${counted(cards_too_many, 'card')} too many`,
  )
}
${unprintedNotice(props)}${unopened(props)}${unscanned(props)}<div data-offline role="status" hidden>${notice(
    'attention',
    html`<p><span data-count>0</span> waiting to be sent. Keep this page open, and go on with your own letters: people who
were never in and have no link and no proxy get the card that the button names. All others wait for the network.</p><p data-signed-out hidden>You are signed out. <a href="/sign-in" target="_blank"
rel="opener">Sign in again</a> in another tab: what waits is kept.</p>`,
    'Not sent yet',
  )}</div>
<div data-refused role="alert" hidden>${notice(
    'danger',
    html`<p><strong data-name></strong> waits until the network is back: they may have another way to vote.</p>`,
    'No connection',
  )}</div>
<div class="door-conflicts" data-conflicts role="alert" hidden>${notice(
    'danger',
    html`<p><strong data-more></strong> Ask those who are named, and scan what they give back.</p><ul></ul>
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

/** Everybody who waits for a card: one tap hands it out once it can be. */
function waitingList(path: string, { waiting, search, meeting }: DoorProps): Html | null {
  if (waiting.length === 0) return null;
  const title = `${counted(waiting.length, 'person waits', 'people wait')} for a card`;
  const list = html`<ul class="door-list" role="list">${waiting.map(
    ({ person_id, name, cards, for: titles, ready }) =>
      html`<li class="door-row"><p class="door-name">${name} <span class="small soft">${
        titles.length > 0 && `until ${listed(titles.map((title) => `“${title}”`))} has closed`
      }</span></p>${
        ready &&
        html`<form method="post" action="${path}" data-door="${name}" data-cards="${JSON.stringify(cards)}">${hiddenInputs(
          {
            person_id,
            action: 'card',
            ...search,
          },
        )}<button class="button">${classSigns(meeting.classes, cards)}Hand out: ${handed(cards, meeting.classes)}<span class="visually-hidden">: ${name}</span></button></form>`
      }</li>`,
  )}</ul>`;
  return disclosure(
    title,
    list,
    waiting.some(({ ready }) => ready),
  );
}

/** Whoever may come, each with the next act, those who are in, and guests. */
function peopleSection(props: DoorProps): Html {
  const { meeting, search, people, total, here, last, guests } = props;
  const path = `/admin/meetings/${meeting.id}/door`;
  const rows = (all: readonly DoorRow[], undo = true) =>
    all.map((person) =>
      doorRow(path, person, { search, undo, classes: meeting.classes, unprinted: unprintedOf(props) }),
    );
  return html`<section aria-labelledby="people"><h2 id="people">Who comes</h2>
<form class="door-search" method="get" action="${path}" role="search"><div class="field"><label
for="q">Name or number</label><input class="input" type="search" id="q" name="q" value="${search.q ?? ''}" autocomplete="off"
autofocus></div><button class="button">Search</button></form>
<p class="small" role="status" data-searched hidden></p>
<ul class="door-list" role="list" aria-label="Just now" data-last${last.length === 0 && html` hidden`}>${rows(last)}</ul>
${
  people.length > 0
    ? html`<ul class="door-list" role="list">${rows(people)}</ul>`
    : search.q !== null || (here.total === 0 && last.length === 0)
      ? html`<p>Nobody like that is on the roll. Let them in as a guest, or look under another spelling.</p>`
      : html`<p>Everybody here has come.</p>`
}
${total > people.length && people.length > 0 && html`<p class="small soft">${count(people.length)} of ${count(total)}: search for the others.</p>`}
${waitingList(path, props)}${
  here.people.length > 0 &&
  html`<details data-here><summary>${count(here.total)} ${here.total === 1 ? 'is' : 'are'} in</summary><div class="fold">
<ul class="door-list" role="list">${rows(here.people, false)}</ul>${
    here.total > here.people.length && html`<p class="small soft">Search for the others.</p>`
  }</div></details>`
}
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
)}
<p class="small soft">You can also scan the square of an invitation with this phone’s camera.</p></section>`;
}

/** The classes of which no card was ever printed. */
const unprintedOf = ({ cards }: Pick<DoorProps, 'cards'>): ReadonlySet<string> =>
  new Set(Object.entries(cards).flatMap(([name, { pile }]) => (pile === null ? [name] : [])));

/** Without cards people are checked in, and vote by hand. */
function unprintedNotice(props: DoorProps): Html | null {
  const { meeting, cards } = props;
  const without = [...unprintedOf(props)];
  if (meeting.state === 'closed' || without.length === 0) return null;
  const isAll = without.length === Object.keys(cards).length;
  const print = mayDo(props, 'elections:run')
    ? html`<a href="#print">Print cards</a> for votes by phone and on paper.`
    : 'Ask an officer to print cards for votes by phone and on paper.';
  return notice(
    'attention',
    html`<p>${isAll ? 'Votes are by show of hands' : `Whoever is in this class votes by show of hands`} until there are some. ${print}</p>`,
    isAll ? 'No cards are printed' : `No cards of ${listed(without)} are printed`,
  );
}

/** Cards do not work while no pack of their class is open, and none can be handed out once the pile is used up. */
function unopened({ meeting, cards, packs }: DoorProps): Html | null {
  if (meeting.state === 'closed') return null;
  const path = `/admin/meetings/${meeting.id}`;
  const empty = Object.entries(cards).filter(([, { pile }]) => pile === 0);
  return html`${empty.map(([name]) => {
    const next = packs.find((pack) => pack.state === 'printed' && pack.class === name);
    const isFirst = !packs.some((pack) => pack.state === 'open' && pack.class === name);
    return notice(
      'danger',
      next
        ? html`<form method="post" action="${path}/packs/${next.id}/open"><button class="button">Open pack ${next.number}</button></form>`
        : html`Print another pack <a href="#cards">below</a>, and open it.`,
      isFirst
        ? `No pack of ${name} is open: cards do not work yet`
        : `No card of ${name} is left in the pile`,
    );
  })}`;
}

/** Cards that were given back can vote until they are scanned. */
function unscanned({ given_back, scanned }: DoorProps): Html | null {
  const missing = Object.entries(given_back).filter(([name, given]) => given > (scanned[name] ?? 0));
  return missing.length === 0
    ? null
    : html`${missing.map(([name, given]) =>
        notice(
          'attention',
          `${counted(given, 'card')} of ${name} ${given === 1 ? 'was' : 'were'} given back, ${count(scanned[name] ?? 0)} ${(scanned[name] ?? 0) === 1 ? 'was' : 'were'} scanned: scan ${given - (scanned[name] ?? 0) === 1 ? 'the other' : 'the others'} below.`,
          'A card that was given back is not scanned',
        ),
      )}`;
}

/** What to do now: the cards to hand out, or to take back. */
function said({ meeting, passed, returned, replaced, cards }: DoorProps): Html | null {
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
  return passed ? saidOf(passed, meeting.classes, unprintedOf({ cards })) : null;
}

function saidOf(
  { action, cards: due, takes = {}, undone = {}, link_ended, ...answer }: NonNullable<DoorProps['passed']>,
  classes: readonly string[],
  unprinted: ReadonlySet<string>,
): Html {
  const cards = printed(due, { unprinted });
  const hand = listed(cardsOf(cards));
  const back = listed(cardsOf(takes));
  const scan = `Scan ${back} below. A card that was taken back never goes to the pile.`;
  const words: Record<DoorInput['action'], () => [title: string, text: string]> = {
    in: () =>
      hand === ''
        ? [
            'Checked in',
            Object.keys(due).length > 0
              ? 'No cards are printed: they vote by show of hands.'
              : answer.waits
                ? 'Hand out no card.'
                : 'Hand out no card: they have theirs, or no vote.',
          ]
        : [`Hand out ${hand}`, 'From the pile, whichever comes.'],
    card: () => [`Hand out ${hand}`, 'From the pile, whichever comes.'],
    out: () =>
      back === ''
        ? [
            'Has left',
            unprinted.size === classes.length
              ? ''
              : 'Whoever keeps their card counts with it, and can come back with it.',
          ]
        : ['Has left', `Scan ${back} below: that names nobody.`],
    undo: () =>
      back !== ''
        ? ['Taken back', scan]
        : [Object.keys(undone).length > 0 ? 'Taken back: no card was handed out' : 'Taken back', ''],
    all_out: () => ['Everybody has left', 'Their cards stay valid. To end them, renew the cards.'],
  };
  const [title, text] = words[action]();
  return html`${notice('success', html`${classSigns(classes, action === 'out' || action === 'undo' ? takes : cards)}${text}`, title)}${
    answer.waits &&
    notice(
      'attention',
      whyWaiting({
        questions: answer.waits_for ?? [],
        ...(answer.holder !== undefined && { holder: answer.holder }),
        ...(answer.waits_cards && { cards: answer.waits_cards }),
      }),
      'They wait for a card',
    )
  }${
    link_ended &&
    notice(
      'attention',
      'They vote with the card now. If this was the wrong person, replace their link on the page of links.',
      'Their link has ended',
    )
  }`;
}

const PROXY_STATES = {
  given: 'Card not handed out yet',
  used: 'Card handed out',
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

function cardsSection(props: DoorProps): Html {
  const { meeting, cards, packs } = props;
  // Whoever keeps the door opens packs that somebody else has printed.
  const mayRun = mayDo(props, 'elections:run');
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
        html`<span>${classSign(meeting.classes, name)}${name}</span>`,
        ...[own.printed, own.handed_out, own.returned, own.void].map(count),
      ]),
    })}
<form method="post" action="${path}/door/return">${openField({
      name: 'codes',
      id: 'codes',
      label: 'Cards that come back',
      hint: 'Their codes, one on each line; or scan one with this phone’s camera, and take it back on its page. They are void from then on; what they voted stays. It changes nobody: say above who gave a card back.',
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
      html`<li class="door-row"><p>${classSign(meeting.classes, name)}Pack ${number}: ${counted(inside, 'card')} of ${name}</p>
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
  packs.some(({ state }) => state === 'open') &&
  disclosure(
    mayRun ? 'Renew the cards, or end a day' : 'End a day',
    html`${
      mayRun &&
      html`<form method="post" action="${path}/packs/renew">${hiddenInputs({ confirm: 'true' })}<p>All cards that were handed out
become void, while no vote is open. Whoever is in gets one of a new pack. Links stay.</p><button class="button button-danger">End all
cards</button></form>`
    }
<form method="post" action="${path}/door">${hiddenInputs({ action: 'all_out' })}<p>At the end of a day: everybody is marked as left,
with the cards they have.</p><button class="button button-quiet">Everybody has left</button></form>`,
  )
}
${
  mayRun &&
  meeting.state !== 'closed' &&
  disclosure(
    'Print cards',
    html`<form method="post" id="print" action="${path}/packs">${selectField({
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
