// Sends requests to the demo's own service, without a socket.
import type { InjectOptions } from 'fastify';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';

export type Service = ReturnType<typeof serviceOf>;

/** The type and the name of a file in a form, by its field. */
const FILES = {
  picture: ['image/png', 'picture.png'],
  document: ['application/pdf', 'document.pdf'],
} as const;

interface File {
  /** By default a picture. */
  field?: keyof typeof FILES;
  bytes: Uint8Array<ArrayBuffer>;
  fields: Record<string, string>;
}

/**
 * Sends each request with the given headers. A request throws if it is refused or if `signal` is aborted.
 * @returns methods that return the JSON of the response
 */
export function serviceOf(app: App, ctx: Context, headers: Record<string, string>, signal: AbortSignal) {
  async function ask(options: InjectOptions) {
    signal.throwIfAborted();
    const own = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const all = { ...own, ...headers, ...options.headers };
    const answer = await app.inject({ ...options, headers: all });
    if (answer.statusCode >= 400) throw new Error(`${options.method} ${options.url}: ${answer.body}`);
    return answer.headers['content-type']?.includes('json') ? answer.json() : { text: answer.body };
  }
  return {
    ctx,
    get: (url: string, more: Record<string, string> = {}) => ask({ method: 'GET', url, headers: more }),
    post: (url: string, payload: object = {}, more: Record<string, string> = {}) =>
      ask({ method: 'POST', url, payload, headers: more }),
    put: (url: string, payload: object) => ask({ method: 'PUT', url, payload }),
    /** Sends a form with a file. */
    async upload(url: string, { field = 'picture', bytes, fields }: File) {
      const [type, name] = FILES[field];
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, value);
      form.append(field, new Blob([bytes], { type }), name);
      const encoded = new Response(form);
      const payload = Buffer.from(await encoded.arrayBuffer());
      return ask({
        method: 'POST',
        url,
        payload,
        headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
      });
    },
  };
}
