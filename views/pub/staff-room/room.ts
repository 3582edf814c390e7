import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import type { Lighting, Sound } from '#pub/devices/relay-inputs.ts';
import type { Overview, RelayState } from '#pub/staff-room/overview.ts';
import { field, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { actButton, type ControlButton, controls, formFold, part } from './parts.ts';
import {
  ago,
  COLOURS,
  LIGHT_ACTIONS,
  lightWords,
  type Moment,
  percent,
  SCREENS,
  SOUNDS,
  WHITES,
} from './words.ts';

type May = (permission: Permission) => boolean;

const LIGHTS = '/admin/pub/lights';
const DISPLAYS = '/admin/pub/displays';

/** The lights: their state, the pending request, and the controls. */
export function lightsPart(overview: Overview, moment: Moment, may: May): Html {
  const { lighting, listener } = overview;
  return part({
    id: 'lights',
    title: 'Lights',
    state: relayState(lighting, { of: 'lights', words: lightWords, online: listener.online, moment }),
    controls: may('lighting:write') && lightControls(overview, may('lighting:strobe'), moment),
  });
}

/** The sound: its mode, the pending request, and the controls. */
export function soundPart({ sound, listener }: Overview, moment: Moment, may: May): Html {
  const limits: Child[] = [
    listener.quietActive && html`<p>Quiet hours limit the sound.</p>`,
    listener.qsysDown && notice('danger', 'The sound system does not answer the listener.'),
  ];
  const buttons = Object.entries(SOUNDS).map(([mode, label]) => ({
    name: 'mode',
    value: mode,
    label,
    state: stateOf(sound, (one) => one.mode === mode),
  }));
  return part({
    id: 'sound',
    title: 'Sound',
    state: [
      relayState(sound, {
        of: 'sound',
        words: ({ mode }) => soundWords(mode),
        online: listener.online,
        moment,
      }),
      limits,
    ],
    controls: may('sound:write') && controls({ action: '/admin/pub/sound', label: 'Sound', buttons, moment }),
  });
}

/** The switches for the screens; each says so where no such screen is on. */
export function displaysPart({ controls: switches, screens }: Overview, moment: Moment, may: May): Html {
  const isOn = (page: string) => screens.some((screen) => screen.page === page && screen.online);
  const rows = [
    ['barRightDisplay', 'Right TV shows what is playing', 'bar-right'],
    ['barRightLyrics', 'Right TV shows lyrics', 'bar-right'],
    ['projectorLyrics', 'Projector shows lyrics', 'projector'],
  ] as const;
  return part({
    id: 'displays',
    title: 'Displays',
    controls: html`<ul class="switches" role="list">${rows.map(([name, label, page]) => {
      const on = switches[name];
      return html`<li><span class="switch-label">${label}${
        !isOn(page) &&
        html`<span class="small soft">The ${SCREENS[page].toLowerCase().replace('tv', 'TV')} itself is not there.</span>`
      }</span>
<strong>${on ? 'On' : 'Off'}</strong>${
        may('controls:write') &&
        html`<form method="post" action="${DISPLAYS}" data-quiet>${actButton(
          {
            id: `do-${name}`,
            action: DISPLAYS,
            label: html`<span class="switch-track"></span><span class="visually-hidden">${label}</span>`,
            name,
            value: on ? 'off' : 'on',
            look: 'button-quiet switch',
            checked: on,
          },
          moment,
        )}</form>`
      }</li>`;
    })}</ul>`,
  });
}

function relayState<Desired>(
  { desired, desiredSetAt, error, applied, appliedAt }: RelayState<Desired>,
  how: { of: 'lights' | 'sound'; words: (desired: Desired) => string; online: boolean; moment: Moment },
): Html {
  const { of, words, online, moment } = how;
  const [name, they] = of === 'lights' ? ['Lights', 'them'] : ['Sound', 'it'];
  const actual =
    applied && appliedAt
      ? html`<p class="room-actual">${name}${
          !online && ', when last heard'
        }: <strong>${words(applied)}</strong>. <span class="small soft">Taken up ${ago(appliedAt, moment)}.</span></p>`
      : html`<p class="room-actual">${name}: as the device left ${they}.${
          !desired && ' Nobody has asked for anything yet.'
        }</p>`;
  if (!desired || !desiredSetAt) return actual;
  const asked = html`Asked ${ago(desiredSetAt, moment)}: <strong>${words(desired)}</strong>.`;
  if (error !== null)
    return html`${actual}${notice('danger', html`<p>${asked} It could not be done: ${error}</p>`)}`;
  const waiting = online
    ? 'Waiting for the device.'
    : 'The device is not there: it is done if it comes back within ten minutes.';
  return html`${actual}<p class="room-asked">${asked} ${waiting}</p>`;
}

/** The mode within a sentence: in lower case, except DJ. */
const soundWords = (mode: Sound['mode']): string =>
  mode === 'dj' ? SOUNDS[mode] : SOUNDS[mode].toLowerCase();

function stateOf<Desired>(
  { desired, applied }: RelayState<Desired>,
  is: (one: Desired) => boolean,
): 'on' | 'asked' | undefined {
  if (desired) return is(desired) ? 'asked' : undefined;
  return applied && is(applied) ? 'on' : undefined;
}

function lightControls({ lighting, scenes }: Overview, mayStrobe: boolean, moment: Moment): Html {
  const state = (is: (one: Lighting) => boolean) => stateOf(lighting, is);
  const named = (action: 'scene' | 'chase'): ControlButton[] =>
    (scenes ?? [])
      .filter((known) => known.action === action)
      .map(({ name }) => ({
        name: 'name',
        value: name,
        label: name,
        state: state((one) => one.action === action && one.name === name),
      }));
  const simple = (['auto', 'hold', 'stop', 'blackout'] as const).map((action) => ({
    name: 'action',
    value: action,
    label: LIGHT_ACTIONS[action],
    state: state((one) => one.action === action),
  }));
  const levels = (action: 'brightness' | 'house', values: readonly number[]) =>
    values.map((value) => ({
      name: 'params.level',
      value,
      label: value === 0 ? 'Off' : percent(value),
      state: state(
        (one) =>
          one.action === action && one.params.level === value && !('zone' in one.params && one.params.zone),
      ),
    }));
  const group = (title: string, action: string | undefined, buttons: readonly ControlButton[]) =>
    buttons.length > 0 &&
    html`<h3>${title}</h3>
    ${controls({ action: LIGHTS, label: title, hidden: action === undefined ? {} : { action }, buttons, moment })}`;
  return html`${group('Scenes', 'scene', named('scene'))}${group('Chases', 'chase', named('chase'))}
${formFold({
  id: 'other-scene',
  group: 'light',
  summary: 'A scene by its name',
  action: LIGHTS,
  fields: html`${field({ name: 'name', id: 'scene-name', label: 'Name', maxlength: 64, autocomplete: 'off' })}
${selectField({
  name: 'action',
  id: 'scene-kind',
  label: 'It is a',
  options: [
    { value: 'scene', label: 'scene' },
    { value: 'chase', label: 'chase' },
  ],
  value: 'scene',
})}<p>${actButton({ id: 'do-other-scene', action: LIGHTS, label: 'Ask for it' }, moment)}</p>`,
  open: moment.undo.has('do-other-scene'),
})}
${group('All lights', undefined, simple)}${group('Brightness', 'brightness', levels('brightness', [25, 50, 75, 100]))}
${group(
  'White',
  'color',
  WHITES.map(([kelvin, label]) => ({
    name: 'params.kelvin',
    value: kelvin,
    label,
    state: state((one) => one.action === 'color' && one.params.kelvin === kelvin),
  })),
)}
${group(
  'Colour',
  'color',
  Object.entries(COLOURS).map(([rgb, label]) => ({
    name: 'params.rgb',
    value: rgb,
    label: html`${dot(rgb)} ${label}`,
    state: state((one) => one.action === 'color' && one.params.rgb?.toLowerCase() === rgb),
  })),
)}
${group('House lights', 'house', levels('house', [0, 50, 100]))}
${mayStrobe && strobe(moment)}`;
}

/** The attribute, because the policy of the pages allows no styles in them. */
const dot = (colour: string): Html =>
  html`<svg class="dot" aria-hidden="true"><circle cx="7" cy="7" r="7" fill="${colour}"/></svg>`;

function strobe(moment: Moment): Html {
  return formFold({
    id: 'strobe',
    group: 'light',
    summary: 'Strobe',
    action: LIGHTS,
    hidden: { action: 'strobe' },
    fields: html`<p class="small">Flashing light can harm people with epilepsy. Say it aloud before.</p>
${field({
  name: 'params.hz',
  id: 'strobe-hz',
  label: 'Flashes a second',
  hint: 'Four at the most.',
  type: 'number',
  value: 2,
  min: 1,
  max: 4,
  inputmode: 'numeric',
  short: true,
})}
${selectField({
  name: 'params.durationMs',
  id: 'strobe-ms',
  label: 'For',
  options: [5, 10, 30].map((seconds) => ({ value: String(seconds * 1_000), label: `${seconds} seconds` })),
  value: '5000',
})}<p>${actButton({ id: 'do-strobe', action: LIGHTS, label: 'Strobe', look: 'button-danger' }, moment)}</p>`,
    open: moment.undo.has('do-strobe'),
  });
}
