import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { actsOn } from '#kernel/http/act.ts';
import type { App } from '#kernel/http/http.ts';
import { Id } from '#kernel/ids.ts';
import {
  addDocument,
  deleteDocument,
  documentPath,
  getDocument,
  listUploaded,
  readDocument,
  UploadedInput,
} from '#meetings/documents/documents.ts';
import { getMeeting } from '#meetings/meetings.ts';
import { meetingSectionPath } from '#views/meetings/words.ts';
import { renderMeeting } from './meetings.ts';

const params = z.object({ id: Id });
const ofDocument = params.extend({ document: Id });

/** Uploading and removing documents of a meeting and its items. */
export function documents(app: App, { ctx }: { ctx: Context }): void {
  const page = actsOn(app, ctx, {
    at: '/admin/meetings/:id/documents',
    params,
    page: ({ id }) => meetingSectionPath(id, 'uploads'),
    refused: (request, refused) =>
      renderMeeting(ctx, request, request.params.id, { refused, at: 'documents' }),
    json: ({ params: { id } }) => ({ documents: listUploaded(ctx.db, id).map(documentJson) }),
  });

  page.add('POST', 'Upload a PDF for a meeting or an item of its agenda', {
    body: UploadedInput,
    config: { takesDocument: true },
    run: ({ params: { id }, body, actor, request }) => addDocument(ctx, id, body, request.upload, actor),
    json: (added) => documentJson(added),
    next: (_, { params: { id } }) => meetingSectionPath(id, 'uploads', '?done=document'),
  });

  page.add('DELETE /:document', 'Remove a document', {
    params: ofDocument,
    run: ({ params: { id, document }, actor }) => deleteDocument(ctx, id, document, actor),
    next: (_, { params: { id } }) => meetingSectionPath(id, 'uploads', '?done=undocument'),
  });
}

/** A document as the API returns it. */
export const documentJson = (one: ReturnType<typeof listUploaded>[number]) => ({
  id: one.id,
  title: one.title,
  /** The item that it belongs to; null: to the whole meeting. */
  item: one.item_id,
  size: one.size,
  sha256: one.sha256,
  url: documentPath(one.meeting_id, one.id),
});

/** The documents themselves. */
export function publicDocuments(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/m/:id/documents/:document',
    { schema: { summary: 'A document of a meeting', params: ofDocument } },
    async (request, reply) => {
      const { id, document } = request.params;
      const found = getDocument(ctx.db, getMeeting(ctx.db, id).id, document);
      const bytes = readDocument(ctx, found);
      // Whatever a PDF holds runs in no page of this service.
      return reply
        .type('application/pdf')
        .headers({
          'content-disposition': `attachment; filename="document.pdf"; filename*=UTF-8''${encodeURIComponent(`${found.title}.pdf`)}`,
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
          'cross-origin-resource-policy': 'same-origin',
        })
        .send(bytes);
    },
  );
}
