/** What a club can do without: what is off is on no page, no screen and in no navigation. */
export const PARTS = [
  'voting',
  'screens',
  'music',
  'requests',
  'sports',
  'films',
  'lights',
  'sound',
  'calendar',
  'feedback',
] as const;

export type Part = (typeof PARTS)[number];
export type Parts = Record<Part, boolean>;

/** Says of a part whether it is there, while the club has not decided; a part that is not named is. */
export type Configured = Partial<Record<Part, () => boolean>>;

interface PartsContext {
  config: { club: { parts: Partial<Parts> } };
  configured: Configured;
}

/** Whether a part is on: as the club decided, else where it is configured. */
export const isOn = ({ config, configured }: PartsContext, part: Part): boolean =>
  config.club.parts[part] ?? configured[part]?.() ?? true;

export const partsOf = (ctx: PartsContext): Parts =>
  Object.fromEntries(PARTS.map((part) => [part, isOn(ctx, part)])) as Parts;

/** Whether the club has switched a part off itself: its pages are then gone. */
export const isSwitchedOff = ({ config }: Pick<PartsContext, 'config'>, part: Part): boolean =>
  config.club.parts[part] === false;
