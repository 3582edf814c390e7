import type { preValidationHookHandler } from 'fastify';
import { badField } from './errors.ts';

/** Most levels and list positions in a form's field name; our forms have fewer. */
const DEEPEST = 8;
const PLACES = 500;
const PROTOTYPE_KEYS = new Set(['__proto__', 'constructor', 'prototype']);

const formBodies = new WeakSet<object>();

/** Marks the body of a form: once parsed, it cannot be told from a JSON body otherwise. */
export function markFormBody(body: unknown): void {
  if (typeof body === 'object' && body !== null) formBodies.add(body);
}

/** Whether a body was sent by a form, flat or nested. */
export const isFormBody = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && formBodies.has(body);

/** The entries of a text area with one on each line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/**
 * Turns the flat fields of a form into the shape of our JSON bodies: `settings.quorum=5` becomes
 * `{ settings: { quorum: '5' } }`, a number in the name is a list position. If a field with such a name was sent
 * twice, the last value counts (a checkbox after its hidden "false").
 */
export function nestForm(fields: Record<string, unknown>): Record<string, unknown> {
  const nested: Record<string, unknown> = {};
  markFormBody(nested);
  for (const [name, value] of Object.entries(fields)) {
    const path = name.split('.');
    // A name from a client must never reach a prototype.
    if (path.length > DEEPEST || path.some((key) => PROTOTYPE_KEYS.has(key))) continue;
    place(nested, path, path.length > 1 && Array.isArray(value) ? value.at(-1) : value);
  }
  return nested;
}

/** A preValidation hook that gives the route of a form the nested body. */
export const nestFormBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.entered && request.body) request.body = nestForm(request.entered);
  done();
};

function place(into: Record<string, unknown>, [key = '', ...rest]: string[], value: unknown): void {
  // A list accepts only positions up to a limit, so that it does not get a billion holes.
  if (Array.isArray(into) && !isPlace(key)) return;
  if (rest.length === 0) {
    into[key] = value;
    return;
  }
  if (!Object.hasOwn(into, key)) into[key] = isPlace(rest[0]) ? [] : {};
  const next = into[key];
  if (typeof next === 'object' && next !== null) place(next as Record<string, unknown>, rest, value);
}

function isPlace(key: string | undefined): boolean {
  return key !== undefined && /^\d{1,3}$/.test(key) && Number(key) < PLACES;
}

/**
 * A preValidation hook for forms whose fields are records by the words of others, such as headers of a file: sent in parts, such as
 * `mapping.Name`, or as JSON.
 */
export const formRecords =
  (...names: readonly string[]): preValidationHookHandler =>
  (request, _reply, done) => {
    if (request.entered) request.body = withRecords(request.entered, names);
    done();
  };

function withRecords(entered: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entered)) {
    const record = names.find((one) => name.startsWith(`${one}.`));
    if (names.includes(name) && typeof value === 'string') body[name] = readRecord(name, value);
    else if (record === undefined && value !== '') body[name] = value;
  }
  for (const record of names) body[record] ??= partsOf(record, entered);
  markFormBody(body);
  return body;
}

/**
 * Collects the parts of a field. Empty ones are dropped, but for a mapping, where they mean “do not read”. A `?` is what is not
 * decided yet.
 */
function partsOf(record: string, entered: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(entered).filter(
    ([name, value]) =>
      name.startsWith(`${record}.`) && value !== '?' && (value !== '' || record === 'mapping'),
  );
  return Object.fromEntries(parts.map(([name, value]) => [name.slice(record.length + 1), value]));
}

function readRecord(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badField(name, 'not_json');
  }
}
