import { expect } from 'vitest';
import { appoint } from '#test/support/people/patrons.ts';
import type { openRoom } from './a-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;
export type Who = Record<string, string>;
export interface Item {
  id: string;
  election_id: string;
}

const ONLY = { valid: 0, blank: 0, invalid: 0 };

/** The acts on paper, with two tellers. */
export async function withTellers(one: Room) {
  const tess = await appoint(one.service, 'tess@club.example', 'chair');
  const tom = await appoint(one.service, 'tom@club.example', 'chair');
  const call = async (
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    who: Who = tess,
  ) => {
    const answer = await one.service.request({
      method,
      url: `${one.base}/items/${url}`,
      ...(payload && { payload }),
      headers: { accept: 'application/json', ...who },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  const batch = async (item: Item, control: object, more: object = {}) =>
    (await call('POST', `${item.id}/batches`, { control: { ...ONLY, ...control }, ...more })).body
      .id as string;
  const enter = (
    item: Item,
    id: string,
    teller: 1 | 2,
    papers: object[],
    who: Who = teller === 1 ? tess : tom,
  ) => call('PUT', `${item.id}/batches/${id}/entries/${teller}`, { papers }, who);
  return {
    tess,
    tom,
    call,
    batch,
    enter,
    /** What lies in the box: the figures are shown once as many papers have joined. */
    box: (item: Item, in_box: number) => call('PUT', `${item.id}/sheet`, { in_box }),
    correct: (item: Item, id: string, papers: object[], who: Who = tess) =>
      call('PATCH', `${item.id}/batches/${id}/entries/mine`, { papers }, who),
    join: (item: Item, id: string, payload: object = {}) =>
      call('POST', `${item.id}/batches/${id}/join`, payload),
    read: async (item: Item, id: string) => (await call('GET', `${item.id}/batches/${id}`)).body,
    sheet: async (item: Item) => (await call('GET', `${item.id}/sheet`)).body,
    /** Makes a batch, enters it twice and joins it; after the announcement with a note and somebody else. */
    count: async (
      item: Item,
      control: object,
      papers: object[],
      more: { reason?: string; items?: string[] } = {},
    ) => {
      const id = await batch(item, control, more);
      for (const teller of [1, 2] as const) expect((await enter(item, id, teller, papers)).status).toBe(200);
      const join = `${item.id}/batches/${id}/join`;
      if (more.reason !== undefined) {
        const third = await appoint(one.service, 'third@club.example', 'chair');
        expect((await call('POST', join, { note: 'They were counted.' }, third)).status).toBe(202);
      }
      const joined = await call('POST', join);
      expect([joined.status, joined.body.error]).toEqual([200, undefined]);
      return id;
    },
  };
}
