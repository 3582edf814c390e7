import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Preset } from '#pub/devices/mixes.ts';

/** The names of mixes, for people. */
export const MIX_NAMES: Readonly<Record<Preset, Words>> = {
  everything: t('pub-staff.mix_names.everything'),
  whats_on: t('pub-staff.mix_names.whats'),
  menu_board: t('pub-staff.mix_names.menu_board'),
  pictures_only: t('pub-staff.mix_names.pictures_only'),
};

/** How a page calls a mix: its name, else that it is of this screen alone. */
export const mixName = (preset: Preset | null): Words =>
  preset ? MIX_NAMES[preset] : t('pub-staff.mix_names.own_choice');

/** `nowMix` of a heartbeat in words. */
export const nowMixName = (name: string): Words =>
  Object.entries(MIX_NAMES).find(([preset]) => preset === name)?.[1] ?? mixName(null);
