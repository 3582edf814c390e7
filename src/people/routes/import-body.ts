import type { FastifyRequest } from 'fastify';
import { badRequest } from '#kernel/http/errors.ts';
import { markFormBody } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { decodeText } from '#people/import/read-csv.ts';

/** A file of 5 MB, escaped as JSON or with the fields of a form round it. */
export const IMPORT_BODY_LIMIT = 8 * 1024 * 1024;

/** Fields that a form sends in parts, as `mapping.Name`. */
const RECORDS = ['mapping', 'decisions'];

/**
 * Lets the routes of this scope take multipart forms. Of several fields of one name the first that is not empty counts:
 * a form offers a file and a text area. A file is read in its own encoding; `mapping` and `decisions` are JSON or come
 * in parts.
 */
export function acceptMultipart(app: App): void {
  app.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: IMPORT_BODY_LIMIT },
    async (request: FastifyRequest, body: Buffer) => {
      const type = request.headers['content-type'] ?? '';
      const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } })
        .formData()
        .catch(() => {
          throw badRequest('The form cannot be read');
        });
      const fields: Record<string, unknown> = Object.create(null);
      for (const [name, value] of form) {
        const text =
          typeof value === 'string' ? value : decodeText(new Uint8Array(await value.arrayBuffer()));
        place(fields, name, text);
      }
      for (const name of RECORDS)
        if (typeof fields[name] === 'string') fields[name] = readRecord(name, fields[name]);
      const read = { ...fields };
      markFormBody(read);
      return read;
    },
  );
}

function place(fields: Record<string, unknown>, name: string, text: string): void {
  const record = RECORDS.find((one) => name.startsWith(`${one}.`));
  if (record === undefined) {
    if (text !== '') fields[name] ??= text;
    return;
  }
  fields[record] ??= Object.create(null);
  const parts = fields[record];
  // A decision that was not made is none; a column that is not read is an empty text.
  if (typeof parts === 'object' && (text !== '' || record === 'mapping'))
    (parts as Record<string, string>)[name.slice(record.length + 1)] = text;
}

function readRecord(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${name}: must be JSON`, [{ path: name, message: 'must be JSON' }]);
  }
}
