import { z } from 'zod';
import { shareSiteOf } from '#content/pictures/logo.ts';
import type { Context } from '#kernel/context.ts';
import { sendCached, sharedAnswer } from '#kernel/http/cached-response.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendSharedPage } from '#kernel/http/pages.ts';
import { volumeUnit } from '#kernel/settings/menu.ts';
import { readMenu } from '#pub/menu/facts.ts';
import { type Menu, menuAt, withoutHidden } from '#pub/menu/list.ts';
import { MENU_CHIPS, menuPage, menuPicture } from '#views/pub/menu.ts';
import { menuPrint, PRINT_FORMS } from '#views/pub/menu-print.ts';

const PageQuery = z.object({
  only: z.enum(MENU_CHIPS).optional().catch(undefined),
  q: z.string().trim().max(60).optional().catch(undefined).default(''),
});
const PrintQuery = z.object({ form: z.enum(PRINT_FORMS).optional().catch(undefined).default('a4') });

/** The list of drinks and food for phones and for paper. */
export function menuPages(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/menu',
    { schema: { summary: 'Drinks and food, for phones', querystring: PageQuery } },
    async (request, reply) => {
      const { only, q } = request.query;
      return sendSharedPage(ctx, request, reply, ['/menu', only, q], async () => {
        const origin = ctx.config.BASE_URL ?? '';
        const unit = volumeUnit(ctx.config.settings);
        return menuPage({ menu: getMenu(ctx), ...clockOf(ctx), unit, origin, only, q });
      });
    },
  );

  app.get(
    '/menu/print',
    { schema: { summary: 'Drinks and food, for paper', querystring: PrintQuery } },
    async (request, reply) => {
      const { form } = request.query;
      return sendSharedPage(ctx, request, reply, ['/menu/print', form], async () =>
        menuPrint({ menu: getMenu(ctx, true), ...clockOf(ctx), form }),
      );
    },
  );

  app.get('/og/menu.png', { schema: { summary: 'The picture of the list' } }, async (request, reply) => {
    const picture = await sharedAnswer(ctx, ['/og/menu.png'], async () =>
      ctx.shareImages.draw(menuPicture(getMenu(ctx), await shareSiteOf(ctx))),
    );
    return sendCached(request, reply, picture, 'public, max-age=300');
  });
}

const clockOf = ({ now, config }: Context) => ({ now: now(), zone: config.TIME_ZONE });

/** @throws 404 while nothing is published */
function getMenu(ctx: Context, always = false): Menu {
  const list = menuAt(readMenu(ctx), ctx.config, ctx.now(), always);
  if (!list) throw notFound('no_menu');
  return withoutHidden(list.menu);
}
