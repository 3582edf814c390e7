import type { ShownSettings } from '#content/club-settings.ts';
import type { TestedMail } from '#content/mail-test.ts';
import type { Identity } from '#kernel/access/permissions.ts';
import type { Sender } from '#kernel/access/sender-tokens.ts';
import type { HouseWay } from '#kernel/house-network.ts';
import type { Child } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { Words } from '#kernel/language/words.ts';
import type { SettingName } from '#kernel/settings/table.ts';

export interface SettingsPageProps {
  /** Of the reader: languages and currencies stand by their names in it. */
  language: string;
  settings: ShownSettings;
  /** The settings that the environment decides, each with the name of the variable. */
  overruled: Readonly<Partial<Record<SettingName, string>>>;
  /** The address that music players are given; undefined while that of the service is not known. */
  players: string | undefined;
  /** Who reports what is heard, and whether each has a token. */
  tokens: Readonly<Record<Sender, boolean>>;
  /** The variable whose token is the only one; undefined without it. */
  tokenVariable: string | undefined;
  /** The current date and time in the formats of the club. */
  sample: Words;
  /** By which addresses the service can be opened. */
  reach: {
    /** Those of this machine in its network. */
    ways: readonly HouseWay[];
    /** What links begin with. */
    used: string | undefined;
    /** Where the environment lets the service listen, if it does. */
    host: string | undefined;
    /** A key that is too short to let others in. */
    shortKey: string | undefined;
  };
  signIn: {
    /** What does not fit, after a test. */
    tested: readonly Words[] | undefined;
    /** The address to which the provider sends people back. */
    returnTo: string | undefined;
  };
  mail: {
    /** What has to be entered before mail can be sent, in words. */
    missing: readonly (Words | string)[];
    /** The folder into which mails are written in place of a server. */
    folder: string | undefined;
    /** The address of the reader, to which a test goes; without one it is entered. */
    ownAddress: string | undefined;
    tested: TestedMail | undefined;
  };
  identity: Identity | undefined;
  done?: Words | undefined;
  refused?: RefusedForm | undefined;
}

/** How a setting is shown on the page. */
export interface SettingField {
  label: Words | string;
  hint?: Child | ((props: SettingsPageProps) => Child);
  /**
   * Its field: one line of text, lines of text, a number, one with decimals, a price, a time of day, a colour, a tick, a text that is never shown,
   * or one of `options`. Null: its group shows it, see `GROUP_WORDS`.
   */
  kind:
    | 'text'
    | 'lines'
    | 'number'
    | 'decimal'
    | 'price'
    | 'time'
    | 'colour'
    | 'tick'
    | 'secret'
    | 'choice'
    | null;
  options?: (props: SettingsPageProps) => readonly { value: string; label: Words | string }[];
  /** The heading of the collapsed part of the form that it is in. */
  fold?: Words;
}
