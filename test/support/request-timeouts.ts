import { onTestFinished } from 'vitest';

/**
 * Until the test ends the time limits of requests run out only when the test says: what was sent has then arrived,
 * however slow the machine is. @param ofMs which limits, all by default @returns what lets those that run now run out
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
