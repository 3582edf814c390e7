import { z } from 'zod';
import { Environment } from '#kernel/environment/environment.ts';
import { coded } from '#kernel/messages/messages.ts';

/** The variables of the environment, as they are read. */
export type Variables = z.output<typeof Environment>;
export type Variable = keyof Variables;

/** A text on one line; null, or an empty text as forms send it, means the default. */
export const line = (max: number) =>
  z
    .string(coded('not_text'))
    .trim()
    .max(max, coded('too_long', { max }))
    .refine((text) => !/\p{Cc}/u.test(text), coded('not_one_line_of_text'))
    .transform((text) => text || null)
    .nullable();

/** The address of a page on the web. */
export const webAddress = line(500).refine(
  (text) => text === null || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  coded('not_http_link'),
);

/** An e-mail address, or the address of a page on the web. */
export const reachable = line(200).refine(
  (text) => text === null || contactAddress(text) !== undefined,
  coded('not_reachable'),
);

/** The address behind a contact: that of a mail or of a page on the web; undefined for any other words. */
export function contactAddress(contact: string): string | undefined {
  if (/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/.test(contact)) return `mailto:${contact}`;
  return /^https:\/\/[^\s/]+\.[^\s]+$/.test(contact) ? contact : undefined;
}

/** A colour, spelled `#rrggbb`. */
export const colour = line(32).transform((text, issues) => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (text !== null && digits === undefined)
    issues.addIssue({ code: 'custom', message: coded('not_colour') });
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
});

/** Yes or no: in JSON, or as the tick of a form. */
export const yesOrNo = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'false', 'off', '0'])], coded('not_true_or_false'))
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1')
  .nullable();

/** The tick of a form, which is sent after its hidden `false`. */
export const tick = z.preprocess((given) => (Array.isArray(given) ? given.at(-1) : given), yesOrNo);

/** A time of day as `05:00`. */
export const clockTime = line(5).refine(
  (text) => text === null || /^([01]\d|2[0-3]):[0-5]\d$/.test(text),
  coded('not_clock_time'),
);

/** A whole number, also as a text of a form. */
export const numberBetween = (min: number, max: number) =>
  z
    .union([z.number(), z.string().trim().max(20)], coded('out_of_range', { min, max }))
    .nullable()
    .transform((given) => (given === null || given === '' ? null : Number(given)))
    .refine(
      (value) => value === null || (Number.isInteger(value) && value >= min && value <= max),
      coded('out_of_range', { min, max }),
    );

/** Degrees of a coordinate, also as a text of a form; two decimals are a kilometre, and enough for the weather. */
export const degrees = (most: number) =>
  z
    .union([z.number(), z.string().trim().max(20)], coded('not_degrees', { min: -most, max: most }))
    .nullable()
    .transform((given) => (given === null || given === '' ? null : Number(String(given).replace(',', '.'))))
    .refine(
      (value) => value === null || (value >= -most && value <= most),
      coded('not_degrees', { min: -most, max: most }),
    )
    .transform((value) => value && Math.round(100 * value) / 100);

const NORTH = /^([+-]?[\d.,]+)\s*°?\s*([NS]?)$/i;
const EAST = /^([+-]?[\d.,]+)\s*°?\s*([EWO]?)$/i;

/**
 * The latitude and longitude in one text, as maps copy them: `48.2082, 16.3738` or `48,2082 N; 16,3738 E`. Undefined for
 * anything else: `48,21` is one number.
 */
export function pointIn(text: string): [lat: string, lon: string] | undefined {
  const parts = /^([^\s;]+(?: ?°)?(?: ?[NS])?)\s*(?:;|,\s|\s)\s*(\S.*)$/i.exec(text.trim());
  const dotted = /^([+-]?\d+\.\d+),([+-]?\d+\.\d+)$/.exec(text.trim());
  const [, first = '', second = ''] = dotted ?? parts ?? [];
  const [lat, lon] = [NORTH.exec(first.replace(/,$/, '').trim()), EAST.exec(second.trim())];
  if (!lat || !lon) return undefined;
  const signed = ([, number = '', side = '']: RegExpExecArray) =>
    /[SW]/i.test(side) ? `-${number}` : number;
  return [signed(lat), signed(lon)];
}

/** A secret: an empty text keeps the stored one, because a form does not show it. */
export const secret = <Value>(input: z.ZodType<Value | null>) =>
  z.preprocess(
    (given) => (typeof given === 'string' && given.trim() === '' ? undefined : given),
    input.optional(),
  );

/** A secret on one line. */
export const secretLine = (max: number) => secret(line(max));

/**
 * Validated as the variable of this name is. Numbers may be numbers, lists may be lists; null and an empty text mean
 * the default, unless the variable itself gives an empty text a meaning.
 */
export function likeVariable<Name extends Variable>(name: Name, { mayBeEmpty = false } = {}) {
  return z
    .union(
      [z.string(), z.number(), z.array(z.string()).transform((list) => list.join(','))],
      coded('not_text'),
    )
    .nullable()
    .transform((given, issues): NonNullable<Variables[Name]> | null => {
      const text = given === null ? null : String(given).trim();
      if (text === null || (text === '' && !mayBeEmpty)) return null;
      const read = Environment.shape[name].safeParse(text);
      if (read.success) return read.data as NonNullable<Variables[Name]>;
      for (const { message } of read.error.issues) issues.addIssue({ code: 'custom', message });
      return z.NEVER;
    });
}
