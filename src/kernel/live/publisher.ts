import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { backoff } from '#kernel/backoff.ts';
import { type Clock, SECOND } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import { fetchUpstream, type UpstreamAnswer } from '#kernel/upstream.ts';

/** An event, published to the channel of the same name. */
export interface PublishedEvent {
  event: string;
  /** Sent as JSON; a function is called each time the event is sent. */
  data: unknown;
  /** Whether later subscribers get it, until the next event of its channel. */
  keep: boolean;
}

interface Options {
  /** The address of a channel is this, `/` and its name. */
  url: string;
  now: Clock;
  log: Logger;
  times?: Partial<PublisherTimes> | undefined;
}

/** Milliseconds. */
export interface PublisherTimes {
  /** Longest wait for an answer of the engine. */
  answer: number;
  /** Interval of checks whether the engine still has the published events. */
  look: number;
  /** Delays after failures. */
  firstWait: number;
  longestWait: number;
}

const TIMES: PublisherTimes = {
  answer: 5 * SECOND,
  look: 5 * SECOND,
  firstWait: SECOND,
  longestWait: 30 * SECOND,
};

/** The state of publishing, for operators. */
export interface PublisherState {
  /** Whether anything is published at all. */
  started: boolean;
  /** Whether the engine still lacks an event. */
  behind: boolean;
  published: number;
  failed: number;
  /** Since when the engine has accepted no events, and why. */
  failure: { since: number; reason: Words } | undefined;
  /** Open streams that the engine counts; undefined while it does not answer. */
  streams: number | undefined;
}

/** The position of a channel's message: the second of its arrival, and how many came before it in that second. */
type Place = readonly [second: number, tag: number];

/**
 * Publishes events to a fan-out engine with the API of nchan (https://nchan.io/#publisher-endpoints): a channel for
 * each event name, which holds its newest event. Sends one request at a time and keeps only the newest pending event
 * of each channel, so that neither a slow engine nor one that is down costs memory or time here.
 *
 * The engine sends a new subscriber the channels in the order of publication, and those of one moment in its own order.
 * So that this is always the order of `channels`, a kept event that was published before one of an earlier channel is
 * published again. After a failure, and when the engine has lost its memory, all kept events are published again.
 */
export class StreamPublisher {
  readonly #options: Options;
  readonly #times: PublisherTimes;
  #channels: readonly string[] = [];
  readonly #kept = new Map<string, PublishedEvent>();
  readonly #waiting = new Map<string, PublishedEvent>();
  readonly #places = new Map<string, Place>();
  /** Whether the engine may lack kept events. */
  #lacking = false;
  #failures = 0;
  readonly #state: Omit<PublisherState, 'behind'> = {
    started: false,
    published: 0,
    failed: 0,
    failure: undefined,
    streams: undefined,
  };
  #wake = new AbortController();
  readonly #closing = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
  }

  get state(): Readonly<PublisherState> {
    return { ...this.#state, behind: this.#lacking || this.#next() !== undefined };
  }

  /** Begins to publish. @param channels in the order in which new subscribers get them; events of the first are kept */
  start(channels: readonly string[]): void {
    this.#channels = channels;
    this.#state.started = true;
    this.#running ??= this.#run();
  }

  /** Publishes events as soon as the engine accepts them; each replaces a pending one of its channel. */
  send(events: readonly PublishedEvent[]): void {
    if (events.length === 0 || this.#closing.signal.aborted) return;
    for (const event of events) {
      if (event.keep) this.#kept.set(event.event, event);
      else this.#kept.delete(event.event);
      this.#waiting.set(event.event, event);
    }
    this.#wake.abort();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      this.#wake = new AbortController();
      if (this.#lacking) this.#publishAgain();
      const next = this.#next();
      if (next) await this.#publish(next);
      else {
        await pause(this.#times.look, AbortSignal.any([signal, this.#wake.signal]));
        if (this.#waiting.size === 0 && !signal.aborted) await this.#look();
      }
      if (this.#failures > 0)
        await pause(backoff(this.#failures, this.#times.firstWait, this.#times.longestWait), signal);
    }
  }

  #publishAgain(): void {
    this.#lacking = false;
    this.#places.clear();
    for (const [channel, event] of this.#kept) this.#waiting.set(channel, event);
  }

  /** Returns the event of the first channel that is pending or was published before that of an earlier channel. */
  #next(): PublishedEvent | undefined {
    let before: Place = [0, 0];
    for (const channel of this.#channels) {
      const event = this.#waiting.get(channel) ?? this.#kept.get(channel);
      const place = this.#places.get(channel);
      if (event && (this.#waiting.has(channel) || !place || isBefore(place, before))) return event;
      if (event && place) before = place;
    }
    return undefined;
  }

  async #publish(event: PublishedEvent): Promise<void> {
    const { event: channel, data, keep } = event;
    const answer = await this.#ask(channel, {
      method: 'POST',
      headers: {
        accept: 'text/json',
        'content-type': 'application/json',
        'x-eventsource-event': channel,
        ...(!keep && { 'x-stream-keep': '0' }),
      },
      body: JSON.stringify(typeof data === 'function' ? data() : data),
    });
    if (this.#closing.signal.aborted) return;
    const place = answer.ok ? readChannel(answer)?.place : undefined;
    if (!place) return this.#fail(answer, channel);
    this.#state.published += 1;
    this.#succeed();
    if (keep) this.#places.set(channel, place);
    else this.#places.delete(channel);
    if (this.#waiting.get(channel) === event) this.#waiting.delete(channel);
  }

  /** Asks for the first channel: if it has no message, the engine was restarted. */
  async #look(): Promise<void> {
    const [channel = ''] = this.#channels;
    const answer = await this.#ask(channel, { headers: { accept: 'text/json' } });
    if (this.#closing.signal.aborted) return;
    const found = answer.ok ? readChannel(answer) : undefined;
    if (!answer.ok || (!found && answer.status !== 404)) return this.#fail(answer);
    this.#lacking = this.#kept.has(channel) && !found?.messages;
    this.#state.streams = found?.streams ?? 0;
    this.#succeed();
  }

  #ask(channel: string, request: Parameters<typeof fetchUpstream>[1]): Promise<UpstreamAnswer> {
    return fetchUpstream(`${this.#options.url}/${channel}`, {
      ...request,
      timeoutMs: this.#times.answer,
      maxBytes: 64 * 1024,
      redirects: 0,
      signal: this.#closing.signal,
    });
  }

  #succeed(): void {
    if (this.#state.failure) this.#options.log.info('the fan-out engine accepts events again');
    this.#failures = 0;
    this.#state.failure = undefined;
  }

  #fail(answer: UpstreamAnswer, channel?: string): void {
    const { log, now } = this.#options;
    const reason = reasonOf(answer);
    this.#failures += 1;
    this.#lacking = true;
    this.#state.streams = undefined;
    if (channel !== undefined) this.#state.failed += 1;
    if (!this.#state.failure)
      log.error({ reason: reason.for(ENGLISH), channel }, 'the fan-out engine rejects events');
    this.#state.failure = { since: this.#state.failure?.since ?? now(), reason };
  }
}

const isBefore = ([second, tag]: Place, [otherSecond, otherTag]: Place): boolean =>
  second < otherSecond || (second === otherSecond && tag < otherTag);

/** Reads nchan's answer about a channel, after publishing or on request; undefined for any other answer. */
function readChannel({ status, body }: { status: number; body: Buffer }) {
  if (status < 200 || status > 202) return undefined;
  try {
    const { messages, subscribers, last_message_id } = JSON.parse(body.toString());
    const [, second, tag] = /^(\d+):(\d+)$/.exec(last_message_id) ?? [];
    if (second === undefined) return undefined;
    const place: Place = [Number(second), Number(tag)];
    return { messages: Number(messages) || 0, streams: Number(subscribers) || 0, place };
  } catch {
    return undefined;
  }
}

function reasonOf(answer: UpstreamAnswer): Words {
  if (!answer.ok) return answer.reason;
  return answer.status >= 200 && answer.status <= 202
    ? t('settings.upstream.not_nchan')
    : t('settings.upstream.plain_status', { status: String(answer.status) });
}

/** Waits, or returns early when aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
