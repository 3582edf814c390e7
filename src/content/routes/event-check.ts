import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { typingPanel, typingProblem } from '#views/content/event-dates.ts';
import { previewDates } from '../events/ahead.ts';
import { eventForm } from '../forms/event.ts';
import { EVENT } from '../kinds/event.ts';

const query = z.object({ id: Id.optional().catch(undefined) });

/** What the page of an event shows while somebody types: a part of a page, made of the form as it is. Nothing is saved. */
export function eventCheck(app: App, { ctx }: { ctx: Context }): void {
  app.post(
    '/admin/content/event/check',
    {
      config: {
        permission: 'content:write',
        ...refusedOn((_request, { errors, message }) => typingProblem(errors, message, EVENT.labels)),
      },
      schema: { hide: true, querystring: query, body: z.looseObject({}) },
    },
    async (request, reply) => {
      const input = eventForm.fromForm(request.entered ?? {}, undefined);
      // Its dates can be known before its title.
      const titled = { ...input, title: input.title || 'Untitled' };
      return sendHtml(reply, typingPanel(previewDates(ctx, titled, request.query.id)));
    },
  );
}
