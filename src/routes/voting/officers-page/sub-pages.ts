import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { SUB_PAGES } from '#views/voting/words.ts';
import { isPaperAddress } from './address.ts';
import { renderIssuerPage } from './page.ts';
import { askedOf, pageQuery } from './shared.ts';

const params = z.object({ id: Id, page: z.string().max(20) });

/** The sub-pages of the officers' page of an election or a ballot paper; the first one answers with JSON too. */
export function subPages(app: App, { ctx }: { ctx: Context }): void {
  for (const url of ['/admin/elections/:id/:page', '/admin/papers/:id/:page'])
    app.get(url, { schema: { params, querystring: pageQuery } }, async (request, reply) => {
      const { id, page } = request.params;
      const found = SUB_PAGES.find((one) => one === page && one !== 'overview');
      if (found === undefined) throw notFound('not_found');
      if (found === 'history') await demand(ctx, request, 'audit:read');
      const issuer = { id, isPaper: isPaperAddress(request) };
      return sendHtml(reply, renderIssuerPage(ctx, issuer, request, askedOf(request.query, found)));
    });
}
