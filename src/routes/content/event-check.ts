import { z } from 'zod';
import { previewDates } from '#content/events/ahead.ts';
import { eventForm } from '#content/forms/event.ts';
import { EVENT } from '#content/kinds/event.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { Id } from '#kernel/ids.ts';
import { typingPanel, typingProblem } from '#views/content/event-dates.ts';

const query = z.object({ id: Id.optional().catch(undefined) });

/** Sends the part of an event's page that is updated while somebody types, made from the unsaved form. */
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
      // The dates can be shown before a title is entered.
      const titled = { ...input, title: input.title || 'Untitled' };
      return sendHtml(reply, typingPanel(previewDates(ctx, titled, request.query.id)));
    },
  );
}
