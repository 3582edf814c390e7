// Runs the real service for the content bench and answers its messages with the resources used. The settings come from
// the environment, as usual.

/** Resources used: processor time since the start, and memory (after a garbage collection if `collect` was sent). */
export interface Used {
  cpuMs: number;
  /** Heap and buffers, bytes. */
  held: number;
  /** The most processor time that one turn of the event loop has used since the `watch` message. */
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
// The channel to the parent must not keep this process running after the service has stopped.
process.channel?.unref();

/** Measures processor time of this thread, because other load on the machine makes a turn longer in wall time. */
function watch(): void {
  const now = process.threadCpuUsage();
  longest = Math.max(longest, (now.user + now.system - before.user - before.system) / 1_000);
  before = now;
  if (watching) setTimeout(watch, 0).unref();
}

// This process ends when the service stops.
void import('../../../src/main.ts');
