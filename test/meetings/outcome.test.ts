import { expect, it } from 'vitest';
import { send } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';
import { withTellers } from './tellers.ts';

const asPage = { accept: 'text/html' };

type Room = Awaited<ReturnType<typeof openRoom>>;

const result = async (one: Room, election: string) =>
  (await one.service.get(`/e/${election}/results`)).json();
const page = async (one: Room, path: string) => (await one.service.get(path, asPage)).body;

it('the quorum and the share of a question hold for hands as for ballots', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay']);
  for (const [settings, valid] of [
    [{ quorum: 5 }, false],
    [{ quorum: 4 }, true],
    [{ quorum_share: 'three_quarters' }, false],
    [{ quorum_share: { at_least: '1/2' } }, true],
  ] as const) {
    const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps', question: { settings } });
    await one.act(id, 'hands', { yes: 3, no: 1 });
    await one.act(id, 'declare');
    expect(await result(one, election_id)).toMatchObject({
      valid,
      carried: valid,
      results: { yes: 3, valid },
    });
    const said = valid ? 'Carried: 3 yes to 1 no.' : 'No valid result: 4 votes cast, 5 needed.';
    expect(await page(one, `/e/${election_id}`)).toContain(said);
  }
});

it('without the quorum of the meeting nobody is elected unopposed, in JSON, on pages and in minutes', async () => {
  await using one = await openRoom({ quorum: 5 });
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
  const { id, election_id } = await one.add({
    kind: 'election',
    title: 'Board',
    question: {
      ballot_type: 'POLL',
      options: ['Ines', 'Ivo'],
      settings: { seats: 2, poll_response_type: 'multiple' },
    },
  });
  await one.act(id, 'unopposed');
  const declared = (await one.act(id, 'declare')).body.item;
  expect(declared).not.toHaveProperty('elected');
  expect(await result(one, election_id)).toMatchObject({ valid: false, elected: [] });
  expect(await page(one, `/e/${election_id}`)).toContain('No valid result: the meeting had no quorum.');
  await send(one.service, 'PATCH', one.base, { state: 'closed' });
  const minutes = (await one.service.get(`${one.base}/minutes.md`)).body;
  expect(minutes).toContain('No valid result');
  expect(minutes).not.toMatch(/Elected:|has not answered/);
});

it('a vote that the chair stops as void shows turnout and reason alone, also to the chair', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'open');
  for (const [at, choice] of ['yes', 'yes', 'no'].entries())
    expect(await one.vote(one.codes[at]!, election_id, { choice })).toBe(200);
  await one.act(id, 'void', { reason: 'Wrong wording' });
  const paper = await one.paper();
  for (const path of [`/e/${election_id}`, `/p/${paper}`, `/admin/elections/${election_id}`]) {
    const body = await page(one, path);
    expect(body).toContain('Wrong wording');
    expect(body).not.toMatch(/will be announced|2 yes|Carried:/);
  }
  const item = await one.item(id);
  expect(item.void).toMatchObject({ reason: 'Wrong wording', at: expect.any(String) });
  expect(JSON.stringify(item)).not.toContain('"yes"');
  expect(await result(one, election_id)).toMatchObject({
    void: { reason: 'Wrong wording' },
    turnout: { used: 3 },
  });
  expect(await result(one, election_id)).not.toHaveProperty('results');
});

it('hands that are void after the count stay said, and do not count', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'hands', { yes: 3, no: 1 });
  await one.act(id, 'declare');
  for (const name of ['cat', 'dan']) {
    const who = await appoint(one.service, `${name}@club.example`, 'officer');
    await one.act(id, 'void', { reason: 'Two people sat behind the pillar' }, who);
  }
  const body = await page(one, `/e/${election_id}`);
  for (const said of ['Two people sat behind the pillar', 'it does not count', 'Yes 3, no 1'])
    expect(body).toContain(said);
  expect(body).not.toMatch(/Carried|<dd>0<\/dd>/);
  expect(await result(one, election_id)).toMatchObject({
    void: { reason: 'Two people sat behind the pillar' },
    results: { yes: 3, no: 1 },
  });
});

it('a question that the chair has closed is not called closed early', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'open');
  await one.act(id, 'close');
  const body = await page(one, `/e/${election_id}`);
  expect(body).toContain('Voting closed');
  expect(body).not.toContain('Closed early');
});

it('an item that was announced says its outcome on the agenda of the chair', async () => {
  await using one = await openRoom();
  const codes = await one.arrive(['Ann', 'Bob', 'Cid']);
  for (const [title, choices] of [
    ['New lamps', ['yes', 'yes', 'no']],
    ['New chairs', ['no', 'yes', 'no']],
  ] as const) {
    const { id, election_id } = await one.add({ kind: 'motion', title });
    await one.act(id, 'open');
    for (const [at, choice] of choices.entries()) await one.vote(codes[at]!, election_id, { choice });
    await one.act(id, 'close');
    await one.act(id, 'declare');
  }
  const settings = { seats: 2, poll_response_type: 'multiple' };
  const question = { ballot_type: 'POLL', options: ['Ines', 'Ivo'], settings };
  const board = await one.add({ kind: 'election', title: 'The board', question });
  await one.act(board.id, 'unopposed');
  await one.act(board.id, 'declare');

  const body = await page(one, `${one.base}/chair`);
  const agenda = body.slice(body.indexOf('class="room-agenda"'));
  const badgeOf = (title: string) =>
    new RegExp(`${title} <span class="badge.*?>([^<>]+)</span>`, 's').exec(agenda)?.[1]?.trim();
  expect(['New lamps', 'New chairs', 'The board'].map(badgeOf)).toEqual([
    'Carried',
    'Not carried',
    'Elected',
  ]);
});

it('the end of a meeting asks for results that are not announced, and they still can be', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'open');
  expect(await one.vote(one.codes[0]!, election_id, { choice: 'yes' })).toBe(200);
  await one.act(id, 'close');
  const end = (more: object = {}) => send(one.service, 'PATCH', one.base, { state: 'closed', ...more });
  const asked = await end();
  expect([asked.statusCode, asked.json().needs, asked.json().items]).toEqual([409, ['announce'], [id]]);
  expect((await one.read()).meeting.state).toBe('running');
  expect(await page(one, `${one.base}/end`)).toContain('Not announced yet: New lamps.');
  expect((await end({ confirm: ['announce'] })).statusCode).toBe(200);
  expect(await page(one, `${one.base}/chair`)).toContain('Announce the result');
  expect((await one.act(id, 'declare')).status).toBe(200);
  expect(await result(one, election_id)).toMatchObject({ results: { yes: 1 } });
});

it('the ballot in the room warns of fewer than five voters, as every other ballot does', async () => {
  await using one = await openRoom();
  const [card = ''] = await one.arrive(['Ann', 'Bob']);
  const { id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'open');
  const shown = async () =>
    (await one.service.get(`/m/${one.id}/card`, { ...asPage, cookie: `house_card=${card}` })).body;
  expect(await shown()).toContain('With fewer than five voters, votes can be guessed.');
  await one.act(id, 'close');
  for (const name of ['Cid', 'Dee', 'Eve'])
    await one.service.post(`${one.base}/door`, { person_id: one.ids[name], action: 'in' });
  const next = await one.add({ kind: 'motion', title: 'New chairs' });
  await one.act(next.id, 'open');
  expect(await shown()).not.toContain('With fewer than five voters');
});

it('a late paper keeps a lot that was drawn where the same names tie', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee']);
  const item = await one.add({
    kind: 'election',
    title: 'Chair',
    question: { ballot_type: 'POLL', options: ['Ivy', 'Lee'], settings: { seats: 1, lot: 'drawn' } },
  });
  const { options } = (await one.service.get(`/e/${item.election_id}`)).json().election;
  const [ivy, lee] = options.map(({ id }: { id: string }) => id);
  await one.act(item.id, 'open');
  expect(await one.vote(one.codes[0]!, item.election_id, { selected_option: ivy })).toBe(200);
  expect(await one.vote(one.codes[1]!, item.election_id, { selected_option: lee })).toBe(200);
  await one.act(item.id, 'close');
  const lot = { order: [lee, ivy], drawn_by: 'Ann', witnesses: ['Bob'] };
  expect((await one.service.post(`/admin/elections/${item.election_id}/lot`, lot)).statusCode).toBe(200);
  await one.act(item.id, 'declare');
  const paper = await withTellers(one);
  const papers = [ivy, lee].map((selected_option, at) => ({ number: at + 1, selected_option }));
  const batch = await paper.batch(item, { valid: 2 }, { reason: 'They lay in the other box' });
  for (const teller of [1, 2] as const) await paper.enter(item, batch, teller, papers);
  const uma = await appoint(one.service, 'uma@club.example', 'chair');
  for (const who of [paper.tess, uma]) {
    const payload = { reason: 'They lay in the other box', note: 'They were handed out without a scan' };
    await paper.call('POST', `${item.id}/batches/${batch}/join`, payload, who);
  }
  expect(await result(one, item.election_id)).toMatchObject({
    total_ballots: 4,
    results: { elected: [lee], ties: [{ by: 'lot' }] },
    lots: [{ order: [lee, ivy] }],
    result_matches: true,
  });
});

it('the turnout of a question is of those who could vote, not of the cards of the pile', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee', 'Eve']);
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(id, 'open');
  for (const code of one.codes.slice(0, 3))
    expect(await one.vote(code, election_id, { choice: 'yes' })).toBe(200);
  await one.act(id, 'close');
  expect(await page(one, `/e/${election_id}`)).toContain('3 of 5 voters voted (60%).');
  await one.act(id, 'declare');
  expect(await page(one, `/e/${election_id}`)).toContain('3 of 5 voters voted (60%).');
  expect((await result(one, election_id)).turnout).toEqual({ issued: 5, used: 3, of: 'voters' });
});

it('after a noted alarm pages say both numbers, and no share is above the whole', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const majority = { share: 'more_than_half', of: 'present' };
  const question = { settings: { majority } };
  const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps', question });
  await one.act(id, 'open');
  for (const [at, choice] of ['yes', 'yes', 'no'].entries())
    expect(await one.vote(one.codes[at]!, election_id, { choice })).toBe(200);
  await one.act(id, 'close');
  expect((await one.act(id, 'declare')).status).toBe(409);
  expect((await one.act(id, 'declare', { note: 'A guest had a card' })).status).toBe(200);
  const body = await page(one, `/e/${election_id}`);
  expect(body).toContain('Carried: 2 of 3 present');
  expect(body).toContain('The door counted 2 voters.');
  expect(body).toContain('3 voted; the door counted 2 voters.');
  expect(body).not.toMatch(/\b1(?:[1-9]\d|0[1-9])\s?%/);
  expect(await result(one, election_id)).toMatchObject({
    turnout: { used: 3, door: 2 },
    results: { base: 3 },
  });

  const lamps = await one.add({ kind: 'motion', title: 'Old lamps', question });
  await one.act(lamps.id, 'hands', { yes: 3, no: 1 });
  await one.act(lamps.id, 'declare', { note: 'They were counted twice' });
  const hands = await page(one, `/e/${lamps.election_id}`);
  expect(hands).toContain('Carried: 3 of 4 present');
  expect(hands).toContain('The door counted 2 voters.');
});
