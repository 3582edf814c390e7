import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

test('the longest message fits its route, however it is encoded', async () => {
  await using service = await testApp({ FEEDBACK_ENABLED: 'on' });
  const escaped = `{"message":"${'\\u6f22'.repeat(2_000)}"}`;
  const send = (payload: string, headers: Record<string, string>) =>
    service.request({ method: 'POST', url: '/api/feedback', payload, headers });
  expect((await send(escaped, JSON_TYPE)).statusCode).toBe(200);
  const plain = JSON.stringify({
    message: '漢'.repeat(2_000),
    name: '漢'.repeat(80),
    contact: '漢'.repeat(120),
  });
  expect((await send(plain, JSON_TYPE)).statusCode).toBe(200);
  const form = await service.submit('/feedback', { message: '漢'.repeat(2_000) });
  expect(form.statusCode).toBe(303);
  const tooLong = await send(JSON.stringify({ message: 'x'.repeat(2_001) }), JSON_TYPE);
  expect([tooLong.statusCode, tooLong.json().errors[0].path]).toEqual([400, 'message']);
});
