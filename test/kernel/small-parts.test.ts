import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { Cache } from '#kernel/cache.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { csvText } from '#kernel/csv.ts';
import { html } from '#kernel/html.ts';
import { nestForm } from '#kernel/http/form.ts';
import { RateLimiter } from '#kernel/http/rate-limit.ts';
import { loggedPath, withoutQueryValues } from '#kernel/http/redact.ts';
import { newId } from '#kernel/ids.ts';
import { startJobs } from '#kernel/scheduler.ts';
import { deriveKey, keyFromFile, sameSecret } from '#kernel/secrets.ts';

test('markup escapes every value, and keeps what is markup already', () => {
  const name = `<b>"O'Hara" & co</b>`;

  expect(html`<p title="${name}">${[html`<i>${1}</i>`, null, false, undefined, 'a<b']}</p>`.toString()).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Hara&quot; &amp; co&lt;/b&gt;"><i>1</i>a&lt;b</p>',
  );
});

test('dotted field names of a form become objects and lists', () => {
  expect(
    nestForm({
      title: 'Chair',
      'settings.hide': ['false', 'true'],
      'results.contests.0.label': 'A',
      'results.contests.0.items.1.votes': '3',
    }),
  ).toEqual({
    title: 'Chair',
    settings: { hide: 'true' },
    // biome-ignore lint/suspicious/noSparseArray: the first item was not sent
    results: { contests: [{ label: 'A', items: [, { votes: '3' }] }] },
  });
});

test('a hostile field name reaches no prototype and makes no endless list', () => {
  const nested = nestForm({
    '__proto__.polluted': 'yes',
    'constructor.prototype.polluted': 'yes',
    'a.__proto__.polluted': 'yes',
    'list.99999999.x': 'far',
    'a.b.c.d.e.f.g.h.i.j': 'deep',
  });

  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(JSON.stringify(nested).length).toBeLessThan(200);
});

test('ids are v7: valid, different, and in the order of their time', () => {
  const ids = [1, 2, 1_795_280_400_000].map(newId);

  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect([...ids].sort()).toEqual(ids);
  expect(newId(5)).not.toBe(newId(5));
});

test('a limit holds for a minute also after the clock was set back', () => {
  let now = DAY;
  const limiter = new RateLimiter(() => now);
  limiter.hit('vote', 'a', 1);
  now -= DAY - 1;

  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(false);
  now += MINUTE;
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
});

test('the limiter forgets the oldest window when its table is full', () => {
  const limiter = new RateLimiter(() => 0, 2);
  for (const client of ['a', 'b', 'c']) limiter.hit('vote', client, 1);

  expect(limiter.hit('vote', 'c', 1).allowed).toBe(false);
  expect(limiter.hit('vote', 'a', 1).allowed).toBe(true);
});

test.each([
  ['/e/1/vote?t=secret&x=1', '/e/1/vote'],
  ['/vote/my-elections?email=secret@b.c&token=secret#v', '/vote/my-elections'],
  ['/e/1/vote%3Ft=secret', '/e/1/…'],
  ['/e/1/vote%253Ft%253Dsecret', '/e/1/…'],
  ['/e/1/vote;t=secret', '/e/1/…'],
  ['/e/1/vote&t=secret', '/e/1/…'],
  ['/people/secret@club.example', '/people/…'],
  ['/api/image/tender/0f-1.2_3~', '/api/image/tender/0f-1.2_3~'],
])('of the URL %s the log shows %s', (url, path) => {
  expect(loggedPath(url)).toBe(path);
});

test.each([
  [
    'Spam: https://club.example/e/1/vote?t=secret and more',
    'Spam: https://club.example/e/1/vote?t=… and more',
  ],
  ['/vote?x=1&amp;token=secret', '/vote?x=…'],
  ['/vote&amp;token=secret', '/vote&amp;token=…'],
  ['/vote?%74=secret', '/vote?%74=…'],
  ['/vote;t=secret', '/vote;t=…'],
  ['/vote?t[]=secret', '/vote?t[]=…'],
  ['/search?q=secret@club.example"', '/search?q=…"'],
  ['/vote%3Ft=secret', '/vote%3Ft=…'],
  ['/vote%253Ft%253Dsecret', '/vote%253Ft%253D…'],
  ['Is that so? a = b; c', 'Is that so? a = b; c'],
])('of the text %s the log shows %s', (text, shown) => {
  expect(withoutQueryValues(text)).toBe(shown);
});

test.each([
  ['plain', 'plain'],
  ['a, b', '"a, b"'],
  ['say "hello"', '"say ""hello"""'],
  ['well-known = good', 'well-known = good'],
  ['=1+1', "'=1+1"],
  ['\uff1d1+1', "'\uff1d1+1"],
  ['\uff0b1', "'\uff0b1"],
  ['\uff0d1', "'\uff0d1"],
  ['\uff20SUM(1)', "'\uff20SUM(1)"],
  [' =1+1', "' =1+1"],
  ['"=1+1"', '"\'""=1+1"""'],
  ['\t=1+1', "'\t'=1+1"],
  ['hello;=1+1', '"hello;\'=1+1"'],
  ['hello; \uff1d1+1; @x', '"hello;\' \uff1d1+1;\' @x"'],
  ['hello\n-1+1', '"hello\n\'-1+1"'],
])('a cell of a CSV file that says %j is %j', (text, cell) => {
  expect(csvText([['first', text]])).toBe(`first,${cell}\r\n`);
});

test('secrets of any length compare, and an empty one equals only itself', () => {
  expect(sameSecret('key', 'key')).toBe(true);
  expect(sameSecret('key', 'key2')).toBe(false);
  expect(sameSecret('', 'key')).toBe(false);
});

test('the key file is made once, for its owner alone, and a damaged one is refused', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'key-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'house.key');

  const key = keyFromFile(file);

  expect(keyFromFile(file)).toBe(key);
  expect(fs.statSync(file).mode & 0o777).toBe(0o600);
  expect(deriveKey(key, 'a')).toHaveLength(32);
  expect(deriveKey(key, 'a').equals(deriveKey(key, 'b'))).toBe(false);
  fs.writeFileSync(file, 'short');
  expect(() => keyFromFile(file)).toThrow('damaged');
});

test('the cache loads once for all who ask, again after its time, and keeps no failure', async () => {
  let now = 0;
  let loads = 0;
  const cache = new Cache(() => now);
  const load = async () => ++loads;

  expect(await Promise.all([cache.remember('a', 10, load), cache.remember('a', 10, load)])).toEqual([1, 1]);
  now = 10;
  expect(await cache.remember('a', 10, load)).toBe(2);
  await expect(cache.remember('b', 10, () => Promise.reject(new Error('down')))).rejects.toThrow('down');
  expect(await cache.remember('b', 10, async () => 'up')).toBe('up');
});

test('the age of what the cache holds begins when it has been loaded, and a load under way is shared', async () => {
  let now = 0;
  const cache = new Cache(() => now);
  const loads: PromiseWithResolvers<string>[] = [];
  const load = () => {
    const one = Promise.withResolvers<string>();
    loads.push(one);
    return one.promise;
  };

  const first = cache.remember('a', 10, load);
  now = 100;
  const during = [cache.remember('a', 10, load), cache.refresh('a', load)];
  loads[0]!.resolve('first');
  expect(await Promise.all([first, ...during])).toEqual(['first', 'first', 'first']);
  now = 109;
  expect(await cache.remember('a', 10, load)).toBe('first');
  const second = cache.refresh('a', load);
  loads[1]!.resolve('second');

  expect(await second).toBe('second');
  expect(loads).toHaveLength(2);
});

test('the cache loads anew what is of another version, and what the clock set back would keep for long', async () => {
  let now = 100;
  let loads = 0;
  const cache = new Cache(() => now);
  const load = async () => ++loads;

  expect(await cache.remember('a', 10, load, 1)).toBe(1);
  expect(await cache.remember('a', 10, load, 1)).toBe(1);
  expect(await cache.remember('a', 10, load, 2)).toBe(2);
  now = 50;
  expect(await cache.remember('a', 10, load, 2)).toBe(3);
});

test('a job that fails is logged and runs again, and stopping waits for the run under way', async () => {
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const runs = Promise.withResolvers<void>();
  let count = 0;
  let finished = 0;
  const jobs = startJobs(
    [
      {
        name: 'flaky',
        every: 1,
        run: async () => {
          count += 1;
          if (count === 1) throw new Error('not today');
          runs.resolve();
          await new Promise(setImmediate);
          finished += 1;
        },
      },
    ],
    log,
  );

  await runs.promise;
  await jobs[Symbol.asyncDispose]();

  expect(finished).toBe(count - 1);
  expect(lines.join()).toContain('not today');
});
