import { describe, expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

type Method = 'POST' | 'PATCH' | 'PUT' | 'DELETE';

/** One route that takes a body for each kind of handler. */
const routesOf = (id: string): [Method, string][] => [
  ['POST', '/admin/elections'],
  ['PATCH', `/admin/elections/${id}/dates`],
  ['PUT', `/admin/elections/${id}/manual-results`],
  ['POST', `/admin/elections/${id}/tokens`],
  ['DELETE', `/admin/elections/${id}/batches`],
  ['POST', `/e/${id}/vote`],
  ['POST', `/e/${id}/vote/poll`],
];

const raw = (service: TestApp, method: Method, url: string, payload: string | Buffer, type?: string) =>
  service.request({
    method,
    url,
    payload,
    headers: { accept: '*/*', ...(type && { 'content-type': type }) },
  });

describe('a body that is no JSON', () => {
  it.each([
    '{',
    '{"a":}',
    '[1,',
    'null null',
    'undefined',
    '\0',
    "{'a':1}",
    '{"a":1}{"b":2}',
    'NaN',
    '"\\u12"',
    'a=b',
  ])('is a 400 in JSON: %j', async (payload) => {
    const service = await shared();
    const id = await addElection(service);

    const answers = [];
    for (const [method, url] of routesOf(id)) {
      answers.push(await raw(service, method, url, payload, 'application/json'));
    }

    for (const answer of answers) {
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.json().error).toEqual(expect.any(String));
    }
  });

  it.each([
    '{"__proto__":{"token":"x"}}',
    '{"settings":{"__proto__":{"quorum":1}}}',
    '{"constructor":{"prototype":{"polluted":1}}}',
    '{"\\u005f_proto__":{"polluted":1}}',
  ])('or contains a prototype key is a 400: %s', async (payload) => {
    const service = await shared();
    const id = await addElection(service);

    const answers = [];
    for (const [method, url] of routesOf(id)) {
      answers.push(await raw(service, method, url, payload, 'application/json'));
    }

    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 400));
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('a content type', () => {
  it.each([
    'text/plain',
    'text/xml',
    'application/xml',
    'application/octet-stream',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'nonsense',
    undefined,
  ])('other than JSON and forms is a 415: %s', async (type) => {
    const service = await shared();
    const id = await addElection(service);

    const answers = [];
    for (const [method, url] of routesOf(id))
      answers.push(await raw(service, method, url, '{"count":1}', type));

    for (const answer of answers) {
      expect(answer.statusCode).toBe(415);
      expect(answer.json().error).toEqual(expect.any(String));
    }
  });

  it('is recognized in any letter case, and so is Accept', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token = ''] = await addTokens(service, id, 1);
    const form = { 'content-type': 'Application/X-WWW-Form-Urlencoded; charset=UTF-8' };

    const json = await raw(
      service,
      'POST',
      `/admin/elections/${id}/tokens`,
      '{"count":1}',
      'APPLICATION/JSON',
    );
    const shown = await service.get(`/e/${id}`, { accept: 'Application/JSON' });
    const ballot = await service.submit(
      `/e/${id}/vote`,
      { token, choice: 'yes' },
      { ...form, accept: 'TEXT/HTML' },
    );
    const changed = await service.submit(
      `/admin/elections/${id}/settings?_method=PATCH`,
      { 'settings.publish_results_to_home': 'true' },
      form,
    );

    expect([json.statusCode, ballot.statusCode, changed.statusCode]).toEqual([200, 200, 303]);
    expect(shown.json().election.id).toBe(id);
    expect(ballot.headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('of JSON can name a charset', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answer = await raw(
      service,
      'POST',
      `/admin/elections/${id}/tokens`,
      '{"count":1}',
      'application/json; charset=utf-8',
    );

    expect(answer.statusCode).toBe(200);
  });
});

describe('an empty body', () => {
  it.each([undefined, 'application/json'])(
    'is valid if none is needed, with content type %s',
    async (type) => {
      await using service = await testApp();
      const id = await addElection(service);
      const url = `/admin/elections/${id}`;

      const answers = [
        await raw(service, 'POST', `${url}/clone`, '', type),
        await raw(service, 'DELETE', `${url}/manual-results`, '', type),
        await raw(service, 'POST', `${url}/close`, '', type),
        await raw(service, 'DELETE', url, '', type),
      ];

      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    },
  );

  it('is a 400 that names the missing field if one is needed', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const paths = [];
    for (const [method, url] of routesOf(id)) {
      const answer = await raw(service, method, url, '', 'application/json');
      paths.push([answer.statusCode, answer.json().errors[0].path]);
    }

    expect(paths).toEqual([
      [400, 'title'],
      [400, 'open_at'],
      [400, 'results'],
      [400, 'count'],
      [400, 'batch_name'],
      [400, 'token'],
      [400, 'token'],
    ]);
  });
});

describe('a body over the limit', () => {
  it('is a 413: 64 KB for a ballot, 1 MB for officers', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const ballot = (size: number) => {
      const body = JSON.stringify({ token, choice: 'yes', padding: '' });
      return body.replace('"padding":""', `"padding":"${'x'.repeat(size - body.length)}"`);
    };

    const over = await raw(service, 'POST', `/e/${id}/vote`, ballot(65_537), 'application/json');
    const form = await raw(
      service,
      'POST',
      `/e/${id}/vote`,
      `token=${'x'.repeat(65_536)}`,
      'application/x-www-form-urlencoded',
    );
    const review = await raw(service, 'POST', `/e/${id}/vote/review`, ballot(65_537), 'application/json');
    const officers = await raw(
      service,
      'POST',
      '/admin/elections',
      `"${'x'.repeat(1_048_576)}"`,
      'application/json',
    );
    const edge = await raw(service, 'POST', `/e/${id}/vote`, ballot(65_536), 'application/json');

    for (const answer of [over, form, review, officers]) {
      expect(answer.statusCode).toBe(413);
      expect(answer.json().error).toEqual(expect.any(String));
    }
    expect(edge.statusCode).toBe(200);
  });

  it('is refused with a page for a browser’s form', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const answer = await service.submit(`/e/${id}/vote`, { token: 'x'.repeat(70_000) });

    expect(answer.statusCode).toBe(413);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
  });
});

describe('every response', () => {
  it('has a unique id and forbids content sniffing; a failure shows only the id', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await service.ctx.write((tx) => tx.run(build.schema.dropTable('manual_results')));

    const fine = await service.get('/health');
    const refused = await service.get('/e/nowhere');
    const failed = await service.get(`/e/${id}`);
    const failedPage = await page(service, `/e/${id}`);

    for (const { headers } of [fine, refused, failed, failedPage]) {
      expect(headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^[-0-9a-f]{36}$/),
        'x-content-type-options': 'nosniff',
      });
    }
    expect(failed.statusCode).toBe(500);
    expect(failed.json()).toEqual({
      error: message('internal_error'),
      code: 'internal_error',
      params: {},
      message: failed.headers['x-request-id'],
    });
    expect(failedPage.statusCode).toBe(500);
    expect(failedPage.body).not.toMatch(/manual_results|SqliteError|node_modules/);
    expect(service.logged.join()).toContain(String(failed.headers['x-request-id']));
  });
});
