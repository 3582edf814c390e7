import { afterAll } from 'vitest';
import { type TestApp, testApp } from './app.ts';

const UNLIMITED = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000', RATE_LIMIT_ADMIN: '100000' };

/**
 * Shares one service among tests that use only their own records or store nothing, with rate limits that none reaches.
 * No such test may move its clock. Call it at the top of a file or in a `describe`.
 */
export const sharedApp = (env: Record<string, string> = {}): (() => Promise<TestApp>) =>
  shared(() => testApp({ ...UNLIMITED, ...env }));

/** Returns a function that registers what ends after the last test, the newest first. Call it like `sharedApp`. */
export function afterLast(): (end: () => Promise<void>) => void {
  const ends: (() => Promise<void>)[] = [];
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });
  return (end) => void ends.push(end);
}

/** Shares a resource among several tests: opened by the first of them and closed after the last. */
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
