import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { badField, notFound } from '#kernel/http/errors.ts';
import { readArea } from '#kernel/language/catalogues.ts';
import { ENGLISH, formatted } from '#kernel/language/words.ts';
import { JSON_SENTENCES } from '#kernel/messages/json-sentences.ts';
import {
  coded,
  jsonParams,
  messageOf,
  pageTextOf,
  say,
  sentence,
  sentenceOf,
} from '#kernel/messages/messages.ts';

test.each([
  ['invalid_token', 'Invalid token'],
  ['token_used', 'Token already used'],
  ['election_not_open', 'Election is not open for voting'],
  ['election_closed', 'Election is closed'],
  ['ballots_exist', 'Ballots exist'],
  ['authentication_required', 'Authentication required'],
  ['role_required', 'Forbidden'],
  ['rate_limit_exceeded', 'Rate limit exceeded'],
  ['too_many_requests', 'Too many requests'],
  ['not_found', 'Not found'],
  ['internal_error', 'Internal server error'],
  ['image_not_found', 'Image not found'],
  ['image_upstream_failed', 'Image upstream failed'],
  ['computing', 'computing'],
  ['setlist_off', 'SETLIST_DB binding not configured'],
  ['gallery_gone', 'Gone'],
] as const)('the specifications fix the sentence of %s', (code, text) => {
  expect(sentence(code)).toBe(text);
});

const SENTENCES = Object.keys(JSON_SENTENCES);
const PUBLIC = Object.keys(readArea('en', 'errors'));
const OFFICERS = Object.keys(readArea('en', 'errors-admin'));
const CODES = [...new Set([...SENTENCES, ...PUBLIC, ...OFFICERS])].filter((key) => !key.includes('.'));

test('a code has one text on pages, and a name that never changes', () => {
  expect(PUBLIC.filter((code) => OFFICERS.includes(code))).toEqual([]);
  expect(CODES.filter((code) => !/^[a-z_]+$/.test(code))).toEqual([]);
});

test('a sentence of JSON that pages say too stands in the catalogue alone', () => {
  const twice = SENTENCES.filter((code) => {
    const said: { error: unknown } | string = JSON_SENTENCES[code as keyof typeof JSON_SENTENCES];
    const { error } = typeof said === 'string' ? { error: said } : said;
    return error === { ...readArea('en', 'errors'), ...readArea('en', 'errors-admin') }[code];
  });
  expect(twice).toEqual([]);
});

test('every code is said somewhere', () => {
  const files = ['src', 'views'].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const said = new Set(
    files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('json-sentences.ts'))
      .flatMap((file) => fs.readFileSync(file, 'utf8').match(/(?<=')\w+(?=')/g) ?? []),
  );
  // Written with the kind of what was lost.
  for (const kind of ['election', 'meeting']) said.add(`${kind}_lost`);
  // Written with the kind of what was proposed.
  for (const kind of ['nomination', 'motion'])
    for (const end of ['_withdrawn', '_incomplete', 's_not_open', 's_over']) said.add(kind + end);
  expect(CODES.filter((code) => !said.has(code))).toEqual([]);
});

test('numbers are written as the locale does, lists with commas or with an or', () => {
  expect(sentence('too_long', { max: 2_000 })).toBe('must have at most 2,000 characters');
  expect(sentence('not_one_of', { values: ['a', 'b', 'c'] })).toBe('must be one of a, b, c');
  expect(sentence('not_either', { choices: ['a', 'b', 'c'] })).toBe('must be a, b or c');
});

test('pages say it in other words where JSON names its own fields', () => {
  expect(pageTextOf(say('close_before_open'))?.for(ENGLISH)).toBe('has to be after the opening');
  expect(
    pageTextOf(say('permission_required', { permission: 'roles:write', words: 'Roles' }))?.for(ENGLISH),
  ).toBe('This needs the permission “Roles”. Ask an owner for it.');
  expect(badField('from', 'not_iso_time').pageText).toBeUndefined();
});

test('a schema gives its code as a message; what has no code keeps its sentence', () => {
  const message = coded('too_long', { max: 5 });
  expect(messageOf({ message })).toEqual(say('too_long', { max: 5 }));
  expect(sentenceOf(messageOf({ message: 'Invalid input' }))).toBe('Invalid input');
});

test('the JSON of an error has its codes with their values', () => {
  expect(badField('name', 'too_long', { max: 5 }).answer).toEqual({
    error: 'name: must have at most 5 characters',
    code: 'invalid_field',
    params: { field: 'name', problem: 'must have at most 5 characters' },
    errors: [
      { path: 'name', message: 'must have at most 5 characters', code: 'too_long', params: { max: 5 } },
    ],
  });
  expect(notFound('no_such_date', { date: formatted(() => 'May 1') }).answer).toEqual({
    error: 'The series has no date May 1',
    code: 'no_such_date',
    params: { date: 'May 1' },
  });
});

test('a refusal of long work in a thread has values that can be sent from it', () => {
  expect(jsonParams(say('overlapping', { one: formatted(() => 'May'), other: 'June' }))).toEqual({
    one: 'May',
    other: 'June',
  });
});
