import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import { PERMISSIONS, type Permission } from '#kernel/access/roles.ts';
import { AppError, badField } from '#kernel/http/errors.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { type Args, type Code, pageTextOf, say, sentence } from '#kernel/messages/messages.ts';

/** The sentence of a code in JSON: tests quote texts by it. */
export { sentence as message } from '#kernel/messages/messages.ts';

/** The whole JSON answer of a code. */
export const errorJson = <C extends Code>(code: C, ...params: Args<C>) =>
  AppError.of(400, say(code, ...params)).answer;

/** What the JSON of an error has about one field. */
export const fieldJson = <C extends Code>(field: string, code: C, ...params: Args<C>) =>
  badField(field, code, ...params).answer.errors?.[0];

/** What JSON says about one field. */
export const ofField = <C extends Code>(field: string, code: C, ...params: Args<C>): string =>
  sentence('invalid_field', { field, problem: sentence(code, ...params) });

/** Why JSON is refused, to be compared with `[409, message('a_code')]`. */
export const refusal = (answer: LightMyRequestResponse): [status: number, error: string] => [
  answer.statusCode,
  answer.json().error,
];

/** Why somebody without a permission is refused. */
export const missingPermission = (permission: Permission): string =>
  sentence('permission_required', { permission, words: PERMISSIONS[permission] });

/** Checks that JSON was refused by this rule. */
export function expectRefusal<C extends Code>(
  answer: LightMyRequestResponse,
  status: number,
  code: C,
  ...params: Args<C>
): void {
  expect(refusal(answer)).toEqual([status, sentence(code, ...params)]);
}

/** Checks that JSON was refused because of a field. */
export function expectBadField<C extends Code>(
  answer: LightMyRequestResponse,
  field: string,
  code: C,
  ...params: Args<C>
): void {
  expect(refusal(answer)).toEqual([400, ofField(field, code, ...params)]);
}

/** Checks that JSON was refused to somebody without a permission. */
export function expectForbidden(answer: LightMyRequestResponse, permission: Permission): void {
  expect(refusal(answer)).toEqual([403, missingPermission(permission)]);
}

/** What pages say for a code. */
export const onPage = <C extends Code>(code: C, ...params: Args<C>): string =>
  pageTextOf(say(code, ...params))?.for(ENGLISH) ?? '';

/** What pages say at a field. */
export const atField = <C extends Code>(code: C, ...params: Args<C>): string => {
  const text = onPage(code, ...params);
  return text.slice(0, 1).toUpperCase() + text.slice(1);
};
