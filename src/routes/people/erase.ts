import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { act } from '#kernel/http/act.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { erasePerson } from '#people/erase/erase.ts';
import { editorOf, getPerson } from '#people/roll/people.ts';
import { erasePage } from '#views/people/erase.ts';

const params = z.object({ id: Id });

/** Routes for erasing a person: as JSON, and as a page that says what is erased and what stays. */
export function erase(app: App, { ctx }: { ctx: Context }): void {
  const renderPage = (
    id: string,
    identity: Parameters<typeof erasePage>[0]['identity'],
    refused?: RefusedForm,
  ): Html => erasePage({ person: getPerson(ctx, id), identity, refused });

  app.get(
    '/admin/people/:id/erase',
    {
      config: { permission: 'people:erase' },
      schema: { summary: 'What goes and what stays when a person is erased', params },
    },
    async (request, reply) => sendHtml(reply, renderPage(request.params.id, request.identity)),
  );

  act(app, ctx, {
    api: 'POST /api/admin/people/:id/erase',
    form: 'POST /admin/people/:id/erase',
    summary: 'Erase what is kept about a person',
    permission: 'people:erase',
    sudo: true,
    params,
    refused: (request, refused) => renderPage(request.params.id, request.identity, refused),
    run: ({ params: { id }, request }) => erasePerson(ctx, id, editorOf(ctx, request)),
    json: ({ erased_at, entries_kept }) => ({ ok: true, erased_at: isoTime(erased_at), entries_kept }),
    next: ({ entries_kept }) => `/admin/people?done=erased${entries_kept > 0 ? '-but-the-log' : ''}`,
  });
}
