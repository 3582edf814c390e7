import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';
import { isPlainUrl, isSafeKeySource } from './checks.ts';

// An empty variable is an unset one: `ADMIN_API_KEY=` in a .env file must never become a key.
export const text = z.string().min(1, coded('empty')).optional();
/** A whole number from `min` to `max`; one message, which names both, for every other value. */
export function wholeNumber(min: number, max: number) {
  const error = coded('out_of_range', { min, max });
  return z.coerce
    .number(error)
    .refine((value) => Number.isInteger(value) && value >= min && value <= max, error);
}
/** A number per minute or hour; the variable says which. */
export const rate = wholeNumber(1, 1_000_000);
/** One of a few words. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, coded('not_either', { choices: values }));
/** An http address; `error` is the only message where it is none. */
const urlOr = (error: string) => z.url({ protocol: /^https?$/, error, abort: true });
export const httpUrl = urlOr(coded('not_http_address')).transform((url) => url.replace(/\/+$/, ''));
/** An http address to which a path can be appended. */
export const plainUrl = urlOr(coded('not_http_address'))
  .refine(isPlainUrl, coded('not_plain_url'))
  .transform((url) => url.replace(/\/+$/, ''));
const NO_KEY_SOURCE = coded('not_https');
/** An address that keys may be read from. While it is wrong, what it needs beside it is not asked for. */
export const keySource = urlOr(NO_KEY_SOURCE).refine(isSafeKeySource, { error: NO_KEY_SOURCE, abort: true });
/** A URL of a host alone. Pages and links of the service begin at its root, so a path would be lost. */
export const originUrl = urlOr(coded('not_origin'))
  .refine((url) => {
    const { username, password, pathname, search, hash } = new URL(url);
    return [username, password, pathname.replace(/^\/+$/, ''), search, hash].every((part) => part === '');
  }, coded('not_origin'))
  .transform((url) => new URL(url).origin);
/** A URL with a default; an empty value turns it off. */
export const httpUrlOrNone = (fallback: string) =>
  z.union([z.literal(''), httpUrl], coded('not_http_address_or_empty')).default(fallback);
const ON = ['1', 'true', 'on', 'yes'];
const OFF = ['0', 'false', 'off', 'no'];
export const onOrOff = z
  .string()
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => [...ON, ...OFF].includes(value), coded('not_on_or_off'))
  .transform((value) => ON.includes(value));
export const switchedBy = (fallback: boolean) => onOrOff.default(fallback);
export const milliseconds = (fallback: number) => wholeNumber(10, 86_400_000).default(fallback);
