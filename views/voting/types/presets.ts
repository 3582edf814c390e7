import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Entered } from '#views/components/entered.ts';

/** A question that the form proposes. */
interface Preset {
  label: Words;
  /** The title that is proposed. */
  title: Words;
  entered: Entered;
}

/** The questions of a usual election of a board. */
export const PRESETS = {
  chair: {
    label: t('voting-admin.presets.chair'),
    title: t('voting-admin.presets.who_shall_chair'),
    entered: { ballot_type: 'RANKED_CONDORCET' },
  },
  committee: {
    label: t('voting-admin.presets.committee'),
    title: t('voting-admin.presets.who_shall_committee'),
    entered: {
      ballot_type: 'POLL',
      'settings.poll_response_type': 'multiple',
      'settings.seats': '3',
    },
  },
  treasurer: {
    label: t('voting-admin.presets.treasurer'),
    title: t('voting-admin.presets.shall_treasurer'),
    entered: { ballot_type: 'SIMPLE_TRIPLE' },
  },
  motion: {
    label: t('voting-admin.presets.motion'),
    title: t('voting-admin.presets.shall'),
    entered: { ballot_type: 'SIMPLE_TRIPLE' },
  },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

export const BOARD_ELECTION = Object.keys(PRESETS) as PresetName[];

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name);
