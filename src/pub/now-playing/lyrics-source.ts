import { z } from 'zod';
import { SECOND } from '#kernel/clock.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Ask } from '#kernel/throttled-client.ts';
import { formatLrc, parseLrc } from './lrc.ts';
import { normalizeName, plainName } from './track-key.ts';
import type { TrackRow } from './tracks.ts';

type Song = Pick<TrackRow, 'artist' | 'title' | 'album' | 'durationMs'>;

/** The result of a lookup: timed lyrics (null for an instrumental), nothing found, or no usable answer. */
export type LyricsAnswer =
  | { state: 'found'; lrc: string | null }
  | { state: 'nothing' }
  | { state: 'failed'; reason: Words };

const LyricsRecord = z.object({
  trackName: z.string().max(1_000),
  artistName: z.string().max(1_000),
  duration: z.number().nullish(),
  instrumental: z.boolean().nullish(),
  syncedLyrics: z.string().nullish(),
});
type Found = z.output<typeof LyricsRecord>;

/** How many texts of an answer are parsed at most: parsing blocks the event loop. */
const TEXTS_TRIED = 3;

/** Records that cannot be parsed are left out. */
const LyricsRecords = z
  .array(z.unknown())
  .transform((list) => list.flatMap((record) => LyricsRecord.safeParse(record).data ?? []));

/** Asks for the exact song, then searches and takes only results with the same artist and title. */
export async function askForLyrics(ask: Ask, source: string, song: Song): Promise<LyricsAnswer> {
  const exact = await ask(`${source}/get?${exactQuery(song)}`, LyricsRecord);
  if (!exact.ok) return { state: 'failed', reason: exact.reason };
  const hit = exact.value && chooseAnswer([exact.value], song);
  if (hit) return hit;

  const names = new URLSearchParams({
    track_name: plainName(song.title),
    artist_name: plainName(song.artist),
  });
  const search = await ask(`${source}/search?${names}`, LyricsRecords);
  if (!search.ok) return { state: 'failed', reason: search.reason };
  return chooseAnswer(search.value ?? [], song) ?? { state: 'nothing' };
}

function exactQuery({ artist, title, album, durationMs }: Song): URLSearchParams {
  const seconds = Math.round((durationMs ?? 0) / SECOND);
  return new URLSearchParams({
    artist_name: artist,
    track_name: title,
    ...(album && { album_name: album }),
    ...(seconds >= 1 && seconds <= 3_600 && { duration: String(seconds) }),
  });
}

/** Timed lyrics of a recording whose length differs by more are those of another version. */
const SAME_LENGTH = { seconds: 3, share: 0.02 };

/**
 * Chooses the best record of this song: timed lyrics of a recording that is as long, nearest in length first, else that
 * it is instrumental. Where a length is not known, any is taken.
 */
function chooseAnswer(found: readonly Found[], song: Song): LyricsAnswer | undefined {
  const seconds = (song.durationMs ?? 0) / SECOND;
  const difference = ({ duration }: Found) => (seconds && duration ? Math.abs(duration - seconds) : 0);
  const longest = Math.max(SAME_LENGTH.seconds, seconds * SAME_LENGTH.share);
  const same = found
    .filter(
      ({ artistName, trackName }) =>
        normalizeName(artistName) === normalizeName(song.artist) &&
        normalizeName(trackName) === normalizeName(song.title),
    )
    .sort((a, b) => difference(a) - difference(b));
  const texts = same
    .filter((one) => difference(one) <= longest)
    .flatMap(({ syncedLyrics }) => syncedLyrics || [])
    .slice(0, TEXTS_TRIED);
  for (const text of texts) {
    const lines = parseLrc(text);
    if (lines) return { state: 'found', lrc: formatLrc(lines) };
  }
  return same.some(({ instrumental }) => instrumental) ? { state: 'found', lrc: null } : undefined;
}
