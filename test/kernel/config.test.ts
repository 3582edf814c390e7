import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { trustedPeers } from '#kernel/access/trust.ts';
import { ConfigError, ownAddress, readConfig } from '#kernel/config.ts';

test('nothing is required: an empty environment gives the defaults', () => {
  const config = readConfig({}, '');

  expect(config).toMatchObject({
    HOST: '127.0.0.1',
    PORT: 3000,
    TIME_ZONE: 'America/New_York',
    RATE_LIMIT_VOTE: 5,
  });
  expect(config.ADMIN_API_KEY).toBeUndefined();
});

test('an empty variable counts as unset', () => {
  expect(readConfig({ ADMIN_API_KEY: '', PORT: ' ' }, '')).toMatchObject({ PORT: 3000 });
});

test('each invalid variable gets its own line that names it', () => {
  const bad = {
    PORT: '99999',
    TIME_ZONE: 'Mars/Olympus',
    SECRET_KEY: 'short',
    LOG_LEVEL: 'loud',
    BASE_URL: 'ftp://club.example',
    DATABASE_URL: 'postgres://x',
    TRUSTED_PROXIES: '10.0.0.0/99',
    RATE_LIMIT_VOTE: '0',
    EDGE_ACCESS_CERTS_URL: 'http://keys.example/certs',
    STREAM_PUBLISH_URL: 'http://user:secret-word@127.0.0.1:8081/publish',
  };

  const lines = messageOf(() => readConfig(bad, '')).split('\n');

  for (const name of Object.keys(bad))
    expect(lines.filter((line) => line.startsWith(`${name}:`))).toHaveLength(1);
  expect(lines.join()).not.toContain('secret-word');
});

test('BASE_URL is the address of a host alone', () => {
  const tail = ['/pub', '/?a=1', '/#top'].map((end) => `https://club.example${end}`);
  for (const BASE_URL of [...tail, 'https://ann@club.example', 'https://:word@club.example'])
    expect(messageOf(() => readConfig({ BASE_URL }, ''))).toMatch(
      /^BASE_URL: must be the address of a host alone/,
    );
  for (const [given, kept] of [
    ['https://club.example//', 'https://club.example'],
    ['https://Club.Example:443', 'https://club.example'],
    ['http://[::1]:3000/', 'http://[::1]:3000'],
  ] as const)
    expect(readConfig({ BASE_URL: given }, '').BASE_URL).toBe(kept);
});

test.each([
  [{ HOST: '::', PORT: 3207 }, 'http://localhost:3207'],
  [{ HOST: '0.0.0.0', PORT: 80 }, 'http://localhost:80'],
  [{ HOST: '::1', PORT: 3000 }, 'http://[::1]:3000'],
  [{ HOST: '127.0.0.1', PORT: 3000 }, 'http://127.0.0.1:3000'],
  [{ HOST: '::', PORT: 3000, BASE_URL: 'https://club.example' }, 'https://club.example'],
])('messages in a terminal name an address that opens: %j', (given, address) => {
  expect(ownAddress({ BASE_URL: undefined, ...given })).toBe(address);
});

test('edge keys without issuer and audience are refused', () => {
  const lines = messageOf(() => readConfig({ EDGE_ACCESS_CERTS_URL: 'https://keys.example/certs' }, ''));

  expect(lines).toContain('EDGE_ACCESS_ISSUER');
  expect(lines).toContain('EDGE_ACCESS_AUDIENCE');
});

test.each(['ADMIN_API_KEY', 'PUB_ADMIN_TOKEN'])('%s is at least 20 characters long in production', (name) => {
  const read = (key: string, NODE_ENV: string) => readConfig({ [name]: key, NODE_ENV }, '');
  const short = 'x'.repeat(19);

  const lines = messageOf(() => read(short, 'production')).split('\n');

  expect(lines).toEqual([expect.stringMatching(`^${name}: .*20`)]);
  expect(lines.join()).not.toContain(short);
  expect(read('x'.repeat(20), 'production')).toMatchObject({ [name]: 'x'.repeat(20) });
  expect(read(short, 'development')).toMatchObject({ [name]: short });
});

test('the environment wins over the .env file', () => {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'config-')), '.env');
  onTestFinished(() => fs.rmSync(path.dirname(file), { recursive: true }));
  fs.writeFileSync(file, 'PORT=4000\nHOST=0.0.0.0\n');

  expect(readConfig({ PORT: '5000' }, file)).toMatchObject({ PORT: 5000, HOST: '0.0.0.0' });
});

test.each([
  ['any', '203.0.113.9', true],
  ['10.0.0.0/8, 203.0.113.9', '10.4.5.6', true],
  ['10.0.0.0/8, 203.0.113.9', '203.0.113.9', true],
  ['10.0.0.0/8, 203.0.113.9', '203.0.113.8', false],
  ['2001:db8::/32', '2001:db8::1', true],
  ['2001:db8::/32', '10.0.0.1', false],
  ['10.0.0.0/8', '', false],
])('with TRUSTED_PROXIES %s the peer %s is trusted: %s', (list, peer, trusted) => {
  expect(trustedPeers(list)(peer)).toBe(trusted);
});

function messageOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('it was accepted');
}
