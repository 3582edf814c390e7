/**
 * The parts of the service. The tick of a part in the settings is its switch: what is off is in no menu, on no screen
 * and not on the staff's page, and its own pages are 404s.
 */
export const PARTS = [
  'voting',
  'screens',
  'big_screen',
  'sports',
  'films',
  'music',
  'requests',
  'lyrics',
  'genres',
  'lights',
  'sound',
  'calendar',
  'feedback',
] as const;

export type Part = (typeof PARTS)[number];
export type Parts = Record<Part, boolean>;

/** They ask a source for what they show. */
export const SOURCE_PARTS = ['lyrics', 'genres'] as const;
type SourcePart = (typeof SOURCE_PARTS)[number];

/** Off until somebody ticks them; others are on. */
const OFF_AT_FIRST: ReadonlySet<Part> = new Set(['big_screen', 'sports', 'films', 'requests', 'feedback']);

/** For parts that are used or not by what is connected: whether they are, while the club has not decided. */
export type Configured = Partial<Record<Part, () => boolean>> & {
  /** Whether a list of drinks and food is published. */
  menu?: () => boolean;
};

export interface PartsContext {
  config: {
    settings: Readonly<Record<`parts.${Part}`, boolean | null> & Record<`${SourcePart}.url`, string>>;
  };
  configured: Configured;
}

/** The ticks of the parts. */
export const chosenParts = (ctx: PartsContext): Parts => each((part) => isTicked(ctx, part));

/** Whether a part is on. */
export const isOn = (ctx: PartsContext, part: Part): boolean =>
  isTicked(ctx, part) &&
  // The archive holds what the big screen showed.
  (part !== 'films' || isTicked(ctx, 'big_screen'));

export const shownParts = (ctx: PartsContext): Parts => each((part) => isOn(ctx, part));

/** Whether a part was switched off: staff still see one that nobody has decided on. */
export const isSwitchedOff = ({ config }: Pick<PartsContext, 'config'>, part: Part): boolean =>
  config.settings[`parts.${part}`] === false;

const isTicked = ({ config, configured }: PartsContext, part: Part): boolean =>
  (config.settings[`parts.${part}`] ?? configured[part]?.() ?? !OFF_AT_FIRST.has(part)) &&
  // An empty address of its source switches a part off.
  !(isSourcePart(part) && config.settings[`${part}.url`] === '');

const isSourcePart = (part: Part): part is SourcePart => (SOURCE_PARTS as readonly Part[]).includes(part);

const each = (isOne: (part: Part) => boolean): Parts =>
  Object.fromEntries(PARTS.map((part) => [part, isOne(part)])) as Parts;
