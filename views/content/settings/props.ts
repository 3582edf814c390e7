import type { ShownSettings } from '#content/club-settings.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { SettingName } from '#kernel/settings/table.ts';

export interface SettingsPageProps {
  settings: ShownSettings;
  /** The settings that the environment decides, each with the name of the variable. */
  overruled: Readonly<Partial<Record<SettingName, string>>>;
  /** The current date and time in the formats of the club. */
  sample: string;
  /** The missing environment variables without which no mail can be sent. */
  missing: readonly string[];
  identity: Identity | undefined;
  done?: string | undefined;
  refused?: RefusedForm | undefined;
}
