import { guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';

const PAGE = '/design';
const SCHEMES = `${PAGE}/schemes.css`;

/** The page of components, for officers and staff. In production it does not exist, and its module is never loaded. */
export async function design(staff: App, { ctx }: { ctx: Context }): Promise<void> {
  guardStaff(ctx, staff);
  const loadPage = () => {
    if (ctx.config.NODE_ENV === 'production') throw notFound('not_found');
    return import('#views/design/page.ts');
  };
  staff.get(
    PAGE,
    {
      config: { permission: 'any' },
      schema: { summary: 'Every component in all its states, in development' },
    },
    async ({ identity }, reply) => sendHtml(reply, (await loadPage()).designPage(identity, SCHEMES)),
  );
  staff.get(
    SCHEMES,
    { config: { permission: 'any' }, schema: { summary: 'The style sheet of this page' } },
    async (_request, reply) => {
      const { schemesSheet } = await loadPage();
      return reply.type('text/css; charset=utf-8').send(schemesSheet());
    },
  );
}
