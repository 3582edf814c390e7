import fs from 'node:fs';
import path from 'node:path';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { expect, test } from 'vitest';
import { AppError, badField, notFound } from '#kernel/http/errors.ts';
import { LANGUAGES, readArea } from '#kernel/language/catalogues.ts';
import { readerIn } from '#kernel/language/readers.ts';
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
import { testApp } from '#test/support/app.ts';

test.each([
  [400, 'election_closed', 'Election is closed'],
  [400, 'ballots_exist', 'Ballots exist'],
  [401, 'authentication_required', 'Authentication required'],
  [401, 'officer_key_required', 'Authentication required'],
  [401, 'staff_key_required', 'Authentication required'],
  [401, 'device_token_required', 'Authentication required'],
  [401, 'invalid_token', 'Invalid token'],
  [401, 'token_ended', 'Invalid token'],
  [403, 'token_used', 'Token already used'],
  [403, 'election_not_open', 'Election is not open for voting'],
  [403, 'results_hidden', 'Results are hidden until voting closes'],
  [403, 'permission_required', 'Forbidden'],
  [403, 'role_required', 'Forbidden'],
  [404, 'not_found', 'Not found'],
  [404, 'image_not_found', 'Image not found'],
  [404, 'election_not_found', 'Election not found'],
  [409, 'changed_meanwhile', 'Changed meanwhile'],
  [409, 'requests_closed', 'closed'],
  [409, 'asked_again', 'waiting_again'],
  [409, 'request_decided', 'not_waiting'],
  [409, 'recently_played', 'recently_played'],
  [409, 'artist_recently_played', 'artist_recently_played'],
  [409, 'artist_waiting', 'artist_waiting'],
  [409, 'undo_over', 'too_late'],
  [409, 'feedback_state_impossible', 'not_possible'],
  [410, 'gallery_gone', 'Gone'],
  [426, 'upgrade_required', 'Upgrade required'],
  [429, 'rate_limit_exceeded', 'Rate limit exceeded'],
  [429, 'too_many_requests', 'Too many requests'],
  [429, 'feedback_limit', 'rate_limited'],
  [429, 'requests_limit', 'rate_limited'],
  [500, 'internal_error', 'Internal server error'],
  [502, 'image_upstream_failed', 'Image upstream failed'],
  [503, 'computing', 'computing'],
  [503, 'setlist_off', 'SETLIST_DB binding not configured'],
] as const)('the specifications fix what clients read with a %s: %s', (status, code, text) => {
  const { answer } = AppError.of(status, {
    code,
    params: {
      end: 'replaced',
      permission: 'x',
      words: 'x',
      status: 'x',
      artist: 'x',
      state: 'x',
      states: 'x',
    },
  });
  expect([answer.error, answer.code]).toEqual([text, code]);
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

test('every sentence of JSON can be read, and takes nothing in it for a tag', () => {
  const texts = Object.values<string | { error: unknown; message: unknown }>(JSON_SENTENCES)
    .flatMap((said) => (typeof said === 'string' ? [said] : [said.error, said.message]))
    .filter((text) => typeof text === 'string');
  for (const text of texts) expect(tagsIn(text), text).toEqual([]);
});

function tagsIn(text: string): unknown[] {
  try {
    return parse(text, { captureLocation: false }).filter(({ type }) => type === TYPE.tag);
  } catch (error) {
    return [error];
  }
}

test('an angle bracket in a sentence is said as it is', () => {
  expect(sentence('not_sender')).toBe('must be an address, or Name <address>');
});

test.each(LANGUAGES)('a state is said in the words of %s', (language) => {
  const said = [
    ...(['played', 'declined', 'expired'] as const).map((status) => say('request_decided', { status })),
    ...(['prepared', 'running'] as const).map((state) => say('meeting_not_running', { state })),
  ].map((message) => pageTextOf(message)?.for(readerIn(language)));
  expect(new Set(said).size).toBe(5);
  if (language !== 'en')
    expect(said.join()).not.toMatch(/\b(played|declined|expired|prepared|running|already)\b/);
  else
    expect(said).toEqual([
      'This request was played already.',
      'This request was declined already.',
      'This request was expired already.',
      'This meeting is prepared',
      'This meeting is running',
    ]);
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

test('/openapi.json has every code', async () => {
  await using service = await testApp();
  const { components, paths } = (await service.get('/openapi.json')).json();
  expect(components.schemas.Error.properties.code.enum).toEqual([...CODES].sort());
  expect(paths['/e/{id}/vote'].post.responses.default).toEqual({
    $ref: '#/components/responses/Error',
  });
  expect(paths['/admin/elections/{id}/manual-results'].put.responses).not.toHaveProperty('default');
});
