// The real service for the content bench, which asks it by messages what it has used. Its settings are in the
// environment, as always.

/** What the process has used: processor time since its start, memory after a collection. */
export interface Used {
  cpuMs: number;
  /** Heap and buffers, bytes. */
  held: number;
}

process.on('message', () => {
  globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({ cpuMs: (user + system) / 1_000, held: heapUsed + external } satisfies Used);
});
// The parent that waits for an answer keeps it alive anyhow.
process.channel?.unref();

// It ends when the service does.
void import('../../src/main.ts');
