import { z } from 'zod';
import { getKind } from '#content/kinds.ts';
import { getRecord, getVersion } from '#content/records/reading.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendFramed } from '#kernel/http/pages.ts';
import { wholeNumber } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { slidePreview } from '#views/pub/tv/tv.ts';
import type { ContentPages } from './page-props.ts';

const params = z.object({
  kind: z.string(),
  id: Id,
  version: wholeNumber(1, Number.MAX_SAFE_INTEGER, 'must be a version').catch(0),
});

/** Shows a version of a record as the main screen will show it, for the frame in its editor. */
export function preview(app: App, { ctx, display }: ContentPages): void {
  app.get(
    '/admin/content/preview/:kind/:id/:version',
    { config: { permission: 'content:read' }, schema: { summary: 'A slide as the screen shows it', params } },
    async (request, reply) => {
      const kind = getKind(request.params.kind);
      const { id } = getRecord(ctx, kind, request.params.id);
      const slide = display.previewSlide(kind.name, id, getVersion(ctx, kind, id, request.params.version));
      if (!slide) throw notFound('This is not a slide');
      return sendFramed(reply, slidePreview({ zone: ctx.config.TIME_ZONE, slide }));
    },
  );
}
