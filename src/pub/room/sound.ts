import { z } from 'zod';

/** What the room should sound like; the device knows the levels behind each. */
const SOUND_MODES = ['background', 'bar', 'event', 'game', 'movie', 'dj', 'quiet', 'mute'] as const;

export const SoundInput = z.object({
  mode: z.enum(SOUND_MODES, { error: `must be one of ${SOUND_MODES.join(', ')}` }),
  ramp_s: z
    .number({ error: 'must be a number of seconds from 0 to 10' })
    .min(0, 'must be a number of seconds from 0 to 10')
    .max(10, 'must be a number of seconds from 0 to 10')
    .optional(),
});

export type Sound = z.output<typeof SoundInput>;
