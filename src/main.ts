import { once } from 'node:events';
import { ConfigError, listenAt, readConfig } from './kernel/config.ts';
import { DatabaseError } from './kernel/db/database-error.ts';

/** Longest that open requests may hold up a stop. */
const STOP_WITHIN_MS = 10_000;

// Whatever this process writes is for its own user alone.
process.umask(0o077);

try {
  await serve();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const stop = stopSignal();
  const config = readConfig();
  const at = listenAt(config);
  // A bad configuration is refused before all else is loaded, which is most of the work of a start.
  const { openService } = await import('./service.ts');
  await using service = await openService(config, at, stop);
  if (!service) return;
  const { address, setUpCode } = service;
  // Not through the logger: whoever reads the log must not become the owner.
  if (setUpCode) console.log(`Set up: ${config.BASE_URL ?? address}/set-up code ${setUpCode}`);

  if (!stop.aborted) await once(stop, 'abort');
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
}

function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

/** One line for what an operator can mend; the whole error for what is ours. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseError) return error.message;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `PORT: ${message.replace(/^listen EADDRINUSE: /, '')}`;
  if (code === 'EINVAL' || code === 'ENOTSOCK')
    return `LISTEN_FDS: the parent hands over no listening socket (${message})`;
  if (code === 'EACCES' || code === 'EADDRNOTAVAIL') return `HOST, PORT: ${message}`;
  return error;
}
