import fc from 'fast-check';
import type { LightMyRequestResponse } from 'fastify';
import { describe, expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, page } from '#test/support/factories.ts';
import { shared } from '#test/support/shared-app.ts';

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

const UNLIMITED = { RATE_LIMIT_GENERAL: '1000000', RATE_LIMIT_VOTE: '1000000', LOG_LEVEL: 'silent' };
const DATES = { open_at: '2026-11-21T10:00', close_at: '2026-11-22T10:00' };

/** Every route that takes a body, with a valid one. */
const ROUTES: [Method, string, Record<string, unknown>][] = [
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

const DEEP = JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`);
const NASTY: unknown[] = [
  [],
  {},
  [[]],
  [null],
  [{}],
  [1, 2],
  { length: 5 },
  { toString: 1, valueOf: 1 },
  { $ne: null },
  DEEP,
  0,
  -1,
  1.5,
  1e308,
  2 ** 53,
  true,
  null,
  '',
  '\0',
  'a\0b',
  '\ud800',
  '__proto__',
  'constructor',
  "'; DROP TABLE ballots; --",
  '💥'.repeat(3_000),
  '9'.repeat(400),
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
];

const serviceOf = shared(() => testApp(UNLIMITED));
let clients = 0;

/** A new election of each type, and a new client, so that no limit of another test applies. */
async function newElections() {
  const service = await serviceOf();
  const simple = await addElection(service, { settings: { inclusion_codes: true } });
  const { id: ranked } = await addRanked(service, ['Ann', 'Bob']);
  const { id: poll } = await addPoll(service, ['Tea', 'Milk', 'Juice']);
  const tokens: Record<string, string> = {};
  for (const id of [simple, ranked, poll]) [tokens[id] = ''] = await addTokens(service, id, 1);
  clients += 1;
  const client = `10.1.0.${clients}`;
  /** Puts the ids of the elections into the path. */
  const fill = (path: string) =>
    path.replace(':simple', simple).replace(':ranked', ranked).replace(':poll', poll);
  const send = (method: Method, path: string, body: unknown, headers: Record<string, string> = {}) => {
    const url = fill(path);
    const token = tokens[url.split('/')[2] ?? ''] ?? '';
    const payload = typeof body === 'string' ? body : JSON.stringify(body).replace(':token', token);
    return service.request({
      method,
      url,
      payload,
      headers: { 'content-type': 'application/json', 'edge-connecting-ip': client, ...headers },
    });
  };
  return { simple, send, service };
}

const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

/** The problem of a response to a hostile request: a server error, or an error that is not JSON. */
function complaint(answer: LightMyRequestResponse): string | undefined {
  if (answer.statusCode >= 500) return `${answer.statusCode} ${answer.body.slice(0, 200)}`;
  if (answer.statusCode < 400 || answer.headers['content-type'] === 'text/html; charset=utf-8')
    return undefined;
  return typeof answer.json().error === 'string' ? undefined : `no error: ${answer.body}`;
}

describe('a hostile value', () => {
  it.each(ROUTES)('in any field never causes a server error: %s %s', async (method, path, body) => {
    const { send } = await newElections();
    const wrong: unknown[] = [];

    for (const [field, good] of Object.entries(body)) {
      for (const value of NASTY) {
        const answer = await send(method, path, { ...body, [field]: value });
        const isPage = answer.headers['content-type'] === 'text/html; charset=utf-8';
        const taken = answer.statusCode < 400 && !isPage && isContainer(value) && !isContainer(good);
        const problem = complaint(answer) ?? (taken ? 'was taken' : undefined);
        if (problem) wrong.push([field, JSON.stringify(value).slice(0, 60), problem]);
      }
    }

    expect(wrong).toEqual([]);
  });

  it('as a whole body never causes a server error', async () => {
    const { send } = await newElections();

    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...ROUTES),
        fc.jsonValue({ maxDepth: 3 }),
        async ([method, path, body], value) => {
          const mixed =
            isContainer(value) && !Array.isArray(value) ? { ...body, ...(value as object) } : value;
          expect(complaint(await send(method, path, JSON.stringify(mixed)))).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  it('in a query never causes a server error', async () => {
    const { simple, service } = await newElections();
    const addresses = [
      ...['t', 'refresh'].flatMap((name) => [
        `/e/${simple}?${name}=`,
        `/e/${simple}/results?${name}=`,
        `/e/${simple}/vote?${name}=`,
      ]),
      ...['limit', 'offset', 'action', 'election_id'].map((name) => `/admin/audit-logs?${name}=`),
      ...['done', 'ask', 'batch'].map((name) => `/admin/elections/${simple}?${name}=`),
      `/admin/elections/${simple}/export?format=`,
      '/admin?done=',
    ];
    const values = [
      '%00',
      '%ff',
      '__proto__',
      'x'.repeat(3_000),
      '1&%s=2',
      '[]=1',
      "'",
      '%F0%9F%92%A5',
      '1e999',
    ];

    const wrong = [];
    for (const address of addresses) {
      for (const value of values) {
        for (const accept of ['application/json', 'text/html']) {
          const answer = await service.get(address + value, { accept });
          if (complaint(answer)) wrong.push([address + value.slice(0, 40), complaint(answer)]);
        }
      }
    }

    expect(wrong).toEqual([]);
  });
});

describe('a hostile form', () => {
  it.each([
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
    '2,000 fields',
  ])('is answered with a page, and pollutes nothing: %s', async (form) => {
    const payload =
      form === '2,000 fields'
        ? Array.from({ length: 2_000 }, (_, index) => `rank_${index}=${index}`).join('&')
        : form;
    const { send } = await newElections();
    const headers = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };

    const answers = [];
    for (const [method, path] of ROUTES) {
      const url = method === 'POST' ? path : `${path}?_method=${method}`;
      answers.push(await send('POST', url, payload, headers));
    }

    expect(answers.filter(({ statusCode }) => statusCode >= 500).map(({ body }) => body)).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  });
});

it('after all of these the pages with their records are still served', async () => {
  const service = await serviceOf();
  for (const url of ['/', '/admin', '/admin/audit-logs'])
    expect((await page(service, url)).statusCode).toBe(200);
  expect((await service.get('/admin/elections')).statusCode).toBe(200);
});
