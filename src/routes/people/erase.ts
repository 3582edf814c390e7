import { z } from 'zod';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { erasePerson } from '#people/erase/erase.ts';
import { editorOf, getPerson } from '#people/roll/people.ts';
import { erasePage } from '#views/people/erase.ts';

const params = z.object({ id: Id });

/** Routes for erasing a person: as JSON, and as a page that says what is erased and what stays. */
export function erase(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/api/admin/people/:id/erase',
    {
      config: { permission: 'people:erase', sudo: true },
      schema: { summary: 'Erase what is kept about a person', params },
    },
    async (request) => {
      const { erased_at, entries_kept } = await erasePerson(ctx, request.params.id, editorOf(ctx, request));
      return { ok: true, erased_at: isoTime(erased_at), entries_kept };
    },
  );

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

  app.post(
    '/admin/people/:id/erase',
    {
      config: {
        permission: 'people:erase',
        sudo: true,
        ...refusedOn((request, refused) =>
          renderPage((request.params as { id: string }).id, request.identity, refused),
        ),
      },
      schema: { hide: true, params },
    },
    async (request, reply) => {
      const { entries_kept } = await erasePerson(ctx, request.params.id, editorOf(ctx, request));
      return reply.redirect(`/admin/people?done=erased${entries_kept > 0 ? '-but-the-log' : ''}`, 303);
    },
  );
}
