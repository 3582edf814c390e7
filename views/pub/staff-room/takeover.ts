import { type Html, html } from '#kernel/html.ts';
import type { Overview } from '#pub/room/overview.ts';
import { LETTERS_AT_MOST, LETTERS_BESIDE_QR, PRESETS } from '#pub/takeover/input.ts';
import type { Takeover } from '#pub/takeover/takeovers.ts';
import { field, selectField } from '#views/components/forms.ts';
import { controls, part } from './parts.ts';
import { clock, type Moment } from './words.ts';

const ACTION = '/admin/pub/takeover';

/** The notices that fill the screens, each with its end, and the forms for new ones. */
export function takeoverPart({ takeovers, screens }: Overview, moment: Moment): Html | null {
  if (!takeovers) return null;
  const names = [...new Set(screens.flatMap(({ name, groups }) => [name, ...groups]))];
  const running = html`<ul class="switches" role="list">${takeovers.map((one) => row(one, moment))}</ul>`;
  return part({
    id: 'takeover',
    title: 'Notice on the screens',
    state:
      takeovers.length > 0
        ? running
        : html`<p class="room-actual">The screens show <strong>no notice</strong>.</p>`,
    // Collapsed, so that each takes two taps and none is sent by mistake.
    controls: html`<p class="small soft">It does not replace an alarm.</p>
<details id="takeover-presets"><summary>Fill the screens</summary><div class="fold">${controls({ action: ACTION, label: 'Notices', buttons: [preset('last_orders'), preset('voting'), preset('leave')] })}</div></details>
<details id="takeover-voting"><summary>“${PRESETS.voting.title}” with a QR code</summary><div class="fold">${votingForm()}</div></details>
<details id="takeover-own"><summary>A notice in your own words</summary><div class="fold">${ownForm(names)}</div></details>`,
  });
}

/** A form instead of a button, because the address of a page has to be typed. */
function votingForm(): Html {
  return html`<form method="post" action="${ACTION}" data-quiet><input type="hidden" name="kind" value="voting">
${qrField('takeover-qr-voting', '/me', false)}<p><button class="button">Show it with the code</button></p></form>`;
}

const qrField = (id: string, value: string, optional: boolean): Html =>
  field({
    ...{ name: 'qr', id, label: 'Page that the QR code opens', value, optional, maxlength: 300 },
    ...{ autocomplete: 'off', spellcheck: false },
    hint: 'Of this service: /me, where members find their ballots, or the address of an election.',
  });

function row({ id, title, text, screens, expiresAt, qrUrl }: Takeover, moment: Moment): Html {
  const where = screens.length > 0 ? `On ${screens.join(', ')}` : 'On all screens';
  return html`<li><span class="switch-label"><strong>${title || text}</strong><span class="small soft">${where}, until ${clock(expiresAt, moment)}${qrUrl && `, with a QR code to ${qrUrl}`}</span></span><form method="post" action="${ACTION}/${id}/end" data-quiet><button class="button" id="do-end-${id}">End<span class="visually-hidden">: ${title || text}</span></button></form></li>`;
}

function preset(kind: 'last_orders' | 'voting' | 'leave') {
  const { title, minutes } = PRESETS[kind];
  const note = {
    last_orders: 'Until closing, an hour at most',
    voting: `${minutes} minutes`,
    leave: 'Does not replace an alarm',
  };
  return { name: 'kind', value: kind, label: title, note: note[kind] };
}

function ownForm(names: readonly string[]): Html {
  const everywhere = { value: '', label: 'All screens' };
  return html`<form method="post" action="${ACTION}" data-quiet><input type="hidden" name="kind" value="own">
${field({ name: 'title', id: 'takeover-title-own', label: 'Title', maxlength: 60, autocomplete: 'off' })}${field({ name: 'text', id: 'takeover-text', label: 'Text', hint: `With the title at most ${LETTERS_AT_MOST} characters, beside a QR code ${LETTERS_BESIDE_QR}.`, optional: true, maxlength: 120, autocomplete: 'off' })}${field({ name: 'minutes', id: 'takeover-minutes', label: 'Minutes', type: 'number', value: PRESETS.own.minutes, min: 1, max: 1440, short: true })}${qrField('takeover-qr-own', '', true)}${names.length > 0 && selectField({ name: 'screens', id: 'takeover-screens', label: 'Where', options: [everywhere, ...names.map((name) => ({ value: name, label: name }))] })}<p><button class="button">Show the notice</button></p></form>`;
}
