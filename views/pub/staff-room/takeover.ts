import type { Identity } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { LETTERS_AT_MOST, LETTERS_BESIDE_QR, PRESETS } from '#pub/display/takeover-input.ts';
import type { Takeover } from '#pub/display/takeovers.ts';
import type { Overview } from '#pub/staff-room/overview.ts';
import { field, selectField } from '#views/components/forms.ts';
import { pageHeader } from '#views/components/structure.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { actButton, controls, part } from './parts.ts';
import { clock, type Moment } from './words.ts';

const ACTION = '/admin/pub/takeover';

/** The notices that fill the screens, each with its end, and the forms for new ones. */
export function takeoverPart({ takeovers, screens }: Overview, moment: Moment): Html | null {
  if (!takeovers) return null;
  const names = [...new Set(screens.flatMap(({ name, groups }) => [name, ...groups]))];
  const ended = [...moment.undo.keys()].filter(
    (id) => id.startsWith('do-end-') && !takeovers.some((one) => id === `do-end-${one.id}`),
  );
  const running = html`
  <ul class="switches" role="list">${ended.map(
    (id) => html`
  <li><span class="switch-label">${t('pub-staff.takeover.notice_ended')}</span>
  <form method="post" action="${ACTION}" data-quiet>${actButton(
    { id, action: ACTION, label: t('pub-staff.takeover.end') },
    moment,
  )}</form></li>`,
  )}${takeovers.map((one) => row(one, moment))}</ul>`;
  return part({
    id: 'takeover',
    title: t('pub-staff.takeover.notice_screens'),
    state:
      takeovers.length + ended.length > 0
        ? running
        : html`<p class="room-actual">${t('pub-staff.takeover.screens_show_notice', { strong: (inside) => html`<strong>${inside}</strong>` })}</p>`,
    // Collapsed, so that each takes two taps and none is sent by mistake.
    controls: html`<p class="small soft">${t('pub-staff.takeover.replace_alarm')}</p>
<details id="takeover-presets" name="tonight"${presets.some(({ id }) => moment.undo.has(id)) && html` open`}>
<summary>${t('pub-staff.takeover.fill_screens')}</summary>
<div class="fold">${controls({ action: ACTION, label: t('pub-staff.takeover.notices'), buttons: presets, moment })}</div></details>
<details id="takeover-voting" name="tonight"${moment.undo.has('do-takeover-voting') && html` open`}>
<summary>${t('pub-staff.takeover.qr_code', { title: PRESETS.voting.title })}</summary><div class="fold">${votingForm(moment)}</div></details>
<details id="takeover-own" name="tonight"${moment.undo.has('do-takeover-own') && html` open`}>
<summary>${t('pub-staff.takeover.notice_own_words')}</summary><div class="fold">${ownForm(names, moment)}</div></details>
<h3>${t('pub-staff.takeover.emergency')}</h3>
${leave(moment)}`,
  });
}

/**
 * Apart from the others, because it asks everyone to leave. With script it is held for a second; a keyboard, or a page
 * without script, lead to a page that asks first.
 */
function leave(moment: Moment): Html {
  const isUndone = moment.undo.has(LEAVE);
  const button = isUndone
    ? actButton({ id: LEAVE, action: ACTION, label: leaveLabel, look: 'button-danger' }, moment)
    : html`<a class="button button-danger" id="${LEAVE}" href="${LEAVE_PAGE}"
    data-hold="${ACTION}?at=${LEAVE}">${leaveLabel}</a>`;
  return html`<form class="leave" method="post" action="${ACTION}"
  data-quiet><input type="hidden" name="kind" value="leave">${button}
<p class="small soft">${t('pub-staff.takeover.hold_second_every_screen_turns', { minutes: PRESETS.leave.minutes })}</p></form>`;
}

const LEAVE = 'do-leave';
const LEAVE_PAGE = '/admin/pub/leave';
const leaveLabel = t('pub-staff.takeover.please_leave_building');

/** Asks before every screen tells people to leave. */
export function leavePage(identity: Identity | undefined): Html {
  const { title, text, minutes } = PRESETS.leave;
  const body = html`${pageHeader({ title: leaveLabel })}
<p>${t('pub-staff.takeover.every_screen_turns_red_says', { title, text, minutes })}</p>
<form method="post" action="${ACTION}?at=${LEAVE}"><input type="hidden" name="kind" value="leave">
<p class="toolbar"><button class="button button-danger">${t('pub-staff.takeover.show_every_screen')}</button> <a class="button button-quiet" href="/admin/pub#takeover">${t('pub-staff.takeover.go_back')}</a></p></form>`;
  return staffPage({ area: 'staff', title: leaveLabel, body, nav: '/admin/pub', identity });
}

/** A form instead of a button, because the address of a page has to be typed. */
function votingForm(moment: Moment): Html {
  return html`<form method="post" action="${ACTION}" data-quiet><input type="hidden" name="kind" value="voting">
${qrField('takeover-qr-voting', '/me', false)}
<p>${actButton({ id: 'do-takeover-voting', action: ACTION, label: t('pub-staff.takeover.show_code') }, moment)}</p></form>`;
}

const qrField = (id: string, value: string, optional: boolean): Html =>
  field({
    name: 'qr',
    id,
    label: t('pub-staff.takeover.page_qr_code_opens'),
    value,
    optional,
    maxlength: 300,
    autocomplete: 'off',
    spellcheck: false,
    hint: t('pub-staff.takeover.service_me_where_members_find'),
  });

function row({ id, title, text, screens, expiresAt, qrUrl }: Takeover, moment: Moment): Html {
  const where =
    screens.length > 0
      ? t('pub-staff.takeover.on', { screens: screens.join(', ') })
      : t('pub-staff.takeover.on_all_screens');
  return html`<li><span class="switch-label"><strong>${title || text}</strong><span class="small soft">${
    qrUrl
      ? t('pub-staff.takeover.until_qr_code', { where, time: clock(expiresAt, moment), url: qrUrl })
      : t('pub-staff.takeover.until', { where, time: clock(expiresAt, moment) })
  }</span></span><form method="post" action="${ACTION}/${id}/end" data-quiet>${actButton(
    {
      id: `do-end-${id}`,
      action: `${ACTION}/${id}/end`,
      label: t('pub-staff.takeover.end'),
      about: title || text,
    },
    moment,
  )}</form></li>`;
}

const preset = (kind: 'last_orders' | 'voting', note: Words) => ({
  id: `do-kind-${kind.replace('_', '-')}`,
  name: 'kind',
  value: kind,
  label: PRESETS[kind].title,
  note,
});

const presets = [
  preset('last_orders', t('pub-staff.takeover.until_closing_hour_most')),
  preset('voting', t('pub-staff.takeover.minutes_long', { minutes: PRESETS.voting.minutes })),
];

function ownForm(names: readonly string[], moment: Moment): Html {
  const everywhere = { value: '', label: t('pub-staff.takeover.all_screens') };
  return html`<form method="post" action="${ACTION}" data-quiet><input type="hidden" name="kind" value="own">
${field({ name: 'title', id: 'takeover-title-own', label: t('pub-staff.takeover.title'), maxlength: 60, autocomplete: 'off' })}${field(
  {
    name: 'text',
    id: 'takeover-text',
    label: t('pub-staff.takeover.text'),
    hint: t('pub-staff.takeover.title_most_characters_beside_qr', {
      most: LETTERS_AT_MOST,
      qr: LETTERS_BESIDE_QR,
    }),
    optional: true,
    maxlength: 120,
    autocomplete: 'off',
  },
)}<div class="field-row">${field({
    name: 'minutes',
    id: 'takeover-minutes',
    label: t('pub-staff.takeover.minutes'),
    type: 'number',
    value: PRESETS.own.minutes,
    min: 1,
    max: 1440,
    short: true,
  })}${
    names.length > 0 &&
    selectField({
      name: 'screens',
      id: 'takeover-screens',
      label: t('pub-staff.takeover.where'),
      options: [everywhere, ...names.map((name) => ({ value: name, label: name }))],
    })
  }</div>${qrField('takeover-qr-own', '', true)}<p>${actButton({ id: 'do-takeover-own', action: ACTION, label: t('pub-staff.takeover.show_notice') }, moment)}</p></form>`;
}
