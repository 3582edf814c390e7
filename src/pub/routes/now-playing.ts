import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { badField } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { guardedBy } from '#kernel/http/route-table.ts';
import { deviceGuard, needsSetlist } from '#pub/http/device-guard.ts';
import { findSnapshot } from '#pub/now-playing/current.ts';
import { ingest } from '#pub/now-playing/ingest.ts';
import { IngestBody } from '#pub/now-playing/ingest-body.ts';
import { OffsetInput, recordOffset } from '#pub/now-playing/offset.ts';
import { readCursor, readSetlist } from '#pub/setlist/setlist.ts';

const PAGE = 100;
const LARGEST_PAGE = 500;

const SetlistQuery = z.object({
  limit: z
    .string()
    .optional()
    .catch(undefined)
    .transform((text) => (/^\s*[+-]?\d+\s*$/.test(text ?? '') ? clamped(Number(text)) : PAGE)),
  before: z.string({ error: 'must be one ISO 8601 time' }).optional(),
});

/** What the capture device posts, and what was heard. */
export async function nowPlaying(app: App, { ctx }: { ctx: Context }): Promise<void> {
  await app.register(async (device: App) => {
    device.addHook('onRoute', guardedBy('device'));
    device.addHook('onRequest', deviceGuard(ctx));
    device.addHook('onRequest', needsSetlist(ctx));

    // Which of the three it is decides what it must hold: its own function reads it.
    const readLater = { schema: { body: IngestBody }, validatorCompiler: () => () => true };
    device.post('/api/now-playing/ingest', { ...readLater, bodyLimit: 8 * 1024 }, async (request) =>
      ingest(ctx, request.body),
    );
    device.post(
      '/api/now-playing/offset',
      { schema: { body: OffsetInput }, bodyLimit: 1024 },
      async (request) => {
        await recordOffset(ctx, request.body);
        return { ok: true };
      },
    );
  });

  await app.register(async (open: App) => {
    open.addHook('onRequest', needsSetlist(ctx));

    open.get(
      '/api/now-playing/setlist',
      { schema: { querystring: SetlistQuery } },
      async (request, reply) => {
        const { limit, before } = request.query;
        const cursor = before === undefined ? undefined : readCursor(before, ctx.config.TIME_ZONE);
        if (before !== undefined && !cursor) throw badField('before', 'must be an ISO 8601 time');
        reply.header('cache-control', 'no-cache');
        return readSetlist(ctx, limit, cursor);
      },
    );
    open.get('/api/now-playing/snapshot', { onRequest: noStore }, async () => ({
      track: await findSnapshot(ctx),
    }));
  });
}

function clamped(limit: number): number {
  return Math.min(LARGEST_PAGE, Math.max(1, limit));
}
