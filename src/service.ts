import { buildApp } from './app.ts';
import { openCalendar } from './calendar/context.ts';
import { jobs } from './jobs.ts';
import type { Config, ListenAt } from './kernel/config.ts';
import { openWhenFree } from './kernel/db/standby.ts';
import { openContext } from './kernel/open-context.ts';
import { startJobs } from './kernel/scheduler.ts';
import { isSetUp, SetUpCode } from './people/set-up.ts';

/** A listening service; disposing it stops everything that was opened for it. */
export interface Service extends AsyncDisposable {
  address: string;
  /** The code that makes the first owner; undefined once there is one. */
  setUpCode: string | undefined;
}

/** Opens the database, starts the jobs and listens. @returns undefined if `stop` ended a standby before it took over */
export async function openService(
  config: Config,
  at: ListenAt,
  stop: AbortSignal,
): Promise<Service | undefined> {
  await using resources = new AsyncDisposableStack();
  const open = () => openContext(config);
  const ctx = config.STANDBY ? await openWhenFree(open, at, stop) : await open();
  if (!ctx) return undefined;
  resources.use(ctx);
  // Disposed in reverse order: first the streams and requests, then the jobs, then the database.
  const calendarContext = openCalendar(ctx);
  resources.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const setUpCode = new SetUpCode(ctx.now);
  const app = resources.adopt(await buildApp(ctx, { calendarContext, setUpCode }), (app) => app.close());
  const address = await app.listen(at);
  resources.defer(() => ctx.log.info('stopping'));
  const all = resources.move();
  return {
    address,
    setUpCode: isSetUp(ctx) ? undefined : setUpCode.shown,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
