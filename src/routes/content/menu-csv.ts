import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { importMenuCsv, writeMenuCsv } from '#content/menu-csv.ts';
import type { Context } from '#kernel/context.ts';
import { act, doneQuery } from '#kernel/http/act.ts';
import { type App, type RefusedForm, roomFor } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { acceptTextFiles } from '#kernel/http/text-files.ts';
import { flag, listOf, requiredText } from '#kernel/http/validation.ts';
import { ownValue } from '#kernel/own-value.ts';
import { menuImportCheckPage, menuImportPage } from '#views/content/menu-import.ts';

const LONGEST_FILE = 500_000;
const BODY_LIMIT = roomFor(LONGEST_FILE);

const MenuFile = z.object({
  text: requiredText(LONGEST_FILE),
  dry_run: flag.default(false),
  publish: flag.default(false),
  confirm: listOf(z.string().max(40), 10).optional(),
});

/** A form tries the file first. */
const MenuForm = MenuFile.extend({
  dry_run: flag.default(true),
  confirm: z
    .string()
    .max(40)
    .optional()
    .transform((name) => (name ? [name] : [])),
});

const DONE: Record<string, string> = {
  published: 'Added and published.',
  drafts: 'Added as drafts. Publish them one by one.',
};

/** The list as a file: out, and in. */
export function menuCsv(app: App, { ctx }: { ctx: Context }): void {
  acceptTextFiles(app, BODY_LIMIT);
  const page = ({ identity }: FastifyRequest, more: { refused?: RefusedForm; done?: string | undefined }) =>
    menuImportPage({ identity, ...more });

  app.get(
    '/api/admin/menu/export',
    { config: { permission: 'content:read' }, schema: { summary: 'Drinks and food as a CSV file' } },
    (_request, reply) =>
      reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="drinks-and-food.csv"')
        .send(writeMenuCsv(ctx)),
  );

  act(app, ctx, {
    api: 'POST /api/admin/menu/import',
    summary: 'Add drinks and food from a CSV file, all or none',
    permission: 'content:write',
    body: MenuFile,
    bodyLimit: BODY_LIMIT,
    run: ({ body, actor }) => importMenuCsv(ctx, body, actor),
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
    run: ({ body, actor }) => importMenuCsv(ctx, body, actor),
    next: (found, { body: { dry_run, publish, text, confirm }, request: { identity } }) =>
      dry_run
        ? menuImportCheckPage({ identity, found, text, confirm })
        : `/admin/content/menu-import?done=${publish ? 'published' : 'drafts'}`,
  });
}
