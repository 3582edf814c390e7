import { expect } from 'vitest';
import type { Answer } from '#test/support/people/roll.ts';
import { openClub } from '#test/support/people/roll.ts';

const STANDING = { kind: 'full', first_day: '2020-01-01' };

/**
 * A club of members with a meeting, whose door hands out cards to all who are named. Its votes have no inclusion codes
 * unless `fields` say so.
 */
export async function openRoom(
  fields: object = {},
  names = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay'],
  env: Record<string, string> = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' },
) {
  const club = await openClub(env);
  const { service } = club;
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = (await club.add({ name, standing: STANDING })).id;
  const held_at = '2026-12-04T19:00';
  // The usual class has a name in the language of the club.
  const usual = { title: 'AGM', held_at, inclusion_codes: false, classes: ['Members'] };
  const { id } = (await service.post('/admin/meetings', { ...usual, ...fields })).json();
  const base = `/admin/meetings/${id}`;
  const codes: string[] = [];
  const one = {
    ...club,
    id,
    base,
    ids,
    /** The cards that were printed and are valid; the first were handed out first. */
    codes,
    paper: async () => (await one.read()).meeting.paper_id as string,
    /** Checks people in, and prints and opens a pack of cards of each class. */
    arrive: async (people: string[], name = 'Members', more: object = {}) => {
      const pass = async (who: string, action: string) =>
        (await service.post(`${base}/door`, { person_id: ids[who], action, class: name, ...more })).json();
      const waiting: string[] = [];
      for (const who of people) if ((await pass(who, 'in')).waits) waiting.push(who);
      const { packs } = (await service.post(`${base}/packs`, { class: name, packs: 1 })).json();
      await service.post(`${base}/packs/${packs[0].id}/open`);
      // The packs that were open before had no card left for them.
      for (const who of waiting) await pass(who, 'card');
      const own: string[] = packs[0].cards.map(({ code }: { code: string }) => code);
      codes.push(...own);
      return own;
    },
    add: async (item: object) => (await service.post(`${base}/items`, item)).json(),
    read: async () => (await service.get(base)).json(),
    item: async (item: string) => (await one.read()).items.find((each: { id: string }) => each.id === item),
    act: async (item: string, name: string, payload?: object, who: Record<string, string> = {}) => {
      const answer = await service.post(`${base}/items/${item}/${name}`, payload, who);
      return { status: answer.statusCode, body: answer.json(), answer } satisfies Answer;
    },
    /** Casts one answer with a card. */
    vote: async (code: string, election: string, ballot: object) =>
      (await service.post(`/p/${await one.paper()}/vote`, { token: code, answers: { [election]: ballot } }))
        .statusCode,
  };
  return one;
}

export type Room = Awaited<ReturnType<typeof openRoom>>;

/** Opens an item, casts these answers with the first cards, and closes it. */
export async function hold(one: Room, item: { id: string; election_id: string }, answers: object[]) {
  expect((await one.act(item.id, 'open')).status).toBe(200);
  for (const [at, answer] of answers.entries())
    expect(await one.vote(one.codes[at]!, item.election_id, answer)).toBe(200);
  return (await one.act(item.id, 'close')).body.item;
}
