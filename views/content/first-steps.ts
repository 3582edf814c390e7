import type { Step, StepName } from '#content/first-steps.ts';
import { SAME } from '#content/forms/hours.ts';
import { namedWeekdays } from '#content/records/fields.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words as Text } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { openField } from '#views/components/fields.ts';
import { hiddenInputs } from '#views/components/forms.ts';
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
  title: Text | string;
  /** What it is for. */
  purpose: (props: FirstStepsProps) => Child;
  /** How far it is, once there is something. */
  found: (count: number) => Text;
  /** How far it is before. */
  none: Text;
  link: { href: string; label: Text | string };
  /** The link once it is done. */
  more: { href: string; label: Text | string };
  /** Another way to begin, also once it is done. */
  other?: { href: string; label: Text | string };
  /** A short form on the page itself, in place of the link. */
  form?: (props: FirstStepsProps) => Html;
}

const WORDS: Record<StepName, Words> = {
  hours: {
    title: t('settings.first_steps.opening_hours'),
    purpose: () => t('settings.first_steps.screens_whats_phones_members_say'),
    found: () => t('settings.first_steps.published'),
    none: t('settings.first_steps.none_entered_yet'),
    link: { href: '/admin/content/hours/new', label: t('settings.first_steps.different_hours_each_day') },
    more: { href: '/admin/content/hours', label: t('settings.first_steps.change_hours') },
    form: hoursForm,
  },
  tenders: {
    title: t('settings.first_steps.who_works'),
    purpose: () => t('settings.first_steps.guests_see_who_behind_bar'),
    found: (count) => t('settings.first_steps.people_entered', { people: count }),
    none: t('settings.first_steps.entered_yet'),
    link: { href: '/admin/content/tender/new', label: t('settings.first_steps.new_person_behind_bar') },
    more: { href: '/admin/content/roster', label: t('settings.first_steps.who_works_when') },
  },
  event: {
    title: t('settings.first_steps.first_event'),
    purpose: () => t('settings.first_steps.appears_screens_calendar_members'),
    found: () => t('settings.first_steps.events'),
    none: t('settings.first_steps.nothing_announced_yet'),
    link: { href: '/admin/content/event/new', label: t('settings.first_steps.more_details_repeated') },
    more: { href: '/admin/content/event/new', label: t('settings.first_steps.another_event') },
    form: eventForm,
  },
  menu: {
    title: t('settings.first_steps.drinks_food'),
    purpose: () => t('settings.first_steps.guests_read_list_screens_phones'),
    found: (count) => t('settings.first_steps.entries_published', { entries: count }),
    none: t('settings.first_steps.nothing_list_yet'),
    link: { href: '/admin/content/menu-import', label: t('settings.first_steps.paste_list') },
    more: { href: '/admin/content/menu_item', label: t('settings.first_steps.see_list') },
  },
  screen: {
    title: t('settings.first_steps.screen'),
    purpose: ({ address }) =>
      html`${t('settings.first_steps.any_tv_browser_shows_tonight', { strong: (inside) => html`<strong class="address">${inside}</strong>`, address })}`,
    found: (count) => t('settings.first_steps.screens_reported', { screens: count }),
    none: t('settings.first_steps.none_reported_yet'),
    link: { href: '/admin/pub/screens', label: t('settings.first_steps.all_about_screens') },
    more: { href: '/admin/pub/screens', label: t('settings.first_steps.see_screens') },
    form: screenForm,
  },
  music: {
    title: t('settings.first_steps.music'),
    purpose: () => t('settings.first_steps.screens_phones_show_song_plays'),
    found: () => t('settings.first_steps.player_connected'),
    none: t('settings.first_steps.player_connected_yet'),
    link: { href: groupPath('music'), label: t('settings.first_steps.connect_player') },
    more: { href: groupPath('music'), label: t('settings.first_steps.see_settings') },
  },
  mail: {
    title: t('settings.first_steps.mail'),
    purpose: () => t('settings.first_steps.codes_sign_invitations_vote_sent'),
    found: () => t('settings.first_steps.mail_sent'),
    none: t('settings.first_steps.mail_sent_yet'),
    link: { href: groupPath('mail'), label: t('settings.first_steps.set_mail_up') },
    more: { href: '/admin/mails', label: t('settings.first_steps.see_mails') },
  },
  members: {
    title: t('settings.first_steps.members'),
    purpose: () => t('settings.first_steps.members_sign_invited_votes_calendar'),
    found: (count) => t('settings.first_steps.people_roll', { people: count }),
    none: t('settings.first_steps.roll_yet'),
    link: { href: '/admin/people/import', label: t('settings.first_steps.bring_list_members') },
    more: { href: '/admin/people', label: t('settings.first_steps.see_members') },
  },
  vote: {
    title: t('settings.first_steps.first_vote'),
    purpose: () => t('settings.first_steps.try_five_friends_thrown_away'),
    found: (count) => t('settings.first_steps.elections_far', { elections: count }),
    none: t('settings.first_steps.nothing_voted_yet'),
    link: { href: '/admin/elections/new?trial=1', label: t('settings.first_steps.try_vote') },
    more: { href: '/admin', label: t('settings.first_steps.see_elections') },
    other: { href: '/admin/meetings/new', label: t('settings.first_steps.prepare_meeting') },
  },
};

/** What a founder does first: each step says what it is for and how far it is, and has the shortest form for it. */
export function firstStepsPage(props: FirstStepsProps): Html {
  const { steps, isDismissed, own, identity } = props;
  const left = steps.filter(({ state }) => state === 'open').length;
  const lede =
    left === 0
      ? t('settings.first_steps.all_done_skipped')
      : t('settings.first_steps.things_left_any_order_skip', { left });
  const body = html`${pageHeader({ title: t('settings.first_steps.first_evening'), lede })}
<ol class="first-steps" role="list">${steps.map((step, index) => stepPart(step, index + 1, props))}</ol>
${own && ownPart(own)}
<form class="first-steps-away" method="post" action="${FIRST_STEPS}">
${hiddenInputs({ dismiss: String(!isDismissed) })}<button class="button ${left > 0 && 'button-quiet'}">${
    isDismissed
      ? t('settings.first_steps.show_page_under_elections_again')
      : t('settings.first_steps.put_page_away')
  }</button></form>`;
  return staffPage({
    title: t('settings.first_steps.first_evening'),
    body,
    nav: FIRST_STEPS,
    givesAddress: FIRST_STEPS,
    identity,
    head: stylesheets('content'),
  });
}

const STATES = {
  done: badge(t('settings.first_steps.done'), 'open'),
  skipped: badge(t('settings.first_steps.skipped')),
  open: null,
};

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
    state === 'open' ? t('settings.first_steps.skip') : t('settings.first_steps.take_up_again')
  }<span class="visually-hidden">${t('common.label', { label: '' })} ${title}</span></button></form>`
}</div></li>\n`;
}

/** Sent to the editor of hours, which is shown with what was entered if something is wrong. */
function hoursForm({ today }: FirstStepsProps): Html {
  const days = namedWeekdays().map(([day]) => day);
  return html`<form method="post" action="/admin/content/hours">${hiddenInputs({ next: FIRST_STEPS, from: today })}
${sameHours({ values: { [SAME.days]: days }, errors: [] }, t('settings.first_steps.open_these_days'))}
<button class="button" name="publish" value="true">${t('settings.first_steps.publish_these_hours')}</button></form>`;
}

/** Sent to the editor of events. */
function eventForm({ today }: FirstStepsProps): Html {
  const hidden = { next: FIRST_STEPS, in_pub: 'true', in_calendar: 'true' };
  return html`<form method="post" action="/admin/content/event">${hiddenInputs(hidden)}
<div class="content-moment">${openField({ name: 'title', label: t('settings.first_steps.what') })}
${openField({ name: 'date', label: t('settings.first_steps.date'), type: 'date', value: today })}
${openField({ name: 'time', label: t('settings.first_steps.begins'), type: 'time' })}
${openField({ name: 'end_time', label: t('settings.first_steps.ends_optional'), type: 'time' })}</div>
<button class="button" name="publish" value="true">${t('settings.first_steps.publish_event')}</button></form>`;
}

/** Sent to the list of screens. */
function screenForm(): Html {
  return html`<form method="post" action="/admin/pub/screens">${hiddenInputs({ next: FIRST_STEPS })}
<div class="content-moment">${openField({ name: 'code', label: t('settings.first_steps.code_screen') })}
${openField({ name: 'name', label: t('settings.first_steps.what_call') })}</div>
<button class="button">${t('settings.first_steps.pair_screen')}</button></form>`;
}

function ownPart({ passkeys, offersPasskeys, recoveryCodes }: NonNullable<FirstStepsProps['own']>): Html {
  const done = badge(t('settings.first_steps.done'), 'open');
  const codes =
    recoveryCodes > 0
      ? html`${t('settings.first_steps.recovery_codes_left_new_ones', { done, codes: recoveryCodes })}`
      : t('settings.first_steps.recovery_codes_eight_paper_each');
  const passkey =
    passkeys > 0
      ? html`${t('settings.first_steps.passkeys', { done, passkeys })}`
      : t('settings.first_steps.passkey_device_keeps_key_signs');
  return html`<section aria-labelledby="own"><h2 id="own">${t('settings.first_steps.when_mail_arrives')}</h2>
<p>${t('settings.first_steps.codes_sign_come_mail_passkey')}</p>
<p>${offersPasskeys ? passkey : NOT_OFFERED}</p>
${
  offersPasskeys &&
  html`<p><a class="button button-quiet" href="/me/passkeys/new?next=${FIRST_STEPS}">${t('settings.first_steps.new_passkey')}</a></p>`
}
<p>${codes}</p>
<form method="post" action="/me/recovery-codes">
<button class="button button-quiet">${t('settings.first_steps.make_recovery_codes')}</button></form></section>`;
}
