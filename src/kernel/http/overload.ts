import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { limitedClient } from './client.ts';
import { Connections } from './connections.ts';
import { AppError } from './errors.ts';
import type { App } from './http.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * How requests of this route are treated under load. `always`: never queued, never refused. `voting`: queued in
     * separate lines, never refused. `uncounted`: do not count as requests in flight.
     */
    admission?: 'always' | 'voting' | 'uncounted';
  }
}

/** Retry-After of refused requests, in seconds. */
const RETRY_AFTER_S = { busy: 5, tooMany: 1 };

/** Most pipelined requests that may wait on a connection; with more it is closed. */
const PIPELINED_AT_MOST = 16;

/**
 * Queues requests, so that ballots never wait for them. Refuses with 429 those beyond REQUESTS_IN_FLIGHT_PER_CLIENT,
 * and with 503 those that waited longer than OVERLOAD_DELAY_MS or came while the event loop was that late. Refusals are
 * queued like any request, so that a client that keeps asking does not slow down others.
 */
export function overload(app: App, ctx: Context): void {
  const inFlight = new Connections(Number.POSITIVE_INFINITY, ctx.config.REQUESTS_IN_FLIGHT_PER_CLIENT);
  const { OVERLOAD_DELAY_MS } = ctx.config;
  const isLate = OVERLOAD_DELAY_MS === 0 ? () => false : lateness(app, OVERLOAD_DELAY_MS);

  app.server.on('connection', () => ctx.queue.yieldToConnections());
  app.addHook('onRequest', (request, reply, done) => {
    const { admission } = request.routeOptions.config;
    if (admission === 'always') return done();
    oneByOne(request, reply, () => {
      const client = limitedClient(request.client);
      const refusal = admission === undefined && inFlight.full(client) ? tooMany() : undefined;
      const voting = admission === 'voting';
      const go = (waited: number) => {
        if (reply.raw.destroyed) return;
        const error = refusal ?? (!voting && isLate(waited) ? busy() : undefined);
        if (error) done(error);
        else done();
      };
      const leave = admission === undefined && !refusal ? inFlight.enter(client) : undefined;
      ctx.queue.enter(client, go, { voting });
      return leave;
    });
  });
}

const tooMany = () =>
  new AppError(429, 'too_many_at_once', {}, { extra: { retryAfter: RETRY_AFTER_S.tooMany } });

const busy = () =>
  new AppError(
    503,
    'busy',
    {},
    {
      extra: { retryAfter: RETRY_AFTER_S.busy },
    },
  );

/** Starts a request. @returns a function to call when its answer is closed */
type Start = () => (() => void) | undefined;

/** A pipelined request: sent before the previous one on its connection was answered. */
interface PipelinedRequest {
  response: ServerResponse;
  start: Start;
}

const pipelined = new WeakMap<Socket, PipelinedRequest[]>();

/**
 * Starts the requests of a connection one after the other. While an earlier answer is pending on the connection, Node
 * does not report to a request that the connection broke, and it would count as in flight for ever.
 */
function oneByOne({ raw: { socket } }: FastifyRequest, { raw: response }: FastifyReply, start: Start) {
  const waiting = pipelined.get(socket);
  if (!waiting) {
    pipelined.set(socket, []);
    startNext(socket, { response, start });
  } else if (waiting.push({ response, start }) > PIPELINED_AT_MOST) socket.destroy();
}

function startNext(socket: Socket, { response, start }: PipelinedRequest): void {
  const leave = start();
  response.once('close', () => {
    // First, because the next request may need its slot.
    leave?.();
    const next = socket.destroyed ? undefined : pipelined.get(socket)?.shift();
    if (next) startNext(socket, next);
    else pipelined.delete(socket);
  });
}

/**
 * Returns a test whether a request has waited longer than this, or the event loop was that late on average over the
 * last full second in which the service listened; delays during its start do not count.
 */
function lateness(app: App, longestMs: number): (waitedMs: number) => boolean {
  const resolution = 10;
  const histogram = monitorEventLoopDelay({ resolution });
  let mean = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = () => {
    clearInterval(timer);
    histogram.enable();
    histogram.reset();
    timer = setInterval(() => {
      // NaN if nothing was measured.
      mean = histogram.mean / 1e6 - resolution || 0;
      histogram.reset();
    }, SECOND).unref();
  };
  app.addHook('onReady', async () => start());
  app.addHook('onListen', async () => start());
  app.addHook('onClose', async () => {
    clearInterval(timer);
    histogram.disable();
  });
  return (waitedMs) => Math.max(waitedMs, mean) > longestMs;
}
