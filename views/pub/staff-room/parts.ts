import { type Child, type Html, html } from '#kernel/html.ts';
import { hiddenInputs } from '#views/components/forms.ts';

/** A section of the page: the state above, the controls below. Each of the two is updated on its own. */
export function part(props: { id: string; title: string; state?: Child; controls?: Child }): Html {
  const { id, title, state, controls } = props;
  return html`<section class="room-part" id="${id}" aria-labelledby="${id}-title"><h2 id="${id}-title" tabindex="-1">${title}</h2>
${state !== undefined && html`<div class="room-state" id="${id}-state" data-live>${state}</div>`}${controls && html`<div class="room-controls" id="${id}-controls" data-live>${controls}</div>`}</section>\n`;
}

/** A button of a control; `state` is `on` for the current value, `asked` for one that was requested and is pending. */
export interface ControlButton {
  name: string;
  value: string | number;
  label: Child;
  note?: Child;
  state?: 'on' | 'asked' | undefined;
}

/** A form of buttons side by side with one address; `hidden` is sent with each of them. */
export function controls(props: {
  action: string;
  /** Read out by screen readers before the buttons. */
  label: string;
  hidden?: Record<string, string> | undefined;
  buttons: readonly ControlButton[];
}): Html {
  const { action, label, hidden = {}, buttons } = props;
  return html`<form class="controls" method="post" action="${action}" data-quiet aria-label="${label}">${hiddenInputs(hidden)}${buttons.map((one) => button(one, hidden.action ?? ''))}</form>`;
}

function button({ name, value, label, note, state }: ControlButton, group: string): Html {
  const words = state === 'on' ? 'chosen' : state;
  const id = `do-${group}-${name}-${value}`.replace(/[^a-z0-9]+/gi, '-').toLowerCase();
  return html`<button class="button button-quiet control${state !== undefined && ` control-${state}`}" id="${id}" name="${name}" value="${value}"><span class="control-label">${label}</span>${note && html`<span class="control-note">${note}</span>`}${words && html`<span class="visually-hidden">, </span><span class="control-note control-word">${words}</span>`}</button>`;
}

/** A collapsed form, for actions that need a text. It stays open while the page updates itself. */
export function formFold(props: {
  id: string;
  summary: Child;
  action: string;
  hidden?: Record<string, string> | undefined;
  fields: Child;
}): Html {
  const { id, summary, action, hidden = {}, fields } = props;
  return html`<details id="${id}"><summary>${summary}</summary><div class="fold"><form method="post" action="${action}" data-quiet>${hiddenInputs(hidden)}${fields}</form></div></details>`;
}
