import { z } from 'zod';
import { formatNumber } from '#kernel/settings/locale.ts';

const bad = (text: string) => ({ error: text });
const number = (min: number, max: number) => {
  const error = () => `must be a number from ${min} to ${formatNumber(max)}`;
  return z.number({ error }).min(min, { error }).max(max, { error });
};
const name = z
  .string(bad('must be a text'))
  .trim()
  .min(1, 'must not be empty')
  .max(64, 'must have at most 64 characters');
const fadeMs = number(0, 60_000).optional();
const zone = name.optional();
const level = number(0, 100);
const none = z.looseObject({}).optional();

const act = <Action extends string, Params extends z.ZodType>(action: Action, params: Params) =>
  z.object({ action: z.literal(action), name: name.optional(), params });
const named = <Action extends string, Params extends z.ZodType>(action: Action, params: Params) =>
  act(action, params).extend({ name });

const COMMAND_BYTES = 2_048;

/**
 * The commands for the lights. Known parameters of an action are checked, others are passed on. The strobe is
 * limited to what counts as safe: four flashes a second, half a minute.
 */
const Command = z.discriminatedUnion(
  'action',
  [
    named('scene', z.looseObject({ fadeMs }).optional()),
    named(
      'chase',
      z.looseObject({ bpm: number(20, 200).optional(), loop: z.boolean().optional() }).optional(),
    ),
    act('stop', z.looseObject({ fadeMs }).optional()),
    act('brightness', z.looseObject({ level, zone, fadeMs })),
    act(
      'color',
      z
        .strictObject({
          rgb: z
            .string()
            .regex(/^#[0-9a-f]{6}$/i, 'must be a color such as #ff8800')
            .optional(),
          kelvin: number(1_800, 10_000).optional(),
          zone,
          fadeMs,
        })
        .refine(({ rgb, kelvin }) => (rgb === undefined) !== (kelvin === undefined), 'needs rgb or kelvin'),
    ),
    act('auto', z.looseObject({ sensitivity: number(0, 1).optional() }).optional()),
    act('hold', none),
    act('blackout', z.looseObject({ fadeMs: number(0, 5_000).optional() }).optional()),
    act('house', z.looseObject({ level })),
    act('strobe', z.looseObject({ hz: number(0.5, 4), durationMs: number(1, 30_000) })),
  ],
  bad('is not an action of the lights'),
);

export const LightingInput = Command.refine(
  (command) => Buffer.byteLength(JSON.stringify(command)) <= COMMAND_BYTES,
  { path: ['params'], error: 'must have at most 2 KB' },
);

export type Lighting = z.output<typeof LightingInput>;

/** The sound modes of the room; the device knows the levels of each. */
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
