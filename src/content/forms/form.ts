import type { Body } from '#content/records/kind.ts';
import { readTypedTime } from '#content/times.ts';

/** The submitted fields of a form: strings, and lists of strings. */
export type FormValues = Record<string, string | string[]>;

/** Converts the records of a kind to form values and back. */
export interface ContentForm {
  /** Returns the form values of a body. */
  toForm(body: Body): FormValues;
  /**
   * Returns the body of a submitted form, not validated yet. Values that cannot be read are kept as they were typed.
   * @param base the body that the form was opened with, for the parts that the form has no fields for
   */
  fromForm(entered: Readonly<Record<string, unknown>>, base: Body | undefined): Body;
}

/** Returns the trimmed value of a text field; the last one if there are several. */
export function typed(entered: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(entered, name) ? entered[name] : '';
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last.trim() : '';
}

/** Returns the ticked values of a group of checkboxes. */
export function ticked(entered: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = Object.hasOwn(entered, name) ? entered[name] : [];
  return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

/** Returns the picture chosen in a form; an empty object if the form has no field for one. */
export function readPicture(entered: Readonly<Record<string, unknown>>): { picture?: string | null } {
  return Object.hasOwn(entered, 'picture.id') ? { picture: typed(entered, 'picture.id') || null } : {};
}

/** Returns a typed time of day as `20:00`; other text stays as it is and fails validation later. */
export const readTime = (text: string): string => readTypedTime(text) ?? text.trim();

/** Returns the typed opening hours; null if both ends are empty. */
export function readRange(
  entered: Readonly<Record<string, unknown>>,
  name: string,
): { opens: string; closes: string } | null {
  const [opens, closes] = [typed(entered, `${name}.opens`), typed(entered, `${name}.closes`)];
  return opens === '' && closes === '' ? null : { opens: readTime(opens), closes: readTime(closes) };
}

/** Returns the whole number in a text; null for an empty text, and other text unchanged. */
export function readNumber(text: string): number | string | null {
  if (text === '') return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
