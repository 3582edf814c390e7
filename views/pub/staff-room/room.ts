import type { Permission } from '#kernel/access/roles.ts';
import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Lighting } from '#pub/devices/relay-inputs.ts';
import type { Overview, RelayState } from '#pub/staff-room/overview.ts';
import { field, selectField } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { actButton, type ControlButton, controls, formFold, part } from './parts.ts';
import { ago, COLOURS, LIGHT_ACTIONS, lightWords, type Moment, percent, SOUNDS, WHITES } from './words.ts';

type May = (permission: Permission) => boolean;

const LIGHTS = '/admin/pub/lights';
const DISPLAYS = '/admin/pub/displays';

/** The lights: their state, the pending request, and the controls. */
export function lightsPart(overview: Overview, moment: Moment, may: May): Html {
  const { lighting, listener } = overview;
  return part({
    id: 'lights',
    title: t('pub-staff.room.lights'),
    state: relayState(lighting, { of: 'lights', words: lightWords, online: listener.online, moment }),
    controls: may('lighting:write') && lightControls(overview, may('lighting:strobe'), moment),
  });
}

/** The sound: its mode, the pending request, and the controls. */
export function soundPart({ sound, listener }: Overview, moment: Moment, may: May): Html {
  const limits: Child[] = [
    listener.quietActive && html`<p>${t('pub-staff.room.quiet_hours_limit_sound')}</p>`,
    listener.qsysDown && notice('danger', t('pub-staff.room.sound_system_answer_listener')),
  ];
  const buttons = Object.entries(SOUNDS).map(([mode, label]) => ({
    name: 'mode',
    value: mode,
    label: label.label,
    state: stateOf(sound, (one) => one.mode === mode),
  }));
  return part({
    id: 'sound',
    title: t('pub-staff.room.sound'),
    state: [
      relayState(sound, {
        of: 'sound',
        words: ({ mode }) => SOUNDS[mode].said,
        online: listener.online,
        moment,
      }),
      limits,
    ],
    controls:
      may('sound:write') &&
      controls({ action: '/admin/pub/sound', label: t('pub-staff.room.sound'), buttons, moment }),
  });
}

/** The switches for the screens; each says so where no such screen is on. */
export function displaysPart({ controls: switches, screens }: Overview, moment: Moment, may: May): Html {
  const isOn = (page: string) => screens.some((screen) => screen.page === page && screen.online);
  const rows = [
    ['barRightDisplay', t('pub-staff.room.right_tv_shows_what_playing'), 'bar-right'],
    ['barRightLyrics', t('pub-staff.room.right_tv_shows_lyrics'), 'bar-right'],
    ['projectorLyrics', t('pub-staff.room.projector_shows_lyrics'), 'projector'],
  ] as const;
  return part({
    id: 'displays',
    title: t('pub-staff.room.displays'),
    controls: html`<ul class="switches" role="list">${rows.map(([name, label, page]) => {
      const on = switches[name];
      return html`<li><span class="switch-label">${label}${
        !isOn(page) && html`<span class="small soft">${NOT_THERE[page]}</span>`
      }</span>
<strong>${on ? t('pub-staff.room.on') : t('pub-staff.room.off')}</strong>${
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

/** No such screen is on. */
const NOT_THERE = {
  'bar-right': t('pub-staff.room.right_tv_not_there'),
  projector: t('pub-staff.room.projector_not_there'),
} as const;

function relayState<Desired>(
  { desired, desiredSetAt, error, applied, appliedAt }: RelayState<Desired>,
  how: { of: 'lights' | 'sound'; words: (desired: Desired) => Words; online: boolean; moment: Moment },
): Html {
  const { of, words, online, moment } = how;
  const isLights = of === 'lights';
  const name = isLights ? t('pub-staff.room.lights') : t('pub-staff.room.sound');
  const actual =
    applied && appliedAt
      ? html`<p class="room-actual">${t('common.named', { name: online ? name : t('pub-staff.room.last_heard', { name }), value: html`<strong>${words(applied)}</strong>` })}. <span class="small soft">${t('pub-staff.room.taken_up', { ago: ago(appliedAt, moment) })}</span></p>`
      : html`<p class="room-actual">${sentences([
          isLights ? t('pub-staff.room.lights_as_left') : t('pub-staff.room.sound_as_left'),
          !desired && t('pub-staff.room.nothing_asked'),
        ])}</p>`;
  if (!desired || !desiredSetAt) return actual;
  const asked = t('pub-staff.room.asked', {
    ago: ago(desiredSetAt, moment),
    what: html`<strong>${words(desired)}</strong>`,
  });
  if (error !== null)
    return html`${actual}${notice('danger', html`<p>${sentences([asked, t('pub-staff.room.not_done', { error })])}</p>`)}`;
  const waiting = online
    ? t('pub-staff.room.waiting_device')
    : t('pub-staff.room.device_done_comes_back_within');
  return html`${actual}<p class="room-asked">${sentences([asked, waiting])}</p>`;
}

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
    label: LIGHT_ACTIONS[action].label,
    state: state((one) => one.action === action),
  }));
  const levels = (action: 'brightness' | 'house', values: readonly number[]) =>
    values.map((value) => ({
      name: 'params.level',
      value,
      label: value === 0 ? t('pub-staff.room.off') : percent(value),
      state: state(
        (one) =>
          one.action === action && one.params.level === value && !('zone' in one.params && one.params.zone),
      ),
    }));
  const group = (title: Words, action: string | undefined, buttons: readonly ControlButton[]) =>
    buttons.length > 0 &&
    html`<h3>${title}</h3>
    ${controls({ action: LIGHTS, label: title, hidden: action === undefined ? {} : { action }, buttons, moment })}`;
  return html`${group(t('pub-staff.room.scenes'), 'scene', named('scene'))}${group(t('pub-staff.room.chases'), 'chase', named('chase'))}
${formFold({
  id: 'other-scene',
  group: 'light',
  summary: t('pub-staff.room.scene_name'),
  action: LIGHTS,
  fields: html`${field({ name: 'name', id: 'scene-name', label: t('pub-staff.room.name'), maxlength: 64, autocomplete: 'off' })}
${selectField({
  name: 'action',
  id: 'scene-kind',
  label: t('pub-staff.room.it_is_a'),
  options: [
    { value: 'scene', label: t('pub-staff.room.scene') },
    { value: 'chase', label: t('pub-staff.room.chase') },
  ],
  value: 'scene',
})}<p>${actButton({ id: 'do-other-scene', action: LIGHTS, label: t('pub-staff.room.ask') }, moment)}</p>`,
  open: moment.undo.has('do-other-scene'),
})}
${group(t('pub-staff.room.all_lights'), undefined, simple)}${group(t('pub-staff.room.brightness'), 'brightness', levels('brightness', [25, 50, 75, 100]))}
${group(
  t('pub-staff.room.white'),
  'color',
  WHITES.map(([kelvin, { label }]) => ({
    name: 'params.kelvin',
    value: kelvin,
    label,
    state: state((one) => one.action === 'color' && one.params.kelvin === kelvin),
  })),
)}
${group(
  t('pub-staff.room.colour'),
  'color',
  Object.entries(COLOURS).map(([rgb, { label }]) => ({
    name: 'params.rgb',
    value: rgb,
    label: html`${dot(rgb)} ${label}`,
    state: state((one) => one.action === 'color' && one.params.rgb?.toLowerCase() === rgb),
  })),
)}
${group(t('pub-staff.room.house_lights'), 'house', levels('house', [0, 50, 100]))}
${mayStrobe && strobe(moment)}`;
}

/** The attribute, because the policy of the pages allows no styles in them. */
const dot = (colour: string): Html =>
  html`<svg class="dot" aria-hidden="true"><circle cx="7" cy="7" r="7" fill="${colour}"/></svg>`;

function strobe(moment: Moment): Html {
  return formFold({
    id: 'strobe',
    group: 'light',
    summary: t('pub-staff.room.strobe'),
    action: LIGHTS,
    hidden: { action: 'strobe' },
    fields: html`<p class="small">${t('pub-staff.room.flashing_light_harm_people_epilepsy')}</p>
${field({
  name: 'params.hz',
  id: 'strobe-hz',
  label: t('pub-staff.room.flashes_second'),
  hint: t('pub-staff.room.four_most'),
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
  label: t('pub-staff.room.for'),
  options: [5, 10, 30].map((seconds) => ({
    value: String(seconds * 1_000),
    label: t('pub-staff.room.seconds', { seconds }),
  })),
  value: '5000',
})}<p>${actButton({ id: 'do-strobe', action: LIGHTS, label: t('pub-staff.room.strobe'), look: 'button-danger' }, moment)}</p>`,
    open: moment.undo.has('do-strobe'),
  });
}
