import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { adminGuard } from '#kernel/access/guards.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from './http.ts';

/** What became of a request. */
export interface Answered {
  id: string;
  method: string;
  url: string;
  /** Its pattern; `none` for an address that there is not. */
  route: string;
  status: number;
  ms: number;
}

/**
 * GET /metrics for officers, in Prometheus' text format: requests by route and status, open streams, and the process
 * itself (`process_*`, `nodejs_*`). Labels come from a closed list, so their number stays small.
 * @returns counts a request
 */
export function metrics(app: App, ctx: Context): (answered: Answered) => void {
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

  // What watches the process itself starts with the first look: nobody pays who never looks.
  let watching = false;
  app.get(
    '/metrics',
    { config: { json: true }, onRequest: adminGuard(ctx), schema: { hide: true } },
    async (_request, reply) => {
      if (!watching) collectDefaultMetrics({ register: registry });
      watching = true;
      return reply
        .type(registry.contentType)
        .header('cache-control', 'no-store')
        .send(await registry.metrics());
    },
  );
  return ({ route, method, status, ms }) => {
    requests.observe({ method, route, status: `${Math.floor(status / 100)}xx` }, ms / SECOND);
  };
}
