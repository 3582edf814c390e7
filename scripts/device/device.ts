import { setTimeout as sleep } from 'node:timers/promises';
import type { Song } from './catalogue.ts';
import type { Step, Verdict } from './night.ts';
import { type Body, FIRST_WAIT_MS, Outbox, type Taken } from './outbox.ts';

const SECOND = 1_000;
const BEAT_MS = 30 * SECOND;
const POLL_MS = 5 * SECOND;
/** How long the equipment takes to execute a command. */
const REACH_MS = 2 * SECOND;
/** The shortest pause of a loop, at any speed. */
const LEAST_MS = 50;
const ANSWER_WITHIN_MS = 10 * SECOND;
const VERSION = 'simulator 1';

export interface DeviceOptions {
  /** URL of the service, without a trailing slash. */
  url: string;
  token?: string | undefined;
  /** How many times faster than real time. */
  speed?: number;
  coverOf?: (song: Song) => string;
  /** Ends the night early. */
  signal?: AbortSignal;
  say?: (line: string) => void;
}

/** The counts of a finished night. */
export interface NightReport {
  /** Ids of the stored rows, including silence, in the order of their acknowledgement. */
  stored: number[];
  deduped: number;
  /** Reports that had to be sent again. */
  retries: number;
  /** Reports that the service rejected as invalid. */
  refused: number;
  heartbeats: number;
  offsets: number;
  /** Commands for lights and sound that were executed. */
  applied: number;
}

/** The two relays, and the field of a heartbeat that acknowledges their commands. */
const RELAYS = { dmx: 'applied_intent', qsys: 'applied_sound' } as const;
type Relay = keyof typeof RELAYS;

/** A desired state in the service's response. */
interface RelayCommand {
  desired: { action?: string; mode?: string; name?: string } | null;
  desiredSetAt: string | null;
}

/**
 * Plays a night against a service as the capture device does: sends reports in order and retries until they are
 * accepted, sends a heartbeat every 30 s, polls commands for lights and sound every 5 s and acknowledges them. While
 * the service is down reports are queued with their time, so none is lost. Returns when all reports are accepted.
 */
export async function playNight(steps: readonly Step[], options: DeviceOptions): Promise<NightReport> {
  const { url, token, speed = 1, coverOf = () => '', say = () => undefined } = options;
  const ending = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, ending.signal]) : ending.signal;
  const began = Date.now();
  const report: NightReport = {
    stored: [],
    deduped: 0,
    retries: 0,
    refused: 0,
    heartbeats: 0,
    offsets: 0,
    applied: 0,
  };
  let content: Verdict = { kind: 'silence', confidence: 0.9 };
  let room = { qsys_down: false, quiet_active: false };
  /** The service's id of the song that is playing. */
  let latest: number | undefined;
  /** The time of the last executed command of each relay that is not acknowledged yet. */
  const reached = new Map<Relay, string>();
  const outbox = new Outbox({ send: (body) => post('/api/now-playing/ingest', body), again, taken, refused });

  const loops = [every(BEAT_MS, beat), every(POLL_MS, pollCommands)];
  for (const step of steps) {
    await pause(began + step.at / speed - Date.now());
    if (signal.aborted) break;
    await take(step);
  }
  await outbox.emptied();
  await beat();
  ending.abort();
  await Promise.all(loops);
  return report;

  async function take(step: Step): Promise<void> {
    if (step.kind === 'verdict') {
      content = step.content;
      await beat();
    } else if (step.kind === 'room') room = { qsys_down: step.qsysDown, quiet_active: step.quietActive };
    else if (step.kind === 'silence') outbox.put({ silent: true, started_at: wall(step.at) });
    else if (step.kind === 'offset') await tellOffset(step);
    else {
      const { song, source, confidence } = step;
      outbox.put({
        artist: song.artist,
        title: song.title,
        album: song.album,
        isrc: song.isrc,
        album_art_url: song.hasArt ? coverOf(song) : '',
        duration_ms: song.durationMs,
        source,
        confidence,
        started_at: wall(step.startedAt),
      });
    }
  }

  function taken(body: Body, { id, deduped }: Taken): void {
    if (deduped) report.deduped += 1;
    else report.stored.push(id);
    latest = body.silent ? undefined : id;
    const what = body.silent ? 'silence' : `${body.artist} – ${body.title}`;
    say(deduped ? `  again: ${what}` : `♪ ${what} (${id})`);
  }

  function refused(body: Body, status: number): void {
    report.refused += 1;
    say(`refused with ${status}: ${JSON.stringify(body)}`);
  }

  async function again(ms: number, status: number | undefined): Promise<boolean> {
    report.retries += 1;
    if (ms === FIRST_WAIT_MS) say(`the service does not accept it (${status ?? 'no answer'}): reports wait`);
    await pause(Math.max(LEAST_MS, ms / speed));
    return !signal.aborted;
  }

  async function tellOffset({ offsetMs, confidence }: Step & { kind: 'offset' }): Promise<void> {
    // An offset is only valid now, so one that cannot be sent at once is dropped.
    if (latest === undefined || !outbox.isEmpty) return;
    const body = { trackId: latest, offsetMs, confidence, source: 'chromaprint' };
    const answer = await post('/api/now-playing/offset', body).catch(() => undefined);
    if (answer?.ok) report.offsets += 1;
  }

  async function beat(): Promise<void> {
    const acknowledged = [...reached];
    const applied = acknowledged.map(([relay, set_at]) => [RELAYS[relay], { set_at, ok: true }]);
    const answer = await post('/api/now-playing/ingest', {
      heartbeat: true,
      content,
      ...room,
      ...Object.fromEntries(applied),
      device: { id: 'simulator', version: VERSION, uptime_s: Math.round((Date.now() - began) / SECOND) },
    }).catch(() => undefined);
    if (!answer?.ok) return;
    report.heartbeats += 1;
    for (const [relay, setAt] of acknowledged) if (reached.get(relay) === setAt) reached.delete(relay);
  }

  async function pollCommands(): Promise<void> {
    const news = [await reach('dmx'), await reach('qsys')];
    if (news.includes(true)) await beat();
  }

  async function reach(relay: Relay): Promise<boolean> {
    const answer = await call(`/api/${relay}/desired`);
    const { desired, desiredSetAt } = answer.ok ? ((await answer.json()) as RelayCommand) : {};
    // A command that is executed but not acknowledged yet is not executed twice.
    if (!desired || !desiredSetAt || reached.get(relay) === desiredSetAt) return false;
    await pause(REACH_MS / speed);
    reached.set(relay, desiredSetAt);
    report.applied += 1;
    const what = [desired.action ?? desired.mode, desired.name].filter(Boolean).join(' ');
    say(`→ ${relay === 'dmx' ? 'lights' : 'sound'}: ${what}`);
    return true;
  }

  /** Repeats an action at an interval; after a failure it runs again the next time. */
  async function every(ms: number, turn: () => Promise<void>): Promise<void> {
    while (!signal.aborted) {
      await turn().catch(() => undefined);
      await pause(Math.max(LEAST_MS, ms / speed));
    }
  }

  function wall(at: number): string {
    return new Date(began + at / speed).toISOString();
  }

  async function pause(ms: number): Promise<void> {
    if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => undefined);
  }

  function post(path: string, body: object): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return call(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  function call(path: string, init: RequestInit = {}): Promise<Response> {
    return fetch(`${url}${path}`, {
      ...init,
      headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_WITHIN_MS)]),
    });
  }
}
