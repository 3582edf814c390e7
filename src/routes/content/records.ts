import { z } from 'zod';
import { getKind } from '#content/kinds.ts';
import { getRecord, listRecords, RecordsQuery } from '#content/records/reading.ts';
import {
  changeRecord,
  createRecord,
  publishRecord,
  removeRecord,
  restoreRecord,
  undoPublication,
} from '#content/records/records.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { flag, wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';

const version = wholeNumber(1, Number.MAX_SAFE_INTEGER);
const body = z.record(z.string(), z.unknown(), { error: 'must be an object' });
const ofKind = z.object({ kind: z.string() });
const params = z.object({ kind: z.string(), id: Id });

const NewRecord = z.object({ body, publish: flag.optional() });
const RecordPatch = z.object({ version, body: body.default({}), publish: flag.optional() });
const AtVersion = z.object({ version: version.optional() });

/** Changes of a record that take only a version. */
const STEPS = {
  publish: [publishRecord, 'Show the newest version'],
  undo: [undoPublication, 'Take the last publication back'],
  restore: [restoreRecord, 'Go back to a version, or bring a removed record back'],
  remove: [removeRecord, 'Take a record away; it can be restored for 30 days'],
} as const;

/** The club's own content, as JSON. */
export function records(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/api/admin/content/:kind',
    {
      config: { permission: 'content:read' },
      schema: { summary: 'The records of a kind', params: ofKind, querystring: RecordsQuery },
    },
    async ({ params: { kind }, query }) => listRecords(ctx, getKind(kind), query),
  );

  app.post(
    '/api/admin/content/:kind',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'A new record', params: ofKind, body: NewRecord },
    },
    async (request) => {
      const { body: input, publish = false } = request.body;
      const kind = getKind(request.params.kind);
      const created = await createRecord(ctx, kind, { input, publish }, actorOf(request, ctx.now));
      return { ok: true, ...created };
    },
  );

  app.get(
    '/api/admin/content/:kind/:id',
    { config: { permission: 'content:read' }, schema: { summary: 'A record with its history', params } },
    async ({ params: { kind, id } }) => getRecord(ctx, getKind(kind), id),
  );

  app.patch(
    '/api/admin/content/:kind/:id',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Change fields of a record', params, body: RecordPatch },
    },
    async (request) => {
      const { kind, id } = request.params;
      const { body: input, publish = false, version: opened } = request.body;
      const given = { input, publish, version: opened };
      const changed = await changeRecord(ctx, getKind(kind), id, given, actorOf(request, ctx.now));
      return { ok: true, ...changed };
    },
  );

  for (const [step, [take, summary]] of Object.entries(STEPS))
    app.post(
      `/api/admin/content/:kind/:id/${step}`,
      { config: { permission: 'content:write' }, schema: { summary, params, body: AtVersion } },
      async (request) => {
        const { kind, id } = request.params;
        const actor = actorOf(request, ctx.now);
        return { ok: true, ...(await take(ctx, getKind(kind), id, request.body.version, actor)) };
      },
    );
}
