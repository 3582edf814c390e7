import { readTypedTime } from '#content/times.ts';
import type { Body } from '../records/kind.ts';

/** The fields of a form as they are sent: texts, and lists of them. */
export type FormValues = Record<string, string | string[]>;

/** How the records of a kind become a form, and a form the body of one. */
export interface ContentForm {
  /** What the fields of a body hold. */
  toForm(body: Body): FormValues;
  /**
   * The body that a form stands for, still to be checked. What cannot be read stays as it was typed.
   * @param base what the form was opened with, for what it has no fields for
   */
  fromForm(entered: Readonly<Record<string, unknown>>, base: Body | undefined): Body;
}

/** What was typed into a field, trimmed; the last of several. */
export function typed(entered: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(entered, name) ? entered[name] : '';
  const last = Array.isArray(value) ? value.at(-1) : value;
  return typeof last === 'string' ? last.trim() : '';
}

/** What was ticked of several. */
export function ticked(entered: Readonly<Record<string, unknown>>, name: string): string[] {
  const value = Object.hasOwn(entered, name) ? entered[name] : [];
  return [value].flat().filter((one): one is string => typeof one === 'string' && one !== '');
}

/** The picture that a form names; nothing of a form that has no field for one. */
export function readPicture(entered: Readonly<Record<string, unknown>>): { picture?: string | null } {
  return Object.hasOwn(entered, 'picture.id') ? { picture: typed(entered, 'picture.id') || null } : {};
}

/** A time of day as people write it, as `20:00`. What is none stays as it is, to be refused by name. */
export const readTime = (text: string): string => readTypedTime(text) ?? text.trim();

/** Hours of which at least one end was typed. */
export function readRange(
  entered: Readonly<Record<string, unknown>>,
  name: string,
): { opens: string; closes: string } | null {
  const [opens, closes] = [typed(entered, `${name}.opens`), typed(entered, `${name}.closes`)];
  return opens === '' && closes === '' ? null : { opens: readTime(opens), closes: readTime(closes) };
}

/** The whole number in a text; null for none, and anything else as it is. */
export function readNumber(text: string): number | string | null {
  if (text === '') return null;
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}
