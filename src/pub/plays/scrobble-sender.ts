import { backoff } from '#kernel/backoff.ts';
import { HOUR, MINUTE, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
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

type Song = Pick<Waiting, 'artist' | 'title' | 'album' | 'isrc' | 'duration_ms'>;

/**
 * Makes the job that sends live plays and the current song to the account of the settings. A play is marked as sent after the receiver
 * accepted it: after a crash in between it is sent again with the same time, which the receiver recognises.
 */
export function scrobbleSender(ctx: Context): Job['run'] {
  let account: string | undefined;
  let announced: number | undefined;
  return async (stopping) => {
    const { SCROBBLE_URL: url, SCROBBLE_TOKEN: token } = ctx.config;
    if (!url || !token) return;
    // A refused token may have been changed, in the settings or before a restart.
    if (account !== `${url} ${token}` && findSendingState(ctx.db).stopped)
      await ctx.write((tx) => storeState(tx, { failures: 0, next_at: 0, error: null, stopped: 0 }));
    account = `${url} ${token}`;
    for (const song of await takeDue(ctx)) {
      if (stopping?.aborted || !isReady(ctx)) return;
      const listened_at = Math.floor(song.started_at / SECOND);
      const answer = await post(ctx, 'single', { listened_at, ...formatTrack(ctx, song) }, stopping);
      if (stopping?.aborted && !answer.ok) return;
      await settle(ctx, song, answer);
    }
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

async function settle(ctx: Context, { id }: Waiting, answer: UpstreamAnswer): Promise<void> {
  if (answer.ok && answer.status === 200 && jsonOf(answer.body) !== undefined) {
    const left = Number(answer.headers.get('x-ratelimit-remaining') ?? 1);
    await markSent(ctx, id, left === 0 ? ctx.now() + resetIn(answer.headers, SECOND) : 0);
    return;
  }
  const error = reasonOf(answer);
  const status = answer.ok ? answer.status : 0;
  ctx.log.warn({ reason: error }, 'a song could not be sent on');
  if (status === 401 || status === 403) {
    await ctx.write((tx) => storeState(tx, { failures: 1, next_at: 0, error, stopped: 1 }));
    return;
  }
  if (status >= 400 && status < 500 && ![404, 408, 429].includes(status)) return markRefused(ctx, id, error);
  const failures = findSendingState(ctx.db).failures + 1;
  const asked = answer.ok && status === 429 ? resetIn(answer.headers, MINUTE) : 0;
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

function reasonOf(answer: UpstreamAnswer): string {
  if (!answer.ok) return answer.reason;
  if (answer.status === 200) return 'its answer is not JSON';
  const said = jsonOf(answer.body);
  const error = typeof said === 'object' && said !== null && 'error' in said ? said.error : undefined;
  return `status ${answer.status}${typeof error === 'string' ? `: ${error.slice(0, REASON_LENGTH)}` : ''}`;
}

/** Undefined if the body is not JSON. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
