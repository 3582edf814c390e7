import { backoff } from '#kernel/backoff.ts';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { keepText } from '#kernel/language/kept-text.ts';
import { t } from '#kernel/language/message.ts';
import { ENGLISH, type Words } from '#kernel/language/words.ts';
import type { Job } from '#kernel/scheduler.ts';
import { fetchUpstream, retryAfter, type UpstreamAnswer } from '#kernel/upstream.ts';
import { currentTrack, findLatestPlay } from '#pub/now-playing/current.ts';
import { parseIsrc } from '#pub/now-playing/track-key.ts';
import {
  findSendingState,
  markRefused,
  markSent,
  storeState,
  takeDue,
  type Waiting,
} from './scrobble-queue.ts';

/** The first and the longest wait after failures. */
const FIRST_WAIT = 5 * SECOND;
const LONGEST_WAIT = HOUR;
const REASON_LENGTH = 200;
/** How often a song is sent that gets no clear answer while others are accepted. */
const TRIES = 3;
/** So many songs in a row without a clear answer are the receiver's fault, and all of them wait. */
const IN_A_ROW = 2;

type Song = Pick<Waiting, 'artist' | 'title' | 'album' | 'isrc' | 'duration_ms'>;

/**
 * Makes the job that sends live plays and the current song to the account of the settings. A play is marked as sent after the receiver
 * accepted it: after a crash in between it is sent again with the same time, which the receiver recognises.
 */
export function scrobbleSender(ctx: Context): Job['run'] {
  let account: string | undefined;
  let announced: number | undefined;
  /** Songs without a clear answer. */
  const doubtful = new Map<number, { tries: number; next_at: number }>();
  return async (stopping) => {
    const { SCROBBLE_URL: url, SCROBBLE_TOKEN: token } = ctx.config;
    if (!url || !token) return;
    // A refused token may have been changed, in the settings or before a restart.
    if (account !== `${url} ${token}` && findSendingState(ctx.db).stopped)
      await ctx.write((tx) => storeState(tx, { failures: 0, next_at: 0, error: null, stopped: 0 }));
    account = `${url} ${token}`;
    const due = await takeDue(ctx);
    const open: Waiting[] = [];
    for (const song of due) {
      if (stopping?.aborted || !isReady(ctx)) return;
      if ((doubtful.get(song.id)?.next_at ?? 0) > ctx.now()) continue;
      const listened_at = Math.floor(song.started_at / SECOND);
      const answer = await post(ctx, 'single', { listened_at, ...formatTrack(ctx, song) }, stopping);
      if (stopping?.aborted && !answer.ok) return;
      const verdict = verdictOn(answer);
      if (verdict === 'doubtful' && doubtful.has(song.id)) {
        await doubt(ctx, doubtful, song);
        continue;
      }
      if (verdict === 'doubtful' && open.length + 1 < IN_A_ROW && due.length > 1) {
        open.push(song);
        continue;
      }
      if (verdict === 'sent') for (const one of open.splice(0)) await doubt(ctx, doubtful, one);
      if (verdict !== 'doubtful') doubtful.delete(song.id);
      await settle(ctx, song, answer, verdict);
    }
    // Nothing else could be sent that would tell whose fault it is.
    if (open.length > 0) await waitForReceiver(ctx, { ok: false, reason: NO_CLEAR_ANSWER });
    const playing = findPlaying(ctx);
    if (!playing || playing.id === announced || !isReady(ctx)) return;
    announced = playing.id;
    // The current song is soon out of date, so a failure is not retried.
    await post(ctx, 'playing_now', formatTrack(ctx, playing), stopping);
  };
}

const isReady = (ctx: Context) => {
  const { stopped, next_at } = findSendingState(ctx.db);
  return !stopped && next_at <= ctx.now();
};

/** The current track, unless it is over or the sound of a film. */
function findPlaying(ctx: Context) {
  const latest = findLatestPlay(ctx);
  const now = ctx.now();
  if (!latest || !currentTrack(latest, now, ctx.config.NOW_PLAYING_STALE_MS)) return undefined;
  const over = latest.duration_ms !== null && now >= latest.started_at + latest.duration_ms;
  return over || latest.kind === 'video' ? undefined : latest;
}

type Verdict = 'sent' | 'stopped' | 'refused' | 'not ready' | 'doubtful';

/**
 * What an answer means. Every 2xx is a yes: some receivers answer 204, or a text. Only a web page is the login of a network
 * that stands between. Without a clear answer the receiver may have the song: it is sent again with the same time, by which
 * the receiver recognises it.
 */
function verdictOn(answer: UpstreamAnswer): Verdict {
  if (!answer.ok) return answer.isUnsent ? 'not ready' : 'doubtful';
  const { status } = answer;
  if (status >= 200 && status < 300) return isPage(answer.body) ? 'not ready' : 'sent';
  if (status === 401 || status === 403) return 'stopped';
  if ([404, 429, 503].includes(status)) return 'not ready';
  return status >= 400 && status < 500 && status !== 408 ? 'refused' : 'doubtful';
}

const isPage = (body: Buffer) => /^\ufeff?\s*<(?:!doctype|html)/i.test(body.subarray(0, 200).toString());

const NO_CLEAR_ANSWER = t('settings.upstream.no_clear_answer');

/** Counts one more try of a song that got no clear answer while another one was accepted; at last it is given up. */
async function doubt(
  ctx: Context,
  doubtful: Map<number, { tries: number; next_at: number }>,
  { id }: Waiting,
): Promise<void> {
  const tries = (doubtful.get(id)?.tries ?? 0) + 1;
  doubtful.set(id, { tries, next_at: ctx.now() + backoff(tries, FIRST_WAIT, LONGEST_WAIT) });
  if (tries < TRIES) return;
  doubtful.delete(id);
  await markRefused(ctx, id, NO_CLEAR_ANSWER.for(ENGLISH));
}

async function settle(
  ctx: Context,
  { id }: Waiting,
  answer: UpstreamAnswer,
  verdict: Verdict,
): Promise<void> {
  if (verdict === 'sent' && answer.ok) {
    const left = Number(answer.headers.get('x-ratelimit-remaining') ?? 1);
    await markSent(ctx, id, left === 0 ? ctx.now() + resetIn(answer.headers, SECOND) : 0);
    return;
  }
  const error = reasonOf(answer);
  ctx.log.warn({ reason: error.for(ENGLISH) }, 'a song could not be sent on');
  if (verdict === 'stopped')
    return ctx.write((tx) => storeState(tx, { failures: 1, next_at: 0, error: keepText(error), stopped: 1 }));
  if (verdict === 'refused') return markRefused(ctx, id, error.for(ENGLISH));
  await waitForReceiver(ctx, answer);
}

/** Sends nothing for a while, longer after each failure. */
async function waitForReceiver(ctx: Context, answer: UpstreamAnswer): Promise<void> {
  const error = keepText(reasonOf(answer));
  const failures = findSendingState(ctx.db).failures + 1;
  const asked = answer.ok && answer.status === 429 ? resetIn(answer.headers, MINUTE) : 0;
  const named = answer.ok ? (retryAfter(answer.headers, ctx.now()) ?? 0) : 0;
  const wait = Math.min(LONGEST_WAIT, Math.max(asked, named, backoff(failures, FIRST_WAIT, LONGEST_WAIT)));
  await ctx.write((tx) => storeState(tx, { failures, next_at: ctx.now() + wait, error, stopped: 0 }));
}

/** How long until the receiver accepts requests again, in milliseconds. */
function resetIn(headers: Headers, otherwise: number): number {
  const seconds = Number(headers.get('x-ratelimit-reset-in') ?? Number.NaN);
  return seconds > 0 ? seconds * SECOND : otherwise;
}

function post(
  { config, userAgent }: Context,
  listen_type: 'single' | 'playing_now',
  listen: object,
  signal: AbortSignal | undefined,
): Promise<UpstreamAnswer> {
  return fetchUpstream(`${config.SCROBBLE_URL}/1/submit-listens`, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Token ${config.SCROBBLE_TOKEN}`,
      'content-type': 'application/json',
      'user-agent': userAgent,
    },
    body: JSON.stringify({ listen_type, payload: [listen] }),
    maxBytes: 64 * 1024,
    signal,
  });
}

function formatTrack({ version }: Context, { artist, title, album, isrc, duration_ms }: Song) {
  return {
    track_metadata: {
      artist_name: artist,
      track_name: title,
      ...(album && { release_name: album }),
      additional_info: {
        submission_client: 'Public House',
        submission_client_version: version,
        ...(duration_ms !== null && { duration_ms }),
        ...(parseIsrc(isrc) && { isrc: parseIsrc(isrc) }),
      },
    },
  };
}

function reasonOf(answer: UpstreamAnswer): Words {
  if (!answer.ok) return answer.reason;
  if (isPage(answer.body)) return t('settings.upstream.web_page');
  const said = jsonOf(answer.body);
  const error = typeof said === 'object' && said !== null && 'error' in said ? said.error : undefined;
  const status = String(answer.status);
  return typeof error === 'string'
    ? t('settings.upstream.status_said', { status, said: error.slice(0, REASON_LENGTH) })
    : t('settings.upstream.plain_status', { status });
}

/** Undefined if the body is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
