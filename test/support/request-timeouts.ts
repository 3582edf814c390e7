import { onTestFinished } from 'vitest';

/**
 * Until the test ends, requests time out only when the test says so: then they have arrived, however slow the machine.
 * @param ofMs which time limits, all by default @returns a function that makes the pending ones expire
 */
export function holdTimeouts(ofMs?: number): () => void {
  const original = AbortSignal.timeout;
  const running = new Set<AbortController>();
  AbortSignal.timeout = (ms) => {
    if (ofMs !== undefined && ms !== ofMs) return original.call(AbortSignal, ms);
    const limit = new AbortController();
    running.add(limit);
    return limit.signal;
  };
  onTestFinished(() => {
    AbortSignal.timeout = original;
  });
  return () => {
    for (const limit of running) limit.abort(new DOMException('The time limit is over', 'TimeoutError'));
    running.clear();
  };
}
