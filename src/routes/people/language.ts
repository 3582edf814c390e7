import { z } from 'zod';
import { pathOnward } from '#kernel/access/path-onward.ts';
import { keepLanguage } from '#kernel/access/readers.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { act } from '#kernel/http/act.ts';
import { type App, header } from '#kernel/http/http.ts';
import { offeredLanguages } from '#kernel/language/readers.ts';
import { coded } from '#kernel/messages/messages.ts';
import { requireWriter } from './signed-in.ts';

/** An offered language. The list is read for each request: it grows with the catalogues. */
const language = z.string(coded('not_text')).superRefine((tag, issues) => {
  const values = offeredLanguages();
  if (!values.includes(tag))
    issues.addIssue({ code: 'custom', message: coded('not_complete_language', { values }) });
});

/** The choice of a language: a visitor's, which their browser alone keeps, and that of a signed-in person. */
export function languages(app: App, { ctx }: { ctx: Context }): void {
  act(app, ctx, {
    both: 'POST /language',
    summary: 'Choose the language of pages for visitors, in this browser',
    body: z.object({ language, back: z.string().max(2_000).optional() }),
    // A page with a secret address posts with `Origin: null`. What this sets proves nothing.
    config: { proofInBody: true },
    run: async ({ body, request, reply }) => keepLanguage(ctx, request, reply, body.language),
    next: (_, { body, request }) => backTo(body.back, header(request, 'referer')),
  });

  act(app, ctx, {
    both: 'POST /me/language',
    summary: 'Choose the own language, for pages and mails; null for none',
    body: z.object({
      language: z
        .literal('')
        .transform(() => null)
        .or(language)
        .nullable(),
    }),
    run: async ({ body, request, reply }) => {
      const { person } = requireWriter(ctx, request);
      await ctx.write((tx) =>
        tx.run(build.updateTable('persons').set({ language: body.language }).where('id', '=', person.id)),
      );
      // Else the earlier choice in this browser would overrule the new one.
      keepLanguage(ctx, request, reply, null);
      return body.language;
    },
    json: (chosen) => ({ language: chosen }),
    next: '/me',
  });
}

/** The address of the page: that of the form, with the query that the browser names for it. */
function backTo(back: string | undefined, referer: string | undefined): string {
  const path = back === undefined ? '/' : pathOnward(back, '/');
  const from = URL.parse(referer ?? '');
  return from && from.pathname === path ? pathOnward(from.pathname + from.search, path) : path;
}
