import type { Config } from '#kernel/config.ts';
import { type Accent, accentOf } from '#kernel/settings/colours.ts';
import { clubName } from './message.ts';

/** What mails say and show of the club. */
export interface MailClub {
  name: string;
  /** An e-mail address, or any other words. */
  contact: string | null;
  imprint: string | null;
  privacy: string | null;
  accent: Accent;
  /** Whether the logo stands in the head: it travels in the mail, as `LOGO`. */
  hasLogo: boolean;
}

export function mailClub(config: Config): MailClub {
  const { contact, imprint_url: imprint, privacy_url: privacy, accent, logo } = config.club;
  return {
    ...{ name: clubName(config), contact, imprint, privacy },
    ...{ accent: accentOf(accent), hasLogo: logo !== null },
  };
}

/** The address of the logo inside a mail: a picture that is loaded from us would tell when a mail is read. */
export const LOGO = 'cid:logo@club.invalid';
