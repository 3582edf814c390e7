import { z } from 'zod';
import { Environment } from '#kernel/environment/environment.ts';
import { coded } from '#kernel/messages/messages.ts';
import { PARTS, type Part, type Parts } from './parts.ts';

/** The settings that an environment variable overrules, each with the name of the variable. */
export const VARIABLE = {
  base_url: 'BASE_URL',
  club_name: 'CLUB_NAME',
  locale: 'LOCALE',
  time_zone: 'TIME_ZONE',
  sports_leagues: 'SPORTS_LEAGUES',
} as const;

/** The club's settings that have no variable. Null, or an absent part, means that the club has not decided. */
export interface ClubSettings {
  short_name: string | null;
  /** An e-mail address, or free text. */
  contact: string | null;
  imprint_url: string | null;
  privacy_url: string | null;
  /** The id of a picture. */
  logo: string | null;
  /** In CSS notation: `#rrggbb`. */
  accent: string | null;
  parts: Partial<Parts>;
}

export const NO_CLUB_SETTINGS: Readonly<ClubSettings> = {
  short_name: null,
  contact: null,
  imprint_url: null,
  privacy_url: null,
  logo: null,
  accent: null,
  parts: {},
};

/** A text on one line; null, or an empty text as forms send it, means the default. */
const line = (max: number) =>
  z
    .string(coded('not_text'))
    .trim()
    .max(max, coded('too_long', { max }))
    .refine((text) => !/\p{Cc}/u.test(text), coded('not_one_line_of_text'))
    .transform((text) => text || null)
    .nullable();

const address = line(500).refine(
  (text) => text === null || /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
  coded('not_http_link'),
);

/** Validated like the environment variable. */
const likeVariable = (name: 'BASE_URL' | 'LOCALE' | 'TIME_ZONE' | 'SPORTS_LEAGUES') =>
  line(500).transform((text, issues) => {
    if (text === null) return null;
    const read = Environment.shape[name].safeParse(text);
    if (read.success) return read.data;
    for (const { message } of read.error.issues) issues.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const accent = line(32).transform((text, issues) => {
  const digits = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text ?? '')?.[1]?.toLowerCase();
  if (text !== null && digits === undefined)
    issues.addIssue({ code: 'custom', message: coded('not_colour') });
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`;
});

const choice = z
  .union([z.boolean(), z.enum(['true', 'on', '1', 'false', 'off', '0'])], coded('not_true_or_false'))
  .transform((value) => value === true || value === 'true' || value === 'on' || value === '1')
  .nullable();

const parts = z.strictObject(
  Object.fromEntries(PARTS.map((part) => [part, choice.optional()])) as Record<
    Part,
    z.ZodOptional<typeof choice>
  >,
);

const leagues = z
  .union([z.string(), z.array(z.string()).transform((list) => list.join(','))], coded('not_comma_list'))
  .nullable()
  .pipe(likeVariable('SPORTS_LEAGUES'));

/** Some of the settings. Null resets one to its default. The shades of the accent are computed: input is ignored. */
export const SettingsInput = z
  .strictObject({
    base_url: likeVariable('BASE_URL'),
    club_name: line(100),
    short_name: line(30),
    contact: line(200),
    imprint_url: address,
    privacy_url: address,
    logo: line(64).refine((id) => id === null || /^[0-9a-f-]{32,36}$/.test(id), coded('not_picture_id')),
    accent,
    accent_light: z.unknown(),
    accent_dark: z.unknown(),
    locale: likeVariable('LOCALE'),
    time_zone: likeVariable('TIME_ZONE'),
    sports_leagues: leagues,
    parts,
  })
  .partial();

export type SettingsInput = z.output<typeof SettingsInput>;

/** The stored values of the settings that the club has decided. */
export type StoredSettings = Omit<SettingsInput, 'accent_light' | 'accent_dark'>;
export type SettingName = keyof StoredSettings;

export const SETTING_NAMES = [
  'base_url',
  'club_name',
  'short_name',
  'contact',
  'imprint_url',
  'privacy_url',
  'logo',
  'accent',
  'locale',
  'time_zone',
  'sports_leagues',
  'parts',
] as const satisfies SettingName[];
