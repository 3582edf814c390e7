import fs from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from './support/app.ts';
import { addElection, addPoll, addRanked, addTokens, page } from './support/factories.ts';

/** Another seed or more rounds find more: FUZZ_SEED=7 FUZZ_ROUNDS=50 npx vitest run --mode slow test/fuzz.slow.test.ts */
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 3);

const KEYS = {
  authorization: 'Bearer a-key',
  'x-admin-token': 'a-token',
  host: 'localhost:3000',
};
const DATES = { open_at: '2026-11-21T10:00', close_at: '2026-11-22T10:00' };
const SWITCHES = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];
// Not the addresses of modules that pages load: /assets/<version>/src/….
/** Of routes without documentation. */
const QUERIES = [
  't',
  'v',
  'u',
  'q',
  'from',
  'limit',
  'offset',
  'page',
  'done',
  'ask',
  'error',
  'refresh',
  'format',
];
const STACK = /\bat (async )?[\w.#<>]+ \(|node_modules|(?<!"\/assets\/\w+)\/src\/|SQLITE_|SqliteError/;

let service: TestApp;
let known: string[];

beforeAll(async () => {
  service = await testApp({
    // What matters in the log are errors.
    LOG_LEVEL: 'warn',
    ADMIN_API_KEY: 'a-key',
    PUB_ADMIN_TOKEN: 'a-token',
    BASE_URL: 'https://club.example',
    FROM_EMAIL: 'club@club.example',
    MAILER_API_KEY: 'any',
    // Nothing listens there: mails fail because of the server, which is no error of the service.
    MAILER_URL: 'smtp://127.0.0.1:9',
    RATE_LIMIT_GENERAL: '1000000',
    RATE_LIMIT_VOTE: '1000000',
    RATE_LIMIT_ADMIN: '1000000',
    ...Object.fromEntries(SWITCHES.map((name) => [`${name}_ENABLED`, 'on'])),
  });
  const simple = await addElection(service);
  const poll = await addPoll(service, ['Goose', 'Nuts']);
  const [token = ''] = await addTokens(service, simple, 1);
  known = [simple, poll.id, token, '1', '2026-11-21T17:00:00Z', 'top-songs', 'programs', 'a@club.example'];
  await service.app.ready();
});
afterAll(() => service[Symbol.asyncDispose]());

const DEEP = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const HOSTILE: unknown[] = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '../../../etc/passwd', '%00', '%zz', '%ff'],
  ...["'; DROP TABLE elections; --", '<script>alert(1)</script>', '"><script>', '=1+1'],
  ...['1e309', '-0', '-1', '1.5', '0x10', 'NaN', 'null', 'true', '9'.repeat(400)],
  ...['x'.repeat(5_000), '💥'.repeat(3_000), '\u202e\u0301🏳️‍🌈', '[]=1', '1&%s=2'],
  ...['__proto__', 'constructor', '::ffff:127.0.0.1', 'http://169.254.169.254/'],
  ...['2026-02-30T25:61:00Z', '+275760-09-13T00:00:00Z', '-271821-04-20T00:00:00Z'],
  ...[null, true, false, 0, -1, 1.5, 1e308, 2 ** 53, Number.MAX_SAFE_INTEGER],
  ...[[], {}, [[]], [null], [{}], [1, 2], DEEP],
  ...[{ length: 1e9 }, { toString: 1, valueOf: 1 }, { $ne: null }],
];
const nasty = fc.constantFrom(...HOSTILE);
const BODIES = [
  ...[
    '{',
    '[]',
    'null',
    '"x"',
    '[1,',
    'NaN',
    '\0',
    '{"a":1}{"b":2}',
    '{"a":1,"a":2}',
    `[${'['.repeat(2_000)}`,
  ],
  ...['{"__proto__":{"polluted":1}}', '{"settings":{"__proto__":{"polluted":1}}}'],
  '{"constructor":{"prototype":{"polluted":1}}}',
];
const FORMS = [
  'settings.__proto__.polluted=1',
  '__proto__.polluted=1&constructor.prototype.polluted=1',
  '__proto__=1&constructor=2&toString=3',
  'results.contests.999999999.label=x',
  'results.contests.0.items.__proto__.label=x&results.contests.0.items.499.votes=1',
  'results=1&results.contests=2&results.contests.0.label=3',
  'a.b.c.d.e.f.g.h.i.j=1',
  'title=a&title=b&ballot_type=POLL&ballot_type=SIMPLE_TRIPLE',
  '...=1&.=2&=3',
  '&&&==&&%zz=%&%00=%00',
  Array.from({ length: 2_000 }, (_, index) => `rank_${index}=${index}`).join('&'),
];
const value = () => fc.oneof({ weight: 3, arbitrary: nasty }, fc.constantFrom(...known), fc.jsonValue());
const text = () => value().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));

interface Operation {
  method: string;
  url: string;
  fields: string[];
  query: string[];
}

/** Returns every route of the table, with the field names of its body and query. */
function operations(): Operation[] {
  const table = fs.readFileSync(path.join(import.meta.dirname, 'routes.txt'), 'utf8');
  const known = documentedFields();
  return table.split('\n').flatMap((line) => {
    const [method = '', url = ''] = line.split(/\s+/);
    // A stream does not end by itself.
    if (!url || url.endsWith('/current')) return [];
    // A form has the fields of the same act in JSON.
    const own = known.get(`${method} ${url}`) ?? known.get(`${method} /api${url}`);
    const every = [...new Set([...known.values()].flatMap(({ fields }) => fields))];
    return [{ method, url, fields: own?.fields ?? every, query: own?.query ?? QUERIES }];
  });
}

/** The field names of the routes in /openapi.json. */
function documentedFields(): Map<string, Pick<Operation, 'fields' | 'query'>> {
  const documented = Object.entries(service.app.swagger().paths ?? {}).flatMap(([url, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => {
      const { requestBody, parameters = [] } = operation as {
        requestBody?: { content?: Record<string, { schema?: unknown }> };
        parameters?: { in: string; name: string }[];
      };
      const schema = JSON.stringify(requestBody?.content ?? {});
      const names = [...schema.matchAll(/"(\w+)":\{"(?:type|anyOf|description|default)/g)].map(
        ([, name]) => name!,
      );
      const fields = [...new Set(names)].filter((name) => name !== 'properties' && name !== 'schema');
      const query = parameters.filter((one) => one.in === 'query').map((one) => one.name);
      return [`${method.toUpperCase()} ${url.replaceAll(/\{(\w+)\}/g, ':$1')}`, { fields, query }] as const;
    }),
  );
  return new Map(documented);
}

function requestFor({ method, url, fields, query }: Operation): fc.Arbitrary<InjectOptions> {
  const parts = url.split(/(:\w+|\*)/).map((part) => (/^[:*]/.test(part) ? text() : fc.constant(part)));
  const bag = (names: string[], of: fc.Arbitrary<unknown>) =>
    fc.dictionary(names.length > 0 ? fc.constantFrom(...names) : fc.string({ maxLength: 8 }), of, {
      maxKeys: 6,
    });
  const json = fc.oneof(
    { weight: 6, arbitrary: bag(fields, value()).map((body) => JSON.stringify(body)) },
    fc.constantFrom(...BODIES),
  );
  const filled = bag(fields, text()).map((body) =>
    new URLSearchParams(body as Record<string, string>).toString(),
  );
  const form = fc.oneof({ weight: 2, arbitrary: filled }, fc.constantFrom(...FORMS));
  const body = fc.oneof(
    { weight: 4, arbitrary: json.map((payload) => ({ payload, type: 'application/json' })) },
    { weight: 2, arbitrary: form.map((payload) => ({ payload, type: 'application/x-www-form-urlencoded' })) },
    json.map((payload) => ({ payload, type: 'text/plain' })),
    json.map((payload) => ({ payload, type: 'multipart/form-data; boundary=' })),
  );
  const accept = fc.constantFrom('application/json', 'text/html', '*/*', ';;;', 'text/html;q=0');
  const odd = fc.constantFrom<Record<string, string>>(
    {},
    {},
    { 'x-forwarded-for': '\u00ff, 1.2.3.4', 'edge-connecting-ip': 'x'.repeat(300) },
    { cookie: 'publichouse=%00; =; a' },
    { 'if-none-match': '"'.repeat(50), range: 'bytes=9-1' },
    { 'accept-language': '*;q=9', 'content-length': 'x', 'user-agent': 'x'.repeat(500) },
  );
  return fc.record({ path: fc.tuple(...parts), query: bag(query, text()), body, accept, odd }).map((made) => {
    const at = made.path.map((part, index) => (index % 2 === 1 ? encode(part) : part)).join('');
    const search = Object.entries(made.query).map(([name, one]) => `${encode(name)}=${encode(String(one))}`);
    const takesBody = !['GET', 'HEAD', 'OPTIONS'].includes(method);
    const { 'content-length': _dropped, ...headers } = made.odd;
    return {
      method: method as 'GET',
      url: search.length > 0 ? `${at}?${search.join('&')}` : at,
      headers: {
        ...KEYS,
        ...headers,
        accept: made.accept,
        ...(takesBody && { 'content-type': made.body.type }),
      },
      ...(takesBody && { payload: made.body.payload }),
    };
  });
}

/** What is wrong about a response to hostile input. */
function complaint({ statusCode, headers, body }: LightMyRequestResponse): string | undefined {
  const type = String(headers['content-type'] ?? '');
  if (STACK.test(body) && statusCode >= 400) return `shows ${body.slice(0, 300)}`;
  if (type.startsWith('text/html') && /"><script>|<script>alert/.test(body)) return 'has it as markup';
  if (statusCode < 400 || !type.startsWith('application/json')) return undefined;
  return typeof JSON.parse(body).error === 'string' ? undefined : `no error: ${body.slice(0, 300)}`;
}

const encode = (part: string) => encodeURIComponent(part.toWellFormed());

/** Compiles one query for the number of rows of each table but the audit log, which may record a refusal. */
function countOfRows() {
  const rows = service.ctx.db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  const counts = rows
    .filter(({ name }) => !/^(sqlite_|audit_log|kysely_)/.test(name))
    .map(({ name }) => sql`(SELECT count(*) FROM ${sql.table(name)}) AS ${sql.ref(name)}`);
  return sql<Record<string, number>>`SELECT ${sql.join(counts)}`.compile(build);
}

test('random requests to every route cause no crash, show no stack, and store nothing when refused', async () => {
  const problems: string[] = [];
  const counts = countOfRows();
  let changes = -1;
  let before = '';
  const stored = () => {
    // Counting every table takes longer than most requests.
    if (changes === service.ctx.changes()) return before;
    changes = service.ctx.changes();
    return JSON.stringify(service.ctx.db.first(counts));
  };
  before = stored();
  for (const [index, operation] of operations().entries()) {
    const requests = fc.sample(requestFor(operation), { seed: SEED + index, numRuns: ROUNDS });
    for (const request of requests) {
      const answer = await service.app.inject(request);
      const what = `${request.method} ${String(request.url).slice(0, 200)} ${String(request.payload ?? '').slice(0, 300)}`;
      const problem = complaint(answer);
      if (problem) problems.push(`${what}: ${problem}`);
      const after = stored();
      if (answer.statusCode >= 400 && after !== before)
        problems.push(`${what}: ${answer.statusCode}, yet stored`);
      before = after;
    }
  }

  expect(problems).toEqual([]);
  expect({}).not.toHaveProperty('polluted');
  expect(failures()).toEqual([]);
});

/** The requests that ended with a server error. */
const failures = () =>
  service.logged.filter((line) => line.includes('"request failed"')).map((line) => line.slice(0, 1_500));

/** A valid body for each route of voting that takes one. */
const VALID: [method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', string, Record<string, unknown>][] = [
  [
    'POST',
    '/admin/elections',
    {
      ...DATES,
      title: 'Piano',
      description: 'New',
      allow_past_close: true,
      ballot_type: 'POLL',
      settings: { quorum: 2 },
      options: ['Tea', 'Milk'],
      candidates: ['Ann'],
      none_of_the_above: true,
      attachment_url: 'https://club.example/a',
      invite_mode: 'batch',
    },
  ],
  ['PATCH', '/admin/elections/:simple/dates', DATES],
  ['PATCH', '/admin/elections/:simple/settings', { settings: { quorum: 2 } }],
  ['PATCH', '/admin/elections/:simple/attachments', { attachment_url: 'https://club.example/a' }],
  [
    'PUT',
    '/admin/elections/:simple/manual-results',
    {
      certified_at: '2026-11-21T10:00',
      certified_by: 'Tellers',
      notes: 'Twice',
      results: { contests: [{ label: 'Chair', items: [{ label: 'Ann', votes: 1 }] }] },
    },
  ],
  ['DELETE', '/admin/elections/:simple/manual-results', {}],
  ['POST', '/admin/elections/:simple/tokens', { count: 1, batch_name: 'Hall' }],
  ['POST', '/admin/elections/:simple/tokens/print', { tokens: ['x'] }],
  ['POST', '/admin/elections/:simple/tokens/csv', { tokens: ['x'] }],
  ['DELETE', '/admin/elections/:simple/batches', { batch_name: 'Hall', confirm: 'Hall' }],
  [
    'POST',
    '/admin/elections/:ranked/candidates',
    { name: 'Zoe', display_order: 1, is_none_of_the_above: true },
  ],
  ['DELETE', '/admin/elections/:ranked/candidates/x', {}],
  ['POST', '/admin/elections/:poll/options', { name: 'Juice', display_order: 1, is_none_of_the_above: true }],
  ['DELETE', '/admin/elections/:poll/options/x', {}],
  ['POST', '/admin/elections/:simple/manual-results/edit', { more: 'contest', certified_by: 'x' }],
  ['POST', '/admin/elections/preview', { title: 'x', ballot_type: 'POLL', options: 'a' }],
  ['POST', '/e/:simple/vote', { token: ':token', choice: 'yes', submission_id: 'x', inclusion_code: 'x' }],
  ['POST', '/e/:ranked/vote', { token: ':token', ranking: ['x'] }],
  ['POST', '/e/:poll/vote/poll', { token: ':token', selected_option: 'x', selected_options: ['x'] }],
  [
    'POST',
    '/e/:ranked/vote/review',
    { token: ':token', ranking: ['x'], step: 'edit', rank_x: '1', shown_order: '2,1' },
  ],
  ['POST', '/vote/my-elections', { email: 'x@club.example', token: 'x', election_id: 'x' }],
  ['POST', '/admin/elections/:simple/clone', {}],
  ['POST', '/admin/elections/:simple/close', {}],
  ['DELETE', '/admin/elections/:simple', { confirm: 'x' }],
];

const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

test('one hostile value in a valid request for an election is refused, or taken as what it is', async () => {
  const problems: unknown[] = [];
  for (const [index, [method, address, body]] of VALID.entries()) {
    const [simple, { id: ranked }, { id: poll }] = await Promise.all([
      addElection(service, { settings: { inclusion_codes: true } }),
      addRanked(service, ['Ann', 'Bob']),
      addPoll(service, ['Tea', 'Milk', 'Juice']),
    ]);
    const url = address.replace(':simple', simple).replace(':ranked', ranked).replace(':poll', poll);
    const [token = ''] = address.startsWith('/e/') ? await addTokens(service, url.split('/')[2]!, 1) : [];
    for (const [field, good] of Object.entries(body)) {
      for (const value of fc.sample(nasty, { seed: SEED + index, numRuns: 4 * ROUNDS })) {
        const payload = JSON.stringify({ ...body, [field]: value }).replace(':token', token);
        const headers = { ...KEYS, 'content-type': 'application/json' };
        const answer = await service.app.inject({ method, url, payload, headers });
        const isPage = String(answer.headers['content-type']).startsWith('text/html');
        const taken = answer.statusCode < 400 && !isPage && isContainer(value) && !isContainer(good);
        const problem = complaint(answer) ?? (taken ? 'was taken' : undefined);
        if (problem) problems.push([method, url, field, JSON.stringify(value).slice(0, 60), problem]);
      }
    }
  }
  expect(problems).toEqual([]);
  expect(failures()).toEqual([]);
  for (const address of ['/', '/admin', '/admin/audit-logs'])
    expect((await page(service, address)).statusCode).toBe(200);
});
