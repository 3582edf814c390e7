import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { WorkQueue } from '#kernel/work-queue.ts';

test('the first piece runs at once, the rest later: one piece of each client in turn', async () => {
  const { ran, enter } = service();

  for (const name of ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2']) enter(name);

  expect(ran).toEqual(['a1']);
  await expect.poll(() => ran).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('every second piece is a voting piece while there are any', async () => {
  const { ran, enter } = service();

  for (const name of ['x1', 'a1', 'a2', 'a3', 'a4', 'a5']) enter(name);
  for (const name of ['v1', 'v2']) enter(name, { voting: true });

  await expect.poll(() => ran).toEqual(['x1', 'v1', 'a1', 'v2', 'a2', 'a3', 'a4', 'a5']);
});

test('a turn of the event loop runs a limited amount of work, but at least one piece', async () => {
  const { clock, ran, enter } = service();
  for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']) enter(name, { takes: 3 });

  await setImmediate();
  expect(ran).toEqual(['a1', 'a2', 'a3']);
  // No other work took time since then.
  await setImmediate();
  expect(ran).toEqual(['a1', 'a2', 'a3', 'a4']);
  clock.now += 4;
  await setImmediate();
  expect(ran).toEqual(['a1', 'a2', 'a3', 'a4', 'a5', 'a6']);
  await expect.poll(() => ran).toHaveLength(8);
});

test('time spent in promise callbacks after a piece counts as its time', async () => {
  const { ran, enter } = service();
  for (const name of ['a1', 'a2', 'a3']) enter(name, { takes: 6, after: 10 });

  await setImmediate();

  expect(ran).toEqual(['a1', 'a2']);
});

test('work pauses while connections keep arriving, but not for long', async () => {
  const { queue, clock, ran, enter } = service();
  for (const name of ['a1', 'a2', 'a3']) enter(name, { takes: 6 });
  await setImmediate();

  queue.yieldToConnections();
  clock.now += 19;
  await setImmediate();
  expect(ran).toEqual(['a1', 'a2']);
  queue.yieldToConnections();
  clock.now += 1;
  await setImmediate();
  expect(ran).toEqual(['a1', 'a2', 'a3']);
});

/** Creates a queue whose clock moves only with its work; the first letter of a piece is its client. */
function service() {
  const clock = { now: 1_000 };
  const queue = new WorkQueue(() => clock.now);
  const ran: string[] = [];
  const enter = (name: string, { voting = false, takes = 0, after = 0 } = {}) => {
    const work = async () => {
      ran.push(name);
      for (let step = 0; step < after; step += 1) await undefined;
      clock.now += takes;
    };
    queue.enter(name[0]!, () => void work(), { voting });
  };
  return { queue, clock, ran, enter };
}
