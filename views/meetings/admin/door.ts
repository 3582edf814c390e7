import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { openField } from '#views/components/fields.ts';
import { field, hiddenInputs, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { count } from '#views/components/numbers.ts';
import { hidden } from '#views/components/slots.ts';
import { disclosure, pageHeader, statFigures } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { classSign, classSigns } from './class-sign.ts';
import { said, unopened, unprintedNotice, unprintedOf, unscanned } from './door-notices.ts';
import { type DoorProps, type DoorRow, doorRow, handed, quoted } from './door-row.ts';

/** The page of the door, for a phone or a tablet. */
export function doorPage(props: DoorProps): Html {
  const { meeting, present, represented, quorum, cards_too_many, viewer } = props;
  const body = html`${props.refused && notice('danger', props.refused, t('meetings-admin.shared.nothing_changed'))}
${props.done && notice('success', props.done)}${said(props)}
${pageHeader({
  title: t('meetings-admin.shared.door'),
  lede: meeting.title,
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    ...(mayDo(props, 'elections:read')
      ? [{ href: `/admin/meetings/${meeting.id}`, label: meeting.title }]
      : []),
  ],
})}
<div class="door-figures">${statFigures([
    {
      label:
        props.without_card > 0
          ? t('meetings-admin.door.present_vote_without_card', { n: props.without_card })
          : t('meetings-admin.door.present_vote'),
      value: count(present),
    },
    ...(meeting.takesProxies
      ? [{ label: t('meetings-admin.door.represented'), value: count(represented) }]
      : []),
    ...(props.remote > 0
      ? [{ label: t('meetings-admin.door.present_link'), value: count(props.remote_present) }]
      : []),
    ...(quorum.needed > 0
      ? [
          {
            label: quorum.met ? t('meetings-admin.door.quorum_met') : t('meetings-admin.door.quorum_not_met'),
            value: count(quorum.needed),
          },
        ]
      : []),
    ...(cards_too_many > 0 && !props.door_closed
      ? [{ label: t('meetings-admin.door.cards_left_pile_somebody_who'), value: count(cards_too_many) }]
      : []),
  ])}</div>
${
  cards_too_many > 0 &&
  props.door_closed &&
  notice(
    'attention',
    t('meetings-admin.door.valid_cards_who_here_handed'),
    t('meetings-admin.door.cards_too_many', { n: cards_too_many }),
  )
}
${unprintedNotice(props)}${unopened(props)}${unscanned(props)}<div data-offline role="status" hidden>${notice(
    'attention',
    html`<p>${t('meetings-admin.door.waiting_to_send', { count: (inside) => html`<span data-count>${inside}</span>` })}</p><p data-signed-out hidden>${t(
      'meetings-admin.door.signed_out_sign_again_another',
      {
        link: (inside) => html`<a href="/sign-in" target="_blank"
rel="opener">${inside}</a>`,
      },
    )}</p>`,
    t('meetings-admin.door.sent_yet'),
  )}</div>
<div data-refused role="alert" hidden>${notice(
    'danger',
    html`<p>${t('meetings-admin.door.waits_until_network', { name: () => html`<strong data-name></strong>` })}</p>`,
    t('meetings-admin.door.connection'),
  )}</div>
<div class="door-conflicts" data-conflicts role="alert" hidden>${notice(
    'danger',
    html`<p><strong data-more></strong> ${t('meetings-admin.door.ask_those_who_named_scan')}</p><ul></ul>
<p><button class="button button-quiet" type="button" data-settled>${t('meetings-admin.door.settled')}</button></p>`,
    t('meetings-admin.door.differs_from_door'),
  )}</div>
${
  meeting.state === 'closed'
    ? notice(
        'info',
        t('meetings-admin.door.checked_any_more_scan_what'),
        t('meetings-admin.shared.meeting_closed'),
      )
    : html`${peopleSection(props)}${meeting.takesProxies && proxiesSection(props)}`
}
${cardsSection(props)}`;
  return officerPage({
    title: t('meetings-admin.door.document_title', { title: meeting.title }),
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
  const title = t('meetings-admin.door.people_wait_card', { n: waiting.length });
  const list = html`<ul class="door-list" role="list">${waiting.map(
    ({ person_id, name, cards, for: titles, ready }) =>
      html`<li class="door-row"><p class="door-name">${name} <span class="small soft">${
        titles.length > 0 && t('meetings-admin.door.until_closed', { titles: quoted(titles) })
      }</span></p>${
        ready &&
        html`<form method="post" action="${path}" data-door="${name}" data-cards="${JSON.stringify(cards)}">${hiddenInputs(
          {
            person_id,
            action: 'card',
            ...search,
          },
        )}<button class="button">${classSigns(meeting.classes, cards)}${t('meetings-admin.door.hand_out_to', { cards: handed(cards, meeting.classes), hidden, name })}</button></form>`
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
  return html`<section aria-labelledby="people"><h2 id="people">${t('meetings-admin.door.who_comes')}</h2>
<form class="door-search" method="get" action="${path}" role="search"><div class="field"><label
for="q">${t('meetings-admin.door.name_number')}</label><input class="input" type="search" id="q" name="q" value="${search.q ?? ''}" autocomplete="off"
autofocus></div><button class="button">${t('meetings-admin.door.search')}</button></form>
<p class="small" role="status" data-searched hidden></p>
<ul class="door-list" role="list" aria-label="${t('meetings-admin.door.just_now')}" data-last${last.length === 0 && html` hidden`}>${rows(last)}</ul>
${
  people.length > 0
    ? html`<ul class="door-list" role="list">${rows(people)}</ul>`
    : search.q !== null || (here.total === 0 && last.length === 0)
      ? html`<p>${t('meetings-admin.door.like_roll_let_guest_look')}</p>`
      : html`<p>${t('meetings-admin.door.everybody_here_come')}</p>`
}
${total > people.length && people.length > 0 && html`<p class="small soft">${t('meetings-admin.door.shown_of_total', { people: people.length, total })}</p>`}
${waitingList(path, props)}${
  here.people.length > 0 &&
  html`<details data-here><summary>${t('meetings-admin.door.are_in', { total: here.total })}</summary><div class="fold">
<ul class="door-list" role="list">${rows(here.people, false)}</ul>${
    here.total > here.people.length &&
    html`<p class="small soft">${t('meetings-admin.door.search_others')}</p>`
  }</div></details>`
}
${disclosure(
  t('meetings-admin.door.several_doors'),
  html`<p class="small soft">${t('meetings-admin.door.give_each_door_own_letters')}</p>
<form class="door-search" method="get" action="${path}">${openField({
    name: 'from',
    label: t('meetings-admin.door.from'),
    value: search.from ?? '',
  })}${openField({ name: 'to', label: t('meetings-admin.door.to'), value: search.to ?? '' })}<button
class="button button-quiet">${t('meetings-admin.door.show_these')}</button></form>`,
  search.from !== null || search.to !== null,
)}
${disclosure(
  t('meetings-admin.door.guest_without_vote'),
  html`<form method="post" action="${path}" data-door="">${hiddenInputs({ action: 'in' })}${field({
    name: 'guest',
    label: t('meetings-admin.door.name'),
    maxlength: 300,
    autocomplete: 'off',
  })}<button class="button">${t('meetings-admin.door.let')}</button></form>${
    guests.length > 0 &&
    html`<ul class="door-list" role="list">${guests.map(
      (guest) => html`<li class="door-row"><p class="door-name">${guest}</p>
<form method="post" action="${path}" data-door="${guest}">${hiddenInputs({ guest, action: 'undo' })}<button
class="button button-quiet button-small">${t('meetings-admin.door.undo', { hidden, guest })}</button></form></li>`,
    )}</ul>`
  }`,
)}
<p class="small soft">${t('meetings-admin.door.also_scan_square_invitation_phones')}</p></section>`;
}

const PROXY_STATES = {
  given: t('meetings-admin.door.card_handed_out_yet'),
  used: t('meetings-admin.door.card_handed_out'),
};

function proxiesSection({ meeting, proxies, voters }: DoorProps): Html {
  const path = `/admin/meetings/${meeting.id}/proxies`;
  return pageSection({
    id: 'proxies',
    title: t('meetings-admin.shared.proxies'),
    about: t('meetings-admin.door.whoever_represents_somebody_gets_more'),
    work: html`${
      proxies.length > 0 &&
      table({
        caption: t('meetings-admin.door.who_represented_whom'),
        quietCaption: true,
        columns: [
          { label: t('meetings-admin.door.absent') },
          { label: t('meetings-admin.door.represented_by') },
          { label: t('meetings-admin.shared.state') },
          { label: t('meetings-admin.door.acts'), quiet: true },
        ],
        rows: proxies.map(({ id, giver, holder, document, state }) => [
          giver,
          html`<span>${holder}${document && html`<br><span class="small soft">${document}</span>`}</span>`,
          PROXY_STATES[state],
          state === 'given'
            ? html`<form method="post" action="${path}/${id}?_method=DELETE"><button
class="button button-quiet button-small">${t('meetings-admin.door.remove', { hidden, giver })}</button></form>`
            : '',
        ]),
      })
    }${disclosure(
      t('meetings-admin.door.enter_proxy'),
      html`<form method="post" action="${path}">${selectField({ name: 'giver', label: t('meetings-admin.door.absent'), options: voters })}
${selectField({ name: 'holder', label: t('meetings-admin.door.represented_by'), options: voters })}
${field({ name: 'document', label: t('meetings-admin.door.document'), optional: true, maxlength: 500, hint: t('meetings-admin.door.where_signed_form') })}
<button class="button">${t('meetings-admin.shared.save')}</button></form>`,
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
    title: t('meetings-admin.door.cards'),
    about: t('meetings-admin.door.card_belongs_name_numbers_fit'),
    work: html`${table({
      caption: t('meetings-admin.door.cards_class'),
      quietCaption: true,
      columns: [
        { label: t('meetings-admin.door.class') },
        ...[
          t('meetings-admin.shared.printed'),
          t('meetings-admin.door.handed_out'),
          t('meetings-admin.door.returned'),
          t('meetings-admin.door.void'),
        ].map((label) => ({ label, number: true })),
      ],
      rows: Object.entries(cards).map(([name, own]) => [
        html`<span>${classSign(meeting.classes, name)}${name}</span>`,
        ...[own.printed, own.handed_out, own.returned, own.void].map(count),
      ]),
    })}
<form method="post" action="${path}/door/return">${openField({
      name: 'codes',
      id: 'codes',
      label: t('meetings-admin.door.cards_come_back'),
      hint: t('meetings-admin.door.codes_each_line_scan_phones'),
      rows: 2,
    })}<div class="actions"><button class="button">${t('meetings-admin.door.take_back')}</button></div></form>
${disclosure(
  t('meetings-admin.door.lost_card'),
  html`<form method="post" action="${path}/door/replace">${field({
    name: 'stub',
    label: t('meetings-admin.door.code_stub'),
    hint: t('meetings-admin.door.lost_card_becomes_void_hand'),
    autocomplete: 'off',
    spellcheck: false,
    autocapitalize: 'characters',
  })}<div class="actions"><button class="button">${t('meetings-admin.door.replace')}</button></div></form>`,
)}
${
  closed.length > 0 &&
  meeting.state !== 'closed' &&
  html`<h3>${t('meetings-admin.door.packs_closed')}</h3><ul class="door-list" role="list">${closed.map(
    ({ id, number, class: name, cards: inside }) =>
      html`<li class="door-row"><p>${classSign(meeting.classes, name)}${t('meetings-admin.door.pack_cards', { number, n: inside, name })}</p>
<form method="post" action="${path}/packs/${id}/open"><button class="button button-quiet">${t('meetings-admin.door.open_pack_in_row', { hidden, number })}</button></form></li>`,
  )}</ul>
${disclosure(
  t('meetings-admin.door.close_door'),
  html`<form method="post" action="${path}/packs/void"><p>${t('meetings-admin.door.packs_opened_become_void_scan')}</p><button class="button button-danger">${t('meetings-admin.door.close_door')}</button></form>`,
)}`
}
${
  meeting.state !== 'closed' &&
  packs.some(({ state }) => state === 'open') &&
  disclosure(
    mayRun ? t('meetings-admin.door.renew_cards_end_day') : t('meetings-admin.door.end_day'),
    html`${
      mayRun &&
      html`<form method="post" action="${path}/packs/renew">${hiddenInputs({ confirm: 'true' })}<p>${t('meetings-admin.door.all_cards_handed_out_become')}</p><button class="button button-danger">${t('meetings-admin.door.end_all_cards')}</button></form>`
    }
<form method="post" action="${path}/door">${hiddenInputs({ action: 'all_out' })}<p>${t('meetings-admin.door.end_day_everybody_marked_left')}</p><button class="button button-quiet">${t('meetings-admin.door.everybody_left')}</button></form>`,
  )
}
${
  mayRun &&
  meeting.state !== 'closed' &&
  disclosure(
    t('meetings-admin.door.print_cards'),
    html`<form method="post" id="print" action="${path}/packs">${selectField({
      name: 'class',
      label: t('meetings-admin.door.class'),
      options: meeting.classes.map((name) => ({ value: name, label: name })),
    })}${openField({
      name: 'packs',
      label: t('meetings-admin.door.packs_ten'),
      type: 'number',
      value: '1',
      min: 1,
      short: true,
    })}<div class="toolbar"><button class="button">${t('meetings-admin.door.print_a4')}</button>
<button class="button button-quiet" formaction="${path}/packs?paper=a6">${t('meetings-admin.door.print_a6')}</button></div></form>`,
    packs.length === 0,
  )
}`,
  });
}
