import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { adminGuard } from '#kernel/access/guards.ts';
import { listOwnBackups } from '#kernel/backups.ts';
import type { Check, ListChecks } from '#kernel/checks/checks.ts';
import { freeBytes } from '#kernel/checks/storage.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';

/** A request and its outcome. */
export interface Answered {
  id: string;
  method: string;
  url: string;
  /** The route's pattern; `none` for an unknown address. */
  route: string;
  status: number;
  ms: number;
}

/** Looking at a ballot, reviewing and casting it are counted together: each figure that is kept tells a moment. */
const BALLOTS = '/e/:id/vote';

const SEVERITY: Record<Check['state'], number> = { off: 0, ok: 0, attention: 1, failing: 2 };

/** Gauges of the library with the suffix of counters; `nodejs_active_handles` and so on report the same, by type. */
const MISNAMED = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

/**
 * GET /metrics for officers, in Prometheus' text format: requests by route and status, open streams, mails, the disk,
 * the checks of /admin/health, and the process itself (`process_*`, `nodejs_*`). Labels come from a closed list, so
 * their number stays small. Names and units: https://prometheus.io/docs/practices/naming/
 * @returns a function that counts a request
 */
export function metrics(app: App, ctx: Context, listChecks: ListChecks): (answered: Answered) => void {
  const registry = new Registry();
  const requests = new Histogram({
    name: 'publichouse_http_request_duration_seconds',
    help: 'Time from a request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  });
  new Gauge({
    name: 'publichouse_open_streams',
    help: 'Open event streams and sockets',
    registers: [registry],
    collect() {
      this.set(ctx.connections.size);
    },
  });

  watchState(registry, ctx, listChecks);
  // The metrics of the process start with the first scrape: they cost nothing if nobody reads them.
  let watching = false;
  app.get(
    '/metrics',
    { config: { json: true }, onRequest: adminGuard(ctx), schema: { hide: true } },
    async (_request, reply) => {
      if (!watching) {
        collectDefaultMetrics({ register: registry });
        for (const name of MISNAMED) registry.removeSingleMetric(name);
      }
      watching = true;
      return reply
        .type(registry.contentType)
        .header('cache-control', 'no-store')
        .send(await registry.metrics());
    },
  );
  return ({ route, method, status, ms }) => {
    const labels = route.startsWith(BALLOTS) ? { method: 'any', route: BALLOTS } : { method, route };
    requests.observe({ ...labels, status: `${Math.floor(status / 100)}xx` }, ms / SECOND);
  };
}

/** Registers the metrics that are read at each scrape. */
function watchState(registry: Registry, ctx: Context, listChecks: ListChecks): void {
  const registers = [registry];
  new Gauge({
    name: 'publichouse_build_info',
    help: 'Always 1, with the version as its label',
    labelNames: ['version'],
    registers,
  }).set({ version: ctx.version }, 1);
  new Gauge({
    name: 'publichouse_check_severity',
    help: 'What /admin/health says of each check: 0 fine or not used, 1 look at it, 2 not working',
    labelNames: ['check'],
    registers,
    async collect() {
      for (const { name, state } of await listChecks()) this.set({ check: name }, SEVERITY[state]);
    },
  });
  new Counter({
    name: 'publichouse_mails_total',
    help: 'Mails since the start, by what became of them',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { sent, failed } = ctx.mailer.outcomes();
      this.reset();
      this.inc({ outcome: 'sent' }, sent);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
  watchPublisher(registry, ctx);
  new Gauge({
    name: 'publichouse_disk_free_bytes',
    help: 'Room beside the database',
    registers,
    async collect() {
      const free = await freeBytes(ctx.config);
      if (free !== undefined) this.set(free);
    },
  });
  new Gauge({
    name: 'publichouse_backup_timestamp_seconds',
    help: 'When the newest backup beside the database was made; 0 for none',
    registers,
    collect() {
      this.set((listOwnBackups(ctx)[0]?.made ?? 0) / SECOND);
    },
  });
  new Gauge({
    name: 'publichouse_backup_size_bytes',
    help: 'Size of the newest backup beside the database; 0 for none',
    registers,
    collect() {
      this.set(listOwnBackups(ctx)[0]?.bytes ?? 0);
    },
  });
}

/** Reports zeros if no engine is configured, so that dashboards need no special case. */
function watchPublisher(registry: Registry, { publisher }: Context): void {
  const registers = [registry];
  new Counter({
    name: 'publichouse_stream_publications_total',
    help: 'Events given to the fan-out engine since the start, by what became of them',
    labelNames: ['outcome'],
    registers,
    collect() {
      const { published = 0, failed = 0 } = publisher?.state ?? {};
      this.reset();
      this.inc({ outcome: 'published' }, published);
      this.inc({ outcome: 'failed' }, failed);
    },
  });
  new Gauge({
    name: 'publichouse_engine_open_streams',
    help: 'Open streams that the fan-out engine counts; 0 while it does not answer',
    registers,
    collect() {
      this.set(publisher?.state.streams ?? 0);
    },
  });
}
