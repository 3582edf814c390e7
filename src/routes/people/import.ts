import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { ImportInput, importPeople, undoBatch } from '#people/import/import.ts';
import { editorOf } from '#people/roll/people.ts';
import { acceptMultipart, IMPORT_BODY_LIMIT, importBody } from './import-body.ts';
import { notifyAddressSharers } from './shared-address.ts';

/** Routes that compare a file with the roll, apply it, and undo an import. */
export function rollImport(app: App, { ctx }: { ctx: Context }): void {
  acceptMultipart(app);
  app.post(
    '/api/admin/people/import',
    {
      bodyLimit: IMPORT_BODY_LIMIT,
      config: { permission: 'people:write', sudo: true },
      preValidation: importBody,
      schema: { summary: 'Compare a CSV file with the roll, and apply it', body: ImportInput },
    },
    async (request, reply) => {
      const { json } = await notifyAddressSharers(ctx, request, () =>
        importPeople(ctx, request.body, editorOf(ctx, request)),
      );
      reply.type('application/json; charset=utf-8');
      return reply.send(json);
    },
  );

  app.post(
    '/api/admin/people/import/:batch/undo',
    {
      config: { permission: 'people:write', sudo: true },
      schema: {
        summary: 'Put everybody back whom an import touched',
        params: z.object({ batch: wholeNumber(0, Number.MAX_SAFE_INTEGER).catch(0) }),
      },
    },
    async (request) => {
      const editor = editorOf(ctx, request);
      const { batch } = request.params;
      const people = await notifyAddressSharers(ctx, request, () => undoBatch(ctx, batch, editor));
      return { ok: true, batch, people };
    },
  );
}
