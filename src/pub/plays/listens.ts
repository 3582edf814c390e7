import { HOUR, SECOND } from '#kernel/clock.ts';
import { badRequest } from '#kernel/http/errors.ts';
import { truncate } from '#kernel/text.ts';
import { parseIsrc } from '#pub/now-playing/track-key.ts';
import type { Heard } from './store-play.ts';

/** Limits of the ListenBrainz protocol: bytes per listen, listens per document, tags, and durations in seconds. */
const LISTEN_BYTES = 10_240;
const LISTENS_AT_MOST = 1_000;
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
/**
 * Parses a document of the ListenBrainz protocol with the rules of its server.
 * @throws 400 saying what is wrong
 */
export function parseSubmission(body: Buffer, now: number): Submission {
  const document = parseJson(body);
  if (!isRecord(document)) throw badRequest('listens_not_object');
  const { payload, listen_type } = document;
  if (payload === undefined || listen_type === undefined) throw badRequest('listens_incomplete');
  if (!Array.isArray(payload)) throw badRequest('payload_not_list');
  if (payload.length === 0) throw badRequest('no_listens');
  if (payload.length > LISTENS_AT_MOST)
    throw badRequest('too_many_listens', { max: String(LISTENS_AT_MOST) });
  if (body.byteLength > payload.length * LISTEN_BYTES)
    throw badRequest('listens_too_large', { max: String(LISTEN_BYTES) });
  const type = TYPES.find((known) => known === listen_type);
  if (!type) throw badRequest('listen_type_unknown', { types: TYPES });
  if (type !== 'import' && payload.length > 1) throw badRequest('one_listen_only', { type });
  return { type, listens: payload.map((listen) => parseListen(listen, type, now)) };
}

function parseJson(body: Buffer): unknown {
  let text: string;
  let document: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    document = JSON.parse(text);
  } catch (error) {
    throw badRequest('listens_unparsable', { reason: (error as Error).message });
  }
  // The plain search comes first because it is much faster in a large document.
  if (text.includes('\\u0000') && /(?<!\\)(?:\\\\)*\\u0000/.test(text)) throw badRequest('null_character');
  return document;
}

function parseListen(listen: unknown, type: Submission['type'], now: number): Listen {
  if (!isRecord(listen)) throw badRequest('listen_not_object');
  const known = type === 'playing_now' ? ['track_metadata'] : ['track_metadata', 'listened_at'];
  const at = type === 'playing_now' ? undefined : parseListenedAt(listen.listened_at, now);
  if (type === 'playing_now' && 'listened_at' in listen) throw badRequest('listened_at_with_playing_now');
  const data = listen.track_metadata;
  if (!isRecord(data)) throw badRequest('no_track_metadata');
  if (Object.keys(listen).some((key) => !known.includes(key)))
    throw badRequest('listen_keys', { keys: known.join(' and ') });
  const title = parseName(data, 'track_name', true);
  const artist = parseName(data, 'artist_name', true);
  const album = parseName(data, 'release_name', false);
  const info = data.additional_info ?? {};
  if (!isRecord(info)) throw badRequest('additional_info_not_object');
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
  if (value === undefined) throw badRequest('no_listened_at');
  const seconds = wholeNumber(value, Math.trunc);
  if (seconds === undefined) throw badRequest('listened_at_not_seconds');
  if (seconds >= Math.floor((now + CLOCK_SKEW) / SECOND)) throw badRequest('listened_at_too_high');
  if (seconds < EARLIEST_S) throw badRequest('listened_at_too_low');
  return seconds * SECOND;
}

/** Control characters become spaces; names that are too long for the screens are cut. */
function parseName(data: Record<string, unknown>, key: string, required: boolean): string {
  const value = data[key];
  if (value === undefined && required) throw badRequest('track_field_missing', { key });
  if (value === undefined || (value === null && !required)) return '';
  if (typeof value !== 'string') throw badRequest('track_field_not_text', { key });
  const name = cut(value.toWellFormed().replace(/\p{Cc}+/gu, ' '), NAME_LENGTH);
  if (required && name === '') throw badRequest('track_field_empty', { key });
  return name;
}

const cut = (text: string, length: number) => truncate(text.trim(), length).trim();

/** @returns milliseconds */
function parseDuration(info: Record<string, unknown>): number | null {
  if ('duration' in info && 'duration_ms' in info) throw badRequest('two_durations');
  const key = 'duration' in info ? 'duration' : 'duration_ms';
  if (!(key in info)) return null;
  const unit = key === 'duration' ? SECOND : 1;
  const value = wholeNumber(info[key], Math.trunc);
  if (value === undefined || value <= 0) throw badRequest('not_positive_whole_number', { key });
  if (value * unit > LONGEST_S * SECOND) throw badRequest('number_too_large', { key });
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
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag !== 'string')) throw badRequest('tags_not_texts');
  if (tags.length > TAGS_AT_MOST) throw badRequest('too_many_tags', { max: TAGS_AT_MOST });
  if (tags.some((tag) => tag.length > TAG_LENGTH)) throw badRequest('tag_too_long', { max: TAG_LENGTH });
}

/** MusicBrainz ids are not used here, but invalid ones are rejected, so that clients notice. */
function checkIds(info: Record<string, unknown>): void {
  for (const key of ['release_mbid', 'recording_mbid', 'release_group_mbid', 'track_mbid'])
    if (info[key] && !isUuid(info[key])) throw badRequest('not_mbid', { key });
  for (const key of ['artist_mbids', 'work_mbids']) {
    const ids = info[key];
    if (!ids) continue;
    if (!Array.isArray(ids) || !ids.every((id) => !id || isUuid(id))) throw badRequest('not_mbids', { key });
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
