import { expect, test } from 'vitest';
import { ADMIN } from '#test/calendar/fixtures.ts';
import { testApp } from '#test/support/app.ts';
import { expectBadField, fieldJson } from '#test/support/messages.ts';

const ELECTION = {
  title: 'Chair',
  ballot_type: 'SIMPLE_TRIPLE',
  open_at: '2026-11-21T10:00:00Z',
  close_at: '2026-12-21T10:00:00Z',
};

const LIVE = '/api/now-playing/current';

test('an empty text in a query counts as absent, on every address that reads one', async () => {
  await using service = await testApp();
  const { paths } = (await service.get('/openapi.json')).json() as {
    paths: Record<string, { get?: { parameters?: { in: string; name: string; required?: boolean }[] } }>;
  };
  const refused: string[] = [];
  let asked = 0;
  for (const [path, { get }] of Object.entries(paths)) {
    const optional = (get?.parameters ?? []).filter((one) => one.in === 'query' && !one.required);
    // A stream does not end.
    if (optional.length === 0 || path.includes('{') || path.endsWith('/stream') || path === LIVE) continue;

    for (const { name } of optional) {
      asked += 1;
      const url = `${path}?${name}=`;
      const { statusCode } = await service.get(url, { accept: 'application/json', ...ADMIN });
      if (statusCode === 400) refused.push(url);
    }
  }
  expect(asked).toBeGreaterThan(30);
  expect(refused).toEqual([]);
});

test.each<[path: string, body: object]>([
  ['/api/now-playing/offset', { trackId: 1, offsetMs: 1, confidence: '' }],
  ['/api/now-playing/lighting', { action: 'scene', name: 'Bar', params: '' }],
  ['/api/now-playing/sound', { mode: 'bar', ramp_s: '' }],
  ['/admin/elections', { ...ELECTION, invite_mode: '', attachment_url: '', settings: { quorum: '' } }],
  ['/api/admin/enable', { email: 'nobody@club.example', calendar_id: '', subscriber_id: '' }],
])('an empty text in an optional field of POST %s counts as absent', async (path, body) => {
  await using service = await testApp();
  const { statusCode, body: answer } = await service.post(path, body, ADMIN);
  expect([path, statusCode === 400 ? answer : 'taken']).toEqual([path, 'taken']);
});

test('an empty text in a field that has to be there is refused for what it is', async () => {
  await using service = await testApp();
  const { errors } = (await service.post('/admin/elections', { ...ELECTION, title: '' }, ADMIN)).json();
  expect(errors).toEqual([fieldJson('title', 'empty')]);
});

test('in a change an empty text clears, or is refused: it does not count as absent', async () => {
  await using service = await testApp();
  const { id } = (
    await service.post('/admin/elections', { ...ELECTION, description: 'About it' }, ADMIN)
  ).json();
  const change = (payload: object) =>
    service.request({
      method: 'PATCH',
      url: `/admin/elections/${id}`,
      payload,
      headers: { accept: 'application/json', ...ADMIN },
    });
  expect((await change({ description: '' })).json().election.description).toBeNull();
  expectBadField(await change({ title: '' }), 'title', 'empty');
});
