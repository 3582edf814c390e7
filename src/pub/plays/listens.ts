import { HOUR, SECOND } from '#kernel/clock.ts';
import { AppError } from '#kernel/http/errors.ts';
import { truncate } from '#kernel/text.ts';
import { parseIsrc } from '#pub/now-playing/track-key.ts';
import type { Heard } from './store-play.ts';

/** Limits of the ListenBrainz protocol: bytes per listen, listens per document, tags, and durations in seconds. */
export const LISTEN_BYTES = 10_240;
export const LISTENS_AT_MOST = 1_000;
export const DOCUMENT_BYTES = LISTEN_BYTES * LISTENS_AT_MOST;
const TAGS_AT_MOST = 50;
const TAG_LENGTH = 64;
const LONGEST_S = 24 * 24 * 60 * 60;
/** 2002-10-01, in seconds. */
const EARLIEST_S = 1_033_430_400;
const CLOCK_SKEW = HOUR;

/** The longest duration that is stored, in milliseconds; longer ones are dropped. */
const LONGEST_PLAY = 86_400_000;
const NAME_LENGTH = 300;

const TYPES = ['playing_now', 'single', 'import'] as const;

/** One listen as a player reports it. */
export interface Listen {
  track: Heard;
  /** When it began, in milliseconds; undefined for what is playing now. */
  at: number | undefined;
  /** The name of the player, or of the program that reports for it. */
  player: string | null;
}

export interface Submission {
  type: (typeof TYPES)[number];
  listens: Listen[];
}

/** The error for input that the protocol rejects. */
const refuse = (message: string) => new AppError(400, message);

/**
 * Parses a document of the ListenBrainz protocol with the rules of its server.
 * @throws 400 saying what is wrong
 */
export function parseSubmission(body: Buffer, now: number): Submission {
  const document = parseJson(body);
  if (!isRecord(document)) throw refuse('The top level of the JSON document must be an object.');
  const { payload, listen_type } = document;
  if (payload === undefined || listen_type === undefined)
    throw refuse('The JSON document must contain listen_type and payload.');
  if (!Array.isArray(payload)) throw refuse('The payload must be a list of listens.');
  if (payload.length === 0) throw refuse('The JSON document does not contain any listens.');
  if (payload.length > LISTENS_AT_MOST)
    throw refuse(`Too many listens. At most ${LISTENS_AT_MOST} may be submitted at once.`);
  if (body.byteLength > payload.length * LISTEN_BYTES)
    throw refuse(`The JSON document is too large. A listen may have at most ${LISTEN_BYTES} bytes.`);
  const type = TYPES.find((known) => known === listen_type);
  if (!type) throw refuse(`listen_type must be one of ${TYPES.join(', ')}.`);
  if (type !== 'import' && payload.length > 1)
    throw refuse(`The JSON document must contain exactly one listen for ${type}.`);
  return { type, listens: payload.map((listen) => parseListen(listen, type, now)) };
}

function parseJson(body: Buffer): unknown {
  let text: string;
  let document: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    document = JSON.parse(text);
  } catch (error) {
    throw refuse(`Cannot parse JSON document: ${(error as Error).message}`);
  }
  // The plain search comes first because it is much faster in a large document.
  if (text.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(text))
    throw refuse('The JSON document contains a null character.');
  return document;
}

function parseListen(listen: unknown, type: Submission['type'], now: number): Listen {
  if (!isRecord(listen)) throw refuse('A listen must be an object.');
  const known = type === 'playing_now' ? ['track_metadata'] : ['track_metadata', 'listened_at'];
  const at = type === 'playing_now' ? undefined : parseListenedAt(listen.listened_at, now);
  if (type === 'playing_now' && 'listened_at' in listen)
    throw refuse('A listen must not contain listened_at with playing_now.');
  const data = listen.track_metadata;
  if (!isRecord(data)) throw refuse('A listen must contain the object track_metadata.');
  if (Object.keys(listen).some((key) => !known.includes(key)))
    throw refuse(`A listen may only contain ${known.join(' and ')}.`);
  const title = parseName(data, 'track_name', true);
  const artist = parseName(data, 'artist_name', true);
  const album = parseName(data, 'release_name', false);
  const info = data.additional_info ?? {};
  if (!isRecord(info)) throw refuse('track_metadata.additional_info must be an object.');
  checkTags(info.tags);
  checkIds(info);
  const track = {
    artist,
    title,
    album: album || null,
    album_art_url: '',
    isrc: parseCode(info.isrc),
    source: null,
    confidence: null,
    duration_ms: parseDuration(info),
  };
  return { track, at, player: parsePlayer(info) };
}

function parseListenedAt(value: unknown, now: number): number {
  if (value === undefined) throw refuse('A listen must contain listened_at.');
  const seconds = wholeNumber(value, Math.trunc);
  if (seconds === undefined) throw refuse('listened_at must be a whole number of seconds.');
  if (seconds >= Math.floor((now + CLOCK_SKEW) / SECOND)) throw refuse('listened_at is too high.');
  if (seconds < EARLIEST_S) throw refuse('listened_at is too low: it must be after 2002-10-01 00:00:00 UTC.');
  return seconds * SECOND;
}

/** Control characters become spaces; names that are too long for the screens are cut. */
function parseName(data: Record<string, unknown>, key: string, required: boolean): string {
  const value = data[key];
  if (value === undefined && required) throw refuse(`A listen must contain track_metadata.${key}.`);
  if (value === undefined || (value === null && !required)) return '';
  if (typeof value !== 'string') throw refuse(`track_metadata.${key} must be a text.`);
  const name = cut(value.toWellFormed().replace(/\p{Cc}+/gu, ' '), NAME_LENGTH);
  if (required && name === '') throw refuse(`track_metadata.${key} is empty.`);
  return name;
}

const cut = (text: string, length: number) => truncate(text.trim(), length).trim();

/** @returns milliseconds */
function parseDuration(info: Record<string, unknown>): number | null {
  if ('duration' in info && 'duration_ms' in info)
    throw refuse('additional_info must not contain both duration and duration_ms.');
  const key = 'duration' in info ? 'duration' : 'duration_ms';
  if (!(key in info)) return null;
  const unit = key === 'duration' ? SECOND : 1;
  const value = wholeNumber(info[key], Math.trunc);
  if (value === undefined || value <= 0) throw refuse(`${key} must be a positive whole number.`);
  if (value * unit > LONGEST_S * SECOND) throw refuse(`${key} is too large.`);
  return value * unit <= LONGEST_PLAY ? value * unit : null;
}

/** Accepts numbers and texts with numbers: clients send both. */
function wholeNumber(value: unknown, round: (value: number) => number): number | undefined {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = round(Number(value));
  return Number.isFinite(number) ? number : undefined;
}

function checkTags(tags: unknown): void {
  if (tags === undefined || tags === null) return;
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string'))
    throw refuse('additional_info.tags must be a list of texts.');
  if (tags.length > TAGS_AT_MOST)
    throw refuse(`additional_info.tags may have at most ${TAGS_AT_MOST} items.`);
  if (tags.some((tag) => tag.length > TAG_LENGTH))
    throw refuse(`additional_info.tags may have at most ${TAG_LENGTH} characters each.`);
}

/** MusicBrainz ids are not used here, but invalid ones are rejected, so that clients notice. */
function checkIds(info: Record<string, unknown>): void {
  for (const key of ['release_mbid', 'recording_mbid', 'release_group_mbid', 'track_mbid'])
    if (info[key] && !isUuid(info[key])) throw refuse(`${key} is not a valid MBID.`);
  for (const key of ['artist_mbids', 'work_mbids']) {
    const ids = info[key];
    if (!ids) continue;
    if (!Array.isArray(ids) || !ids.every((id) => !id || isUuid(id)))
      throw refuse(`${key} must be a list of MBIDs.`);
  }
}

const isUuid = (value: unknown) =>
  typeof value === 'string' && /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value);

/** Some files are tagged with several recording codes: the first one is used. */
function parseCode(value: unknown): string {
  const [first] = [value].flat();
  return typeof first === 'string' ? (parseIsrc(first) ?? '') : '';
}

function parsePlayer(info: Record<string, unknown>): string | null {
  const names = [info.media_player, info.submission_client, info.music_service_name];
  const name = names.find((one) => typeof one === 'string' && one.trim() !== '') as string | undefined;
  return name === undefined ? null : cut(name.toWellFormed().replace(/\p{Cc}+/gu, ' '), 64) || null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
