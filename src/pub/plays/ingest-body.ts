import { z } from 'zod';
import { badField } from '#kernel/http/errors.ts';
import { parseInput, REQUIRED_TEXT, refusal, requiredText } from '#kernel/http/validation.ts';
import { parseTimestamp } from '#kernel/local-time.ts';
import { coded } from '#kernel/messages/messages.ts';
import { truncate } from '#kernel/text.ts';
import { Applied } from '#pub/devices/relay-commands.ts';
import { clampUnit, Heartbeat } from '#pub/now-playing/device.ts';
import { parseIsrc } from '#pub/now-playing/track-key.ts';

const flag = z.boolean(coded('not_true_or_false')).nullish();
const SOURCES = ['program', 'wallstereo', 'wallxlr'] as const;

/** A text for the screens: control characters become spaces. */
const cleanText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
/** Such a text, or none. */
const textOrNone = z.string(coded('not_text')).transform(cleanText).nullish();

const cut = (text: string, max: number) => truncate(text, max).trim();
const name = z
  .string(REQUIRED_TEXT)
  .transform((text) => cut(cleanText(text), 300))
  .pipe(requiredText(300));

const startedAt = z.string(coded('not_iso_time')).nullish();

const FlagsInput = z.object({ heartbeat: flag, silent: flag });
const SilenceInput = z.object({ started_at: startedAt });
const TrackInput = z.object({
  /** Too long texts are cut or dropped, but the track is stored. */
  artist: name,
  title: name,
  album: textOrNone.transform((album) => (album && cut(album, 300)) || null),
  /** Anything but an http address is dropped. */
  album_art_url: textOrNone.transform((url) =>
    url && url.length <= 2_000 && /^https?:\/\//i.test(url) ? url : '',
  ),
  isrc: textOrNone.transform((isrc) => (isrc && isrc.length <= 40 ? (parseIsrc(isrc) ?? isrc) : '')),
  source: z
    .unknown()
    .optional()
    .transform((source) => SOURCES.find((known) => known === source) ?? null),
  started_at: startedAt,
  confidence: z
    .number(coded('not_number'))
    .nullish()
    .transform((value) => (value == null ? null : clampUnit(value))),
  duration_ms: z
    .number(coded('not_milliseconds'))
    .min(1, coded('too_small', { min: 1 }))
    .max(86_400_000, coded('over_a_day'))
    .nullish()
    .transform((value) => (value == null ? null : Math.round(value))),
});

const BeatInput = Heartbeat.extend({ applied_intent: Applied.nullish(), applied_sound: Applied.nullish() });

/** The three reports of the device, for the API description; `parseReport` distinguishes them by their flags. */
export const IngestBody = z.union([
  z.object({ heartbeat: z.literal(true) }).extend(BeatInput.shape),
  z.object({ silent: z.literal(true) }).extend(SilenceInput.shape),
  TrackInput,
]);

export type Beat = z.output<typeof BeatInput>;
export type Track = z.output<typeof TrackInput>;

/** A report of the device; `startedAt` in milliseconds, undefined if no time was reported. */
export type Report =
  | { type: 'heartbeat'; beat: Beat }
  | { type: 'silence'; startedAt: number | undefined }
  | { type: 'track'; track: Track; startedAt: number | undefined };

/** @throws 400 naming the field */
export function parseReport(body: unknown, zone: string): Report {
  const { heartbeat, silent } = parse(FlagsInput, body);
  if (heartbeat) return { type: 'heartbeat', beat: parse(BeatInput, body) };
  if (silent) return { type: 'silence', startedAt: parseStart(parse(SilenceInput, body), zone) };
  const track = parse(TrackInput, body);
  return { type: 'track', track, startedAt: parseStart(track, zone) };
}

function parse<T>(shape: z.ZodType<T>, body: unknown): T {
  const parsed = parseInput(shape, body ?? {}, 'json');
  if (!parsed.success) throw refusal(parsed.error);
  return parsed.data;
}

function parseStart({ started_at }: z.output<typeof SilenceInput>, zone: string): number | undefined {
  const text = started_at?.trim();
  if (!text) return undefined;
  const at = parseTimestamp(text, zone);
  if (at === undefined) throw badField('started_at', 'not_iso_time');
  return at;
}
