import type { LightMyRequestResponse } from 'fastify';
import { trackKey } from '../../src/pub/music/track-key.ts';
import type { TestApp } from './app.ts';

/** A phone in the pub: it keeps its cookie, and shares the address of the house with everyone else. */
export interface Phone {
  get(url: string): Promise<LightMyRequestResponse>;
  post(url: string, payload: object): Promise<LightMyRequestResponse>;
  submit(url: string, fields: Record<string, string>): Promise<LightMyRequestResponse>;
  /** What the phone sends along. */
  headers: Record<string, string>;
}

export function phone(house: TestApp, address = '203.0.113.7'): Phone {
  const headers: Record<string, string> = { host: 'club.example', 'edge-connecting-ip': address };
  const keeping = async (answering: Promise<LightMyRequestResponse>) => {
    const answer = await answering;
    const [cookie] = answer.cookies;
    if (cookie) headers.cookie = `${cookie.name}=${cookie.value}`;
    return answer;
  };
  return {
    headers,
    get: (url) => keeping(house.get(url, headers)),
    post: (url, payload) => keeping(house.post(url, payload, headers)),
    submit: (url, fields) => keeping(house.submit(url, fields, headers)),
  };
}

/** Stores plays as the capture device's route would, without its rules. @returns their ids */
export async function heard(
  house: TestApp,
  ...plays: { artist: string; title: string; at?: number; isrc?: string; hidden?: 1; kind?: 'video' }[]
): Promise<number[]> {
  const rows = plays.map(({ at, ...play }) => ({
    ...play,
    album: null,
    source: null,
    confidence: null,
    duration_ms: null,
    screening_id: null,
    genre: null,
    request_id: null,
    track_key: trackKey(play),
    started_at: at ?? house.clock.now,
  }));
  const ids = [];
  for (const row of rows) {
    const { id } = await house.ctx.db
      .insertInto('plays')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  return ids;
}
