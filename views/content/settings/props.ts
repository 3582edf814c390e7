import type { Identity } from '#kernel/access/permissions.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Accent } from '#kernel/settings/colours.ts';
import type { Part, Parts } from '#kernel/settings/parts.ts';

/** The settings as they take effect. */
export interface ShownSettings extends Accent {
  club_name: string;
  short_name: string | null;
  contact: string | null;
  imprint_url: string | null;
  privacy_url: string | null;
  logo: string | null;
  locale: string;
  time_zone: string;
  sports_leagues: string;
  parts: Parts;
}

export interface SettingsPageProps {
  settings: ShownSettings;
  /** The settings that a variable decides, with its name. */
  overruled: Readonly<Partial<Record<keyof ShownSettings, string>>>;
  /** Parts that a variable of the environment keeps from working. */
  broken: ReadonlySet<Part>;
  /** A day and a time in the formats of the club. */
  sample: string;
  /** Variables without which no mail can be sent. */
  missing: readonly string[];
  identity: Identity | undefined;
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}
