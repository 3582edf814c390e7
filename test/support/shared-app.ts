import { afterAll } from 'vitest';
import { type TestApp, testApp } from './app.ts';

const UNLIMITED = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000', RATE_LIMIT_ADMIN: '100000' };

/**
 * One service for tests that look at records of their own, or store nothing, with limits that none reaches: opened by the
 * first of them and closed after the last. None moves its clock. Called at the top of a file or in a `describe`.
 */
export function sharedApp(env: Record<string, string> = {}): () => Promise<TestApp> {
  let opened: Promise<TestApp> | undefined;
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
  });
  return () => {
    opened ??= testApp({ ...UNLIMITED, ...env });
    return opened;
  };
}
