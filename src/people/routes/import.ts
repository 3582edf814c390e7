import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { ImportInput, importPeople, undoBatch } from '#people/import/import.ts';
import { editorOf } from '#people/roll/people.ts';
import { acceptMultipart, IMPORT_BODY_LIMIT, importBody } from './import-body.ts';
import { tellingSharers } from './notices/shared-address.ts';

/** Compares a file with the roll, applies it, and undoes that. */
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
    async (request) =>
      tellingSharers(ctx, request, () => importPeople(ctx, request.body, editorOf(ctx, request))),
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
      const people = await tellingSharers(ctx, request, () => undoBatch(ctx, batch, editor));
      return { ok: true, batch, people };
    },
  );
}
