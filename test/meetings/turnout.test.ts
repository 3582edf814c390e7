import { describe, expect, it } from 'vitest';
import { page } from '#test/support/factories.ts';
import { openRoom } from './a-meeting.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;
interface Item {
  id: string;
  election_id: string;
}

const yes = { choice: 'yes' };
const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];

/** Where the turnout of a question is said, in words. */
async function saidOf(one: Room, { election_id }: Item) {
  const at = `/e/${election_id}`;
  const admin = `/admin/elections/${election_id}`;
  const read = async (url: string) => (await page(one.service, url)).body.replaceAll(/<[^>]*>/g, ' ');
  return {
    public: await read(at),
    wall: await read(`${at}/results?wall=1`),
    officers: await read(admin),
    paper: await read(`/admin/papers/${await one.paper()}`),
    paperWall: await read(`/p/${await one.paper()}/wall`),
  };
}

const adminOf = async (one: Room, { election_id }: Item) =>
  (await one.service.get(`/admin/elections/${election_id}`)).json().turnout;

describe('the turnout of a question of a meeting', () => {
  it('is of its votes on every page and in JSON; cards of the pile count nowhere', async () => {
    await using one = await openRoom({}, NAMES);
    // Ten cards are valid, and five are out.
    await one.arrive(NAMES);
    const item: Item = await one.add({ kind: 'motion', title: 'New lamps' });
    expect(await adminOf(one, item)).toMatchObject({ tokens: 5, used: 0, of: 'voters' });
    await one.act(item.id, 'open');
    for (const code of one.codes.slice(0, 2)) await one.vote(code, item.election_id, yes);
    const open = await saidOf(one, item);
    expect(open.public).toMatch(/2 of 5 voters voted/);
    expect(open.wall).toMatch(/2\s+of 5 votes cast/);
    expect(open.officers).toMatch(/Votes there are/);
    for (const text of Object.values(open)) expect(text).not.toMatch(/of 10\b|10 voting codes|Codes made/);
    expect(await adminOf(one, item)).toMatchObject({ tokens: 5, used: 2, of: 'voters' });

    // A single card that is given back would tell that its holder had not voted.
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Eve, action: 'out', gave_back: true });
    await one.service.post(`${one.base}/door/return`, { codes: [one.codes[4]] });
    const after = await saidOf(one, item);
    expect([after.public.includes('2 of 5 voters'), /of 5 votes/.test(after.wall)]).toEqual([true, true]);
    expect(await adminOf(one, item)).toMatchObject({ tokens: 4 });

    await one.act(item.id, 'close');
    expect((await saidOf(one, item)).public).toContain('2 of 4 voters voted');
    await one.act(item.id, 'declare');
    const json = (await one.service.get(`/e/${item.election_id}/results`)).json();
    expect(json.turnout).toEqual({ issued: 4, used: 2, of: 'voters' });
    expect((await saidOf(one, item)).public).toContain('2 of 4 voters voted');
  });

  it('has no denominator where more have voted than the door counted, until it is noted', async () => {
    await using one = await openRoom({}, NAMES);
    await one.arrive(['Ann']);
    const item: Item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    for (const code of one.codes.slice(0, 3)) await one.vote(code, item.election_id, yes);
    const doubtful = await saidOf(one, item);
    expect(doubtful.public).toContain('3 have voted.');
    expect(doubtful.wall).toMatch(/3\s+have voted/);
    for (const text of [doubtful.public, doubtful.wall]) expect(text).not.toMatch(/3\s+of/);
    await one.act(item.id, 'close');
    expect((await saidOf(one, item)).public).toContain('3 have voted.');
    await one.act(item.id, 'declare', { note: 'Two had come in by the kitchen.' });
    expect((await saidOf(one, item)).public).toContain('3 voted; the door counted 1 voter.');
  });

  it('is not said in voting codes by the public history of a timer', async () => {
    await using one = await openRoom({}, NAMES);
    await one.arrive(NAMES);
    const item: Item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open', { seconds: 60 });
    await one.vote(one.codes[0]!, item.election_id, yes);
    await one.act(item.id, 'extend', { seconds: 60 });
    expect((await saidOf(one, item)).public).not.toContain('voting codes had been used');
  });
});
