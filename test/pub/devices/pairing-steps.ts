// A TV that is paired, step by step.
import type { LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';
import type { TestApp } from '#test/support/app.ts';

/** A browser that wants to be, or is, a screen. */
export interface Tv {
  code: string;
  secret: string;
  /** What its requests carry. */
  headers: Record<string, string>;
  poll(): Promise<LightMyRequestResponse>;
  get(url: string): Promise<LightMyRequestResponse>;
  beat(more?: object): Promise<LightMyRequestResponse>;
}

const BEAT = { screen: 'screen-ab12', page: 'tv', uptime_s: 5, viewport: '1920x1080', named: false };

/** Opens /s on a TV. */
export async function openTv(service: TestApp, address = '192.0.2.1'): Promise<Tv> {
  const headers: Record<string, string> = { 'edge-connecting-ip': address };
  const answer = await service.post('/api/screens/pairings', {}, headers);
  expect(answer.statusCode).toBe(201);
  const { code, secret } = answer.json();
  const tv: Tv = {
    code,
    secret,
    headers,
    async poll() {
      const polled = await service.post('/api/screens/pairings/poll', { secret }, headers);
      takeCookie(tv, polled);
      return polled;
    },
    get: (url) => service.get(url, { ...headers, accept: 'text/html' }),
    async beat(more = {}) {
      const version = service.get('/tv').then(({ body }) => /data-build="([^"]+)"/.exec(body)?.[1]);
      const body = { ...BEAT, version: await version, ...more };
      const answered = await service.post('/api/screens/heartbeat', body, headers);
      takeCookie(tv, answered);
      return answered;
    },
  };
  return tv;
}

function takeCookie({ headers }: Tv, { cookies }: LightMyRequestResponse): void {
  const [cookie] = cookies;
  if (cookie) headers.cookie = `${cookie.name}=${cookie.value}`;
}

/** Pairs a TV and lets it begin. @returns its id */
export async function pair(
  service: TestApp,
  staff: Record<string, string>,
  tv: Tv,
  decided: object,
): Promise<string> {
  const answer = await service.post('/api/admin/screens', { code: tv.code, ...decided }, staff);
  expect(answer.json()).toEqual({ ok: true, id: expect.any(String) });
  expect((await tv.poll()).statusCode).toBe(200);
  expect((await tv.beat()).statusCode).toBe(200);
  return answer.json().id;
}
