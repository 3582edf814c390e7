import type { Step, StepName } from '#content/first-steps.ts';
import { SAME } from '#content/forms/hours.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader } from '#views/components/structure.ts';
import { NOT_OFFERED } from '#views/people/passkeys.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { sameHours } from './fields/hours.ts';

/** The address of the page that follows the set-up. */
export const FIRST_STEPS = '/admin/first-steps';

export interface FirstStepsProps {
  steps: readonly Step[];
  isDismissed: boolean;
  /** ISO date. */
  today: string;
  /** The address of the service. */
  address: string;
  /** What the reader has to sign in without a mail; undefined for a key. */
  own: { passkeys: number; offersPasskeys: boolean; recoveryCodes: number } | undefined;
  identity: Identity | undefined;
}

interface Words {
  title: string;
  /** What it is for. */
  purpose: (props: FirstStepsProps) => Child;
  /** How far it is, once there is something. */
  found: (count: number) => string;
  /** How far it is before. */
  none: string;
  link: { href: string; label: string };
  /** The link once it is done. */
  more: { href: string; label: string };
  /** Another way to begin, also once it is done. */
  other?: { href: string; label: string };
  /** A short form on the page itself, in place of the link. */
  form?: (props: FirstStepsProps) => Html;
}

const WORDS: Record<StepName, Words> = {
  hours: {
    title: 'Opening hours',
    purpose: () => 'Screens, “What’s on” and the phones of members say when you are open.',
    found: () => 'They are published.',
    none: 'None are entered yet.',
    link: { href: '/admin/content/hours/new', label: 'Different hours for each day' },
    more: { href: '/admin/content/hours', label: 'Change the hours' },
    form: hoursForm,
  },
  tenders: {
    title: 'Who works',
    purpose: () => 'Guests see who is behind the bar tonight, by first name.',
    found: (count) => `${counted(count, 'person is', 'people are')} entered.`,
    none: 'Nobody is entered yet.',
    link: { href: '/admin/content/tender/new', label: 'New person behind the bar' },
    more: { href: '/admin/content/roster', label: 'Who works when' },
  },
  event: {
    title: 'The first event',
    purpose: () => 'It appears on the screens and in the calendar of members.',
    found: () => 'There are events.',
    none: 'Nothing is announced yet.',
    link: { href: '/admin/content/event/new', label: 'With more details, or repeated' },
    more: { href: '/admin/content/event/new', label: 'Another event' },
    form: eventForm,
  },
  menu: {
    title: 'Drinks and food',
    purpose: () => 'Guests read the list on the screens and on their phones. Paste it from a spreadsheet.',
    found: (count) => `${counted(count, 'entry is', 'entries are')} published.`,
    none: 'Nothing is on the list yet.',
    link: { href: '/admin/content/menu-import', label: 'Paste the list' },
    more: { href: '/admin/content/menu_item', label: 'See the list' },
  },
  screen: {
    title: 'A screen',
    purpose: ({ address }) =>
      html`Any TV with a browser shows tonight. Open <strong class="address">${address}/s</strong> on it: it
      shows a code to enter here.`,
    found: (count) => `${counted(count, 'screen')} reported.`,
    none: 'None has reported yet.',
    link: { href: '/admin/pub/screens', label: 'All about screens' },
    more: { href: '/admin/pub/screens', label: 'See the screens' },
    form: screenForm,
  },
  music: {
    title: 'Music',
    purpose: () => 'Screens and phones show the song that plays. Your player reports it.',
    found: () => 'A player is connected.',
    none: 'No player is connected yet.',
    link: { href: groupPath('music'), label: 'Connect a player' },
    more: { href: groupPath('music'), label: 'See the settings' },
  },
  mail: {
    title: 'Mail',
    purpose: () => 'Codes to sign in and invitations to vote are sent through a mailbox of the club.',
    found: () => 'Mail is sent.',
    none: 'No mail was sent yet.',
    link: { href: groupPath('mail'), label: 'Set mail up' },
    more: { href: '/admin/mails', label: 'See the mails' },
  },
  members: {
    title: 'Members',
    purpose: () => 'Members sign in, are invited to votes, and have the calendar on their phones.',
    found: (count) => `${counted(count, 'person is', 'people are')} on the roll.`,
    none: 'Nobody is on the roll yet.',
    link: { href: '/admin/people/import', label: 'Bring a list of members' },
    more: { href: '/admin/people', label: 'See the members' },
  },
  vote: {
    title: 'The first vote',
    purpose: () => 'Try one with five friends. It is thrown away afterwards.',
    found: (count) => `${counted(count, 'election')} so far.`,
    none: 'Nothing was voted on yet.',
    link: { href: '/admin/elections/new?trial=1', label: 'Try a vote' },
    more: { href: '/admin', label: 'See the elections' },
    other: { href: '/admin/meetings/new', label: 'Prepare a meeting' },
  },
};

/** What a founder does first: each step says what it is for and how far it is, and has the shortest form for it. */
export function firstStepsPage(props: FirstStepsProps): Html {
  const { steps, isDismissed, own, identity } = props;
  const left = steps.filter(({ state }) => state === 'open').length;
  const lede =
    left === 0
      ? 'All of it is done or skipped.'
      : `${counted(left, 'thing is', 'things are')} left, in any order. Skip what your club does not need.`;
  const body = html`${pageHeader({ title: 'First evening', lede })}
<ol class="first-steps" role="list">${steps.map((step, index) => stepPart(step, index + 1, props))}</ol>
${own && ownPart(own)}
<form class="first-steps-away" method="post" action="${FIRST_STEPS}">
${hiddenInputs({ dismiss: String(!isDismissed) })}<button class="button ${left > 0 && 'button-quiet'}">${
    isDismissed ? 'Show this page under Elections again' : 'Put this page away'
  }</button></form>`;
  return staffPage({
    title: 'First evening',
    body,
    nav: FIRST_STEPS,
    givesAddress: FIRST_STEPS,
    identity,
    head: stylesheets('content'),
  });
}

const STATES = { done: badge('Done', 'open'), skipped: badge('Skipped'), open: null };

function stepPart({ name, state, found }: Step, number: number, props: FirstStepsProps): Html {
  const { title, purpose, found: far, none, link, more, other, form } = WORDS[name];
  const action = `${FIRST_STEPS}/${name}`;
  const { href, label } = state === 'done' ? more : link;
  const isForm = form !== undefined && state === 'open';
  const look = isForm ? 'link-alone' : state === 'open' ? 'button' : 'button button-quiet';
  return html`<li class="card first-step" id="${name}"><h2>${number}. ${title} ${STATES[state]}</h2>
<p>${purpose(props)} <span class="soft">${state === 'done' ? far(found) : none}</span></p>
${isForm && form(props)}
<div class="first-step-ways"><a class="${look}" href="${href}">${label}</a>
${other && html`<a class="link-alone" href="${other.href}">${other.label}</a>`}${
  state !== 'done' &&
  html`<form method="post" action="${action}">${hiddenInputs({ skip: String(state === 'open') })}
  <button class="button button-quiet button-small">${
    state === 'open' ? 'Skip' : 'Take it up again'
  }<span class="visually-hidden">: ${title}</span></button></form>`
}</div></li>\n`;
}

/** Sent to the editor of hours, which is shown with what was entered if something is wrong. */
function hoursForm({ today }: FirstStepsProps): Html {
  const days = namedWeekdays().map(([day]) => day);
  return html`<form method="post" action="/admin/content/hours">${hiddenInputs({ next: FIRST_STEPS, from: today })}
${sameHours({ values: { [SAME.days]: days }, errors: [] }, 'Open on these days')}
<button class="button" name="publish" value="true">Publish these hours</button></form>`;
}

/** Sent to the editor of events. */
function eventForm({ today }: FirstStepsProps): Html {
  const hidden = { next: FIRST_STEPS, in_pub: 'true', in_calendar: 'true' };
  return html`<form method="post" action="/admin/content/event">${hiddenInputs(hidden)}
<div class="content-moment">${openField({ name: 'title', label: 'What' })}
${openField({ name: 'date', label: 'Date', type: 'date', value: today })}
${openField({ name: 'time', label: 'Begins', type: 'time' })}
${openField({ name: 'end_time', label: 'Ends (optional)', type: 'time' })}</div>
<button class="button" name="publish" value="true">Publish this event</button></form>`;
}

/** Sent to the list of screens. */
function screenForm(): Html {
  return html`<form method="post" action="/admin/pub/screens">${hiddenInputs({ next: FIRST_STEPS })}
<div class="content-moment">${openField({ name: 'code', label: 'Code on the screen' })}
${openField({ name: 'name', label: 'What you call it' })}</div>
<button class="button">Pair this screen</button></form>`;
}

function ownPart({ passkeys, offersPasskeys, recoveryCodes }: NonNullable<FirstStepsProps['own']>): Html {
  const done = badge('Done', 'open');
  const codes =
    recoveryCodes > 0
      ? html`${done} You have ${counted(recoveryCodes, 'recovery code')} left. New ones end those from before.`
      : 'Recovery codes: eight on paper, each signs you in once.';
  const passkey =
    passkeys > 0
      ? html`${done} You have ${counted(passkeys, 'passkey')}.`
      : 'A passkey: your device keeps a key that signs you in.';
  return html`<section aria-labelledby="own"><h2 id="own">When no mail arrives</h2>
<p>Codes to sign in come by mail. With a passkey or a recovery code you get in without one.</p>
<p>${offersPasskeys ? passkey : NOT_OFFERED}</p>
${
  offersPasskeys &&
  html`<p><a class="button button-quiet" href="/me/passkeys/new?next=${FIRST_STEPS}">New passkey</a></p>`
}
<p>${codes}</p>
<form method="post" action="/me/recovery-codes">
<button class="button button-quiet">Make recovery codes</button></form></section>`;
}
