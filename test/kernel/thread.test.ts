import { expect, onTestFinished, test } from 'vitest';
import { Thread, ThreadEnded } from '#kernel/thread.ts';

const SIDE = new URL('../../src/kernel/thread-side.ts', import.meta.url).href;

/** A thread that runs `code`, with the functions of thread-side.ts. */
function threadOf(code: string): Thread<unknown, unknown> {
  const whole = `import { nextRequest, onRequest, say } from '${SIDE}';
    import { parentPort } from 'node:worker_threads';
    ${code}`;
  const thread = new Thread(new URL(`data:text/javascript,${encodeURIComponent(whole)}`));
  onTestFinished(() => thread.end());
  return thread;
}

test.each([
  ['says something', `say({ count: 1 })`, { count: 1 }],
  ['says a false value', `say(false)`, false],
  [
    'is preceded by a message of Node',
    `parentPort.postMessage({ 'watch:import': ['file:///x'] }); say('counted')`,
    'counted',
  ],
  ['is asked', `onRequest((request) => say('heard ' + request))`, 'heard hello'],
  ['waits for a request', `say('heard ' + await nextRequest())`, 'heard hello'],
])('a thread that %s is heard', async (_how, code, expected) => {
  expect(await threadOf(code).ask('hello', 30_000)).toEqual(expected);
});

test.each([
  ['throws', `throw new TypeError('No such song')`, 'No such song'],
  ['throws later', `onRequest(() => { throw new Error('Bad request') })`, 'Bad request'],
  ['leaves a rejected promise', `Promise.reject(new Error('Forgotten'))`, 'Forgotten'],
  ['ends at once', `process.exit(1)`, 'ended without an answer'],
  ['ends when it is asked', `onRequest(() => process.exit(0))`, 'ended without an answer'],
  ['has nothing to do', ``, 'ended without an answer'],
  ['cannot be loaded', `await import('file:///nowhere.js')`, 'Cannot find module'],
])('the wait for a thread that %s ends with an error', async (_how, code, message) => {
  const thread = threadOf(code);

  await expect(thread.ask('hello', 30_000)).rejects.toThrow(message);
  expect(thread.ended).toBe(true);
  // So does each later one.
  await expect(thread.ask('hello', 30_000)).rejects.toThrow(message);
});

test('a thread that answers nothing is ended after the limit', async () => {
  const thread = threadOf(`onRequest(() => { for (;;); })`);

  await expect(thread.ask('hello', 1)).rejects.toBeInstanceOf(ThreadEnded);
});

test('the wait for a thread that is ended by its owner ends', async () => {
  const thread = threadOf(`onRequest(() => undefined)`);
  const waiting = thread.ask('hello', 30_000);
  await Promise.all([thread.end(), expect(waiting).rejects.toBeInstanceOf(ThreadEnded)]);
});

test('each of the last messages of a thread is heard', async () => {
  // Node delivers what was sent just before the end in one turn, with the end itself.
  const threads = Array.from({ length: 10 }, () =>
    threadOf(`await nextRequest(); for (const word of ['one', 'two', 'three']) say(word); process.exit(0)`),
  );

  for (const thread of threads) {
    expect(await thread.ask('hello', 30_000)).toBe('one');
    expect(await thread.next(30_000)).toBe('two');
    expect(await thread.next(30_000)).toBe('three');
  }
});
