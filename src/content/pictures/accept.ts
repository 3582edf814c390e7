import multipart from '@fastify/multipart';
import type { Context } from '#kernel/context.ts';
import { AppError } from '#kernel/http/errors.ts';
import { markFormBody } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { takeOnce } from '#kernel/http/once.ts';
import { ensureSize, FILE_FIELDS, LIMITS, Uploads } from './uploads.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route accepts a form with a picture, besides its other content types. */
    takesPicture?: boolean;
    /** The same with a document. */
    takesDocument?: boolean;
  }
  interface FastifyRequest {
    /** The uploaded picture or document, unprocessed. */
    upload?: Buffer | undefined;
  }
}

/** Lets the routes of this scope that take a file read multipart forms; the others refuse such bodies. */
export async function acceptPictures(app: App, ctx: Context): Promise<void> {
  const uploads = new Uploads();
  await app.register(multipart, { limits: LIMITS, throwFileSizeLimit: false });
  app.addHook('onRequest', async (request) => {
    if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return;
    const { takesPicture, takesDocument } = request.routeOptions.config;
    if (!takesPicture && !takesDocument) throw new AppError(415, 'unsupported_media_type');
    ensureSize(request, takesDocument ? FILE_FIELDS.document : FILE_FIELDS.picture);
  });
  app.addHook('preValidation', async (request, reply) => {
    if (!request.isMultipart()) return;
    const { fields, file, problem } = await uploads.read(ctx, request, (free) => {
      if (reply.raw.destroyed) free();
      else reply.raw.once('finish', free).once('close', free);
    });
    markFormBody(fields);
    request.body = fields;
    request.entered = { ...fields };
    request.upload = file;
    takeOnce(request);
    if (problem) throw problem;
  });
}
