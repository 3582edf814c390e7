import { z } from 'zod';
import { importMenuCsv, writeMenuCsv } from '#content/menu-csv.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { flag, requiredText } from '#kernel/http/validation.ts';

const MenuFile = z.object({
  text: requiredText(500_000),
  dry_run: flag.default(false),
  publish: flag.default(false),
});

/** The list as a file. */
export function menuCsv(app: App, { ctx }: { ctx: Context }): void {
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
    bodyLimit: 1024 * 1024,
    run: ({ body, actor }) => importMenuCsv(ctx, body, actor),
    json: (done, { body }) => ({ ok: true, dry_run: body.dry_run, ...done }),
  });
}
