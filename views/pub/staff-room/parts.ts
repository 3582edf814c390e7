import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import type { Moment } from './words.ts';

/** A section of the page: the state above, the controls below. Each of the two is updated on its own. */
export function part(props: { id: string; title: Words | string; state?: Child; controls?: Child }): Html {
  const { id, title, state, controls } = props;
  return html`<section class="room-part" id="${id}" aria-labelledby="${id}-title">
  <h2 id="${id}-title" tabindex="-1">${title}</h2>
${state !== undefined && html`<div class="room-state" id="${id}-state" data-live>${state}</div>`}${
  controls &&
  html`
<div class="room-controls" id="${id}-controls" data-live>${controls}</div>`
}</section>\n`;
}

/** A button of a control; `state` is `on` for the current value, `asked` for one that was requested and is pending. */
export interface ControlButton {
  name: string;
  value: string | number;
  label: Child;
  note?: Child;
  state?: 'on' | 'asked' | undefined;
}

/**
 * A button that changes something. Its id goes with the form, and while its person can undo that change, the same
 * button undoes it.
 */
export function actButton(
  props: {
    id: string;
    action: string;
    label: Child;
    name?: string | undefined;
    value?: string | number | undefined;
    /** What it applies to, for screen readers. */
    about?: Words | string | undefined;
    look?: string | undefined;
    disabled?: boolean | undefined;
    /** Makes it a switch. */
    checked?: boolean | undefined;
  },
  { undo, page }: Pick<Moment, 'undo' | 'page'>,
): Html {
  const { id, action, label, name, value, about, look, disabled, checked } = props;
  const undoes = undo.get(id);
  const words = html`${label}${about !== undefined && html`<span class="visually-hidden">${t('common.label', { label: '' })} ${about}</span>`}`;
  const classes = `button${look ? ` ${look}` : ''}`;
  if (undoes)
    return html`<button class="${classes} undo" id="${id}" name="undo" value="${undoes}" formaction="${at(
      '/admin/pub/undo',
      id,
    )}&amp;on=${page}" formnovalidate>${t('pub-staff.parts.undo', { hidden: (inside) => html`<span class="visually-hidden">${inside}</span>`, act: words })}</button>`;
  return html`<button class="${classes}" id="${id}"${
    name !== undefined && html` name="${name}" value="${value ?? ''}"`
  } formaction="${at(action, id)}"${disabled && html` disabled`}${
    checked !== undefined && html` role="switch" aria-checked="${String(checked)}"`
  }>${words}</button>`;
}

/** The address of a form with the id of the button that sends it. */
const at = (action: string, id: string) => `${action}?at=${encodeURIComponent(id)}`;

/**
 * A form of buttons with one address; `hidden` is sent with each of them. They are one segmented control, except those
 * with notes, which need room.
 */
export function controls(props: {
  action: string;
  /** Read out by screen readers before the buttons. */
  label: Words | string;
  hidden?: Record<string, string> | undefined;
  buttons: readonly ControlButton[];
  moment: Moment;
}): Html {
  const { action, label, hidden = {}, buttons, moment } = props;
  const look = buttons.some(({ note }) => note)
    ? 'controls'
    : buttons.length > 5
      ? 'segments segments-many'
      : 'segments';
  return html`<form class="${look}" method="post" action="${action}"
  data-quiet aria-label="${label}">${hiddenInputs(hidden)}${buttons.map((one) =>
    button(one, { action, group: hidden.action ?? '', moment }),
  )}</form>`;
}

function button(
  { name, value, label, note, state }: ControlButton,
  { action, group, moment }: { action: string; group: string; moment: Moment },
): Html {
  const words = state && t(state === 'on' ? 'pub-staff.parts.chosen' : 'pub-staff.parts.asked');
  const id = `do-${group}-${name}-${value}`.replace(/[^\p{L}\p{N}]+/gu, '-').toLowerCase();
  return actButton(
    {
      id,
      action,
      name,
      value,
      label: html`<span class="control-label">${label}</span>${
        note && html`<span class="control-note">${note}</span>`
      }${words && html`<span class="visually-hidden">, </span><span class="control-note">${words}</span>`}`,
      look: `button-quiet control${state === undefined ? '' : ` control-${state}`}`,
    },
    moment,
  );
}

/**
 * A collapsed form, for actions that need a text. It stays open while the page updates itself, and is open while its
 * button offers to undo.
 * @param props.group of all forms with this name one is open at a time
 */
export function formFold(props: {
  id: string;
  summary: Child;
  action: string;
  hidden?: Record<string, string> | undefined;
  fields: Child;
  group: string;
  open?: boolean | undefined;
}): Html {
  const { id, summary, action, hidden = {}, fields, group, open } = props;
  return html`<details id="${id}" name="${group}"${open && html` open`}><summary>${summary}</summary><div class="fold">
  <form method="post" action="${action}" data-quiet>${hiddenInputs(hidden)}${fields}</form></div></details>`;
}
