import type { Config } from '#kernel/config.ts';
import { type Accent, accentOf } from '#kernel/settings/colours.ts';
import { clubName } from './message.ts';

/** What mails show about the club. */
export interface MailClub {
  name: string;
  /** An e-mail address, or free text. */
  contact: string | null;
  imprint: string | null;
  privacy: string | null;
  accent: Accent;
  /** Whether the header shows the logo, which is attached to the mail as `LOGO`. */
  hasLogo: boolean;
}

export function mailClub(config: Config): MailClub {
  const { contact, imprint_url: imprint, privacy_url: privacy, accent, logo } = config.settings;
  return {
    name: clubName(config),
    contact,
    imprint,
    privacy,
    accent: accentOf(accent),
    hasLogo: logo !== null,
  };
}

/** The address of the logo inside a mail: loading a picture from our server would reveal when a mail is read. */
export const LOGO = 'cid:logo@club.invalid';
