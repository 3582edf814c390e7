import { t } from '#kernel/language/message.ts';
import { formatPercent, momentInWords } from '#kernel/language/times.ts';
import { formatted, type Words } from '#kernel/language/words.ts';
import type { Lighting, Sound } from '#pub/devices/relay-inputs.ts';
import type { ScreenJson } from '#pub/devices/screens.ts';
import type { Override } from '#pub/screen/override.ts';

/** The present time and its time zone, what the person can undo now (ids by those of the buttons), and where. */
export interface Moment {
  now: number;
  zone: string;
  undo: ReadonlyMap<string, string>;
  /** The page that is shown. */
  page: RoomPage;
}

/** Without what can be undone. */
export type When = Pick<Moment, 'now' | 'zone'>;

/** The pages of the room: what the bar does all evening comes first. */
export const ROOM_PAGES = {
  tonight: { title: t('pub-staff.words.tonight'), path: '/admin/pub' },
  room: { title: t('pub-staff.words.lights_sound_screens'), path: '/admin/pub/room' },
  heard: { title: t('pub-staff.words.heard_last'), path: '/admin/pub/heard' },
} as const;
export type RoomPage = keyof typeof ROOM_PAGES;

/** The page that each part of the room is on, in their order there. */
export const ROOM_PAGE_OF = {
  menu: 'tonight',
  requests: 'tonight',
  takeover: 'tonight',
  lights: 'room',
  sound: 'room',
  screen: 'room',
  displays: 'room',
  health: 'room',
  setlist: 'heard',
  films: 'heard',
} as const satisfies Record<string, RoomPage>;
export type RoomPart = keyof typeof ROOM_PAGE_OF;

/** The address of a part of the room, on its page. */
export const roomPath = (part: RoomPart): string => `${ROOM_PAGES[ROOM_PAGE_OF[part]].path}#${part}`;

/** How long ago: in seconds or minutes, else as a time of day. */
export function ago(iso: string, moment: When): Words {
  const seconds = Math.max(0, Math.round((moment.now - Date.parse(iso)) / 1_000));
  if (seconds < 2) return t('pub-staff.words.just_now');
  if (seconds < 90) return t('pub-staff.words.s_ago', { seconds });
  if (seconds < 90 * 60) return t('pub-staff.words.min_ago', { minutes: Math.round(seconds / 60) });
  return t('pub-staff.words.at_time', { time: clock(iso, moment) });
}

/** The time of day in words, with its date when that is neither today nor tonight. */
export function clock(iso: string, { now, zone }: When): Words {
  return momentInWords(Date.parse(iso), now, zone);
}

/** `50%`, as the locale writes it. */
export const percent = (level: number): Words => formatPercent(level / 100);

/** A lighting command within a sentence; a scene is called by its own name. */
export function lightWords(light: Lighting): Words {
  switch (light.action) {
    case 'scene':
      return formatted(() => light.name);
    case 'chase':
      return t('pub-staff.words.chase_named', { name: light.name });
    case 'brightness': {
      const level = percent(light.params.level);
      const { zone } = light.params;
      return zone
        ? t('pub-staff.words.brightness_in', { level, zone })
        : t('pub-staff.words.brightness', { level });
    }
    case 'color':
      return light.params.rgb
        ? (COLOURS[light.params.rgb.toLowerCase()]?.said ??
            t('pub-staff.words.colour', { colour: light.params.rgb }))
        : whiteWords(light.params.kelvin);
    case 'house':
      return light.params.level === 0
        ? t('pub-staff.words.house_off')
        : t('pub-staff.words.house', { level: percent(light.params.level) });
    default:
      return LIGHT_ACTIONS[light.action].said;
  }
}

/** What a button is called, and the same within a sentence. */
interface Named {
  label: Words;
  said: Words;
}

export const LIGHT_ACTIONS = {
  auto: { label: t('pub-staff.words.music'), said: t('pub-staff.words.music_said') },
  hold: { label: t('pub-staff.words.hold'), said: t('pub-staff.words.hold_said') },
  stop: { label: t('pub-staff.words.stop'), said: t('pub-staff.words.stop_said') },
  blackout: { label: t('pub-staff.words.blackout'), said: t('pub-staff.words.blackout_said') },
  strobe: { label: t('pub-staff.words.strobe'), said: t('pub-staff.words.strobe_said') },
} as const satisfies Record<string, Named>;

/** Colours that have a button. */
export const COLOURS: Readonly<Record<string, Named>> = {
  '#ff2d1f': { label: t('pub-staff.words.red'), said: t('pub-staff.words.red_said') },
  '#ff8a1f': { label: t('pub-staff.words.amber'), said: t('pub-staff.words.amber_said') },
  '#25c16b': { label: t('pub-staff.words.green'), said: t('pub-staff.words.green_said') },
  '#2b6bff': { label: t('pub-staff.words.blue'), said: t('pub-staff.words.blue_said') },
  '#a13bff': { label: t('pub-staff.words.violet'), said: t('pub-staff.words.violet_said') },
};

export const WHITES: readonly (readonly [kelvin: number, white: Named])[] = [
  [2_200, { label: t('pub-staff.words.candlelight'), said: t('pub-staff.words.candlelight_said') }],
  [2_700, { label: t('pub-staff.words.warm_white'), said: t('pub-staff.words.warm_white_said') }],
  [4_000, { label: t('pub-staff.words.white'), said: t('pub-staff.words.white_said') }],
];

const whiteWords = (kelvin = 0): Words =>
  WHITES.find(([value]) => value === kelvin)?.[1].said ?? t('pub-staff.words.white_of', { kelvin });

export const SOUNDS: Readonly<Record<Sound['mode'], Named>> = {
  background: { label: t('pub-staff.words.background'), said: t('pub-staff.words.background_said') },
  bar: { label: t('pub-staff.words.bar'), said: t('pub-staff.words.bar_said') },
  event: { label: t('pub-staff.words.event'), said: t('pub-staff.words.event_said') },
  game: { label: t('pub-staff.words.game'), said: t('pub-staff.words.game_said') },
  movie: { label: t('pub-staff.words.film'), said: t('pub-staff.words.film_said') },
  dj: { label: t('pub-staff.words.dj'), said: t('pub-staff.words.dj') },
  quiet: { label: t('pub-staff.words.quiet'), said: t('pub-staff.words.quiet_said') },
  mute: { label: t('pub-staff.words.mute'), said: t('pub-staff.words.mute_said') },
};

export const SHOWN: Readonly<Record<Override['mode'], Words>> = {
  automatic: t('pub-staff.words.automatic'),
  movie: t('pub-staff.words.film'),
  game: t('pub-staff.words.game'),
  generic: t('pub-staff.words.something_else'),
  off: t('pub-staff.words.off'),
};

export const SCREENS: Readonly<Record<ScreenJson['page'], Words>> = {
  tv: t('pub-staff.words.main_tv'),
  'bar-right': t('pub-staff.words.right_tv'),
  projector: t('pub-staff.words.projector'),
};
