import type { FastifyRequest, preValidationHookHandler } from 'fastify';
import { badField, badRequest } from '#kernel/http/errors.ts';
import { markFormBody } from '#kernel/http/form.ts';
import type { App } from '#kernel/http/http.ts';
import { decodeFile, NoTextFile } from '#kernel/shared/decode.js';

/** Room for a file of 5 MB, escaped as JSON or within a form with other fields. */
export const IMPORT_BODY_LIMIT = 8 * 1024 * 1024;

/** Fields that a form sends either in parts, such as `mapping.Name`, or as JSON. */
const RECORDS = ['mapping', 'decisions', 'kinds'];

/**
 * Lets the routes of this scope accept multipart forms. Of several fields with the same name the first that is not
 * empty counts, because the form has both a file and a text area. A file is decoded by its encoding.
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

/** @throws 400 for a file that is no text */
function decoded(name: string, bytes: Uint8Array) {
  try {
    return decodeFile(bytes);
  } catch (error) {
    throw error instanceof NoTextFile ? badField(name, error.message) : error;
  }
}

/** A preValidation hook that converts the fields of a form into the body of the API. */
export const importBody: preValidationHookHandler = (request, _reply, done) => {
  if (request.entered) request.body = readForm(request.entered);
  done();
};

function readForm(entered: Record<string, unknown>): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(entered)) {
    const record = RECORDS.find((one) => name.startsWith(`${one}.`));
    if (RECORDS.includes(name) && typeof value === 'string') body[name] = readRecord(name, value);
    else if (record === undefined && value !== '') body[name] = value;
  }
  for (const record of RECORDS) body[record] ??= partsOf(record, entered);
  markFormBody(body);
  return body;
}

/** Collects the parts of a field. Empty decisions are dropped; an empty mapping stays, and means “do not read”. */
function partsOf(record: string, entered: Record<string, unknown>): Record<string, unknown> {
  const parts = Object.entries(entered).filter(
    ([name, value]) => name.startsWith(`${record}.`) && (value !== '' || record === 'mapping'),
  );
  return Object.fromEntries(parts.map(([name, value]) => [name.slice(record.length + 1), value]));
}

function readRecord(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw badRequest(`${name}: must be JSON`, [{ path: name, message: 'must be JSON' }]);
  }
}
