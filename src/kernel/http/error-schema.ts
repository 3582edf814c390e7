import { listCodes } from '#kernel/messages/messages.ts';

/** Routes whose errors have a format of their own: that of ListenBrainz, and certified results. */
const OTHER_FORMAT = /^\/1\/|\/manual-results$/;

/** Adds to the description of the service what its routes answer instead of a 2xx. */
export function withErrors(description: object): object {
  const { components = {}, paths = {} } = description as {
    components?: object;
    paths?: Record<string, object>;
  };
  const response = { default: { $ref: '#/components/responses/Error' } };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  return {
    ...description,
    components: {
      ...components,
      schemas: { ...('schemas' in components && (components.schemas as object)), Error: errorSchema() },
      responses: { Error: { description: 'The request was refused, or failed.', content } },
    },
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [
        path,
        OTHER_FORMAT.test(path)
          ? operations
          : Object.fromEntries(
              Object.entries(operations).map(([method, operation]) => [
                method,
                { ...operation, responses: { ...operation.responses, ...response } },
              ]),
            ),
      ]),
    ),
  };
}

/** The JSON schema of `ErrorJson`. */
function errorSchema() {
  const value = {
    anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'array', items: { type: 'string' } }],
  };
  const code = { type: 'string', enum: listCodes(), description: 'Says what is wrong. It is never changed.' };
  const params = {
    type: 'object',
    additionalProperties: value,
    description: 'The values in the sentence, by name.',
  };
  const field = {
    type: 'object',
    required: ['path', 'message', 'code', 'params'],
    properties: { path: { type: 'string' }, message: { type: 'string' }, code, params },
  };
  return {
    type: 'object',
    required: ['error', 'code', 'params'],
    properties: {
      error: { type: 'string', description: 'A sentence in English.' },
      code,
      params,
      errors: { type: 'array', items: field, description: 'The fields that were refused.' },
      message: { type: 'string', description: 'What can be done, in English.' },
    },
  };
}
