import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { writeMenuCsv } from '#content/menu/export.ts';
import { MENU_FIELDS } from '#content/menu/headings.ts';
import { importMenu, LONGEST_FILE, type MenuImport, MenuImportInput } from '#content/menu/import.ts';
import type { Context } from '#kernel/context.ts';
import type { Actor } from '#kernel/db/audit.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { AppError } from '#kernel/http/errors.ts';
import { formRecords } from '#kernel/http/form.ts';
import { type App, type RefusedForm, roomFor } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { acceptTextFiles } from '#kernel/http/text-files.ts';
import { flag } from '#kernel/http/validation.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { forClub } from '#kernel/locale.ts';
import { ownValue } from '#kernel/own-value.ts';
import { volumeUnit } from '#kernel/settings/menu.ts';
import { menuImportPage } from '#views/content/menu-import.ts';
import { menuImportCheckPage } from '#views/content/menu-import-check.ts';

const BODY_LIMIT = roomFor(LONGEST_FILE);

/**
 * A form without a `check` is not looked at yet, so it is always a dry run; then the button says whether it is published. What cannot
 * be read is named, and left out.
 */
const MenuForm = MenuImportInput.extend({
  dry_run: flag.optional(),
  publish: flag.optional(),
  confirm: z
    .string()
    .max(40)
    .optional()
    .transform((name) => (name ? [name] : [])),
  encoding: z.string().max(40).optional(),
}).transform(({ dry_run, publish, ...input }) => ({
  ...input,
  leave_out: true,
  dry_run: input.check === undefined || (dry_run ?? publish === undefined),
  publish: publish === true,
}));

const DONE: Record<string, Words> = {
  published: t('content-admin.menu_import.added_published'),
  drafts: t('content-admin.menu_import.added_drafts_publish'),
};

/** The list as a file: out, and in. */
export function menuCsv(app: App, { ctx }: { ctx: Context }): void {
  acceptTextFiles(app, BODY_LIMIT);
  const page = ({ identity }: FastifyRequest, more: { refused?: RefusedForm; done?: Words | undefined }) =>
    menuImportPage({ identity, ...more });

  app.get(
    '/api/admin/menu/export',
    { config: { permission: 'content:read' }, schema: { summary: 'Drinks and food as a CSV file' } },
    (_request, reply) =>
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header(
          'content-disposition',
          `attachment; filename="${forClub(t('content-admin.menu_import.file'))}.csv"`,
        )
        .send(writeMenuCsv(ctx)),
  );

  act(app, ctx, {
    api: 'POST /api/admin/menu/import',
    summary: 'Add drinks and food from a CSV file, all or none, and take its prices',
    permission: 'content:write',
    body: MenuImportInput,
    bodyLimit: BODY_LIMIT,
    run: ({ body, actor }) => importMenu(ctx, body, actor),
    json: (done, { body }) => ({ ok: true, dry_run: body.dry_run, ...done }),
  });

  app.get(
    '/admin/content/menu-import',
    {
      config: { permission: 'content:write' },
      schema: { summary: 'Add drinks and food from a file', querystring: doneQuery },
    },
    async (request, reply) => sendHtml(reply, page(request, { done: ownValue(DONE, request.query.done) })),
  );

  // Not the same act: the form shows first what would be added.
  act(app, ctx, {
    ...refusedOn((request, refused) => page(request, { refused })),
    form: 'POST /admin/content/menu-import',
    permission: 'content:write',
    body: MenuForm,
    bodyLimit: BODY_LIMIT,
    preValidation: formRecords('mapping', 'answers'),
    run: ({ body, actor }) => importUnlessChanged(ctx, body, actor),
    next: ({ found, stale }, { body, request: { identity }, reply }) =>
      found.dry
        ? sendHtml(
            reply,
            menuImportCheckPage({
              identity,
              found: found.result,
              sent: body,
              fields: MENU_FIELDS,
              unit: volumeUnit(ctx.config.settings),
              columns: ctx.config.settings.price_columns,
              stale,
            }),
            stale ? 409 : 200,
          )
        : `/admin/content/menu-import?done=${body.publish ? 'published' : 'drafts'}`,
  });
}

/** Imports a file, unless the list has changed since it was checked: then it is checked again. */
async function importUnlessChanged(
  ctx: Context,
  input: z.output<typeof MenuForm>,
  actor: Actor,
): Promise<{ found: { dry: boolean; result: MenuImport }; stale: boolean }> {
  try {
    return { found: { dry: input.dry_run, result: await importMenu(ctx, input, actor) }, stale: false };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'menu_changed_since_check') throw error;
    const result = await importMenu(ctx, { ...input, dry_run: true }, actor);
    return { found: { dry: true, result }, stale: true };
  }
}
