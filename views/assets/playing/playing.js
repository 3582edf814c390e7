// What is playing, as a page knows it: collects the events of the stream and redraws when something may have
// changed.

import { now, setText } from './clock.js';
import { corrected, follow, lineAt, parseLrc, position } from './lyrics.js';
import { openStream } from './stream.js';

/** Lyrics move ten times a second, everything else once. */
const FINE_MS = 100;
const COARSE_MS = 1_000;
/** A song that still plays so long after its end was reported with a wrong length. */
const OVERTIME_MS = 15_000;

/**
 * @import { TrackRow } from '#pub/now-playing/tracks.ts'
 * @import { SentEvent, SentEvents } from '#pub/stream/stream-state.ts'
 * @typedef {object} Music What the stream has sent so far.
 * @property {boolean} display Whether the right TV is to show it
 * @property {TrackRow | null} track
 * @property {boolean} listening Whether the listening device is online
 * @property {SentEvents['lyrics_toggle']} wanted Where lyrics are on
 * @property {{ trackId: number | null, lines: import('./lyrics.js').Line[] }} lyrics
 * @property {SentEvents['offset'] | undefined} offset
 * @property {import('./lyrics.js').Follow | undefined} followed
 * @property {boolean} connected
 * @property {boolean} heard Whether the stream has sent every event at least once
 */

/**
 * @typedef {object} Scene What to show at a moment.
 * @property {TrackRow | null} track
 * @property {number} position Milliseconds into it
 * @property {import('./lyrics.js').Line[]} lines Its lyrics; empty where there are none
 * @property {number} line The index of the current line; -1 before the first
 */

/**
 * Follows the stream for as long as the page is open.
 * @param {(music: Music, scene: Scene) => void} draw Called often; it must write only changes
 * @param {object} options
 * @param {number} options.staleMs
 * @param {() => void} [options.heard] called for each ping
 * @param {() => void} [options.opened] called at each connect
 * @param {string} [options.url] the address of the stream
 * @param {Record<string, (data: any) => void>} [options.others] what to do with events that are not about the music
 */
export function followMusic(draw, { staleMs, heard, opened, others, url }) {
  const music = unheard();
  let timer = 0;

  function redraw() {
    clearTimeout(timer);
    const scene = sceneAt(music, now(), staleMs);
    // Scheduled first: an error in `draw` must not stop the updates.
    timer = window.setTimeout(redraw, scene.lines.length > 0 ? FINE_MS : COARSE_MS);
    draw(music, scene);
  }

  const names = ['now_playing_display', 'track', 'status', 'lyrics_toggle', 'lyrics', 'offset', 'ping'];
  const on = Object.fromEntries(
    names.map((name) => [
      name,
      (/** @type {any} */ data) => {
        if (name === 'ping') heard?.();
        hear(music, /** @type {SentEvent} */ ([name, data]), now());
        redraw();
      },
    ]),
  );
  openStream({
    on: { ...others, ...on },
    ...(opened && { opened }),
    ...(url && { url }),
    changed({ connected }) {
      music.connected = connected;
      redraw();
    },
  });
  redraw();
}

/**
 * The state before any event.
 * @returns {Music}
 */
export function unheard() {
  return {
    display: false,
    track: null,
    listening: true,
    wanted: { enabled: false, projector: false, barRight: false },
    lyrics: { trackId: null, lines: [] },
    offset: undefined,
    followed: undefined,
    connected: true,
    heard: false,
  };
}

/**
 * Applies one event of the stream.
 * @param {Music} music
 * @param {SentEvent} event
 * @param {number} at
 */
export function hear(music, [name, data], at) {
  if (name === 'now_playing_display') music.display = data.barRight;
  if (name === 'track') {
    music.track = data;
    // After a reconnect the same song keeps its known position.
    if (data?.id !== music.followed?.trackId) music.followed = data ? follow(data) : undefined;
  }
  if (name === 'status') music.listening = data.state === 'online';
  if (name === 'lyrics_toggle') music.wanted = data;
  if (name === 'lyrics')
    music.lyrics = { trackId: data.trackId, lines: data.available ? parseLrc(data.lrc ?? '') : [] };
  if (name === 'offset') music.offset = data;
  if (name === 'ping') music.heard = true;
  // On pings too: a connection's first offset comes before its clock is set.
  if (music.followed && music.offset && (name === 'offset' || name === 'ping'))
    music.followed = corrected(music.followed, music.offset, at);
}

/**
 * What to show at a moment. A stale song is dropped even without an event; one that has ended is dropped too while
 * no device can report the next one.
 * @param {Music} music
 * @param {number} at
 * @param {number} staleMs
 * @returns {Scene}
 */
export function sceneAt({ track, followed, lyrics, connected, listening }, at, staleMs) {
  const nothing = { track: null, position: 0, lines: [], line: -1 };
  if (!track || !followed || at - Date.parse(track.startedAt) > staleMs) return nothing;
  const place = Math.max(0, position(followed, at));
  const reported = connected && listening;
  if (!reported && track.durationMs && place > track.durationMs) return nothing;
  const lines = lyrics.trackId === track.id ? lyrics.lines : [];
  return { track, position: place, lines, line: lineAt(lines, place) };
}

/**
 * The address of a track's cover on our own host; empty where it has none.
 * @param {TrackRow} track
 */
export function coverOf({ id, albumArtUrl }) {
  return albumArtUrl ? `/api/art/${id}` : '';
}

/**
 * Minutes and seconds, `3:07`.
 * @param {number} ms
 */
export function clockOf(ms) {
  const seconds = Math.floor(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Shows the progress of a song, or hides it if the length is not known.
 * @param {TrackRow} track
 * @param {number} position
 */
export function drawProgress({ durationMs }, position) {
  const known = durationMs && position < durationMs + OVERTIME_MS;
  part('progress').hidden = !known;
  if (!known) return;
  const seconds = Math.floor(Math.min(position, durationMs) / 1_000);
  setText(part('elapsed'), clockOf(seconds * 1_000));
  setText(part('length'), clockOf(durationMs));
  part('bar').style.transform = `scaleX(${(seconds * 1_000) / durationMs})`;
}

/**
 * A part of the page, by its `data-part`.
 * @param {string} name
 */
export function part(name) {
  const found = document.querySelector(`[data-part=${name}]`);
  if (found instanceof HTMLElement) return found;
  throw new Error(`no part ${name}`);
}
