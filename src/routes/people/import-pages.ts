import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { formatShort } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { listBatches } from '#people/import/apply.ts';
import { columnsWithoutNames, FIELDS } from '#people/import/columns.ts';
import { DAY_WITHOUT_KIND } from '#people/import/file-rows.ts';
import { ImportInput, importPeople, undoBatch } from '#people/import/import.ts';
import { recallColumns, rememberColumns } from '#people/import/last-columns.ts';
import type { ImportJson } from '#people/import/run-import.ts';
import { createKind, KindInput, listKinds } from '#people/roll/kinds-and-groups.ts';
import { type Editor, editorOf } from '#people/roll/people.ts';
import { importPage } from '#views/people/import.ts';
import { importCheckPage } from '#views/people/import-check.ts';
import { acceptMultipart, IMPORT_BODY_LIMIT, importBody } from './import-body.ts';
import { notifyAddressSharers } from './shared-address.ts';

const DONE: Record<string, string> = {
  applied: 'The import was applied.',
  nothing: 'There was nothing to change.',
  undone: 'The import was undone.',
};

/** In the place of a known kind: the name becomes a kind of the club, with or without a vote. */
const ADDED_KINDS: Record<string, { votes: boolean }> = {
  vote: { votes: true },
  'no vote': { votes: false },
};

/** A form without a `check` is not reviewed yet, so it is always a dry run; also one that adds kinds of membership. */
const ImportForm = ImportInput.extend({
  dry_run: ImportInput.shape.dry_run.default(true),
}).transform(({ kinds, ...input }) => {
  const chosen = Object.entries(kinds);
  const added = chosen.flatMap(([name, kind]) => {
    const made = ownValue(ADDED_KINDS, kind);
    return made ? [{ name, ...made }] : [];
  });
  return {
    ...input,
    kinds: Object.fromEntries(chosen.filter(([, kind]) => ownValue(ADDED_KINDS, kind) === undefined)),
    dry_run: input.dry_run || input.check === undefined || added.length > 0,
    added,
  };
});

/** The pages of an import: the form, the review of the changes, and the list of past imports. */
export function importPages(app: App, { ctx }: { ctx: Context }): void {
  acceptMultipart(app);
  const config = {
    permission: 'people:write' as const,
    sudo: true,
    ...refusedOn((request, refused) => renderImport(ctx, request, { refused })),
  };

  app.get(
    '/admin/people/import',
    {
      // The proof is requested here, so that it does not interrupt the sending of a long list.
      config: { permission: 'people:write', sudo: true },
      schema: {
        summary: 'Import people',
        querystring: z.object({ done: z.string().max(20).optional().catch(undefined) }),
      },
    },
    async (request, reply) =>
      sendHtml(reply, renderImport(ctx, request, { done: ownValue(DONE, request.query.done) })),
  );

  app.post(
    '/admin/people/import',
    {
      bodyLimit: IMPORT_BODY_LIMIT,
      preValidation: importBody,
      config,
      schema: { hide: true, body: ImportForm },
    },
    async (request, reply) => {
      const { added, ...input } = request.body;
      for (const kind of added) await createKind(ctx, KindInput.parse(kind), actorOf(request, ctx.now));
      if (input.dry_run)
        return sendCheck(reply, await renderCheck(ctx, request, input, editorOf(ctx, request)));
      try {
        const { batch, columns, date_order } = await notifyAddressSharers(ctx, request, () =>
          importPeople(ctx, input, editorOf(ctx, request)),
        );
        await rememberColumns(ctx, columns, date_order);
        return reply.redirect(`/admin/people/import?done=${batch === null ? 'nothing' : 'applied'}`, 303);
      } catch (error) {
        if (!(error instanceof AppError) || error.statusCode !== 409) throw error;
        const again = await renderCheck(
          ctx,
          request,
          { ...input, dry_run: true },
          editorOf(ctx, request),
          true,
        );
        return sendHtml(reply, again.page, 409);
      }
    },
  );

  app.post(
    '/admin/people/import/:batch/undo',
    {
      config,
      schema: {
        hide: true,
        params: z.object({ batch: wholeNumber(0, Number.MAX_SAFE_INTEGER).catch(0) }),
      },
    },
    async (request, reply) => {
      await notifyAddressSharers(ctx, request, () =>
        undoBatch(ctx, request.params.batch, editorOf(ctx, request)),
      );
      return reply.redirect('/admin/people/import?done=undone', 303);
    },
  );
}

function renderImport(
  ctx: Context,
  { identity }: FastifyRequest,
  { done, refused }: { done?: string | undefined; refused?: RefusedForm },
): Html {
  const batches = listBatches(ctx.db, ctx.now()).map((batch) => ({
    ...batch,
    when: formatShort(batch.at, ctx.config.TIME_ZONE),
  }));
  return importPage({ identity, done, refused, batches });
}

const sendCheck = (reply: FastifyReply, { page, withoutNames }: { page: Html; withoutNames: boolean }) =>
  sendHtml(reply, page, withoutNames ? 400 : 200);

/** A list without recognised names is shown with its columns alone, so that the user can say which of them has the names. */
function columnsAlone(error: unknown) {
  const columns = columnsWithoutNames(error);
  if (!columns) throw error;
  const counts = { new: 0, changed: 0, same: 0, unclear: 0, invalid: 0, missing: 0 };
  return {
    counts,
    columns,
    rows: [],
    check: '',
    warnings: [],
    date_order: undefined,
    withoutNames: true,
  };
}

/** A form without a mapping is the first for its list, so the stored mapping for the same headers is used. */
async function renderCheck(
  ctx: Context,
  { identity }: FastifyRequest,
  input: z.output<typeof ImportInput>,
  editor: Editor,
  stale = false,
): Promise<{ page: Html; withoutNames: boolean }> {
  const recalled = Object.keys(input.mapping).length === 0 ? recallColumns(ctx.db, input.csv) : undefined;
  const asRecalled = recalled && { mapping: recalled.mapping, likely_order: recalled.date_order };
  const read = { ...input, ...asRecalled };
  const compared = importPeople(ctx, read, editor).then(({ json }): ImportJson => JSON.parse(json));
  const result = await compared.catch(columnsAlone);
  const { counts, columns, rows, check = '', warnings } = result;
  const unread = columns.filter(
    ({ header, field }) => field === null && header !== '' && ownValue(read.mapping, header) === undefined,
  );
  const { csv, end_missing, decisions, kinds } = input;
  const sent = { csv, end_missing, date_order: recalled ? result.date_order : input.date_order };
  // Named once above the list, because it is one question about the columns.
  const isAsked = (row: (typeof rows)[number]) =>
    row.reason === DAY_WITHOUT_KIND && !columns.some(({ field }) => field === 'kind');
  const waiting = rows.filter(isAsked).length;
  const withoutNames = 'withoutNames' in result;
  const page = importCheckPage({
    waiting,
    identity,
    counts: { ...counts, invalid: counts.invalid - waiting },
    columns,
    fields: FIELDS,
    rows: rows.filter((row) => !isAsked(row)),
    check,
    sent,
    decisions,
    stale,
    unread: unread.map(({ header }) => header),
    withoutNames,
    encoding: input.encoding,
    warnings,
    recalled: recalled !== undefined,
    meant: kinds,
    kinds: listKinds(ctx.db),
  });
  return { page, withoutNames };
}
