import { expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { page } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';
import { heldMeeting, session } from './held-meeting.ts';
import { withTellers } from './tellers.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

const BOTH = 'Cara Moss and Dora Pine';

/** Two officers whose names may be shown. */
async function twoOfficers({ service }: Room) {
  const named = async (name: string) => {
    const email = `${name.split(' ')[0]?.toLowerCase()}@club.example`;
    const headers = await appoint(service, email, 'officer');
    await service.ctx.write((tx) =>
      tx.run(build.updateTable('persons').set({ name }).where('name', '=', email)),
    );
    return headers;
  };
  return [await named('Cara Moss'), await named('Dora Pine')] as const;
}

/** Where a result is read: the page of the members, the wall, the minutes, and the page of the election. */
async function readPages(one: Room, item: { id: string; election_id: string }) {
  await one.act(item.id, 'call');
  const urls = [`/m/${one.id}`, `/m/${one.id}/wall`, `${one.base}/minutes`, `/e/${item.election_id}`];
  return Promise.all(urls.map(async (url) => [url, (await page(one.service, url)).body] as const));
}

it('those who let late papers join are named beside the result, on every page and in JSON', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const item = await one.add({ kind: 'motion', title: 'New lamps' });
  const paper = await withTellers(one);
  const [cara, dora] = await twoOfficers(one);
  await one.act(item.id, 'open');
  await one.act(item.id, 'paper', { code: one.codes[0]! });
  await one.act(item.id, 'close');
  await paper.box(item, 0);
  await one.act(item.id, 'declare');
  const id = await paper.batch(item, { valid: 1 }, { reason: 'It lay under a magazine' });
  for (const teller of [1, 2] as const) await paper.enter(item, id, teller, [{ number: 1, choice: 'yes' }]);
  const join = (who: Record<string, string>) => paper.call('POST', `${item.id}/batches/${id}/join`, {}, who);
  expect([(await join(cara)).status, (await join(dora)).status]).toEqual([202, 200]);
  expect((await one.item(item.id)).corrections).toMatchObject([{ ballots: 1, by: BOTH }]);
  for (const [url, body] of await readPages(one, item))
    expect([url, body.includes('It lay under a magazine'), body.includes(BOTH)]).toEqual([url, true, true]);
});

it('those who make a counted vote void, or withdraw a name, are named with it', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const [cara, dora] = await twoOfficers(one);
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Max'], settings: { seats: 1 } };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  await one.act(board.id, 'open');
  const at = `/e/${board.election_id}`;
  const [ivy, lee] = (await one.service.get(at)).json().election.options;
  for (const who of [cara, dora])
    await one.service.post(
      `/admin/elections/${board.election_id}/options/${ivy.id}/withdraw`,
      { note: 'Ivy has fallen ill' },
      who,
    );
  await one.vote(one.codes[0]!, board.election_id, { selected_option: lee.id });
  await one.act(board.id, 'close');
  await one.act(board.id, 'declare');
  expect((await one.service.get(`${at}/results`)).json().withdrawn).toMatchObject([
    { name: 'Ivy', by: BOTH },
  ]);
  for (const [url, body] of await readPages(one, board))
    expect([url, body.includes(`by ${BOTH}`)]).toEqual([url, true]);

  const reason = 'The wrong cards were printed';
  for (const who of [cara, dora]) await one.act(board.id, 'void', { reason }, who);
  for (const url of [at, `${at}/results`]) {
    const json = (await one.service.get(url)).json();
    expect((json.election ?? json).void).toMatchObject({ reason, by: BOTH });
  }
  expect((await one.item(board.id)).void).toMatchObject({ reason, by: BOTH });
  for (const [url, body] of await readPages(one, board))
    expect([url, body.includes(`(by ${BOTH})`)]).toEqual([url, true]);
});

it('what changes a result after the minutes were signed is said on them with both names', async () => {
  const meeting = await heldMeeting();
  await using one = meeting.one;
  const [cara, dora] = await twoOfficers(one);
  await meeting.patch({ chair: one.ids.Ann, secretary: one.ids.Bob });
  await meeting.end();
  for (const [as, name] of [
    ['chair', 'Ann'],
    ['secretary', 'Bob'],
  ] as const)
    expect((await meeting.sign(as, await session(one, name))).statusCode).toBe(200);
  const reason = 'The quorum was miscounted';
  const press = async (who: Record<string, string>) =>
    (await one.act(meeting.items.rules.id, 'void', { reason }, who)).status;
  expect([await press(cara), await press(dora)]).toEqual([202, 200]);
  const { minutes } = await meeting.minutes();
  expect(minutes.corrected_after_signing).toMatchObject([{ item: 'Fees', reason, by: BOTH }]);
  // It is no difference from the log.
  expect(minutes.differences).toBeUndefined();
  expect(await meeting.markdown()).toContain(BOTH);
});
