import type { FastifyRequest } from 'fastify';
import { decodeFile, NoTextFile } from '#kernel/shared/decode.js';
import { badField, badRequest } from './errors.ts';
import type { App } from './http.ts';

/**
 * Lets the routes of this scope accept multipart forms with text files. Of several fields with the same name the first that is not
 * empty counts, because the form has both a file and a text area. A file is decoded by its encoding,
 * which is a field too.
 */
export function acceptTextFiles(app: App, bodyLimit: number): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit },
    async (request: FastifyRequest, body: Buffer) => {
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
        .formData()
        .catch(() => {
          throw badRequest('form_unreadable');
        });
      const fields = new Map<string, string>();
      for (const [name, value] of form) {
        if (fields.get(name)) continue;
        if (typeof value === 'string') fields.set(name, value);
        else if (value.size > 0) {
          const { text, encoding } = decoded(name, new Uint8Array(await value.arrayBuffer()));
          fields.set(name, text).set('encoding', encoding);
        }
      }
      return Object.fromEntries(fields);
    },
  );
}

/** @throws 400 for a file that is not text */
function decoded(name: string, bytes: Uint8Array) {
  try {
    return decodeFile(bytes);
  } catch (error) {
    throw error instanceof NoTextFile ? badField(name, 'not_text_file') : error;
  }
}
