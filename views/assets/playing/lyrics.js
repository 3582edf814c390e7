// Pure functions for timed lyrics: the lines of an LRC text, the position in a song and its line.

/** Offsets that are older or less certain are ignored. */
const OLDEST_MS = 60_000;
const LEAST_CONFIDENCE = 0.5;
/** A smaller correction is noise; one up to a second and a half is eased in; a larger one is a jump. */
const NOISE_MS = 150;
const EASED_MS = 1_500;
const EASE_MS = 1_000;

const LINE = /^\[(\d+):(\d\d)\.(\d{3})\](.*)$/;

/**
 * @typedef {object} Line
 * @property {number} t Milliseconds into the song
 * @property {string} text Empty in a pause
 */

/**
 * @typedef {object} Follow What is known about the position in a song, see `position`.
 * @property {number} trackId
 * @property {number} origin When the song began, by the clock of the service
 * @property {number} ahead How far the shown position was ahead of this at `learntAt`
 * @property {number} learntAt
 */

/**
 * Parses the LRC text that the service sends: one time per line, in order. Other lines are skipped.
 * @param {string} lrc
 * @returns {Line[]}
 */
export function parseLrc(lrc) {
  return lrc.split('\n').flatMap((row) => {
    const [line, minutes, seconds, fraction, text = ''] = LINE.exec(row) ?? [];
    if (line === undefined) return [];
    return [{ t: Number(minutes) * 60_000 + Number(seconds) * 1_000 + Number(fraction), text }];
  });
}

/**
 * The index of the line to show: the last that has begun; -1 before the first.
 * @param {readonly Line[]} lines
 * @param {number} position
 */
export function lineAt(lines, position) {
  return lines.reduce((last, { t }, index) => (t <= position ? index : last), -1);
}

/**
 * The state of a new track: without an offset it began when it was reported.
 * @param {{ id: number, startedAt: string }} track
 * @returns {Follow}
 */
export function follow({ id, startedAt }) {
  return { trackId: id, origin: Date.parse(startedAt), ahead: 0, learntAt: 0 };
}

/**
 * Applies an offset. It stays valid for the rest of the song, so clearing it later changes nothing.
 * @param {Follow} known
 * @param {Omit<import('#pub/stream/stream-state.ts').SentEvents['offset'], 'available'>} offset
 * @param {number} now By the clock of the service
 * @returns {Follow}
 */
export function corrected(known, { trackId, offsetMs, capturedAt, confidence = 0 }, now) {
  const captured = Date.parse(capturedAt ?? '');
  const fresh = now - captured <= OLDEST_MS;
  if (trackId !== known.trackId || offsetMs === null || !fresh || confidence < LEAST_CONFIDENCE) return known;

  const origin = captured - offsetMs;
  const jump = position(known, now) - (now - origin);
  const size = Math.abs(jump);
  if (size < NOISE_MS) return known;
  return { trackId, origin, ahead: size <= EASED_MS ? jump : 0, learntAt: now };
}

/**
 * Milliseconds into the song.
 * @param {Follow} known
 * @param {number} now By the clock of the service
 */
export function position({ origin, ahead, learntAt }, now) {
  const left = Math.min(1, Math.max(0, 1 - (now - learntAt) / EASE_MS));
  return now - origin + ahead * left;
}
