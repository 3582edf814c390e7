import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';

const number = (min: number, max: number) => {
  const error = coded('number_out_of_range', { min, max });
  return z.number({ error }).min(min, { error }).max(max, { error });
};
const name = z
  .string(coded('not_text'))
  .trim()
  .min(1, coded('empty'))
  .max(64, coded('too_long', { max: 64 }));
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
            .regex(/^#[0-9a-f]{6}$/i, coded('not_color'))
            .optional(),
          kelvin: number(1_800, 10_000).optional(),
          zone,
          fadeMs,
        })
        .refine(({ rgb, kelvin }) => (rgb === undefined) !== (kelvin === undefined), coded('no_color')),
    ),
    act('auto', z.looseObject({ sensitivity: number(0, 1).optional() }).optional()),
    act('hold', none),
    act('blackout', z.looseObject({ fadeMs: number(0, 5_000).optional() }).optional()),
    act('house', z.looseObject({ level })),
    act('strobe', z.looseObject({ hz: number(0.5, 4), durationMs: number(1, 30_000) })),
  ],
  coded('not_lighting_action'),
);

export const LightingInput = Command.refine(
  (command) => Buffer.byteLength(JSON.stringify(command)) <= COMMAND_BYTES,
  { path: ['params'], error: coded('command_too_long') },
);

export type Lighting = z.output<typeof LightingInput>;

/** The sound modes of the room; the device knows the levels of each. */
const SOUND_MODES = ['background', 'bar', 'event', 'game', 'movie', 'dj', 'quiet', 'mute'] as const;

export const SoundInput = z.object({
  mode: z.enum(SOUND_MODES, coded('not_one_of', { values: SOUND_MODES })),
  ramp_s: z
    .number(coded('not_seconds_in_range', { min: 0, max: 10 }))
    .min(0, coded('not_seconds_in_range', { min: 0, max: 10 }))
    .max(10, coded('not_seconds_in_range', { min: 0, max: 10 }))
    .optional(),
});

export type Sound = z.output<typeof SoundInput>;
