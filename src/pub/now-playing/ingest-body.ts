import { z } from 'zod';
import { requiredText } from '#kernel/http/validation.ts';
import { Applied } from '#pub/room/relay-commands.ts';
import { Heartbeat, unit } from './device.ts';
import { readIsrc } from './track-key.ts';

const flag = z.boolean({ error: 'must be true or false' }).nullish();
const SOURCES = ['program', 'wallstereo', 'wallxlr'] as const;

/** A text on the screens: control characters in it are spaces. */
const shown = (text: string) =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
const name = z.string({ error: 'is required' }).transform(shown).pipe(requiredText(300));
const optional = z.string({ error: 'must be a text' }).transform(shown).nullish();

/** Cut between characters, not inside one. */
const cut = (text: string, max: number) =>
  text
    .slice(0, max)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();

const startedAt = z.string({ error: 'must be an ISO 8601 time' }).nullish();

export const Flags = z.object({ heartbeat: flag, silent: flag });
export const Silence = z.object({ started_at: startedAt });
export const Track = z.object({
  artist: name,
  title: name,
  /** What is too long in these three is cut or left out; the track is kept. */
  album: optional.transform((album) => (album && cut(album, 300)) || null),
  /** What is no http address is no picture. */
  album_art_url: optional.transform((url) =>
    url && url.length <= 2_000 && /^https?:\/\//i.test(url) ? url : '',
  ),
  isrc: optional.transform((isrc) => (isrc && isrc.length <= 40 ? (readIsrc(isrc) ?? isrc) : '')),
  source: z
    .unknown()
    .optional()
    .transform((source) => SOURCES.find((known) => known === source) ?? null),
  started_at: startedAt,
  confidence: z
    .number({ error: 'must be a number' })
    .nullish()
    .transform((value) => (value == null ? null : unit(value))),
  duration_ms: z
    .number({ error: 'must be a number of milliseconds' })
    .min(1, 'must be at least 1')
    .max(86_400_000, 'must be at most a day')
    .nullish()
    .transform((value) => (value == null ? null : Math.round(value))),
});

export const Beat = Heartbeat.extend({ applied_intent: Applied.nullish(), applied_sound: Applied.nullish() });

/** The three things the device may post, for the API description: `ingest` tells them apart by their flags. */
export const IngestBody = z.union([
  z.object({ heartbeat: z.literal(true) }).extend(Beat.shape),
  z.object({ silent: z.literal(true) }).extend(Silence.shape),
  Track,
]);
