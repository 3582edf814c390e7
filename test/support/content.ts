import type { InjectOptions } from 'fastify';
import { expect } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import type { TestApp } from './app.ts';

/** The officer who edits the club's own content in tests. */
const EDITOR = 'eve@club.example';

/** Appoints an officer who may change content. Returns functions that send requests as them. */
export async function editorAt(service: TestApp) {
  const headers = await appoint(service, EDITOR, 'events');
  const post = (url: string, payload: object = {}) =>
    service.post(`/api/admin/content/${url}`, payload, headers);
  return {
    headers,
    post,
    get: (url: string) => service.get(`/api/admin/content/${url}`, headers),
    read: async (url: string) => (await service.get(`/api/admin/content/${url}`, headers)).json(),
    patch: (url: string, payload: NonNullable<InjectOptions['payload']>) =>
      service.request({
        method: 'PATCH',
        url: `/api/admin/content/${url}`,
        payload,
        headers: { accept: 'application/json', ...headers },
      }),
    /** @returns `kind/id` */
    async create(kind: string, body: object, publish = false): Promise<string> {
      const answer = await post(kind, { body, publish });
      expect(answer.json()).toMatchObject({ ok: true, version: 1 });
      return `${kind}/${answer.json().id}`;
    },
    /** @returns the id of a published record */
    async publish(kind: string, body: object): Promise<string> {
      const answer = await post(kind, { body, publish: true });
      expect(answer.json()).toMatchObject({ ok: true, version: 1 });
      return answer.json().id;
    },
  };
}
