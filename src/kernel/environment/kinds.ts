import { z } from 'zod';
import { coded } from '#kernel/messages/messages.ts';

// An empty variable is an unset one: `ADMIN_API_KEY=` in a .env file must never become a key.
export const text = z.string().min(1).optional();
/** A number per minute or hour; the variable says which. */
export const rate = z.coerce.number().int().min(1).max(1_000_000);
export const httpUrl = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));
/** A URL of a host alone. Pages and links of the service begin at its root, so a path would be lost. */
export const originUrl = z
  .url({ protocol: /^https?$/, abort: true })
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
export const milliseconds = (fallback: number) =>
  z.coerce.number().int().min(10).max(86_400_000).default(fallback);
