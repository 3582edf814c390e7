/** Statuses for which a retry is useless: the service has read the report and refuses it. */
const REFUSALS = new Set([400, 404, 413, 415, 422]);
export const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;

export type Body = Record<string, unknown>;

/** The service's response to an accepted report. */
export interface Taken {
  id: number;
  deduped?: boolean;
}

/** How an outbox sends and retries reports, and its callbacks for the outcome. */
export interface Ways {
  send(body: Body): Promise<Response>;
  /** Waits before a retry. @returns false to give up */
  again(ms: number, status: number | undefined): Promise<boolean>;
  taken(body: Body, answer: Taken): void;
  refused(body: Body, status: number): void;
}

/** A queue that sends reports in order, one at a time, and retries until they are accepted or refused. */
export class Outbox {
  readonly #ways: Ways;
  readonly #waiting: Body[] = [];
  #sending: Promise<void> | undefined;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  put(body: Body): void {
    this.#waiting.push(body);
    this.#sending ??= this.#send();
  }

  /** Waits until the queue is empty or sending was given up. */
  async emptied(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    let wait = FIRST_WAIT_MS;
    for (let body = this.#waiting[0]; body; body = this.#waiting[0]) {
      const answer = await this.#ways.send(body).catch(() => undefined);
      // A 200 may come from something else, for example the sign-in page of a guest network.
      const told = answer?.ok ? await answer.json().catch(() => undefined) : undefined;
      if (typeof told?.id === 'number') this.#ways.taken(body, told);
      else if (answer && REFUSALS.has(answer.status)) this.#ways.refused(body, answer.status);
      else {
        if (!(await this.#ways.again(wait, answer?.status))) break;
        wait = Math.min(LONGEST_WAIT_MS, wait * 2);
        continue;
      }
      wait = FIRST_WAIT_MS;
      this.#waiting.shift();
    }
    this.#sending = undefined;
  }
}
