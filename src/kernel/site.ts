import { createHash, randomBytes } from 'node:crypto';
import { kept } from '#kernel/cache.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import type { Context } from '#kernel/context.ts';
import { isWithoutOwner } from '#kernel/db/owners.ts';
import { isOnThisMachine, LOCAL_NAMES } from '#kernel/environment/checks.ts';
import { Html, html } from '#kernel/html.ts';
import type { Readers } from '#kernel/language/readers.ts';
import type { Reader, Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import { clubName, missingMailConfig } from '#kernel/mail/message.ts';
import { type Accent, accentOf } from '#kernel/settings/colours.ts';
import { shownHouse } from '#kernel/settings/house.ts';
import { isSwitchedOff, PARTS, type Part, type Parts, shownParts } from '#kernel/settings/parts.ts';
import { decidedBy, SECRETS } from '#kernel/settings/settings.ts';
import { SETTING_NAMES } from '#kernel/settings/table.ts';

/** What a page must not be read without, such as that its election is a trial. */
export interface Banner {
  title: Words | string;
  text: Words | string;
}

/**
 * Why no other device reaches the service: nobody has let the house in (`closed`), it was let in and nothing listens
 * (`failed`), or the environment decides (`fixed`).
 */
export type HereOnly = 'closed' | 'failed' | 'fixed';

/** What every page shows about the club. */
export interface Site {
  /** The name of the club. */
  name: string;
  /** A name that fits under an app icon. */
  shortName: string;
  /** One sentence about the club. */
  about: string | null;
  /** An e-mail address, or free text. */
  contact: string | null;
  imprint: string | null;
  privacy: string | null;
  accent: Accent;
  /** Where the house is, and its Wi-Fi, as far as guests are told. */
  house: ReturnType<typeof shownHouse>;
  /** The id of a picture. */
  logo: string | null;
  /** The parts that are on and can work, see `shownParts`. */
  parts: Readonly<Parts>;
  /** The parts that the club has switched off: staff still see those that are only not configured. */
  off: ReadonlySet<Part>;
  /** Whether TVs request what is on the big screen. */
  hasCard: boolean;
  /** Whether a list of drinks and food is published. */
  hasMenu: boolean;
  /** Whether calendar links can be sent, which needs mail. */
  canMail: boolean;
  /** Whether nobody is an owner yet: every page then leads to the set-up. */
  needsSetUp: boolean;
  /** Set while the address of the service works on this computer only: how that can be changed, see `HereOnly`. */
  hereOnly: HereOnly | undefined;
  /** Differs after each change of the settings. */
  version: string;
  /** What a single page shows above its content. */
  banner?: Banner | undefined;
  /**
   * The address of the page, to which the switch of languages leads back; undefined for an answer to a form, which has
   * none.
   */
  address?: string | undefined;
}

const FIXED = kept<ReturnType<typeof fixedParts>>({ atMost: 1 });

const fixedOf = ({ config, cache }: Pick<Context, 'config' | 'cache'>) =>
  cache.get(FIXED, '', () => fixedParts(config), [config.settings]);

/** The `version` of the site, without asking the database for the rest. */
export const siteVersion = (ctx: Pick<Context, 'config' | 'cache'>): string => fixedOf(ctx).version;

/** Every page asks for it. An owner whose role ends, or whom a program makes one, is noticed within a second. */
const SITE = kept<Site>({ age: SECOND, atMost: 1 });

/** The site by the current settings. */
export const siteOf = (ctx: SiteContext): Site =>
  ctx.cache.get(SITE, '', () => makeSite(ctx), [ctx.config.settings, ctx.changes()]);

type SiteContext = Pick<Context, 'config' | 'configured' | 'cache' | 'db' | 'now' | 'changes'>;

function makeSite({ config, configured, cache, db, now }: SiteContext): Site {
  const fixed = fixedOf({ config, cache });
  const parts = shownParts({ config, configured });
  return {
    ...fixed,
    parts,
    hasCard: parts.big_screen,
    hasMenu: configured.menu?.() === true,
    off: new Set(PARTS.filter((part) => isSwitchedOff({ config }, part))),
    canMail: missingMailConfig(config).length === 0,
    needsSetUp: isWithoutOwner(db, now()),
    hereOnly: hereOnlyOf(config),
  };
}

/** @see HereOnly. In production without an address the one of the request counts, which a proxy may have passed on. */
function hereOnlyOf({ BASE_URL, NODE_ENV, HOST, given, settings }: Config): HereOnly | undefined {
  const isReached =
    BASE_URL === undefined
      ? NODE_ENV === 'production' || !LOCAL_NAMES.includes(HOST)
      : !isOnThisMachine(BASE_URL);
  if (isReached) return undefined;
  if (given.has('HOST') || given.has('BASE_URL')) return 'fixed';
  return settings.house_network ? 'failed' : 'closed';
}

/** The parts that only a change of the settings changes. */
function fixedParts(config: Config) {
  const { short_name, about, contact, logo, accent } = config.settings;
  const { imprint_url: imprint, privacy_url: privacy } = config.settings;
  const name = clubName(config);
  const open = SETTING_NAMES.filter((setting) => !SECRETS.includes(setting));
  // A setlist that is switched off for a while leaves screens as they are: they show what they last heard.
  const shown = open.map((setting) =>
    decidedBy(config, setting)?.variable === 'SETLIST_DB' ? null : config.settings[setting],
  );
  const version = createHash('sha256').update(JSON.stringify([name, clubReader(), shown]));
  return {
    name,
    shortName: short_name ?? name,
    about,
    contact,
    imprint,
    privacy,
    logo,
    accent: accentOf(accent),
    house: shownHouse(config.settings),
    version: version.digest('hex').slice(0, 8),
  };
}

/** A whole document. Its head and menu depend on the site, which is known only when it is sent, as its reader is. */
export class Page extends Html {
  /** In whose language it is. */
  readonly readers: Readers;
  readonly #render: (site: Site, reader: Reader) => Html;

  constructor(render: (site: Site, reader: Reader) => Html, readers: Readers) {
    super('');
    this.readers = readers;
    this.#render = render;
  }

  forSite(site: Site, reader: Reader): string {
    return this.#render(site, reader).for(reader);
  }

  /** @throws always: a page that becomes text before it is sent would be that of no club */
  override toString(): never {
    throw new Error('A page becomes text when it is sent: see renderFor.');
  }
}

/** In whose language a document is: what is no page of its own, such as a wall, is for everybody. */
export const readersFor = (page: Html): Readers => (page instanceof Page ? page.readers : 'club');

/** Renders a page for a site and a reader. */
export const renderFor = (site: Site, page: Html, reader: Reader): string =>
  wholeTimes(page instanceof Page ? page.forSite(site, reader) : page.for(reader));

/** Leaves a place in a page for a value that each reader has another one of. @returns what stands in the place */
export type Place = (value: (own: string) => Html | string) => string;

/** A written page, with the numbers of its values between its parts. */
interface Pattern {
  parts: readonly string[];
  values: readonly Parameters<Place>[0][];
}

/** One meeting needs few: they differ by what cards have done. */
const PATTERNS = kept<Pattern>({ age: SECOND, atMost: 50 });

interface PatternOf {
  key: readonly unknown[] | undefined;
  state: string;
  own: string;
  make: (place: Place) => Html;
}

/**
 * A page that many ask for at once and that differs in few values. It is made and written once for all of them: again
 * in another state, and after a second, because it may depend on the time.
 * @param key which page it is of those at its address; undefined if nobody else gets it
 * @param state another text whenever any page at its address may be another one
 * @param own what the values depend on
 */
export const patternPage = ({ cache }: Pick<Context, 'cache'>, { key, state, own, make }: PatternOf): Page =>
  new Page((site, reader) => {
    const write = (): Pattern => {
      // Nobody can know it, so no text of a page contains it.
      const mark = randomBytes(16).toString('hex');
      const values: Parameters<Place>[0][] = [];
      const page = make((value) => `${mark}${values.push(value) - 1}.`);
      return { parts: renderFor(site, page, reader).split(new RegExp(`${mark}(\\d+)\\.`)), values };
    };
    const { parts, values } = key
      ? cache.get(PATTERNS, JSON.stringify([site.address, reader, ...key]), write, [state])
      : write();
    const written: string[] = [];
    const fill = (at: number) => (written[at] ??= html`${values[at]!(own)}`.for(reader));
    return new Html(parts.map((part, at) => (at % 2 === 0 ? part : fill(Number(part)))).join(''));
  }, 'visitors');

/** Keeps `2:00 PM` on one line wherever a page says it: not in attributes, and not in what somebody may send back. */
const wholeTimes = (markup: string): string =>
  // To look for such a time at all takes a fraction of the time.
  / [AP]M\b/.test(markup)
    ? markup.replace(
        /<(textarea|option|script|title)\b.*?<\/\1>|(?<=\d) (?=[AP]M\b[^<>]*<)/gs,
        (found, tag) => (tag === undefined ? '\u00a0' : found),
      )
    : markup;
