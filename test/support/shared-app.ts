import { afterAll } from 'vitest';
import { type TestApp, testApp } from './app.ts';

const UNLIMITED = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000', RATE_LIMIT_ADMIN: '100000' };

/**
 * One service for tests that look at records of their own, or store nothing, with limits that none reaches. None moves
 * its clock. Called at the top of a file or in a `describe`.
 */
export const sharedApp = (env: Record<string, string> = {}): (() => Promise<TestApp>) =>
  shared(() => testApp({ ...UNLIMITED, ...env }));

/** What several tests use: opened by the first of them and closed after the last. */
export function shared<T extends AsyncDisposable>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  afterAll(async () => {
    await (await opened)?.[Symbol.asyncDispose]();
  });
  return () => {
    opened ??= open();
    return opened;
  };
}
