import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, VARIABLES } from '#kernel/config.ts';
import { WRONG_VARIABLES } from '#test/support/wrong-variables.ts';

/** Any text is one: a start with it succeeds, except for HOST, which is looked up when the service listens. */
const ANY_TEXT = [
  'HOST',
  'ADMIN_API_KEY',
  'EDGE_ACCESS_ISSUER',
  'EDGE_ACCESS_AUDIENCE',
  'MAILER_API_KEY',
  'PUB_ADMIN_TOKEN',
  'NOW_PLAYING_INGEST_TOKEN',
  'CHALLENGE_SITE_KEY',
  'CHALLENGE_SECRET_KEY',
  'ANALYTICS_API_KEY',
];
/** Any text as well, but each needs others beside it. */
const NEEDS_OTHERS = ['OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET'];

test('every variable is one that refuses some texts or one that takes any', () => {
  const told = [...WRONG_VARIABLES.keys(), ...ANY_TEXT, ...NEEDS_OTHERS];

  expect(told.toSorted()).toEqual(VARIABLES.map(({ name }) => name).toSorted());
});

describe.each([...WRONG_VARIABLES])('%s', (name, { says, values }) => {
  test.each(values)('that is %j is refused in one line, which says what it may be', (value) => {
    expect(linesFor({ [name]: value })).toEqual([`${name}: ${says}`]);
  });
});

test('a value that is wrong in a second way is refused in one line too', () => {
  expect(linesFor({ CLUB_NAME: `${'x'.repeat(101)}\n.` })).toEqual([
    'CLUB_NAME: must have at most 100 characters',
  ]);
  expect(linesFor({ EDGE_CLIENT_HEADER: 'Cookie' })).toEqual([
    'EDGE_CLIENT_HEADER: must not be Authorization, Cookie or Host',
  ]);
  for (const tail of ['?a=1', '#top'])
    expect(linesFor({ STREAM_PUBLISH_URL: `http://127.0.0.1:8081/publish${tail}` })).toEqual([
      'STREAM_PUBLISH_URL: must hold no user, password, query or fragment',
    ]);
});

test.each(ANY_TEXT)('%s takes any text', (name) => {
  expect(readConfig({ [name]: 'any text' }, '')).toMatchObject({ [name]: 'any text' });
});

test.each(NEEDS_OTHERS)('%s alone names the variables that it needs', (name) => {
  const lines = linesFor({ [name]: 'any text' });

  expect(lines).toContain(`BASE_URL: is needed with ${name}`);
  expect(lines.every((line) => line.endsWith(`: is needed with ${name}`))).toBe(true);
});

function linesFor(environment: Record<string, string>): string[] {
  try {
    readConfig(environment, '');
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message.split('\n');
  }
  throw new Error('it was accepted');
}
