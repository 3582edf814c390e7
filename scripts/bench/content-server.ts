// The real service for the content bench, which asks it by messages what it has used. Its settings are in the
// environment, as always.

/** What the process has used: processor time since its start; memory, after a collection where one was asked for. */
export interface Used {
  cpuMs: number;
  /** Heap and buffers, bytes. */
  held: number;
  /** Of the turns of the event loop since it was asked to `watch`, the processor time of the longest. */
  longestTurnMs: number;
}

let longest = 0;
let watching = false;
let before = process.threadCpuUsage();

process.on('message', (asked) => {
  if (asked === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  const used: Used = { cpuMs: (user + system) / 1_000, held: heapUsed + external, longestTurnMs: longest };
  process.send?.(used);
  watching = asked === 'watch';
  before = process.threadCpuUsage();
  longest = 0;
  if (watching) watch();
});
// The parent that waits for an answer keeps it alive anyhow.
process.channel?.unref();

/** Processor time of this thread alone: what else the machine does makes a turn longer by the clock. */
function watch(): void {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1_000);
  before = now;
  if (watching) setTimeout(watch, 0).unref();
}

// It ends when the service does.
void import('../../src/main.ts');
