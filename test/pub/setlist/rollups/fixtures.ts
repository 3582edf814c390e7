import { MINUTE } from '#kernel/clock.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { addPlays, type PlayRow } from '#test/stand-ins/plays.ts';
import type { TestApp } from '#test/support/app.ts';

export const TOKEN = { 'x-admin-token': 'a token of the pub' };
export const STAFF = { PUB_ADMIN_TOKEN: TOKEN['x-admin-token'] };

/** Adds songs of four minutes, one after the other, the last one starting now. */
export async function play(service: TestApp, ...songs: (string | Partial<PlayRow>)[]): Promise<number[]> {
  const rows = songs.map((song, index) => ({
    artist: 'Fleetwood Mac',
    title: 'Dreams',
    started_at: service.clock.now - (songs.length - 1 - index) * 4 * MINUTE,
    ...(typeof song === 'string' ? named(song) : song),
  }));
  return addPlays(service.ctx, rows);
}

/** `Artist – Title` */
function named(text: string): { artist: string; title: string } {
  const [artist = '', title = ''] = text.split(' – ');
  return { artist, title };
}

/** Refreshes the rollups, and returns what a surface then shows. */
export async function surface(service: TestApp, name: string, range?: string) {
  await refreshRollups(service.ctx);
  const answer = await service.get(`/api/setlist/${name}${range ? `?range=${range}` : ''}`);
  if (answer.statusCode !== 200) throw new Error(`${name} answered ${answer.statusCode}: ${answer.body}`);
  return answer.json();
}

/** Eight in the evening of a day, in New York. */
export const evening = (day: string): number =>
  Temporal.PlainDateTime.from(`${day}T20:00`).toZonedDateTime('America/New_York').epochMilliseconds;
