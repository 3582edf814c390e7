import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from './support/app.ts';
import { addElection, addPoll, addTokens } from './support/factories.ts';

/** Another seed or more rounds find more: FUZZ_SEED=7 FUZZ_ROUNDS=50 npx vitest run test/fuzz.test.ts */
const SEED = Number(process.env.FUZZ_SEED ?? 20261121);
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 4);

const KEYS = {
  authorization: 'Bearer a-key',
  'x-admin-token': 'a-token',
  host: 'localhost:3000',
};
const SWITCHES = ['SPORTS', 'NOW_SHOWING', 'SCREENINGS', 'SETLIST_REQUESTS', 'FEEDBACK'];
// Not the addresses of modules that pages load: /assets/<version>/src/….
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

const nasty = fc.constantFrom<unknown>(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '../../../etc/passwd',
  "'; DROP TABLE elections; --",
  '<script>alert(1)</script>',
  '=1+1',
  '1e309',
  '-0',
  '9'.repeat(40),
  '0x10',
  'x'.repeat(5_000),
  '__proto__',
  'constructor',
  '\u202e\u0301🏳️‍🌈',
  '%00',
  '%zz',
  'NaN',
  'null',
  '2026-02-30T25:61:00Z',
  '+275760-09-13T00:00:00Z',
  '::ffff:127.0.0.1',
  'http://169.254.169.254/',
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [null],
  [[[[]]]],
  { length: 1e9 },
  { toString: 'x' },
);
const value = () => fc.oneof({ weight: 3, arbitrary: nasty }, fc.constantFrom(...known), fc.jsonValue());
const text = () => value().map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));

interface Operation {
  method: string;
  url: string;
  fields: string[];
  query: string[];
}

/** Returns every route of /openapi.json, with the field names of its body and query. */
function operations(): Operation[] {
  const paths = service.app.swagger().paths ?? {};
  return Object.entries(paths).flatMap(([url, methods]) =>
    Object.entries(methods ?? {}).map(([method, operation]) => {
      const { requestBody, parameters = [] } = operation as {
        requestBody?: { content?: Record<string, { schema?: unknown }> };
        parameters?: { in: string; name: string }[];
      };
      const schema = JSON.stringify(requestBody?.content ?? {});
      const names = [...schema.matchAll(/"(\w+)":\{"(?:type|anyOf|description|default)/g)].map(
        ([, name]) => name!,
      );
      return {
        method: method.toUpperCase(),
        url,
        fields: [...new Set(names)].filter((name) => name !== 'properties' && name !== 'schema'),
        query: parameters.filter((one) => one.in === 'query').map((one) => one.name),
      };
    }),
  );
}

function requestFor({ method, url, fields, query }: Operation): fc.Arbitrary<InjectOptions> {
  const path = url.split(/(\{\w+\})/).map((part) => (part.startsWith('{') ? text() : fc.constant(part)));
  const bag = (names: string[], of: fc.Arbitrary<unknown>) =>
    fc.dictionary(names.length > 0 ? fc.constantFrom(...names) : fc.string({ maxLength: 8 }), of, {
      maxKeys: 6,
    });
  const json = fc.oneof(
    { weight: 6, arbitrary: bag(fields, value()).map((body) => JSON.stringify(body)) },
    fc.constantFrom(
      '{',
      '[]',
      'null',
      '"x"',
      '{"a":1,"a":2}',
      '{"__proto__":{"x":1}}',
      `[${'['.repeat(2_000)}`,
    ),
  );
  const form = bag(fields, text()).map((body) =>
    new URLSearchParams(body as Record<string, string>).toString(),
  );
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
    { 'accept-language': '*;q=9', 'content-length': 'x' },
  );
  return fc.record({ path: fc.tuple(...path), query: bag(query, text()), body, accept, odd }).map((made) => {
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
  const stored = () => JSON.stringify(service.ctx.db.first(counts));
  let before = stored();
  for (const [index, operation] of operations().entries()) {
    // A stream does not end by itself.
    if (operation.url.endsWith('/current')) continue;
    const requests = fc.sample(requestFor(operation), { seed: SEED + index, numRuns: ROUNDS });
    for (const request of requests) {
      const answer = await service.app.inject(request);
      const what = `${request.method} ${String(request.url).slice(0, 200)} ${String(request.payload ?? '').slice(0, 300)}`;
      if (STACK.test(answer.body) && answer.statusCode >= 400)
        problems.push(`${what}: shows ${answer.body.slice(0, 300)}`);
      const after = stored();
      if (answer.statusCode >= 400 && after !== before)
        problems.push(`${what}: ${answer.statusCode}, yet stored`);
      before = after;
    }
  }
  const failed = service.logged
    .filter((line) => line.includes('"request failed"'))
    .map((line) => line.slice(0, 1_500));

  expect(problems).toEqual([]);
  expect(failed).toEqual([]);
});
