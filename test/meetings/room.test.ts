import { describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { listen, openStream } from '#test/support/stream-client.ts';
import { openRoom } from './a-meeting.ts';

const yes = { choice: 'yes' };
const asPage = { accept: 'text/html' };

const textOf = (page: string): string =>
  page
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replaceAll(' .', '.');

/** The cookies that an answer sets, as the next request sends them to the page for cards. */
const cookieOf = (header: unknown) => ({
  cookie: [header]
    .flat()
    .map((one) => String(one).split(';')[0])
    .join('; '),
});

describe('the page of a member', () => {
  it('says what is discussed, what the card can do, and the result once it is announced', async () => {
    await using one = await openRoom();
    const [card = '', other = ''] = await one.arrive(['Ann', 'Bob']);
    const motion = await one.add({ kind: 'motion', title: 'New lamps', text: 'At most 900' });
    const { get } = one.service;
    const json = async (query = '', headers = {}) => (await get(`/m/${one.id}${query}`, headers)).json();
    expect(await json()).toMatchObject({
      item: null,
      question: null,
      present: 2,
      meeting: { state: 'prepared' },
    });
    await one.act(motion.id, 'open', { seconds: 60 });
    expect(await json(`?t=${card}`)).toMatchObject({
      item: { id: motion.id, state: 'open' },
      question: { id: motion.election_id, state: 'open', voted: 0 },
      code: { valid: true, questions: [{ id: motion.election_id, state: 'open', used: false }] },
    });
    expect((await json()).code).toBeUndefined();
    expect((await json('?t=wrong')).code).toEqual({ valid: false, questions: [] });

    const scanned = await get(`/m/${one.id}?t=${card}`, asPage);
    expect([scanned.statusCode, scanned.headers.location]).toEqual([303, `/m/${one.id}/card`]);
    const [kept = '', mark = ''] = [scanned.headers['set-cookie']].flat();
    // Below its path there is no other address: the card is not sent along with the name of a speaker.
    expect(kept).toMatch(new RegExp(`^house_card=[^;]+; Path=/m/${one.id}/card; .*HttpOnly; SameSite=Lax`));
    expect(mark).toMatch(new RegExp(`^house_room=1; Path=/m/${one.id}; .*HttpOnly; SameSite=Lax`));
    const cookie = cookieOf([kept, mark]);
    const marked = await get(`/m/${one.id}`, { ...asPage, ...cookieOf(mark) });
    expect([marked.statusCode, marked.headers.location]).toEqual([303, `/m/${one.id}/card`]);
    const open = await get(`/m/${one.id}/card`, { ...asPage, ...cookie });
    expect(open.body).toContain(`action="/p/${await one.paper()}/vote/review"`);
    expect(open.body).toContain(`name="${motion.election_id}.choice"`);
    expect(open.body).toMatch(/Closing in <span data-left="60000">60 s/);
    await one.vote(card, motion.election_id, yes);
    expect((await json('', cookie)).code.questions[0].used).toBe(true);
    const after = (await get(`/m/${one.id}/card`, { ...asPage, ...cookie })).body;
    expect([after.includes('Your vote is recorded'), after.includes('vote/review')]).toEqual([true, false]);
    const next = await get(`/m/${one.id}?card=other`, { ...asPage, ...cookie });
    expect(String(next.headers['set-cookie'])).toContain('house_card=; ');
    expect(next.body).toContain('The code on your card');
    expect(await json(`?t=${other}`)).toMatchObject({ code: { questions: [{ used: false }] } });

    await one.act(motion.id, 'close');
    const hidden = await json('', cookie);
    expect(hidden).toMatchObject({ item: { state: 'closed' }, question: { state: 'closed', voted: 1 } });
    expect(hidden.item.result).toBeUndefined();
    await one.act(motion.id, 'declare');
    expect((await json()).item.result.results).toMatchObject({ yes: 1, carried: true });
    expect((await get(`/m/${one.id}`, asPage)).body).toContain('1 yes to 0 no');
  });

  it('follows from the moment a card is shown, also before the chair begins', async () => {
    await using one = await openRoom();
    const [card = ''] = await one.arrive(['Ann']);
    const { get } = one.service;
    const scanned = await get(`/m/${one.id}?t=${card}`, asPage);
    const early = await get(`/m/${one.id}/card`, { ...asPage, ...cookieOf(scanned.headers['set-cookie']) });
    expect(early.body).toContain(`data-follow="/m/${one.id}/stream"`);
    expect(early.body).toContain('The chair has not begun with an item yet');
    expect((await get(`/m/${one.id}`, asPage)).body).not.toContain('data-follow');
  });
});

it('the stream sends the room on connect and after each change, without anything of a card', async () => {
  await using one = await openRoom();
  const [card = ''] = await one.arrive(['Ann']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const origin = await listen(one.service);
  const path = `/m/${one.id}/stream`;
  const stream = await openStream(origin, { cookie: `house_card=${card}` }, '', path);
  expect(stream.headers['content-type']).toContain('text/event-stream');
  expect(stream.heard[0]).toMatchObject({ event: 'meeting', data: { item: null, present: 1 } });
  await one.act(motion.id, 'open');
  await stream.until((heard) => heard.some(({ data }) => data.question?.state === 'open'));
  await one.vote(card, motion.election_id, yes);
  await stream.until((heard) => heard.some(({ data }) => data.question?.voted === 1));
  await one.act(motion.id, 'close');
  await stream.until((heard) => heard.some(({ data }) => data.question?.state === 'closed'));
  expect(stream.text).not.toMatch(/"yes"|"code"/);
  await one.act(motion.id, 'declare');
  await stream.until((heard) => heard.some(({ data }) => data.item?.result?.results.yes === 1));
  expectRefusal(await one.service.get('/m/nothing/stream'), 404, 'meeting_not_found');
  stream.close();
});

it('the ballot on a change of the rules has the wording in force beside it', async () => {
  await using one = await openRoom();
  const [card = ''] = await one.arrive(['Ann']);
  const motion = { kind: 'motion', title: 'Fees', old_text: 'The fee is 50.', text: 'The fee is 60.' };
  await one.act((await one.add(motion)).id, 'open');
  const { body } = await one.service.get(`/m/${one.id}/card`, { ...asPage, cookie: `house_card=${card}` });
  for (const said of ['vote below', 'The fee is 50.', 'The fee is 60.']) expect(body).toContain(said);
});

describe('the chair’s page', () => {
  it('leads through an item with forms alone, one button at a time, and warns before few vote', async () => {
    await using one = await openRoom({}, ['Ann', 'Bob', 'Cid', 'Dee', 'Eve']);
    await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.add({ kind: 'text', title: 'Any other business' });
    const chair = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
    const press = async (name: string, fields: Record<string, string> = {}) =>
      (await one.service.submit(`${one.base}/items/${motion.id}/${name}`, fields)).headers.location;
    expect(await chair()).toContain('Begin: 1. New lamps');
    expect(await press('call')).toBe(`${one.base}/chair`);
    expect(await chair()).toContain('Open voting anyway');
    await one.service.post(`${one.base}/door`, { person_id: one.ids.Eve, action: 'in' });
    expect(await chair()).not.toContain('anyway');
    expect(await press('open', { seconds: '' })).toBe(`${one.base}/chair`);
    await one.vote(one.codes[0]!, motion.election_id, yes);
    const open = await chair();
    expect(open).toMatch(/<strong>1<\/strong> of 5 votes cast/);
    // Without script nothing that the chair types is lost by a page that loads itself again.
    expect([open.includes('http-equiv="refresh"'), open.includes('Look again')]).toEqual([false, true]);
    expect(open).not.toContain('1 more minute');
    await press('close', { seconds: '30' });
    const closing = await chair();
    for (const said of ['Closing in', '1 more minute']) expect(closing).toContain(said);
    await press('close');
    expect(await chair()).toContain('Announce the result');
    await press('declare');
    expect(await chair()).toContain('Next: 2. Any other business');
    const wrong = await one.service.submit(`${one.base}/items/${motion.id}/open`, {});
    expect([wrong.statusCode, wrong.body.includes(message('item_state', { state: 'declared' }))]).toEqual([
      409,
      true,
    ]);
    // A page that was refused goes on with the others.
    expect(wrong.body).toContain(`data-page="${one.base}/chair"`);
  });

  it('leads a meeting without an agenda, and corrects a count of hands until it is announced', async () => {
    await using one = await openRoom({ remote: true });
    const chair = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
    const empty = await chair();
    expect(empty).toContain('Nothing is on the agenda yet');
    expect(empty).toContain('A motion on the spot');
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(motion.id, 'call');
    const hands = `${one.base}/items/${motion.id}/hands`;
    await one.service.submit(hands, { yes: '7', no: '2', abstain: '', invalid: '1' });
    const counted = await chair();
    expect(counted).toContain('Carried: 7 yes to 2 no');
    expect(counted).toMatch(/name="invalid"[^>]* value="1"/);
    await one.service.submit(hands, { yes: '1', no: '2', abstain: '', invalid: '1', correction: 'true' });
    const corrected = await chair();
    expect(corrected).toContain('Not carried: 2 no to 1 yes');
    expect(corrected).toContain('1 hand was invalid.');
    await one.act(motion.id, 'declare');
    expect(await chair()).not.toContain('Correct the count');
  });

  it('leads to the lot that has to be drawn before the result is announced, and back', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann', 'Bob']);
    const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1, lot: 'drawn' } };
    const board = await one.add({ kind: 'election', title: 'Treasurer', question });
    await one.act(board.id, 'open');
    const { options } = (await one.service.get(`/e/${board.election_id}`)).json().election;
    for (const [at, { id }] of options.entries())
      await one.vote(one.codes[at]!, board.election_id, { selected_option: id });
    await one.act(board.id, 'close');
    const chair = async () => (await one.service.get(`${one.base}/chair`, asPage)).body;
    const lot = `/admin/elections/${board.election_id}/lot`;
    const waiting = await chair();
    expect([waiting.includes(`href="${lot}"`), waiting.includes('Announce the result')]).toEqual([
      true,
      false,
    ]);
    const places = { [`place_${options[0].id}`]: '1', [`place_${options[1].id}`]: '2' };
    expect((await one.service.submit(lot, { ...places, drawn_by: 'Ann' })).statusCode).toBe(303);
    expect((await one.service.get(lot, asPage)).body).toContain(`href="${one.base}/chair"`);
    expect(await chair()).toContain('Announce the result');
  });

  it('says before a vote what it needs and between whom it is, and after it every figure that is read out', async () => {
    await using one = await openRoom({ quorum: 4 });
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const majority = { share: 'two_thirds', of: 'yes_no' };
    const fee = await one.add({ kind: 'motion', title: 'Fee', question: { settings: { majority } } });
    const question = { ballot_type: 'RANKED_STV', candidates: ['Ivy', 'Lee'], settings: { seats: 1 } };
    const board = await one.add({ kind: 'election', title: 'Treasurer', question });
    const read = async () => textOf((await one.service.get(`${one.base}/chair`, asPage)).body);
    await one.act(fee.id, 'call');
    expect(await read()).toMatch(
      /two thirds of those who vote yes or no.*Can be cast: 3 votes\..*Next: 2\. Treasurer/,
    );
    await one.act(fee.id, 'open');
    expect(await read()).toMatch(/No quorum.*does not count unless enough people come while it is open/);
    for (const [at, choice] of ['yes', 'no', 'abstain'].entries())
      expect(await one.vote(one.codes[at]!, fee.election_id, { choice })).toBe(200);
    await one.act(fee.id, 'close');
    expect(await read()).toContain('Yes 1, No 1, Abstain 1.');
    await one.act(fee.id, 'declare');
    await one.act(board.id, 'call');
    expect(await read()).toMatch(/Ivy and Lee\..*Open voting/);

    await one.arrive(['Dee']);
    await one.act(board.id, 'open');
    const { candidates } = (await one.service.get(`/e/${board.election_id}`)).json().election;
    for (const [at, code] of one.codes.slice(0, 4).entries())
      await one.vote(code, board.election_id, { ranking: [candidates[at % 2].id] });
    await one.act(board.id, 'close');
    expect(await read()).toMatch(
      /Level for a seat: (Ivy and Lee|Lee and Ivy)\. A lot decided between them\./,
    );
  });

  it('says who wants an announced vote void, and another person confirms that with one press', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const motion = await one.add({ kind: 'motion', title: 'New lamps' });
    const [cat, dan] = [
      await appoint(one.service, 'cat@club.example', 'chair'),
      await appoint(one.service, 'dan@club.example', 'chair'),
    ];
    for (const act of ['open', 'close', 'declare']) await one.act(motion.id, act);
    await one.service.submit(`${one.base}/items/${motion.id}/void`, { reason: 'A card was lost' }, cat);
    const page = (await one.service.get(`${one.base}/chair`, { ...asPage, ...dan })).body;
    expect(page).toContain('cat@club.example asks to make it void');
    const own = (await one.service.get(`${one.base}/chair`, { ...asPage, ...cat })).body;
    expect([own.includes('You asked to make it void'), own.includes('Confirm that it is void')]).toEqual([
      true,
      false,
    ]);
    const end = (await one.service.get(`${one.base}/end`, asPage)).body;
    expect(end).toContain('Somebody asked to make void: New lamps.');
    const [, form = ''] = /(<form class="confirm".*?<\/form>)/s.exec(page) ?? [];
    expect(form).toContain('name="reason" value="A card was lost"');
    await one.service.submit(`${one.base}/items/${motion.id}/void`, { reason: 'A card was lost' }, dan);
    expect(await one.item(motion.id)).toMatchObject({ state: 'void', void: { reason: 'A card was lost' } });
  });
});

describe('the wall', () => {
  it('follows the chair with turnout alone, the closing and the announced result', async () => {
    await using one = await openRoom({}, ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay']);
    await one.arrive(['Ann', 'Bob', 'Cid']);
    const wall = async () => (await one.service.get(`/m/${one.id}/wall`, asPage)).body;
    expect(await wall()).toContain('The meeting has not begun');
    const question = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };
    const motion = await one.add({ kind: 'motion', title: 'New lamps', text: 'At most 900', question });
    await one.act(motion.id, 'call');
    expect(await wall()).toContain('At most 900');
    await one.act(motion.id, 'open', { seconds: 60 });
    await one.vote(one.codes[0]!, motion.election_id, yes);
    one.service.clock.now += 30 * SECOND;
    const open = await wall();
    expect(open).toMatch(/<strong>1<\/strong> of 3 votes cast/);
    expect(open).toMatch(/closing in <span data-left="30000">30 s/);
    await one.act(motion.id, 'close');
    expect(await wall()).not.toContain('Carried');
    await one.act(motion.id, 'declare');
    const announced = await wall();
    expect(announced).toContain('two thirds of yes and no');
    expect(announced).toContain('this result shows how everybody voted');
    const office = { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1 } };
    const board = await one.add({ kind: 'election', title: 'Treasurer', question: office });
    await one.act(board.id, 'call');
    expect(await wall()).not.toContain('Ivy');
    await one.act(board.id, 'open');
    expect(await wall()).toContain('Ivy, Lee');
    await one.act(board.id, 'close');
    await send(one.service, 'PATCH', one.base, { state: 'closed', confirm: ['announce'] });
    const over = await wall();
    expect([over.includes('The meeting is over'), over.includes('Treasurer')]).toEqual([true, false]);
  });
});

it('150 phones on one network follow the meeting, with and without a card', async () => {
  await using one = await openRoom({}, ['Ann'], {});
  const [card = ''] = await one.arrive(['Ann']);
  const statuses = new Set<number>();
  for (let phone = 0; phone < 150; phone++) statuses.add((await one.service.get(`/m/${one.id}`)).statusCode);
  expect([...statuses]).toEqual([200]);
  expect((await one.service.get(`/m/${one.id}?t=${card}`)).statusCode).toBe(200);
});

describe('the list of speakers', () => {
  it('is kept in the order of asking, by the chair and where allowed by members', async () => {
    await using one = await openRoom();
    await one.arrive(['Ann']);
    const at = `${one.base}/speakers`;
    const names = (answer: { json: () => { speakers: { name: string }[] } }) =>
      answer.json().speakers.map(({ name }) => name);
    await one.service.post(at, { name: 'Ann' });
    expect(names(await one.service.post(at, { name: 'ann ' }))).toEqual(['Ann']);
    const asks = () => one.service.post(`/m/${one.id}/speakers`, { name: 'Bob' });
    expectRefusal(await asks(), 403, 'speakers_by_chair');
    await send(one.service, 'PATCH', one.base, { members_ask: true });
    expect((await asks()).statusCode).toBe(200);
    const begun = (await one.service.post(`${at}/next`)).json().speakers;
    expect(begun).toMatchObject([{ name: 'Ann', began_at: expect.any(String) }, { began_at: null }]);
    const text = await one.add({ kind: 'text', title: 'Report' });
    await one.act(text.id, 'call');
    one.service.clock.now += MINUTE + 5 * SECOND;
    const wall = (await one.service.get(`/m/${one.id}/wall`, asPage)).body;
    expect(wall).toContain('Speaking now (1:05): <strong>Ann');
    expect(wall).toContain('Next speaker: Bob');
    expect(names(await one.service.post(`${at}/next`))).toEqual(['Bob']);
    const [bob] = (await one.service.get(`/m/${one.id}`)).json().speakers;
    expect(names(await send(one.service, 'DELETE', `${at}/${bob.id}`))).toEqual([]);
    expectRefusal(await send(one.service, 'DELETE', `${at}/${bob.id}`), 404, 'speaker_not_found');
  });
});

it('agenda, documents and what was announced stay within reach of a phone that follows the meeting', async () => {
  const documents = [{ title: 'Accounts', url: 'https://club.example/accounts.pdf' }];
  await using one = await openRoom({ place: 'The hall', documents });
  const [card = ''] = await one.arrive(['Ann']);
  const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.add({ kind: 'motion', title: 'New chairs' });
  const { get } = one.service;
  const scanned = await get(`/m/${one.id}?t=${card}`, asPage);
  const cookie = cookieOf(scanned.headers['set-cookie']);
  const read = async (path: string) => (await get(`/m/${one.id}${path}`, { ...asPage, ...cookie })).body;
  const early = await read('/card');
  expect(early).toContain('The hall. Present:');
  expect(early).toContain(`href="/m/${one.id}?agenda=1"`);
  for (const said of ['New chairs', 'https://club.example/accounts.pdf', 'How to take part'])
    expect(await read('?agenda=1')).toContain(said);

  await one.act(lamps.id, 'hands', { yes: 1, no: 0 });
  expect(await read('?agenda=1')).not.toContain('Carried');
  await one.act(lamps.id, 'declare');
  const later = await read('?agenda=1');
  for (const said of ['Carried: 1 yes to 0 no', 'Follow it and vote', 'New chairs'])
    expect(later).toContain(said);
  const { items } = (await get(`/m/${one.id}`)).json();
  expect([items[0].result?.results.yes, items[1].result]).toEqual([1, undefined]);
});
