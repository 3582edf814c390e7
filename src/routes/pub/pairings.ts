import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached } from '#kernel/http/cached-response.ts';
import type { App } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import { REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { coded } from '#kernel/messages/messages.ts';
import {
  CODE_LENGTH,
  CODE_LIVES,
  type PairingJson,
  POLL_EVERY,
  pollPairing,
  startPairing,
  takePairing,
} from '#pub/devices/pairings.ts';
import { drawQr } from '#pub/display/images.ts';
import { setScreenCookie } from './screen-cookie.ts';
import { originOf } from './screen-origin.ts';

/** Codes per address and minute: many screens share one, and each needs one every ten minutes. */
const CODES_A_MINUTE = 30;
/** Questions per address and minute, for fifty screens that wait. */
const POLLS_A_MINUTE = 600;

const part = { part: 'screens' } as const;
const text = z.string(REQUIRED_TEXT).max(100, coded('too_long', { max: 100 }));
const TakeInput = z.object({ code: text.optional() }).optional();
const PollInput = z.object({ secret: text });
const QrQuery = z.object({ code: z.string().regex(new RegExp(`^[0-9A-Z]{${CODE_LENGTH}}$`)) });

/** How a TV becomes one of the club’s screens: it shows a code, and asks whether somebody has used it. */
export function pairings(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/api/screens/pairings',
    {
      bodyLimit: 1024,
      config: part,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'pairings', CODES_A_MINUTE),
      schema: { summary: 'A code for a screen that wants to be paired', body: TakeInput },
    },
    async (request, reply) => {
      const code = request.body?.code;
      const pairing = await (code === undefined
        ? startPairing(ctx, request.client)
        : takePairing(ctx, request.client, code));
      const times = { expires_in: CODE_LIVES / SECOND, interval: POLL_EVERY / SECOND };
      const json: PairingJson = { ...pairing, ...times };
      return reply.code(201).header('cache-control', 'no-store').send(json);
    },
  );

  app.post(
    '/api/screens/pairings/poll',
    {
      bodyLimit: 1024,
      config: part,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'pairing polls of a client', POLLS_A_MINUTE),
      schema: { summary: 'Whether the code of a screen was used', body: PollInput },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const polled = await pollPairing(ctx, request.body.secret);
      // The page of the code has no heartbeat that would set its clock.
      if (polled === 'waiting') return reply.code(202).send({ waiting: true, now: ctx.now() });
      setScreenCookie(ctx, request, reply, polled.secret);
      return { page: polled.page };
    },
  );

  app.get(
    '/api/screens/pairings/qr',
    {
      config: part,
      onRequest: rateLimit(ctx.limiter, ctx.now, 'pairings', CODES_A_MINUTE),
      schema: { summary: 'A QR code that leads staff to the page with the code', querystring: QrQuery },
    },
    async (request, reply) => {
      const address = `${originOf(ctx, request)}/admin/pub/screens?code=${request.query.code}`;
      return sendCached(request, reply, await drawQr(ctx, address), 'no-store');
    },
  );
}
