/**
 * How long further signals count as the first one: npm passes the Ctrl-C of a terminal on to a process that got it
 * too.
 */
const SAME_WISH_MS = 2_000;

/**
 * Returns a signal that SIGTERM or SIGINT aborts. One that comes two seconds later, or after that, ends the process.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const signals = ['SIGTERM', 'SIGINT'] as const;
  const stop = () => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(() => {
      for (const signal of signals) process.off(signal, stop);
    }, SAME_WISH_MS).unref();
  };
  for (const signal of signals) process.on(signal, stop);
  return controller.signal;
}
