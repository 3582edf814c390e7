import type { Preset } from '#pub/devices/mixes.ts';

/** The names of mixes, for people. */
export const MIX_NAMES: Readonly<Record<Preset, string>> = {
  everything: 'Everything',
  whats_on: 'What’s on',
  menu_board: 'Menu board',
  pictures_only: 'Pictures only',
};

/** How a page calls a mix: its name, else that it is of this screen alone. */
export const mixName = (preset: Preset | null): string => (preset ? MIX_NAMES[preset] : 'Its own choice');

/** `nowMix` of a heartbeat in words. */
export const nowMixName = (name: string): string =>
  Object.entries(MIX_NAMES).find(([preset]) => preset === name)?.[1] ?? mixName(null);
