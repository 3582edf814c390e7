import { momentInWords } from '#kernel/local-time.ts';
import { formatPercent } from '#kernel/locale.ts';
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
  tonight: { title: 'Tonight', path: '/admin/pub' },
  room: { title: 'Lights, sound and screens', path: '/admin/pub/room' },
  heard: { title: 'Heard last', path: '/admin/pub/heard' },
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
export function ago(iso: string, moment: When): string {
  const seconds = Math.max(0, Math.round((moment.now - Date.parse(iso)) / 1_000));
  if (seconds < 2) return 'just now';
  if (seconds < 90) return `${seconds} s ago`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min ago`;
  return `at ${clock(iso, moment)}`;
}

/** The time of day in words, with its date when that is neither today nor tonight. */
export function clock(iso: string, { now, zone }: When): string {
  return momentInWords(Date.parse(iso), now, zone);
}

/** `50%`, as the locale writes it. */
export const percent = (level: number): string => formatPercent(level / 100);

/** A lighting command in a few words; a scene is called by its own name. */
export function lightWords(light: Lighting): string {
  switch (light.action) {
    case 'scene':
      return light.name;
    case 'chase':
      return `${light.name} (chase)`;
    case 'brightness':
      return `brightness ${percent(light.params.level)}${light.params.zone ? ` in ${light.params.zone}` : ''}`;
    case 'color':
      return light.params.rgb
        ? (COLOURS[light.params.rgb.toLowerCase()]?.toLowerCase() ?? `colour ${light.params.rgb}`)
        : whiteWords(light.params.kelvin);
    case 'house':
      return light.params.level === 0 ? 'house lights off' : `house lights ${percent(light.params.level)}`;
    default:
      return LIGHT_ACTIONS[light.action].toLowerCase();
  }
}

export const LIGHT_ACTIONS = {
  auto: 'With the music',
  hold: 'Hold as it is',
  stop: 'Stop',
  blackout: 'Blackout',
  strobe: 'Strobe',
} as const;

/** Colours that have a button. */
export const COLOURS: Readonly<Record<string, string>> = {
  '#ff2d1f': 'Red',
  '#ff8a1f': 'Amber',
  '#25c16b': 'Green',
  '#2b6bff': 'Blue',
  '#a13bff': 'Violet',
};

export const WHITES: readonly (readonly [kelvin: number, words: string])[] = [
  [2_200, 'Candlelight'],
  [2_700, 'Warm white'],
  [4_000, 'White'],
];

const whiteWords = (kelvin: number | undefined) =>
  WHITES.find(([value]) => value === kelvin)?.[1].toLowerCase() ?? `white, ${kelvin} K`;

export const SOUNDS: Readonly<Record<Sound['mode'], string>> = {
  background: 'Background',
  bar: 'Bar',
  event: 'Event',
  game: 'Game',
  movie: 'Film',
  dj: 'DJ',
  quiet: 'Quiet',
  mute: 'Mute',
};

export const SHOWN: Readonly<Record<Override['mode'], string>> = {
  automatic: 'Automatic',
  movie: 'Film',
  game: 'Game',
  generic: 'Something else',
  off: 'Off',
};

export const SCREENS: Readonly<Record<ScreenJson['page'], string>> = {
  tv: 'Main TV',
  'bar-right': 'Right TV',
  projector: 'Projector',
};
