// What the demo's club has done before anybody looks: elections, music, lyrics, films, requests, subscribers.

import type { CalendarContext } from '#calendar/context.ts';
import { startVerification, verify } from '#calendar/subscriptions/verifications.ts';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { changeControls } from '#pub/now-playing/controls.ts';
import { GENRES } from '#pub/now-playing/genre-names.ts';
import { setLyrics } from '#pub/now-playing/lyrics.ts';
import { addElections } from '#test/browser/election-fixtures.ts';
import { addPlays, type PlayRow, randomFrom } from '#test/stand-ins/plays.ts';
import type { talkTo } from '#test/support/app.ts';
import { addRanked, addTokens } from '#test/support/factories.ts';
import { CATALOGUE } from '../device/catalogue.ts';
import { lrcOf } from './songbook.ts';

export type Service = ReturnType<typeof talkTo>;
type Ask = Parameters<typeof addElections>[0];

const MEMBERS = 2_400;
const NIGHTS = 365;
const MEMBERS_OF_NOTE = [
  'Ada Thornbury',
  'Bo Lindqvist',
  'Cyrus Okafor',
  'Ines Albrecht',
  'Lee Park',
  'Ruth Osei',
];
const addressOf = (name: string) => `${name.split(' ')[0]?.toLowerCase()}@club.example`;

/** Elections of every kind in every state; one with thousands of ballots, one that runs with a fresh voting link. */
export async function holdElections(
  service: Service,
): Promise<{ link: string; big: string; running: string }> {
  const ask = service as unknown as Ask;
  const club = await addElections(ask);
  const names = ['Ada Thornbury', 'Bo Lindqvist', 'Cyrus Okafor', 'Dorothea van Rensselaer', 'Emeka Adeyemi'];
  const settings = { hide_results_until_close: true, publish_results_to_home: true };
  const big = await addRanked(ask, names, { title: 'President of the club, 2027', settings });
  const dice = randomFrom(7);
  await castMany(service, big.id, MEMBERS, () => ({
    ranking: opinion(names, dice).map((name) => big.ids[name]),
  }));
  await service.post(`/admin/elections/${big.id}/close`);
  const emails = MEMBERS_OF_NOTE.map(addressOf);
  await service.post('/admin/bulk-invites', { election_ids: [club.treasurer], emails });
  await service.post(`/admin/elections/${big.id}/results-email`, { emails: emails.slice(0, 2) });
  const [token] = await addTokens(ask, club.treasurer, 1);
  return { link: `/e/${club.treasurer}/vote?t=${token}`, big: big.id, running: club.treasurer };
}

/** A voter's order: everybody likes somebody, and the front runners a little more often. */
function opinion(names: readonly string[], dice: () => number): string[] {
  const weights = [1.35, 1.2, 1.25, 0.8, 0.7];
  const liked = names.map((name, index) => ({ name, liking: dice() * (weights[index] ?? 1) }));
  return liked.sort((a, b) => b.liking - a.liking).map(({ name }) => name);
}

async function castMany(service: Service, id: string, count: number, ballot: () => object): Promise<void> {
  const tokens: string[] = [];
  while (tokens.length < count)
    tokens.push(...(await addTokens(service as unknown as Ask, id, Math.min(1_000, count - tokens.length))));
  for (let at = 0; at < tokens.length; at += 200) {
    const cast = tokens.slice(at, at + 200).map((token, index) => {
      const address = `10.1.${(at + index) >> 8}.${(at + index) & 255}`;
      return service.post(`/e/${id}/vote`, { token, ...ballot() }, { 'edge-connecting-ip': address });
    });
    for (const { statusCode, body } of await Promise.all(cast))
      if (statusCode !== 200) throw new Error(`A ballot was refused: ${body}`);
  }
}

/** A year of evenings from the device's catalogue, up to last night: some songs are favourites. */
export async function rememberTheYear(service: Service): Promise<void> {
  const dice = randomFrom(11);
  const now = service.clock.now;
  const rows: PlayRow[] = [];
  for (let night = NIGHTS; night >= 1; night--) {
    const evening = now - night * DAY - (now % HOUR);
    const known = Math.max(30, Math.floor((CATALOGUE.length * (NIGHTS - night + 60)) / NIGHTS));
    for (let at = 0; at < 6 * HOUR; at += (3 + 2 * dice()) * MINUTE) {
      const song = CATALOGUE[Math.min(CATALOGUE.length - 1, Math.floor(known * dice() ** 2.4))];
      if (!song) continue;
      const { artist, title, album, durationMs } = song;
      const genre =
        GENRES[[...artist].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % GENRES.length];
      rows.push({
        artist,
        title,
        album,
        duration_ms: durationMs,
        genre: genre ?? null,
        started_at: Math.round(evening + at),
      });
    }
  }
  await addPlays(service.ctx, rows);
}

/** Patrons with phones of their own ask for songs and say what they think. */
export async function fillTheRoom(service: Service): Promise<void> {
  const wishes = [CATALOGUE[5], CATALOGUE[17], CATALOGUE[29]];
  for (const [index, song] of wishes.entries()) {
    if (!song) continue;
    const asked = await service.post(
      '/api/setlist/request',
      { artist: song.artist, title: song.title },
      phone(index),
    );
    const id = asked.json().request?.id;
    for (let voter = 0; id && voter < 6 - 2 * index; voter++)
      await service.post(`/api/setlist/request/${id}/vote`, { value: 1 }, phone(20 + 10 * index + voter));
  }
  for (const [index, feedback] of [
    { message: 'The Negroni is perfect. The draught by table six is not.', rating: 4, name: 'Ruth' },
    { message: 'More skittles, please, and the soup again.', rating: 5 },
    {
      message: 'The second quiz round was read too fast for us at the back.',
      rating: 3,
      contact: 'lee@club.example',
    },
  ].entries())
    await service.post('/api/feedback', feedback, phone(60 + index));
}

const AGENTS = [
  'iOS/26.1 (23B85) dataaccessd/1.0',
  'Google-Calendar-Importer',
  'Microsoft Office/16.0 (Outlook 16.0)',
  'DAVx5/4.5.6-ose (Android 16)',
];

/** Members have the calendar, their programs read it; somebody has just asked for it and not followed the link yet. */
export async function joinTheCalendar(service: Service, calendarContext: CalendarContext): Promise<void> {
  const { ctx } = service;
  for (const [index, name] of MEMBERS_OF_NOTE.entries()) {
    const asked = { calendar_id: 'programs' as const, email: addressOf(name), name };
    const { code } = await startVerification(ctx, asked);
    const { token } = await verify(calendarContext, code, { ip: 'demo', at: ctx.now() });
    for (let reads = 0; reads <= index; reads++) {
      const agent = AGENTS[(index + reads) % AGENTS.length] ?? '';
      await service.get(`/cal/programs.ics?token=${token}&calendar_id=programs`, { 'user-agent': agent });
    }
  }
  const asked = { name: 'Marguerite Vance', email: 'marguerite@club.example' };
  await service.post('/api/subs/new?calendar_id=programs', asked, phone(80));
}

/** Words to every song of the shelf, and the projector switched to them. */
export async function writeLyrics({ ctx }: Service): Promise<void> {
  const actor = { ip: 'demo', at: ctx.now() };
  await Promise.all(CATALOGUE.map((song) => setLyrics(ctx, { ...song, lrc: lrcOf(song) }, actor)));
  await changeControls(ctx, { projectorLyrics: true }, actor);
}

/** Films that were shown, with the songs that were heard in them. */
const FILMS = [
  ['Casablanca', 9, 'Dooley Wilson', ['As Time Goes By', 'It Had to Be You', 'Knock on Wood']],
  ['The Third Man', 23, 'Anton Karas', ['The Harry Lime Theme', 'Café Mozart Waltz']],
  ['Stop Making Sense', 44, 'Talking Heads', ['Psycho Killer', 'Heaven', 'This Must Be the Place']],
] as const;

/** Evenings before the big screen. */
export async function showFilms({ ctx }: Service): Promise<void> {
  for (const [title, daysAgo, artist, songs] of FILMS) {
    const opened_at = ctx.now() - daysAgo * DAY;
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

/** Requests as they come from one phone in the pub. */
const phone = (number: number): Record<string, string> => ({ 'edge-connecting-ip': `192.0.2.${number}` });
