import { once } from 'node:events';
import { buildApp } from './app.ts';
import { openCalendar } from './calendar/context.ts';
import { jobs } from './jobs.ts';
import { ConfigError, listenAt, readConfig } from './kernel/config.ts';
import { DatabaseError } from './kernel/db/connection.ts';
import { openWhenFree } from './kernel/db/standby.ts';
import { openContext } from './kernel/open-context.ts';
import { startJobs } from './kernel/scheduler.ts';
import { isSetUp, SetUpCode } from './people/set-up.ts';

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
  await using resources = new AsyncDisposableStack();
  const open = () => openContext(config);
  const ctx = config.STANDBY ? await openWhenFree(open, at, stop) : await open();
  if (!ctx) return;
  resources.use(ctx);
  // Ends before what it was opened after: first the streams and requests, then the jobs, then the database.
  const calendarContext = openCalendar(ctx);
  resources.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const setUpCode = new SetUpCode(ctx.now);
  const app = resources.adopt(await buildApp(ctx, { calendarContext, setUpCode }), (app) => app.close());
  const address = await app.listen(at);
  // Not through the logger: whoever reads the log must not become the owner.
  if (!isSetUp(ctx)) console.log(`Set up: ${config.BASE_URL ?? address}/set-up code ${setUpCode.shown}`);

  if (!stop.aborted) await once(stop, 'abort');
  ctx.log.info('stopping');
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
