// Requests of the soak: how long each kind took, and every answer that was not what it should be.
import http from 'node:http';

/** A text is sent as a form, an object as JSON, bytes as they are. */
type Body = object | string | Uint8Array;

export interface Sent {
  method?: string;
  body?: Body;
  headers?: Record<string, string>;
  /** 200 unless said. */
  wanted?: number;
}

export interface Answer {
  text: string;
  headers: http.IncomingHttpHeaders;
}

export class Asker {
  /** Milliseconds of the answers since the last look, by kind. */
  #times = new Map<string, number[]>();
  /** How often something went wrong, by what it was. */
  readonly errors = new Map<string, number>();
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  readonly #url: string;
  readonly #staff: Record<string, string>;

  constructor(url: string, staff: Record<string, string>) {
    this.#url = url;
    this.#staff = staff;
  }

  /** Asks as staff. @throws when the answer is not what is wanted; it is counted */
  async staff(kind: string, path: string, sent: Sent = {}) {
    const { text } = await this.ask(kind, path, { ...sent, headers: { ...this.#staff, ...sent.headers } });
    return text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text;
  }

  /** @throws when the answer is not what is wanted; it is counted */
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

  /** Counts what went wrong. */
  wrong(what: string): Error {
    this.errors.set(what, (this.errors.get(what) ?? 0) + 1);
    return new Error(what);
  }

  /** The times since the last call, sorted, by kind. */
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
