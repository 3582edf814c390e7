// Lyrics in time, as plain functions: lines out of an LRC text, where the song is, which line that is.

/** An offset that is older, or less sure, is not believed. */
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
 * @property {string} text Empty where nobody sings
 */

/**
 * @typedef {object} Follow What is known about where a song is; `position` reads it.
 * @property {number} trackId
 * @property {number} origin When the song's first moment was, by the clock of the service
 * @property {number} ahead How far the position shown was ahead of this when it was learnt
 * @property {number} learntAt
 */

/**
 * @typedef {object} Offset The offset event of the stream.
 * @property {number | null} trackId
 * @property {number | null} offsetMs
 * @property {string} [capturedAt]
 * @property {number} [confidence]
 */

/**
 * The lines of the LRC text that the service sends: one time a line, in the order they are sung. What is no such
 * line is left out.
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
 * A track as it comes: until an offset says more, it began when it was reported.
 * @param {{ id: number, startedAt: string }} track
 * @returns {Follow}
 */
export function follow({ id, startedAt }) {
  return { trackId: id, origin: Date.parse(startedAt), ahead: 0, learntAt: 0 };
}

/**
 * Takes an offset into account. What it taught stays true for the rest of the song, so an offset that was cleared
 * changes nothing.
 * @param {Follow} known
 * @param {Offset} offset
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
