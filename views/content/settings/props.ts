import type { Identity } from '#kernel/access/permissions.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Accent } from '#kernel/settings/colours.ts';
import type { Part, Parts } from '#kernel/settings/parts.ts';

/** The settings as they take effect. */
export interface ShownSettings extends Accent {
  /** The address of the service; null while it is not known. */
  base_url: string | null;
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
  /** The settings that an environment variable decides, with its name. */
  overruled: Readonly<Partial<Record<keyof ShownSettings, string>>>;
  /** Parts that cannot work because of an environment variable. */
  broken: ReadonlySet<Part>;
  /** The current date and time in the formats of the club. */
  sample: string;
  /** The missing environment variables without which no mail can be sent. */
  missing: readonly string[];
  identity: Identity | undefined;
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}
