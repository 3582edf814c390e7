import { z } from 'zod';
import type { Ask, HostAnswer } from '#kernel/throttled-client.ts';
import { type Genre, matchGenre } from './genre-names.ts';
import { normalizeName, parseIsrc, plainName } from './track-key.ts';

interface Song {
  artist: string;
  title: string;
  isrc: string;
}

const name = z.string().max(1_000);
const Credits = z
  .array(z.object({ name: name.nullish(), artist: z.object({ id: z.uuid(), name }) }))
  .catch([]);
const Recording = z.object({ id: z.uuid(), title: name, 'artist-credit': Credits.optional() });
const Recordings = z
  .object({ recordings: z.array(z.unknown()) })
  .transform(({ recordings }) => recordings.flatMap((one) => Recording.safeParse(one).data ?? []));
const Tags = z
  .array(z.object({ name: z.string().max(200), count: z.number().default(1) }))
  .max(1_000)
  .catch([]);
const Tagged = z.object({ genres: Tags.optional(), 'artist-credit': Credits.optional() });

/** Finds the recording by its ISRC, else by artist and title, and returns its genre, else that of its first artist. */
export async function askForGenre(ask: Ask, source: string, song: Song): Promise<HostAnswer<Genre | null>> {
  const recordings = await findRecordings(ask, source, song);
  if (!recordings.ok) return recordings;
  const [recording] = recordings.value ?? [];
  if (!recording) return { ok: true, value: null };

  const tagged = await ask(`${source}/recording/${recording.id}?${tagQuery}`, Tagged);
  if (!tagged.ok) return tagged;
  const genre = matchGenre(tagged.value?.genres ?? []);
  const [credit] = tagged.value?.['artist-credit'] ?? recording['artist-credit'] ?? [];
  if (genre || !credit) return { ok: true, value: genre };

  const artist = await ask(`${source}/artist/${credit.artist.id}?${artistQuery}`, Tagged);
  return artist.ok ? { ok: true, value: matchGenre(artist.value?.genres ?? []) } : artist;
}

async function findRecordings(ask: Ask, source: string, song: Song) {
  const isrc = parseIsrc(song.isrc);
  if (isrc) {
    const known = await ask(`${source}/isrc/${isrc}?${isrcQuery}`, Recordings);
    if (!known.ok || known.value?.length) return known;
  }
  const query = `recording:${quoted(plainName(song.title))} AND artist:${quoted(plainName(song.artist))}`;
  const search = new URLSearchParams({ query, limit: '10', fmt: 'json' });
  const found = await ask(`${source}/recording?${search}`, Recordings);
  return found.ok
    ? { ok: true as const, value: found.value?.filter((recording) => isSameSong(recording, song)) }
    : found;
}

/** Compares artist and title: different songs share titles, and different artists share names. */
function isSameSong(recording: z.output<typeof Recording>, { artist, title }: Song): boolean {
  const artists = (recording['artist-credit'] ?? []).flatMap(({ name, artist: one }) => [
    name ?? '',
    one.name,
  ]);
  return (
    normalizeName(recording.title) === normalizeName(title) &&
    artists.some((name) => normalizeName(name) === normalizeName(artist))
  );
}

const tagQuery = new URLSearchParams({ inc: 'genres artist-credits', fmt: 'json' });
const artistQuery = new URLSearchParams({ inc: 'genres', fmt: 'json' });
const isrcQuery = new URLSearchParams({ inc: 'artist-credits', fmt: 'json' });

/** Quotes a phrase in the source's query language. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
