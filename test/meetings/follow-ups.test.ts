import { describe, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { hold, openRoom, type Room } from './a-meeting.ts';

const asPage = { accept: 'text/html' };

const yes = { choice: 'yes' };
const no = { choice: 'no' };

describe('a follow-up in the room', () => {
  const followed = async (one: Room, item: { election_id: string }, kind: string) => {
    const answer = await one.service.post(`/admin/elections/${item.election_id}/follow-up`, { kind });
    expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
    return answer.json();
  };
  const states = async (one: Room) => (await one.read()).items.map(({ state }: { state: string }) => state);

  it('is one however often it is asked for, until it is void or deleted', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const motion = await one.add({ kind: 'motion', title: 'Rules' });
    await hold(one, motion, [yes, no]);
    await one.act(motion.id, 'declare');
    const first = await followed(one, motion, 'repeat');
    const [second, third] = await Promise.all([
      followed(one, motion, 'repeat'),
      followed(one, motion, 'repeat'),
    ]);
    expect([second, third]).toEqual([first, first]);
    expect(await states(one)).toEqual(['declared', 'prepared']);

    await one.act(first.item, 'open');
    expect(await followed(one, motion, 'repeat')).toEqual(first);
    await one.act(first.item, 'void', { reason: 'Wrong wording' });
    const anew = await followed(one, motion, 'repeat');
    expect(anew.id).not.toBe(first.id);
    expect(await followed(one, motion, 'repeat')).toEqual(anew);

    expect((await send(one.service, 'DELETE', `${one.base}/items/${anew.item}`)).statusCode).toBe(200);
    const last = await followed(one, motion, 'repeat');
    expect([first.id, anew.id]).not.toContain(last.id);
    expect(await states(one)).toEqual(['declared', 'prepared', 'void']);
    // It is made again from itself alone.
    await hold(one, { id: last.item, election_id: last.id }, [yes, no]);
    await one.act(last.item, 'declare');
    expect(await followed(one, motion, 'repeat')).toEqual(last);
    const next = await followed(one, { election_id: last.id }, 'repeat');
    expect([first.id, anew.id, last.id]).not.toContain(next.id);
  });

  it('between the two best is one too, and another than a repeat', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const question = {
      ballot_type: 'POLL',
      options: ['Ivy', 'Lee'],
      settings: { threshold: { share: 'more_than_half' } },
    };
    const item = await one.add({ kind: 'election', title: 'Chair', question });
    const { options } = (await one.service.get(`/admin/elections/${item.election_id}`)).json().election;
    const choose = (at: number) => ({ selected_option: options[at].id });
    await hold(one, item, [choose(0), choose(1)]);
    await one.act(item.id, 'declare');
    const again = await followed(one, item, 'two_best');
    expect(await followed(one, item, 'two_best')).toEqual(again);
    const repeat = await followed(one, item, 'repeat');
    expect(repeat.id).not.toBe(again.id);
    expect(await states(one)).toEqual(['declared', 'prepared', 'prepared']);
  });

  it('is repeated or voted on again with one press and the same cards', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const page = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
    const forms = async () =>
      [...(await page()).matchAll(/name="kind" value="(\w+)">.*?<button[^>]*>([^<]+)/g)].map(
        ([, ...form]) => form,
      );
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(motion.id, 'open');
    await one.act(motion.id, 'void', { reason: 'Wrong wording' });
    expect(await forms()).toEqual([['repeat', 'Vote again with the same cards']]);
    const pressed = await one.service.submit(`/admin/elections/${motion.election_id}/follow-up`, {
      kind: 'repeat',
    });
    expect(pressed.headers.location).toBe(`${one.base}/chair?done=followed-up`);
    expect(await forms()).toEqual([]);
    const [, repeat] = (await one.read()).items;
    await one.act(repeat.id, 'open');
    expect(await one.vote(one.codes[0]!, repeat.election_id, yes)).toBe(200);
    await one.act(repeat.id, 'close');

    // Somebody who does not accept leaves a seat open, and does not stand for it.
    const settings = { seats: 1 };
    const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Hugh'], settings };
    const board = await one.add({ kind: 'election', title: 'Treasurer', question });
    const { options } = (await one.service.get(`/e/${board.election_id}`)).json().election;
    await one.act(board.id, 'open');
    await one.vote(one.codes[0]!, board.election_id, { selected_option: options[0].id });
    await one.act(board.id, 'close');
    await one.act(board.id, 'declare');
    expect(await forms()).toEqual([['repeat', 'Vote again with the same cards']]);
    await one.act(board.id, 'declare', { accepts: { [options[0].id]: false } });
    expect(await forms()).toEqual([
      ['unelected', 'Vote again on 1 open seat'],
      ['repeat', 'Vote again with the same cards'],
    ]);
    const form = (await one.service.get(`/admin/elections/${board.election_id}/follow-up`, asPage)).body;
    expect([form.includes('the same cards vote'), form.includes('name="close_at"')]).toEqual([true, false]);
    const next = await one.service.post(`/admin/elections/${board.election_id}/follow-up`, {
      kind: 'unelected',
    });
    const again = (await one.service.get(`/admin/elections/${next.json().id}`)).json().election;
    expect(again.options.map(({ name }: { name: string }) => name)).toEqual(['Lee', 'Hugh']);
  });
});

it('a vote without the quorum is held again with one press', async () => {
  await using one = await openRoom({ quorum: 3 });
  await one.arrive(['Ann', 'Bob']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await hold(one, motion, [yes, yes]);
  await one.act(motion.id, 'declare');
  const page = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
  expect(await page()).toMatch(
    /No valid result[\s\S]*value="repeat">[\s\S]{0,400}Vote again with the same cards/,
  );
  await one.service.submit(`/admin/elections/${motion.election_id}/follow-up`, { kind: 'repeat' });
  await one.arrive(['Cid']);
  const [, again] = (await one.read()).items;
  await hold(one, { id: again.id, election_id: again.election_id }, [yes, yes, no]);
  await one.act(again.id, 'declare');
  expect((await one.item(again.id)).quorate).toBe(true);
  expect(await page()).toMatch(/Vote again on the whole question[\s\S]*The same question again/);
});

it('a tie offers a lot before its announcement, and the tie can be announced as well', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1 } };
  const item = await one.add({ kind: 'election', title: 'Chair', question });
  const { options } = (await one.service.get(`/e/${item.election_id}`)).json().election;
  await one.act(item.id, 'open');
  for (const at of [0, 1])
    await one.vote(one.codes[at]!, item.election_id, { selected_option: options[at].id });
  await one.act(item.id, 'close');

  const page = async () => (await one.service.get(`${one.base}/chair`, { accept: 'text/html' })).body;
  const lot = `href="/admin/elections/${item.election_id}/lot"`;
  const declare = `action="${one.base}/items/${item.id}/declare"`;
  const tied = await page();
  expect([tied.includes(lot), tied.includes(declare)]).toEqual([true, true]);
  expect(tied.indexOf(lot)).toBeLessThan(tied.indexOf(declare));
  const said = await one.service.submit(`${one.base}/items/${item.id}/declare`, { again: 'true' });
  expect(said.headers.location).toBe(`${one.base}/chair`);
  const { items } = await one.read();
  expect(items.map(({ title, state }: { title: string; state: string }) => [title, state])).toEqual([
    ['Chair', 'declared'],
    ['Chair (round 2)', 'prepared'],
  ]);
  expect(await page()).not.toMatch(/Vote again on \d/);
  // A lot would fill the seat that is voted on again.
  const order = options.map(({ id }: { id: string }) => id);
  const drawn = () =>
    one.service.post(`/admin/elections/${item.election_id}/lot`, { order, drawn_by: 'Ann' });
  expectRefusal(await drawn(), 409, 'no_lot_awaited');
  expect(await page()).not.toContain(lot);
  await send(one.service, 'DELETE', `${one.base}/items/${items[1].id}`);
  expect(await page()).toContain('Vote again on 1 open seat');

  one.service.clock.now += 5 * MINUTE;
  const lotPage = (await one.service.get(`/admin/elections/${item.election_id}/lot`, asPage)).body;
  expect(lotPage).toContain('Enter the lot and announce the result');
  const places = Object.fromEntries(order.map((id: string, at: number) => [`place_${id}`, String(at + 1)]));
  const entered = await one.service.submit(`/admin/elections/${item.election_id}/lot`, {
    ...places,
    drawn_by: 'Ann',
  });
  expect(entered.headers.location).toBe(`${one.base}/chair`);
  expect(await page()).not.toMatch(/Vote again on \d/);
  const minutes = (await one.service.get(`${one.base}/minutes`, asPage)).body;
  expect(minutes).toMatch(/Declared by the chair at [^.<]+ as a tie, and after the lot at /);
  const entries = (await one.service.get('/admin/audit-logs?action=meeting.item_declared_anew')).json();
  expect(JSON.stringify(entries)).toContain('meeting.item_declared_anew');
});

it('nothing is announced where its seats cannot be voted on again, and a meeting that is over offers no further vote', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await hold(one, motion, [yes]);
  expect((await one.act(motion.id, 'declare', { again: true })).status).toBe(409);
  expect((await one.item(motion.id)).state).toBe('closed');
  await one.act(motion.id, 'declare');

  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1 } };
  const office = await one.add({ kind: 'election', title: 'Chair', question });
  const { options } = (await one.service.get(`/e/${office.election_id}`)).json().election;
  await hold(
    one,
    office,
    options.map(({ id }: { id: string }) => ({ selected_option: id })),
  );
  await send(one.service, 'PATCH', one.base, { state: 'closed', confirm: ['announce'] });
  const page = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
  const tied = await page();
  expect([tied.includes('Announce the result'), tied.includes('vote again')]).toEqual([true, false]);
  expect((await one.act(office.id, 'declare', { again: true })).status).toBe(409);
  expect((await one.item(office.id)).state).toBe('closed');
  expect((await one.act(office.id, 'declare')).status).toBe(200);
  expect(await page()).not.toContain('/follow-up"');
});
