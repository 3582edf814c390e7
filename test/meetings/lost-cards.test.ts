import { expect, it } from 'vitest';
import { page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { openRoom } from './a-meeting.ts';

const YES = { choice: 'yes' };

/** A meeting with Ann and Bob, whose cards are the first two of an opened pack. */
async function openWithCards() {
  const one = await openRoom();
  for (const name of ['Ann', 'Bob'])
    await one.service.post(`${one.base}/door`, { person_id: one.ids[name], action: 'in' });
  const { packs } = (await one.service.post(`${one.base}/packs`, { class: 'Members', packs: 2 })).json();
  await one.service.post(`${one.base}/packs/${packs[0].id}/open`);
  const [first, second, third] = packs[0].cards;
  return {
    ...one,
    first,
    second,
    third,
    closed: packs[1].cards[0],
    replace: async (stub: string) => {
      const answer = await one.service.post(`${one.base}/door/replace`, { stub });
      return [answer.statusCode, answer.json().cards ?? answer.json().error];
    },
    meeting: async () => (await one.read()).meeting,
  };
}

it('a lost card is replaced for its stub, once, and never gives a second vote', async () => {
  await using one = await openWithCards();
  const item = await one.add({ kind: 'motion', title: 'Lamps' });
  await one.act(item.id, 'open');
  await one.vote(one.first.code, item.election_id, YES);
  expect(await one.replace(one.first.stub)).toEqual([409, message('lost_card_voted', { title: 'Lamps' })]);
  // The holder voids the other one on a phone first.
  await one.service.post(`/m/${one.id}/void`, { stub: one.second.stub });
  expect((await one.meeting()).cards_too_many).toBe(8);
  expect(await one.replace(one.second.stub.toLowerCase())).toEqual([200, { Members: 1 }]);
  expect(await one.meeting()).toMatchObject({
    cards_too_many: 7,
    cards: { Members: { handed_out: 2, void: 1 } },
  });
  expect(await one.vote(one.third.code, item.election_id, YES)).toBe(200);
  await one.act(item.id, 'close');
  expect(await one.replace(one.first.stub)).toEqual([200, { Members: 1 }]);
  expect((await one.act(item.id, 'declare')).body.item.result.results.yes).toBe(2);
  for (const stub of [one.second.stub, one.closed.stub]) expect((await one.replace(stub))[0]).toBe(409);
  expect((await one.replace(one.third.code))[0]).toBe(404);
  await one.service.post(`${one.base}/door/return`, { code: one.third.code });
  expect((await one.replace(one.third.stub))[0]).toBe(409);
});

it.each(['returned', 'lost'])(
  'a card that was %s after it had voted votes on no further question',
  async (how) => {
    await using one = await openWithCards();
    const item = await one.add({ kind: 'motion', title: 'Lamps' });
    await one.act(item.id, 'open');
    expect(await one.vote(one.first.code, item.election_id, YES)).toBe(200);
    if (how === 'lost') await one.service.post(`/m/${one.id}/void`, { stub: one.first.stub });
    else await one.service.post(`${one.base}/door/return`, { code: one.first.code });
    const later = await one.add({ kind: 'motion', title: 'Fees' });
    await one.act(later.id, 'open');
    const { item: spot } = (await one.service.post(`${one.base}/motion`, { title: 'Now', text: 'x' })).json();
    for (const election of [later.election_id, spot.election_id])
      expect(await one.vote(one.first.code, election, YES)).not.toBe(200);
    expect((await one.act(item.id, 'close')).body.item.result.results.yes).toBe(1);
  },
);

it('whoever has left with their card is represented once it came back', async () => {
  await using one = await openRoom({ proxies_per_person: 1 });
  const [card] = await one.arrive(['Ann']);
  const { Ann: giver, Bob: holder } = one.ids;
  await one.service.post(`${one.base}/door`, { person_id: giver, action: 'out' });
  const give = async () => (await one.service.post(`${one.base}/proxies`, { giver, holder })).statusCode;
  expect(await give()).toBe(409);
  await one.service.post(`${one.base}/door/return`, { code: card });
  expect(await give()).toBe(409);
  await one.service.post(`${one.base}/door`, { person_id: giver, action: 'out', gave_back: true });
  expect(await give()).toBe(200);
});

it('forms replace it at the door, and from the square of the stub that an officer scans', async () => {
  await using one = await openWithCards();
  const scanned = await page(one.service, `/m/${one.id}/void?s=${one.first.stub}`);
  expect(scanned.body).toContain('Replace the card');
  const member = await page(one.service, `/m/${one.id}/void?s=${one.first.stub}`, { host: 'club.example' });
  expect(member.body).not.toContain('Replace the card');
  const done = await one.service.submit(`${one.base}/door/replace`, { stub: one.first.stub });
  // What was done is a page of its own: loading it again does nothing.
  expect(done.statusCode).toBe(303);
  for (const _ of [1, 2])
    expect((await page(one.service, String(done.headers.location))).body).toContain(
      'Hand out 1 card of Members',
    );
  const invented = await page(one.service, `${one.base}/door?replaced=Chairs`);
  expect(invented.body).not.toContain('Hand out 1 card');
});

it('a card that an officer scans can be taken back from its page, which others cannot', async () => {
  await using one = await openWithCards();
  const cardPage = async (host: string) => {
    const scanned = await page(one.service, `/m/${one.id}?t=${one.first.code}`, { host });
    const cookie = [scanned.headers['set-cookie']].flat().map((text) => String(text).split(';')[0]);
    return page(one.service, `/m/${one.id}/card`, { host, cookie: cookie.join('; ') });
  };
  expect((await cardPage('club.example')).body).not.toContain('Take this card back');
  const { body } = await cardPage('localhost');
  expect(body).toContain('Take this card back');
  const [, codes = ''] = /name="codes" value="([^"]+)"/.exec(body)!;
  const back = await one.service.submit(`${one.base}/door/return`, { codes });
  expect(back.statusCode).toBe(303);
  for (const _ of [1, 2])
    expect((await page(one.service, String(back.headers.location))).body).toContain(
      '1 card returned and void',
    );
});
