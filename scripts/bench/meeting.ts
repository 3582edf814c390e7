// npm run bench:meeting: phones follow a meeting by its stream, load its page when voting opens, and vote as browsers
// do. Phones and service are separate processes. How to read it: README.md beside this file.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { figure } from './figures.ts';
import type { BenchMeeting } from './processes/meeting-server.ts';

/** The phones of a meeting, how soon the ballot has to be there, and how long a cast may take. */
const SIZES = [
  { phones: 150, ballotMs: 300, castMs: 250 },
  { phones: 500, ballotMs: 300, castMs: 500 },
];
const ADDRESSES = ['one', 'many'] as const;
type Addresses = (typeof ADDRESSES)[number];
/** The time in which all of them vote. */
const VOTE_WITHIN_MS = Number(process.argv[2] ?? 20) * 1_000;
const PATIENCE_MS = 30_000;
let server: ChildProcess | undefined;

/** What the phones of a meeting saw: times in milliseconds. */
interface Seen {
  ballots: number[];
  casts: number[];
  refused: number;
}

/** Connects a phone for each card, opens the motion, and lets all of them vote. */
async function hold(
  port: number,
  meeting: BenchMeeting,
  which: number,
  addresses: Addresses,
  within: number,
): Promise<Seen> {
  const seen: Seen = { ballots: [], casts: [], refused: 0 };
  let openedAt = 0;
  const phones = meeting.codes.map((code, index) => new Phone(port, meeting, { code, index, addresses }));
  for (const phone of phones) await phone.follow();
  openedAt = performance.now();
  server?.send(which);
  await Promise.all(
    phones.map(async (phone) => {
      const ballot = await phone.ballot();
      seen.ballots.push(performance.now() - openedAt);
      await setTimeout(Math.random() * within);
      const cast = await phone.cast(ballot);
      if (cast !== undefined) seen.casts.push(cast);
    }),
  );
  seen.refused = phones.reduce((sum, { refused }) => sum + refused, 0);
  for (const phone of phones) phone.leave();
  return seen;
}

/** A browser on the page of the meeting: it keeps its connections. */
class Phone {
  refused = 0;
  readonly #agent = new http.Agent({ keepAlive: true });
  readonly #port: number;
  readonly #meeting: BenchMeeting;
  readonly #headers: Record<string, string>;
  #stream: http.IncomingMessage | undefined;

  constructor(
    port: number,
    meeting: BenchMeeting,
    { code, index, addresses }: { code: string; index: number; addresses: Addresses },
  ) {
    this.#port = port;
    this.#meeting = meeting;
    this.#headers = {
      accept: 'text/html',
      cookie: `house_card=${code}`,
      // Without it the phones would be programs on the server’s own machine, which may be its officers.
      'x-forwarded-for': addresses === 'many' ? `198.51.${index >> 8}.${index & 255}` : '198.51.100.1',
    };
  }

  /** Loads the page, and follows the meeting from then on. */
  async follow(): Promise<void> {
    await this.#send('GET', `/m/${this.#meeting.id}/card`);
    this.#stream = await this.#ask('GET', `/m/${this.#meeting.id}/stream`);
    if (this.#stream.statusCode !== 200) this.refused += 1;
  }

  /** Waits until voting is open, and loads the page with the ballot. */
  async ballot(): Promise<string> {
    const stream = this.#stream!;
    let heard = '';
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      heard += chunk;
      if (heard.includes('"open":[{')) break;
    }
    const page = await this.#send('GET', `/m/${this.#meeting.id}/card`);
    if (!page.includes('/vote/review"')) this.refused += 1;
    return page;
  }

  /** Reviews and casts the ballot, and goes back to the meeting. @returns how long the cast took */
  async cast(ballot: string): Promise<number | undefined> {
    const { paper, election } = this.#meeting;
    const path = `/p/${paper}/vote`;
    const choice: [string, string] = [`${election}.choice`, 'yes....'];
    const review = await this.#send('POST', `${path}/review`, [
      ...fieldsOf(ballot, `${path}/review`),
      choice,
    ]);
    const fields = fieldsOf(review, path);
    const began = performance.now();
    await this.#send('POST', path, fields);
    const took = performance.now() - began;
    await this.#send('GET', `/m/${this.#meeting.id}/card`);
    return took;
  }

  leave(): void {
    this.#stream?.destroy();
    this.#agent.destroy();
  }

  /** Sends a request. @returns the text of its answer; an answer that is no page or redirect counts as refused */
  async #send(method: string, url: string, fields?: [string, string][]): Promise<string> {
    try {
      const answer = await this.#ask(method, url, fields);
      let text = '';
      for await (const chunk of answer) text += chunk;
      if ((answer.statusCode ?? 0) >= 400) this.refused += 1;
      return text;
    } catch {
      this.refused += 1;
      return '';
    }
  }

  async #ask(method: string, url: string, fields?: [string, string][]): Promise<http.IncomingMessage> {
    const isStream = url.endsWith('/stream');
    const request = http.request({
      host: '127.0.0.1',
      port: this.#port,
      agent: isStream ? false : this.#agent,
      path: url,
      method,
      ...(!isStream && { signal: AbortSignal.timeout(PATIENCE_MS) }),
      headers: {
        ...this.#headers,
        ...(fields && { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    request.end(fields && String(new URLSearchParams(fields)));
    const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
    return answer.setEncoding('utf8');
  }
}

/** The hidden fields of the form with this action. */
function fieldsOf(text: string, action: string): [string, string][] {
  const from = text.indexOf(`action="${action}"`);
  const inside = text.slice(from, text.indexOf('</form>', from));
  return [...inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
}

function ms(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'meeting-bench-'));
const rounds = ADDRESSES.flatMap((addresses) => SIZES.map((size) => ({ ...size, addresses })));
try {
  // The first warms the service up.
  const sizes = [20, ...rounds.map(({ phones }) => phones)].map(String);
  server = fork(path.join(import.meta.dirname, 'processes/meeting-server.ts'), [folder, ...sizes]);
  await once(server, 'message');
  const made: { port: number; meetings: BenchMeeting[] } = JSON.parse(
    fs.readFileSync(path.join(folder, 'meeting.json'), 'utf8'),
  );
  await hold(made.port, made.meetings[0]!, 0, 'one', 1_000);
  for (const [at, { phones, ballotMs, castMs, addresses }] of rounds.entries()) {
    const { ballots, casts, refused } = await hold(
      made.port,
      made.meetings[at + 1]!,
      at + 1,
      addresses,
      VOTE_WITHIN_MS,
    );
    const where = `${phones} phones at ${addresses === 'one' ? 'one address' : 'many addresses'}`;
    console.log(`\n${where}: ballot p50 ${ms(ballots, 0.5)} ms, cast p50 ${ms(casts, 0.5)} ms`);
    const target = (atMost: number) => ({ unit: 'ms', target: { atMost } });
    figure({ name: `ballot there, ${where}, p99`, value: ms(ballots, 0.99), ...target(ballotMs) });
    figure({ name: `cast, ${where}, p99`, value: ms(casts, 0.99), ...target(castMs) });
    const of = phones * 5;
    figure({ name: `refused, ${where}`, value: refused, unit: `of ${of} requests`, target: { atMost: 0 } });
  }
} finally {
  server?.kill('SIGKILL');
  fs.rmSync(folder, { recursive: true, force: true });
}
