import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { INHERITED } from './process.ts';

const MAIN = path.join(import.meta.dirname, '../../../src/main.ts');

/** A parent that keeps one listening socket and runs the service with it twice, as systemd does. */
const PARENT = `for run in 1 2; do
  LISTEN_FDS=1 sh -c 'echo "pid $$"; LISTEN_PID=$$ exec "$0" "$1" 2>&4' "$0" "$1"
  echo "ended $?"
done`;

/**
 * Starts such a parent, with a database in `folder`; the second run begins when the first has ended.
 * @param main the entry module of both runs, if not that of this repository
 */
export async function holdSocket(folder: string, { main = MAIN, env = {} } = {}) {
  const socket = net.createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  // Node has no public name for the descriptor of a socket that listens.
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  const parent = spawn('sh', ['-c', PARENT, process.execPath, main], {
    cwd: folder,
    env: {
      ...INHERITED,
      DATABASE_URL: `file:${folder}/service.db`,
      OVERLOAD_DELAY_MS: '0',
      REQUESTS_IN_FLIGHT_PER_CLIENT: '100000',
      ...env,
    },
    // The shell reports on 2 that a command was killed, which is intended; the service writes its errors to 4.
    stdio: ['ignore', 'pipe', 'ignore', fd, 2],
    // Its own process group, so that the service ends with it.
    detached: true,
  });
  onTestFinished(() => {
    if (parent.exitCode === null && parent.signalCode === null) process.kill(-parent.pid!, 'SIGKILL');
  });
  socket.close();
  const lines = createInterface({ input: parent.stdout! })[Symbol.asyncIterator]();
  const next = async (wanted: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`It ended before it wrote ${wanted}`);
      const found = wanted.exec(value);
      if (found) return found;
    }
  };
  let running = 0;
  return {
    port,
    /** Waits until the service of the next run listens, and returns its process id. */
    async listening(): Promise<number> {
      running = Number((await next(/^pid (\d+)$/))[1]);
      await next(/Server listening at/);
      return running;
    },
    /** Sends a signal to the service that runs, and waits until it has ended with this exit code. */
    async end(signal: NodeJS.Signals, code: number): Promise<void> {
      process.kill(running, signal);
      await next(new RegExp(`^ended ${code}$`));
    },
  };
}

/**
 * Calls `send` every 20 ms until it is stopped, whether or not earlier requests are answered: the load of many people,
 * each with a connection of their own. `stop` returns what the requests resolved with.
 */
export function sendSteadily<Answer>(send: () => Promise<Answer>) {
  const answers: Promise<Answer>[] = [];
  let waiting = 0;
  const timer = setInterval(() => {
    // The socket holds 511 connections; a start takes long on a busy machine.
    if (waiting >= 300) return;
    waiting += 1;
    answers.push(send().finally(() => (waiting -= 1)));
  }, 20);
  const end = () => clearInterval(timer);
  onTestFinished(end);
  return {
    sent: () => answers.length,
    answered: () => answers.length - waiting,
    stop(): Promise<Answer[]> {
      end();
      return Promise.all(answers);
    },
  };
}
