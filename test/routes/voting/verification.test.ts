import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, cast, page } from '#test/support/factories.ts';
import { atField, expectRefusal, message } from '#test/support/messages.ts';

const CODE = '0123456789abcdef0123456789abcdef';

let service: TestApp;
let id: string;

beforeEach(async () => {
  service = await testApp();
  id = await addElection(service, { settings: { inclusion_codes: true } });
  const [token] = await addTokens(service, id, 2);
  await cast(service, id, { token, choice: 'yes', inclusion_code: CODE });
});
afterEach(() => service[Symbol.asyncDispose]());

test('the confirmation shows the code in groups of four, and a link to check it', async () => {
  const [token = ''] = await addTokens(service, id, 1);
  const { body } = await service.submit(`/e/${id}/vote`, {
    token,
    choice: 'no',
    inclusion_code: CODE.replace('0', 'f'),
  });

  expect(body).toContain('>f123 4567 89ab cdef 0123 4567 89ab cdef<');
  expect(body).toContain(`href="/e/${id}/check"`);
});

test.each([
  ['as it is stored', CODE],
  ['in groups of four', '0123 4567 89ab cdef 0123 4567 89ab cdef'],
  ['with dashes, in capitals', ' 01234567-89ABCDEF-01234567-89ABCDEF '],
])('a code %s finds its ballot after the close, without script', async (_, code) => {
  await service.post(`/admin/elections/${id}/close`);
  const shown = await service.submit(`/e/${id}/check`, { code });
  const other = await service.submit(`/e/${id}/check`, { code: code.replace('1', '2') });

  expect(shown.body).toContain('Your ballot is in the box');
  expect(shown.body).not.toContain(code);
  expect(other.body).toContain('There is no ballot with this code');
  expect((await service.post(`/e/${id}/check`, { code })).json()).toEqual({ found: true });
  expect(service.logged.join()).not.toContain(CODE);
});

test('an invalid code is refused with the page, the input and a sentence at the field', async () => {
  await service.post(`/admin/elections/${id}/close`);
  const form = await service.submit(`/e/${id}/check`, { code: 'not "mine"' });
  const json = await service.post(`/e/${id}/check`, { code: '0123' });

  expect(form.statusCode).toBe(400);
  expect(form.body).toContain('value="not &quot;mine&quot;"');
  expect(form.body).toContain(atField('not_check_code'));
  expect([json.statusCode, json.json().errors[0].path]).toEqual([400, 'code']);
});

test('before the close the page says when codes can be checked, and reveals nothing', async () => {
  const { statusCode, body } = await page(service, `/e/${id}/check`);
  expect(statusCode).toBe(200);
  expect(body).toContain(message('checks_after_close'));
  expect(body).not.toContain('name="code"');
  expectRefusal(await service.post(`/e/${id}/check`, { code: CODE }), 403, 'checks_after_close');

  service.clock.now += 2 * HOUR;
  expect((await page(service, `/e/${id}/check`)).body).toContain('name="code"');
});

test('an election without codes has no such page, and the error says so', async () => {
  const plain = await addElection(service);
  const shown = await page(service, `/e/${plain}/check`);

  expect(shown.statusCode).toBe(404);
  expect(shown.body).toContain(message('no_check_codes'));
  expectRefusal(await service.post(`/e/${plain}/check`, { code: CODE }), 404, 'no_check_codes');
});

test.each([
  ['that cover the choice', 'content', true],
  ['that do not cover the choice', 'included', false],
])('officers read of codes %s what voters read', async (_, receipts, covers) => {
  const election = await addElection(service, { settings: { receipts } });
  const [token] = await addTokens(service, election, 1);
  await cast(service, election, { token, choice: 'yes', inclusion_code: CODE });
  await service.post(`/admin/elections/${election}/close`);
  const admin = `/admin/elections/${election}`;

  const details = `${admin}/results-preview/details`;
  for (const url of [`${admin}/results-preview`, `${admin}/chair`])
    expect((await page(service, url)).body).toContain(`href="${details}"`);
  for (const url of [`/e/${election}`, details]) {
    const { body } = await page(service, url);
    expect(body.includes('It cannot show how anyone voted')).toBe(!covers);
    expect(body.includes('your-code:your-choice')).toBe(covers);
  }
});
