// npm start: starts the service. It has no options: what has to be set before the start are variables, in the
// environment or in .env; .env.example lists them. Exit code 1: it could not start, and the message says why.
import { once } from 'node:events';
import { releaseAfterStart } from './kernel/after-start.ts';
import { ConfigError, listenAt, openableAddress, readConfig } from './kernel/config.ts';
import { DatabaseError } from './kernel/db/database-error.ts';
import { markFolder } from './kernel/folder-mark.ts';
import { waysInWords } from './kernel/house-network.ts';
import { stopSignal } from './kernel/stop-signal.ts';

/** Longest time that open requests may delay a stop. */
const STOP_WITHIN_MS = 10_000;

// Only the user of this process may read the files that it creates.
process.umask(0o077);

// What is said to a full disk or to a reader that has gone is lost, and ends nothing.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

try {
  await serve();
} catch (error) {
  console.error(explain(error));
  process.exitCode = 1;
}

async function serve(): Promise<void> {
  const stop = stopSignal();
  markFolder();
  const config = readConfig();
  const at = listenAt(config);
  // An invalid configuration is refused before the other modules are loaded, which takes most of the start.
  const { openService } = await import('./service.ts');
  await using service = await openService(config, at, stop);
  if (!service) return;
  const { address, ways, setUpCode } = service;
  if (process.stdout.isTTY) for (const line of waysInWords(config, ways)) console.log(line);
  // Not through the logger: a reader of the log must not be able to become the owner.
  if (setUpCode) {
    const page = `${config.BASE_URL ?? openableAddress(address)}/set-up`;
    // What follows # is never sent, so the code of the link is in no log of a proxy.
    console.log(`Set up: ${page} code ${setUpCode}\n${page}#${setUpCode}`);
  }

  releaseAfterStart();
  if (!stop.aborted) await once(stop, 'abort');
  setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref();
}

/** Returns one line for an error that an operator can fix, and the whole error for a bug. */
function explain(error: unknown): unknown {
  if (error instanceof ConfigError || error instanceof DatabaseError) return error.message;
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (syscall === 'getaddrinfo') return `HOST: ${message}`;
  // Only an error of listening is about HOST and PORT: files are refused with the same codes, and Node names the file.
  if (syscall !== 'listen') return path === undefined ? error : message;
  if (code === 'EADDRINUSE') return `PORT: ${message.replace(/^listen EADDRINUSE: /, '')}`;
  if (code === 'EINVAL' || code === 'ENOTSOCK')
    return `LISTEN_FDS: the parent hands over no listening socket (${message})`;
  return `HOST, PORT: ${message}`;
}
