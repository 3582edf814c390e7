import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { timeout } from '#views/assets/base/request.js';

test('a request times out, also in a browser without AbortSignal.timeout', async () => {
  const native = Object.getOwnPropertyDescriptor(AbortSignal, 'timeout') as PropertyDescriptor;
  onTestFinished(() => void Object.defineProperty(AbortSignal, 'timeout', native));
  Object.defineProperty(AbortSignal, 'timeout', { ...native, value: undefined });

  const signal = timeout(1);
  expect(signal.aborted).toBe(false);
  await once(signal, 'abort');
  expect(signal.aborted).toBe(true);
});
