// The thread's side of thread.ts.
import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';

/** A message that our own thread has sent, not Node. */
export interface ByThread<Said> {
  byThread: true;
  said: Said;
}

/** Answers the one who waits in `Thread.next`. */
export function say<Said>(said: Said): void {
  const message: ByThread<Said> = { byThread: true, said };
  parentPort!.postMessage(message);
}

export function isByThread(message: unknown): message is ByThread<unknown> {
  return typeof message === 'object' && message !== null && 'byThread' in message;
}

/** Calls `answer` with each request of `Thread.tell`. */
export function onRequest<Asked>(answer: (request: Asked) => void): void {
  parentPort!.on('message', answer);
}

/** Waits for the next request of `Thread.tell`. The thread is ended with its owner, so this wait cannot outlast it. */
export async function nextRequest<Asked>(): Promise<Asked> {
  const [request] = await once(parentPort!, 'message');
  return request as Asked;
}
