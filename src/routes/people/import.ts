import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formRecords } from '#kernel/http/form.ts';
import { type App, type RefusedForm, roomFor, untilLeft } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { acceptTextFiles } from '#kernel/http/text-files.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { pageTextOf } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';
import { ownValue } from '#kernel/own-value.ts';
import { isOn } from '#kernel/settings/parts.ts';
import { listBatches } from '#people/import/apply.ts';
import { FIELDS } from '#people/import/columns.ts';
import { columnsWithoutNames } from '#people/import/file-rows.ts';
import { ImportInput, importPeople, LONGEST_FILE, undoBatch } from '#people/import/import.ts';
import { recallColumns, rememberColumns } from '#people/import/last-columns.ts';
import type { ImportJson } from '#people/import/run-import.ts';
import { listKinds } from '#people/roll/kinds-and-groups.ts';
import { editorOf } from '#people/roll/people.ts';
import { countUnwelcomed, sendWelcomes } from '#people/welcomes.ts';
import { importPage } from '#views/people/import.ts';
import { ASKED_KINDS, importCheckPage } from '#views/people/import-check.ts';
import { notifyAddressSharers } from './shared-address.ts';

/** Room for the longest file in any encoding, and its decisions. */
const IMPORT_BODY_LIMIT = roomFor(LONGEST_FILE) + 1024 * 1024;

const DONE: Record<string, Words> = {
  applied: t('people-admin.import.done_applied'),
  nothing: t('people-admin.import.done_nothing'),
  undone: t('people-admin.import.done_undone'),
  welcomed: t('people-admin.import.done_welcomed'),
};

const BATCH = z.object({ batch: wholeNumber(0, Number.MAX_SAFE_INTEGER).catch(0) });

/** A form without a `check` is not reviewed yet, so it is always a dry run. */
const ImportForm = ImportInput.extend({
  dry_run: ImportInput.shape.dry_run.default(true),
}).transform((input) => ({ ...input, dry_run: input.dry_run || input.check === undefined }));

/** The import of a file into the roll: its form, the review of the changes, and the list of past imports. */
export function rollImport(app: App, { ctx }: { ctx: Context }): void {
  acceptTextFiles(app, IMPORT_BODY_LIMIT);
  welcomes(app, ctx);
  const dangerous = { permission: 'people:write', sudo: true } as const;
  const onPage = {
    ...dangerous,
    ...refusedOn((request, refused) => renderImport(ctx, request, { refused })),
  };
  const upload = {
    bodyLimit: IMPORT_BODY_LIMIT,
    preValidation: formRecords('mapping', 'decisions', 'kinds'),
  };
  const applyImport = (request: FastifyRequest, reply: FastifyReply, input: z.output<typeof ImportInput>) =>
    notifyAddressSharers(ctx, request, () =>
      importPeople(ctx, input, editorOf(ctx, request), untilLeft(reply)),
    );

  app.get(
    '/admin/people/import',
    {
      // The proof is requested here, so that it does not interrupt the sending of a long list.
      config: dangerous,
      schema: { summary: 'Import people', querystring: doneQuery },
    },
    async (request, reply) => sendHtml(reply, renderImport(ctx, request, { done: request.query.done })),
  );

  act(app, ctx, {
    ...dangerous,
    ...upload,
    api: 'POST /api/admin/people/import',
    summary: 'Compare a CSV file with the roll, and apply it',
    body: ImportInput,
    run: ({ body, request, reply }) => applyImport(request, reply, body),
    json: ({ json }, { reply }) => reply.type('application/json; charset=utf-8').send(json),
  });

  // Not the same act: the form shows the changes first.
  act(app, ctx, {
    ...onPage,
    ...upload,
    form: 'POST /admin/people/import',
    body: ImportForm,
    run: async ({ body: input, request, reply }) => {
      if (input.dry_run) return renderCheck(ctx, request, reply, input);
      try {
        const { batch, columns, date_order } = await applyImport(request, reply, input);
        await rememberColumns(ctx, columns, date_order);
        return batch === null ? 'nothing' : 'applied';
      } catch (error) {
        if (!(error instanceof AppError) || error.statusCode !== 409) throw error;
        const { page } = await renderCheck(ctx, request, reply, { ...input, dry_run: true }, true);
        return { page, status: 409 };
      }
    },
    next: (done, { reply }) =>
      typeof done === 'string'
        ? `/admin/people/import?done=${done}`
        : sendHtml(reply, done.page, done.status),
  });

  act(app, ctx, {
    ...onPage,
    api: 'POST /api/admin/people/import/:batch/undo',
    form: 'POST /admin/people/import/:batch/undo',
    summary: 'Put everybody back whom an import touched',
    params: BATCH,
    run: ({ params: { batch }, request }) =>
      notifyAddressSharers(ctx, request, () => undoBatch(ctx, batch, editorOf(ctx, request))),
    json: (people, { params: { batch } }) => ({ ok: true, batch, people }),
    next: '/admin/people/import?done=undone',
  });
}

/** Mails a welcome to those whom an import added. Not part of the import: the club may prefer to tell them itself. */
function welcomes(app: App, ctx: Context): void {
  act(app, ctx, {
    permission: 'people:write',
    sudo: true,
    ...refusedOn((request, refused) => renderImport(ctx, request, { refused })),
    api: 'POST /api/admin/people/import/:batch/welcome',
    form: 'POST /admin/people/import/:batch/welcome',
    summary: 'Mail everybody with an address whom an import added where they sign in, once',
    params: BATCH,
    run: ({ params: { batch }, actor, request }) => sendWelcomes(ctx, request, batch, actor),
    json: (mails) => ({ ok: true, mails }),
    next: '/admin/people/import?done=welcomed',
  });
}

function renderImport(
  ctx: Context,
  { identity }: FastifyRequest,
  { done = '', refused }: { done?: string | undefined; refused?: RefusedForm },
): Html {
  const batches = listBatches(ctx.db, ctx.now()).map((batch) => ({
    ...batch,
    unwelcomed: countUnwelcomed(ctx.db, batch.id),
    when: formatShort(batch.at, ctx.config.TIME_ZONE),
  }));
  return importPage({
    identity,
    done: ownValue(DONE, done),
    refused,
    batches,
    canMail: ctx.mailer.needed().length === 0,
    offersMeeting:
      done === 'applied' && isOn(ctx, 'voting') && (identity?.granted?.has('elections:write') ?? false),
  });
}

/**
 * A list without recognised names is shown with its columns alone, so that the user can say which of them has the
 * names.
 */
function columnsAlone(error: unknown) {
  const found = columnsWithoutNames(error);
  if (!found) throw error;
  const counts = { new: 0, changed: 0, same: 0, unclear: 0, invalid: 0, missing: 0 };
  return {
    counts,
    addresses: { none: 0, shared: 0 },
    ...found,
    rows: [],
    check: '',
    warned: [],
    date_order: undefined,
    withoutNames: true,
  };
}

/** A form without a mapping is the first for its list, so the stored mapping for the same headers is used. */
async function renderCheck(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  input: z.output<typeof ImportInput>,
  stale = false,
): Promise<{ page: Html; status: number }> {
  const recalled = Object.keys(input.mapping).length === 0 ? recallColumns(ctx.db, input.csv) : undefined;
  const asRecalled = recalled && { mapping: recalled.mapping, likely_order: recalled.date_order };
  const read = { ...input, ...asRecalled };
  const compared = importPeople(ctx, read, editorOf(ctx, request), untilLeft(reply)).then(
    ({ json }): ImportJson => JSON.parse(json),
  );
  const result = await compared.catch(columnsAlone);
  const { counts, addresses, columns, rows, check = '', warned, questions = [] } = result;
  const unread = columns.filter(
    ({ header, field }) => field === null && header !== '' && ownValue(read.mapping, header) === undefined,
  );
  const { csv, end_missing, decisions, kinds } = input;
  const sent = { csv, end_missing, date_order: recalled ? result.date_order : input.date_order };
  // Asked once above the list, because it is one question about the columns.
  const asksOrder = questions.some(({ ask }) => ask === 'date_order');
  const unknown = new Map(
    rows.flatMap(({ unknown_kind: name }) => (name === undefined ? [] : [[nameKey(name), name]])),
  );
  const isAsked = ({ code, unknown_kind }: (typeof rows)[number]) =>
    (unknown_kind !== undefined && unknown.size <= ASKED_KINDS) ||
    (code === 'import_day_without_kind' && !columns.some(({ field }) => field === 'kind')) ||
    (asksOrder && code === 'import_may_be_two_days');
  const waiting = rows.filter(isAsked).length;
  const withoutNames = 'withoutNames' in result;
  const page = importCheckPage({
    waiting,
    identity: request.identity,
    counts: { ...counts, invalid: counts.invalid - waiting },
    addresses,
    unknown: [...unknown.values()],
    columns,
    fields: FIELDS,
    rows: rows.filter((row) => !isAsked(row)),
    check,
    sent,
    decisions,
    stale,
    unread: unread.map(({ header }) => header),
    questions,
    kind: input.kind,
    withoutNames,
    encoding: input.encoding,
    warnings: warned.flatMap((one) => pageTextOf(one) ?? []),
    recalled: recalled !== undefined,
    meant: kinds,
    kinds: listKinds(ctx.db),
  });
  return { page, status: withoutNames ? 400 : 200 };
}
