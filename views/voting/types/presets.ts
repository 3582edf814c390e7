import type { Entered } from '#views/components/entered.ts';

/** A question that the form proposes. */
interface Preset {
  label: string;
  entered: Entered;
}

/** The questions of a usual election of a board. */
export const PRESETS = {
  chair: {
    label: 'Chair',
    entered: { title: 'Who shall be chair?', ballot_type: 'RANKED_CONDORCET' },
  },
  committee: {
    label: 'Committee',
    entered: {
      title: 'Who shall be on the committee?',
      ballot_type: 'POLL',
      'settings.poll_response_type': 'multiple',
      'settings.seats': '3',
    },
  },
  treasurer: {
    label: 'Treasurer',
    entered: { title: 'Shall … be treasurer?', ballot_type: 'SIMPLE_TRIPLE' },
  },
  motion: { label: 'Motion', entered: { title: 'Shall we …?', ballot_type: 'SIMPLE_TRIPLE' } },
} as const satisfies Record<string, Preset>;

export type PresetName = keyof typeof PRESETS;

export const BOARD_ELECTION = Object.keys(PRESETS) as PresetName[];

export const isPreset = (name: string): name is PresetName => Object.hasOwn(PRESETS, name);
