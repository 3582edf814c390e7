import path from 'node:path';
import { expect, test } from 'vitest';
import { ThreadEnded } from '#kernel/thread.ts';
import { testApp } from '#test/support/app.ts';
import { ENDLESS, LIMITED } from '#test/support/endless-work.ts';
import { tempFolder } from '#test/support/process/process.ts';

const open = () => testApp({ DATABASE_URL: `file:${path.join(tempFolder(), 'service.db')}` });

test('work in a thread ends with its request; until then the same work is refused', async () => {
  await using service = await open();
  const left = new AbortController();
  const running = service.ctx.inThread(ENDLESS, {}, left.signal);
  await expect(service.ctx.inThread(ENDLESS, {})).rejects.toMatchObject({ statusCode: 429 });
  left.abort();
  await expect(running).rejects.toThrow(ThreadEnded);
  await expect(service.ctx.inThread(ENDLESS, {}, left.signal)).rejects.toThrow(ThreadEnded);
});

test('work in a thread ends after its limit, and is answered so', async () => {
  await using service = await open();
  await expect(service.ctx.inThread(LIMITED, {})).rejects.toMatchObject({
    statusCode: 503,
    code: 'work_took_too_long',
  });
});
