import type { Config } from '#kernel/config.ts';
import { Html } from '#kernel/html.ts';
import { missingMailConfig } from '#kernel/mail/message.ts';

/** What a club may use or not: a part that is off is in no menu. */
export type Part =
  | 'voting'
  | 'screens'
  | 'music'
  | 'requests'
  | 'sports'
  | 'films'
  | 'lights'
  | 'sound'
  | 'calendar'
  | 'feedback';

/** What every page says of the house that sends it. */
export interface Site {
  parts: Readonly<Record<Part, boolean>>;
  /** Whether the calendar can be sent to somebody: it takes a mail. */
  canMail: boolean;
}

/** The house at this moment. */
export function siteOf({ config }: { config: Config }): Site {
  return { parts: partsOf(config), canMail: missingMailConfig(config).length === 0 };
}

/** The parts that are switched on and can work. */
export function partsOf(config: Config): Site['parts'] {
  const hasDevice = config.SETLIST_DB;
  return {
    voting: true,
    screens: true,
    music: hasDevice,
    requests: hasDevice && config.SETLIST_REQUESTS_ENABLED,
    sports: config.SPORTS_ENABLED || config.NOW_SHOWING_ENABLED,
    films: config.SCREENINGS_ENABLED && config.NOW_SHOWING_ENABLED,
    lights: hasDevice,
    sound: hasDevice,
    calendar: true,
    feedback: config.FEEDBACK_ENABLED,
  };
}

/** A house where everything is on, for pages that nobody sends. */
const WHOLE: Site = {
  parts: {
    ...{ voting: true, screens: true, music: true, requests: true, sports: true },
    ...{ films: true, lights: true, sound: true, calendar: true, feedback: true },
  },
  canMail: true,
};

/** A whole document. Its head and its menu are those of the house that sends it, which is known only then. */
export class Page extends Html {
  readonly #render: (site: Site) => Html;

  constructor(render: (site: Site) => Html) {
    super('');
    this.#render = render;
  }

  forSite(site: Site): string {
    return this.#render(site).toString();
  }

  override toString(): string {
    return this.forSite(WHOLE);
  }
}

/** A page as it is sent by this house. */
export const renderFor = (site: Site, page: Html): string =>
  page instanceof Page ? page.forSite(site) : page.toString();
