// The HTTP client of the soak: records the time of each kind of request, and every unexpected answer.
import http from 'node:http';

/** A string is sent as a form, an object as JSON, bytes unchanged. */
type Body = object | string | Uint8Array;

export interface Sent {
  method?: string;
  body?: Body;
  headers?: Record<string, string>;
  /** The expected status, by default 200. */
  wanted?: number;
}

export interface Answer {
  text: string;
  headers: http.IncomingHttpHeaders;
}

export class Asker {
  /** Milliseconds of each answer since the last `takeTimes`, by kind of request. */
  #times = new Map<string, number[]>();
  /** How often each error occurred. */
  readonly errors = new Map<string, number>();
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: string;
  readonly #staff: Record<string, string>;

  constructor(url: string, staff: Record<string, string>) {
    this.#url = url;
    this.#staff = staff;
  }

  /** Sends a request as staff. @throws when the status is not the wanted one; the error is counted */
  async staff(kind: string, path: string, sent: Sent = {}) {
    const { text } = await this.ask(kind, path, { ...sent, headers: { ...this.#staff, ...sent.headers } });
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  }

  /** @throws when the status is not the wanted one; the error is counted */
  async ask(kind: string, path: string, { method, body, headers, wanted = 200 }: Sent = {}): Promise<Answer> {
    const began = performance.now();
    const answer = await this.#exchange(path, method ?? (body ? 'POST' : 'GET'), body, headers).catch(
      (error: NodeJS.ErrnoException) => ({ status: 0, text: error.code ?? error.message, headers: {} }),
    );
    this.#times.getOrInsertComputed(kind, () => []).push(performance.now() - began);
    if (answer.status === wanted) return answer;
    const said =
      /"(?:error|message)":"([^"]*)"/.exec(answer.text)?.[1] ??
      /<h1[^>]*>([^<]*)/.exec(answer.text)?.[1] ??
      '';
    throw this.wrong(`${kind}: ${answer.status} ${said}`);
  }

  /** Counts an error and returns it. */
  wrong(what: string): Error {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
    return new Error(what);
  }

  /** Returns and resets the times since the last call, sorted, by kind of request. */
  takeTimes(): Map<string, number[]> {
    const times = this.#times;
    this.#times = new Map();
    for (const all of times.values()) all.sort((a, b) => a - b);
    return times;
  }

  #exchange(path: string, method: string, body: Body | undefined, more: Record<string, string> = {}) {
    const form = typeof body === 'string';
    const payload = body === undefined || form || body instanceof Uint8Array ? body : JSON.stringify(body);
    const headers = {
      accept: form ? 'text/html' : 'application/json',
      ...(payload !== undefined && {
        'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
        'content-length': Buffer.byteLength(payload),
      }),
      ...more,
    };
    return new Promise<Answer & { status: number }>((resolve, reject) => {
      const options = { method, headers, agent: this.#agent, timeout: 60_000 };
      const request = http.request(this.#url + path, options, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers });
        });
      });
      request.on('timeout', () => request.destroy(new Error('no answer within a minute')));
      request.on('error', reject);
      request.end(payload);
    });
  }
}

export const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
