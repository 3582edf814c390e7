import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { badField } from '#kernel/http/errors.ts';
import { CALENDAR } from '#kernel/messages/calendar.ts';
import { CONTENT } from '#kernel/messages/content.ts';
import { GENERAL } from '#kernel/messages/general.ts';
import { LISTENBRAINZ } from '#kernel/messages/listenbrainz.ts';
import { MEETINGS } from '#kernel/messages/meetings.ts';
import { coded, messageOf, pageTextOf, say, sentence, sentenceOf } from '#kernel/messages/messages.ts';
import { PEOPLE } from '#kernel/messages/people.ts';
import { PUB } from '#kernel/messages/pub.ts';
import { SETTINGS } from '#kernel/messages/settings.ts';
import { VOTING } from '#kernel/messages/voting.ts';

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

const CODES = [GENERAL, SETTINGS, PEOPLE, CONTENT, VOTING, MEETINGS, PUB, LISTENBRAINZ, CALENDAR].flatMap(
  (part) => Object.keys(part),
);

test('a code has one text', () => {
  expect(CODES.filter((code, index) => CODES.indexOf(code) !== index)).toEqual([]);
});

test('every code is said somewhere', () => {
  const files = ['src', 'views'].flatMap((folder) =>
    fs.readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name)),
  );
  const said = new Set(
    files
      .filter((file) => file.endsWith('.ts') && !/kernel\/messages\/(?!messages)/.test(file))
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
  expect(sentence('not_either', { values: ['a', 'b', 'c'] })).toBe('must be a, b or c');
});

test('pages say it in other words where JSON names its own fields', () => {
  expect(pageTextOf(say('close_before_open'))).toBe('has to be after the opening');
  expect(pageTextOf(say('permission_required', { permission: 'roles:write', words: 'Roles' }))).toBe(
    'This needs the permission “Roles”. Ask an owner for it.',
  );
  expect(badField('from', 'not_iso_time').pageText).toBeUndefined();
});

test('a schema gives its code as a message; what has no code keeps its sentence', () => {
  const message = coded('too_long', { max: 5 });
  expect(messageOf({ message })).toEqual(say('too_long', { max: 5 }));
  expect(sentenceOf(messageOf({ message: 'Invalid input' }))).toBe('Invalid input');
});

test('the JSON of an error has no codes', () => {
  expect(badField('name', 'required').answer).toEqual({
    error: 'name: is required',
    errors: [{ path: 'name', message: 'is required' }],
  });
});
