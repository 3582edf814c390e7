// Fills the demo's pub with past data: music, lyrics, films, requests, feedback, subscribers.
import type { CalendarContext } from '#calendar/context.ts';
import { startVerification, verify } from '#calendar/subscriptions/verifications.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { changeControls } from '#pub/now-playing/controls.ts';
import { setLyrics } from '#pub/now-playing/lyrics.ts';
import { addPlays, type PlayRow, randomFrom } from '#test/stand-ins/plays.ts';
import { CATALOGUE } from '../device/catalogue.ts';
import type { Around } from './around.ts';
import type { DemoClub } from './clubs/club.ts';
import { addressOf } from './elections.ts';
import type { Service } from './service.ts';
import { lrcOf } from './songbook.ts';

const NIGHTS = 365;

/** Adds a year of evenings with songs of the device's catalogue, up to last night; some songs are played more often. */
export async function rememberTheYear({ ctx }: Service, at: Around): Promise<void> {
  const dice = randomFrom(11);
  const rows: PlayRow[] = [];
  for (let night = NIGHTS; night >= 1; night--) {
    const evening = Date.parse(at.instant(at.day(-night), '18:00'));
    const known = Math.max(30, Math.floor((CATALOGUE.length * (NIGHTS - night + 60)) / NIGHTS));
    for (let since = 0; since < 6 * HOUR; since += (3 + 2 * dice()) * MINUTE) {
      const song = CATALOGUE[Math.min(CATALOGUE.length - 1, Math.floor(known * dice() ** 2.4))];
      if (!song) continue;
      const { artist, title, album, genre, durationMs } = song;
      rows.push({
        artist,
        title,
        album,
        duration_ms: durationMs,
        genre: genre || null,
        started_at: Math.round(evening + since),
      });
    }
  }
  await addPlays(ctx, rows);
}

/** Adds song requests, votes for them and feedback, each from its own phone. */
export async function fillTheRoom(service: Service, club: DemoClub): Promise<void> {
  const wishes = [CATALOGUE[5], CATALOGUE[17], CATALOGUE[29]];
  for (const [index, song] of wishes.entries()) {
    if (!song) continue;
    const asked = await service.post(
      '/api/setlist/request',
      { artist: song.artist, title: song.title },
      phone(index),
    );
    const id = asked.request?.id;
    for (let voter = 0; id && voter < 6 - 2 * index; voter++)
      await service.post(`/api/setlist/request/${id}/vote`, { value: 1 }, phone(20 + 10 * index + voter));
  }
  for (const [index, feedback] of club.feedback.entries())
    await service.post('/api/feedback', feedback, phone(60 + index));
}

const AGENTS = [
  'iOS/26.1 (23B85) dataaccessd/1.0',
  'Google-Calendar-Importer',
  'Microsoft Office/16.0 (Outlook 16.0)',
  'DAVx5/4.5.6-ose (Android 16)',
];

/** Adds calendar subscribers with fetches by several programs, and one subscription that is not confirmed yet. */
export async function joinTheCalendar(
  service: Service,
  { people, tenders }: DemoClub,
  calendarContext: CalendarContext,
): Promise<void> {
  const { ctx } = service;
  for (const [index, name] of people.entries()) {
    const asked = { calendar_id: 'programs' as const, email: addressOf(name), name };
    const { code } = await startVerification(ctx, asked);
    const { token } = await verify(calendarContext, code, { ip: 'demo', at: ctx.now() });
    for (let reads = 0; reads <= index; reads++) {
      const agent = AGENTS[(index + reads) % AGENTS.length] ?? '';
      await service.get(`/cal/programs.ics?token=${token}&calendar_id=programs`, { 'user-agent': agent });
    }
  }
  const name = tenders[0]?.name ?? '';
  const asked = { name, email: addressOf(name) };
  await service.post('/api/subs/new?calendar_id=programs', asked, phone(80));
}

/** Adds lyrics for every song of the catalogue, and switches the projector to lyrics. */
export async function writeLyrics({ ctx }: Service): Promise<void> {
  const actor = { ip: 'demo', at: ctx.now() };
  await Promise.all(CATALOGUE.map((song) => setLyrics(ctx, { ...song, lrc: lrcOf(song) }, actor)));
  await changeControls(ctx, { projectorLyrics: true }, actor);
}

/** How many days ago the films were shown. */
const SHOWN = [9, 23, 44];

/** Adds past film screenings, with the songs that were recognised in the films. */
export async function showFilms({ ctx }: Service, { films }: DemoClub): Promise<void> {
  for (const [index, { title, artist, songs }] of films.entries()) {
    const opened_at = ctx.now() - (SHOWN[index] ?? 60) * DAY;
    const id = newId(opened_at);
    const closed = { closed_at: opened_at + 2 * HOUR, close_reason: 'operator' as const, shadow: 0 as const };
    const none = {
      confidence: null,
      override_at: null,
      doubted_at: null,
      reverted_at: null,
      reverted_by: null,
    };
    const screening = { id, title, kind: 'movie' as const, origin: 'operator' as const, opened_at };
    await ctx.write((tx) =>
      tx.run(build.insertInto('screenings').values({ ...screening, ...closed, ...none })),
    );
    const heard = { artist, kind: 'video' as const, screening_id: id };
    await addPlays(
      ctx,
      songs.map((song, at) => ({ ...heard, title: song, started_at: opened_at + (at + 1) * 20 * MINUTE })),
    );
  }
}

/** Headers of requests from one phone in the pub. */
const phone = (number: number): Record<string, string> => ({ 'edge-connecting-ip': `192.0.2.${number}` });
