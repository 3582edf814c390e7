/** The parts that a club can switch off: then they are in no navigation, on no screen and not on the staff page. */
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

/** The state of a part by environment and devices. */
export interface Configured {
  /** Whether it can work: a variable may switch it off. */
  works(): boolean;
  /** Whether it is on while the club has not decided; by default if it works. */
  usual?(): boolean;
}

interface PartsContext {
  config: { club: { parts: Partial<Parts> } };
  /** A missing part always works. */
  configured: Partial<Record<Part, Configured>>;
}

/** The parts as the club decided, else as they are configured. */
export const chosenParts = (ctx: PartsContext): Parts => each((part) => isChosen(ctx, part));

/** The parts that are on and can work. */
export const shownParts = (ctx: PartsContext): Parts =>
  each((part) => isChosen(ctx, part) && (ctx.configured[part]?.works() ?? true));

function isChosen({ config, configured }: PartsContext, part: Part): boolean {
  const known = configured[part];
  return config.club.parts[part] ?? ((known?.works() ?? true) && (known?.usual?.() ?? true));
}

/** Whether the club has switched a part off: its pages are then 404s. */
export const isSwitchedOff = ({ config }: Pick<PartsContext, 'config'>, part: Part): boolean =>
  config.club.parts[part] === false;

const each = (isOn: (part: Part) => boolean): Parts =>
  Object.fromEntries(PARTS.map((part) => [part, isOn(part)])) as Parts;
