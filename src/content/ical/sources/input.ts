import { z } from 'zod';
import type { Config } from '#kernel/config.ts';
import { servesOthers } from '#kernel/house-network.ts';
import { badField } from '#kernel/http/errors.ts';
import { jsonField, nameField, optionalField, record, textField } from '#kernel/http/record.ts';
import { oneOf, REQUIRED_TEXT, requiredText } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import { refusalOf } from '#kernel/upstream.ts';

/** Where the events of a source are shown. Holidays are not shown; they are only suggested for the opening hours. */
export const GOES_TO = ['screens', 'calendar'] as const;
export type GoesTo = (typeof GOES_TO)[number][] | 'holidays';

/** Selects events: the chosen field must contain the text, ignoring case. */
export type IcalFilter = z.output<typeof Filter>;
const Filter = z.object({
  field: oneOf(['category', 'place', 'title']),
  contains: requiredText(100),
});

/**
 * Accepts schemes that calendar programs use, such as webcal, an address without one, and one in brackets or quotation
 * marks, as it is copied from a mail; error messages never quote the address.
 */
const Address = z
  .string(REQUIRED_TEXT)
  .trim()
  .max(2_000, coded('too_long', { max: 2_000 }))
  .transform((text, issues) => {
    const bare = text
      .replace(/^[<"'“]+|[>"'”]+$/g, '')
      .replace(/^feed:(?=https?:)/i, '')
      .replace(/^(?:webcals?|feed):/i, 'https:');
    const url = URL.parse(/^[\w-]+(?:\.[\w-]+)+(?:[/?]|$)/.test(bare) ? `https://${bare}` : bare);
    const fault = faultOf(url);
    if (!fault) return url!.href;
    issues.addIssue({ code: 'custom', message: coded(fault) });
    return z.NEVER;
  });

const goesTo = z
  .union([z.literal('holidays'), z.array(z.enum(GOES_TO)).min(1)], coded('not_goes_to'))
  .transform(
    (value): GoesTo => (value === 'holidays' ? value : GOES_TO.filter((one) => value.includes(one))),
  );

const OFF = { autocomplete: 'off' } as const;

/** What is decided about a source, beside its address. The words of its form are `SOURCE_WORDS`. */
export const SOURCE = record({
  name: nameField(80, OFF),
  goes_to: jsonField<GoesTo>(goesTo, {
    form: { is: 'choice' },
    written: (value) => [value].flat().join(' '),
    readForm: (text) => (text === 'holidays' ? text : text.split(' ')),
  }),
  filter: optionalField(jsonField<IcalFilter>(Filter), Filter.nullable()),
  place: textField(100, OFF),
  prefix: textField(40, OFF),
});

const { name, ...others } = SOURCE.input.shape;
export const IcalInput = z.object({ name, address: Address, ...others });

/** The address stays as it is if it is empty. */
export const IcalPatch = SOURCE.patch.extend({
  address: z.union([z.literal('').transform(() => undefined), Address]).optional(),
});

/**
 * @throws 400 for an address that will be refused by its URL alone, such as a private IP address; a service that serves
 * nobody else may read from the developer's machine
 */
export function ensureFetchable(config: Config, address: string): void {
  const url = new URL(address);
  const isPrivate = config.ICAL_PRIVATE_HOSTS.includes(url.hostname);
  const refused = servesOthers(config) && !isPrivate ? refusalOf(url) : undefined;
  if (refused) throw badField('address', 'calendar_unreadable', { reason: refused });
}

function faultOf(url: URL | null) {
  if (!url) return 'not_calendar_address';
  if (!['https:', 'http:'].includes(url.protocol)) return 'not_calendar_scheme';
  if (url.username || url.password) return 'user_in_address';
  // These are pages for people: the addresses that a browser or a shared link shows.
  if (/^calendar\.google\.com$/i.test(url.hostname) && !/\/ical\//.test(url.pathname)) return 'google_page';
  return undefined;
}
