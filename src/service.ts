import type { AddressInfo } from 'node:net';
import { buildApp } from './app.ts';
import { openCalendar } from './calendar/context.ts';
import { jobs } from './jobs.ts';
import type { Config, ListenAt } from './kernel/config.ts';
import { openWhenFree } from './kernel/db/standby.ts';
import type { HouseWay, ReadInterfaces } from './kernel/house-network.ts';
import { openContext } from './kernel/open-context.ts';
import { startJobs } from './kernel/scheduler.ts';
import { isSetUp, SetUpCode } from './people/set-up.ts';

/** A listening service; disposing it stops everything that was opened for it. */
export interface Service extends AsyncDisposable {
  address: string;
  /** What other devices use, or could, see `HouseNetwork`. */
  ways: readonly HouseWay[];
  /** The code that makes the first owner; undefined once there is one. */
  setUpCode: string | undefined;
}

/**
 * Opens the database, starts the jobs and listens.
 * @param interfaces reads the network of this machine; tests name another one
 * @returns undefined if `stop` ended a standby before it took over
 */
export async function openService(
  config: Config,
  at: ListenAt,
  stop: AbortSignal,
  { interfaces }: { interfaces?: ReadInterfaces } = {},
): Promise<Service | undefined> {
  await using resources = new AsyncDisposableStack();
  const open = () => openContext(config, { ...(interfaces && { interfaces }) });
  const ctx = config.STANDBY ? await openWhenFree(open, at, stop) : await open();
  if (!ctx) return undefined;
  resources.use(ctx);
  // Disposed in reverse order: first the streams and requests, then the jobs, then the database.
  const calendarContext = openCalendar(ctx);
  resources.use(startJobs(jobs(ctx, calendarContext), ctx.log));
  const setUpCode = new SetUpCode(ctx.now);
  const app = resources.adopt(await buildApp(ctx, { calendarContext, setUpCode }), (app) => app.close());
  const address = await app.listen(at);
  // A socket of the parent process is all that this service listens on.
  if ('port' in at) await ctx.house.serve(app.server, (app.server.address() as AddressInfo).port);
  resources.defer(() => ctx.log.info('stopping'));
  const all = resources.move();
  return {
    address,
    ways: ctx.house.ways(),
    setUpCode: isSetUp(ctx) ? undefined : setUpCode.shown,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
