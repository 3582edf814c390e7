import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError, readConfig } from '#kernel/config.ts';
import { runToEnd, tempFolder } from '#test/support/process/process.ts';

const NAMES = 'NODE_ENV=production\nPORT=3223\nCLUB_NAME=Zum Löwen\n';
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

/** The configuration of an .env file with this content, and what was said about it. */
function read(content: string | Buffer, environment: Record<string, string> = {}) {
  const file = path.join(tempFolder(), '.env');
  fs.writeFileSync(file, content);
  const said: string[] = [];
  const config = readConfig(environment, file, (line) => void said.push(line.replace(file, '.env')));
  return { config, said };
}

test.each([
  ['UTF-8', Buffer.from(NAMES)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${NAMES}`)],
  ['UTF-16 with a mark (little endian)', Buffer.from(`\ufeff${NAMES}`, 'utf16le')],
  ['UTF-16 with a mark (big endian)', utf16be(`\ufeff${NAMES}`)],
  ['UTF-16 without a mark (little endian)', Buffer.from(NAMES, 'utf16le')],
  ['UTF-16 without a mark (big endian)', utf16be(NAMES)],
  ['CRLF', Buffer.from(NAMES.replaceAll('\n', '\r\n'))],
  ['CR', Buffer.from(NAMES.replaceAll('\n', '\r'))],
])('production stays production in %s', (_encoding, content) => {
  expect(read(content)).toMatchObject({
    config: { NODE_ENV: 'production', PORT: 3223, CLUB_NAME: 'Zum Löwen' },
    said: [],
  });
});

test.each([
  ['Windows-1252', Buffer.from(NAMES, 'latin1')],
  ['UTF-16 that is cut', Buffer.from(`\ufeff${NAMES}`, 'utf16le').subarray(0, -1)],
  ['UTF-32', Buffer.from([...NAMES].map((letter) => `${letter}\0\0\0`).join(''), 'latin1')],
  ['a binary file', Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 0, 0, 0x80])],
])('a file in %s is refused in one line', (_encoding, content) => {
  expect(() => read(content)).toThrow(ConfigError);
  expect(() => read(content)).toThrow(/^\S+\.env is neither UTF-8 nor UTF-16: save it as UTF-8$/);
});

test('a file that cannot be read is named, and none is none', async () => {
  const folder = tempFolder();
  fs.mkdirSync(path.join(folder, '.env'));

  expect(await runToEnd(folder)).toEqual({
    code: 1,
    stderr: '.env cannot be read: EISDIR: illegal operation on a directory, read\n',
  });
  expect(readConfig({}, path.join(folder, 'none')).PORT).toBe(3000);
});

const CUT =
  'the value of MAILER_API_KEY ends before the #; to have it in the value, put quotes around the value';

test.each([
  ['pa#ss', 'pa#ss'],
  ['pass # the one of May', 'pass', [`.env, line 1: ${CUT}`]],
  ['pa #ss', 'pa', [`.env, line 1: ${CUT}`]],
  ['   # none yet', undefined],
  ['"pa #ss" # quoted', 'pa #ss'],
  ["'pa \"#ss'", 'pa "#ss'],
  ['"two\\nlines"', 'two\nlines'],
  ['"two\nPORT=9"', 'two\nPORT=9'],
  ["'two\\nlines'", 'two\\nlines'],
  ['"never ends', '"never ends'],
  ['"The Anchor" <a@club.example>', '"The Anchor" <a@club.example>'],
  ['a=b=c ', 'a=b=c'],
] as [written: string, value: string | undefined, warnings?: string[]][])(
  'MAILER_API_KEY=%s is read as %s',
  (written, value, warnings = []) => {
    const { config, said } = read(`export MAILER_API_KEY = ${written}\r\n\nPORT=4000\n`);

    expect(config).toMatchObject({ PORT: 4000 });
    expect(config.MAILER_API_KEY).toBe(value);
    expect(said).toEqual(warnings);
  },
);

test('a # that cuts a value is said before the value can end the start', () => {
  const file = path.join(tempFolder(), '.env');
  fs.writeFileSync(file, 'CLUB_NAME=The Fox#1\nPORT=many # 3000\n');
  const said: string[] = [];

  expect(() => readConfig({}, file, (line) => void said.push(line))).toThrow(ConfigError);

  const line =
    'line 2: the value of PORT ends before the #; to have it in the value, put quotes around the value';
  expect(said).toEqual([`${file}, ${line}`]);
});

test.each([
  ['HOST 0.0.0.0', '.env, line 1 is ignored: it is not NAME=value'],
  ['PORT: 3000', '.env, line 1 is ignored: it is not NAME=value'],
  ['PORT=1\n# again\nPORT=2', '.env, line 3 sets PORT again: the last value counts'],
  ['BASEURL=https://club.example', 'BASEURL is not a variable of this service: is BASE_URL meant?'],
  ['base_url=https://club.example', 'base_url is not a variable of this service: is BASE_URL meant?'],
  ['OIDC_ISSUER_URL=x', 'OIDC_ISSUER_URL is not a variable of this service: is OIDC_ISSUER meant?'],
  ['MAILER_KEY=x', 'MAILER_KEY is not a variable of this service: is MAILER_API_KEY meant?'],
  ['TRUSTED_PROXY=any', 'TRUSTED_PROXY is not a variable of this service: is TRUSTED_PROXIES meant?'],
  ['SCROBBLE_TOKEN=x', 'SCROBBLE_TOKEN has no effect without SCROBBLE_URL'],
  ['SCROBBLE_TOKEN=x\nSCROBBLE_URL=https://scrobbles.example', undefined],
  ['ANALYTICS_API_KEY=x', 'ANALYTICS_API_KEY has no effect without ANALYTICS_URL'],
  ['COMPOSE_PROJECT_NAME=club\nTZ=UTC', undefined],
])('the line %s is said to have no effect', (content, warning) => {
  expect(read(content).said).toEqual(warning ? [warning] : []);
});

test('a misspelled variable of the environment is named at the start', async () => {
  const { code, stderr } = await runToEnd(tempFolder(), { NODEENV: 'production', PORT: 'none' });

  expect(code).toBe(1);
  expect(stderr).toMatch(/^Warning: NODEENV is not a variable of this service: is NODE_ENV meant\?\nPORT: /);
});
