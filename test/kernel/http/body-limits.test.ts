import { expect, test } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('the longest message fits its route, however it is encoded', async () => {
  await using service = await testApp({ FEEDBACK_ENABLED: 'on' });
  const escaped = `{"message":"${'\\u6f22'.repeat(2_000)}"}`;
  const give = (payload: string, headers: Record<string, string>) =>
    service.request({ method: 'POST', url: '/api/feedback', payload, headers });
  expect((await give(escaped, JSON_TYPE)).statusCode).toBe(200);
  const plain = JSON.stringify({
    message: '漢'.repeat(2_000),
    name: '漢'.repeat(80),
    contact: '漢'.repeat(120),
  });
  expect((await give(plain, JSON_TYPE)).statusCode).toBe(200);
  const form = await service.submit('/feedback', { message: '漢'.repeat(2_000) });
  expect(form.statusCode).toBe(303);
  const tooLong = await give(JSON.stringify({ message: 'x'.repeat(2_001) }), JSON_TYPE);
  expect([tooLong.statusCode, tooLong.json().errors[0].path]).toEqual([400, 'message']);
});

test('a nomination and a motion of the longest texts fit, however they are encoded', async () => {
  await using service = await testApp(mailTo('smtp://127.0.0.1:9'), { delays: [] });
  const held_at = isoTime(service.clock.now + 14 * DAY);
  const { id } = (await service.post('/admin/meetings', { title: 'AGM', held_at })).json();
  const items = `/admin/meetings/${id}/items`;
  const item = (await service.post(items, { kind: 'election', title: 'Chair' })).json().id;
  const period = { opens_at: isoTime(service.clock.now), closes_at: isoTime(service.clock.now + DAY) };
  const called = await send(service, 'PUT', `${items}/${item}/nominations`, {
    ...period,
    who: 'anybody',
    seconders: 0,
  });
  expect([called.statusCode, called.body]).toEqual([200, expect.anything()]);
  const address = (at: number) => `${`a${at}`.padEnd(64, 'x')}@${'club.'.repeat(36)}example`;
  const longest = {
    name: '漢'.repeat(300),
    email: address(0),
    text: '漢'.repeat(1_000),
    proposer: '漢'.repeat(300),
    seconders: Array.from({ length: 10 }, (_, at) => address(at + 1)),
  };
  const motion = {
    ...longest,
    title: '漢'.repeat(300),
    text: '漢'.repeat(10_000),
    reason: '漢'.repeat(5_000),
  };
  await send(service, 'PUT', `/admin/meetings/${id}/motions`, { ...period, who: 'anybody', seconders: 0 });
  for (const [url, sent] of [
    [`/m/${id}/nominate/${item}`, longest],
    [`/m/${id}/motions`, motion],
  ] as const) {
    const escaped = JSON.stringify(sent).replaceAll('漢', '\\u6f22').replaceAll('x', '\\u0078');
    const json = await service.request({ method: 'POST', url, payload: escaped, headers: JSON_TYPE });
    expect([json.statusCode, json.body]).toEqual([202, expect.anything()]);
    const form = await service.submit(url, { ...sent, seconders: sent.seconders.join('\n') });
    expect([form.statusCode, form.body]).toEqual([202, expect.anything()]);
  }
});

test('lists and lyrics are refused for their length in words, never for the bytes of their encoding', async () => {
  await using service = await testApp();
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const asJson = async (method: 'POST' | 'PUT', url: string, payload: string) => {
    const answer = await service.request({ method, url, payload, headers: { ...JSON_TYPE, ...olga } });
    return [answer.statusCode, answer.json().errors?.[0].path];
  };
  const text = (letters: number) => '\\u6f22'.repeat(letters);
  expect([
    await asJson('POST', '/api/admin/people/import', `{"csv":"${text(5 * 1024 * 1024 + 1)}","dry_run":true}`),
    await asJson('POST', '/api/admin/menu/import', `{"text":"${text(500_001)}","dry_run":true}`),
    await asJson(
      'PUT',
      '/api/admin/now-playing/lyrics',
      `{"artist":"${text(300)}","title":"${text(300)}","lrc":"${'\\u0041'.repeat(64 * 1024 + 1)}"}`,
    ),
  ]).toEqual([
    [400, 'csv'],
    [400, 'text'],
    [400, 'lrc'],
  ]);
  const line = `[00:01.00]${'\\u0041'.repeat(100)}\\n`;
  const lyrics = `{"artist":"A","title":"B","lrc":"${line.repeat(580)}"}`;
  expect(await asJson('PUT', '/api/admin/now-playing/lyrics', lyrics)).toEqual([200, undefined]);
});

test('a full list of addresses fits its form and its route', async () => {
  await using service = await testApp();
  const { id } = (await service.post('/admin/distribution-lists', { name: 'Members' })).json();
  const emails = Array.from(
    { length: 10_000 },
    (_, at) => `Ελένη Παπαδοπούλου <eleni.papadopoulou.${at}@club.example>`,
  );
  const added = await service.submit(
    `/admin/distribution-lists/${id}/emails`,
    { emails: emails.join('\n') },
    { accept: 'application/json' },
  );
  expect([added.statusCode, added.json().added]).toEqual([200, 10_000]);
});
