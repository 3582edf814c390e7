import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { page, send } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { listen, openStream } from '#test/support/stream-client.ts';
import { openRoom } from './a-meeting.ts';
import { withTellers } from './tellers.ts';

it('papers are handed out, counted, settled, joined and announced with forms alone', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const question = {
    ballot_type: 'POLL',
    options: ['Ivy', 'Lee'],
    settings: { poll_response_type: 'multiple', seats: 1 },
  };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  const path = `${one.base}/items/${motion.id}`;
  const { service } = one;
  const { tess, tom } = await withTellers(one);
  const submit = async (url: string, fields: Record<string, string | string[]>, who = tess) => {
    const answer = await service.submit(url, fields, who);
    return answer.statusCode === 303
      ? (await page(service, String(answer.headers.location), who)).body
      : answer.body;
  };
  expect((await page(service, `${path}/papers`, tess)).body).toContain(
    'Papers are handed out once voting is open.',
  );
  for (const { id } of [motion, board]) await one.act(id, 'open');
  for (const code of one.codes.slice(0, 2)) {
    const handed = await submit(`${path}/paper`, { code, items: [board.id] });
    expect(handed).toContain('hand the paper over');
    // The next paper has the same questions.
    expect(handed).toMatch(new RegExp(`id="hand-${board.id}"[^>]* checked`));
  }
  expect(await submit(`${path}/paper`, { code: one.codes[0]! })).toContain(
    message('card_has_paper', { title: 'New lamps' }),
  );
  const chair = (await page(service, `${one.base}/chair`, tess)).body;
  expect(chair).toContain('Ballots on paper');
  for (const { id } of [motion, board]) await one.act(id, 'close');
  await one.act(motion.id, 'call');
  expect((await page(service, `${one.base}/chair`, tess)).body).toContain('0 of 2 papers are counted.');

  const made = await submit(`${path}/batches`, {
    'control.valid': '2',
    'control.blank': '',
    items: [board.id],
  });
  expect(made).toContain('Two people enter it now');
  expect(made).toContain('2. Board');
  const [, batch = ''] = /batches\/([\w-]+)\/entries\/1/.exec(made) ?? [];
  const at = `${path}/batches/${batch}`;
  const refused = await submit(`${at}/entries/1?_method=PUT`, { lines: '1 y / 9\nlate\n2 y\n3 y / 12' });
  for (const sentence of [
    'Line 1: “9” is not read: type the numbers of the crosses, 1 to 2',
    'Line 2: “late” does not begin with the number of a paper',
    'Line 3: paper 2 has 1 part, and there are 2 questions',
    'Line 4: “12” is not a valid ballot here',
    '3 y / 12</textarea>',
  ])
    expect(refused).toContain(sentence);
  expect(await submit(`${at}/entries/1?_method=PUT`, { lines: '1 y / 2\n2 n / b' })).toContain(
    'The entry is saved.',
  );
  const other = (await page(service, `${at}/entries/2`, tess)).body;
  expect(other).toContain('somebody else enters it here');
  expect((await page(service, `${at}/entries/2`, tom)).body).not.toContain('1 y');
  const differing = await submit(`${at}/entries/2?_method=PUT`, { lines: '1 n / 2\n2 n / b\n3 x' }, tom);
  expect(differing).toContain('2 papers to look at again');
  expect(differing).toContain('no such paper');
  const settled = await submit(
    `${at}/entries/mine?_method=PATCH`,
    { 'remove.n3': '1', 'keys.n1': 'y / 2' },
    tom,
  );
  expect(settled).toContain('2 papers on which they differed were settled');
  expect(settled).toContain('Let these ballots join the others');
  expect(await submit(`${at}/join`, {})).toContain('The ballots have joined the others.');
  const { papers } = (await service.get(at)).json();
  const inOrder = [1, 2].flatMap((number) => [motion, board].map(({ id }) => ({ number, item: id })));
  expect(papers).toMatchObject(inOrder);
  expect(await submit(`${path}/sheet?_method=PUT`, { printed: '20', returned: '', in_box: '3' })).toContain(
    '3 papers, but 2 handed out',
  );
  const alarm = await submit(`${one.base}/items/${motion.id}/declare`, {});
  expect(alarm).toContain('3 papers are out or in the box, and 2 are counted');
  const note = 'One more than handed out: all say yes.';
  const shown = await submit(`${one.base}/items/${motion.id}/declare`, { note });
  expect(shown).toContain('Announce the result');
  await submit(`${one.base}/items/${motion.id}/declare`, { note });
  const noted = (await page(service, `${path}/papers`, tess)).body;
  expect(noted).toContain('One more than handed out: all say yes.');
  expect(noted).not.toContain('the chair notes why');
  expect((await one.item(motion.id)).result.results).toMatchObject({ yes: 1, no: 1 });
  const sheet = (await page(service, `${path}/sheet`, tess)).body;
  for (const part of ['Reconciliation sheet', 'One more than handed out', '0 voted online, 2 on paper'])
    expect(sheet).toContain(part);
  const wall = (await page(service, `/m/${one.id}/wall`)).body;
  expect(wall).toContain('0 voted online, 2 on paper.');
});

it('the page of the chair hears of papers, batches, packs, a second person and doors; phones load nothing for them', async () => {
  await using one = await openRoom();
  const { service } = one;
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  const paper = await withTellers(one);
  await one.act(motion.id, 'open');
  const stream = await openStream(await listen(service), {}, '', `/m/${one.id}/stream`);
  const last = () => stream.heard.filter(({ event }) => event === 'meeting').at(-1)!.data;
  const room = async () => (await service.get(`/m/${one.id}`)).json();
  /** The version, by which phones load their page again, before and after an act that officers alone see. */
  const versions = async (act: () => Promise<unknown>) => {
    const before = await room();
    await act();
    const after = await room();
    expect(after.officers).not.toBe(before.officers);
    await stream.until(() => last().officers === after.officers);
    return [before.version, after.version];
  };
  const [before, after] = await versions(() => one.act(motion.id, 'paper', { code: one.codes[0]! }));
  expect(after).toBe(before);
  await one.act(motion.id, 'close');
  const acts = [
    () => paper.box(motion, 1),
    () => paper.count(motion, { valid: 1 }, [{ number: 1, choice: 'yes' }]),
    () => service.post(`${one.base}/packs`, { class: 'Members', packs: 1 }),
    () => service.post(`${one.base}/door/return`, { codes: one.codes.slice(1, 2) }),
    () => one.act(motion.id, 'void', { reason: 'The wrong wording' }, paper.tom),
    () => service.post(`${one.base}/door/heard`, { door: 'a', waiting: 3 }),
  ];
  for (const act of acts) {
    const [before, after] = await versions(act);
    expect(after).toBe(before);
  }
  expect((await page(service, `${one.base}/chair`)).body).toContain('data-follow');
  stream.close();
});

it('a teller who stands in the election is warned of, by the name on the ballot or by a nomination', async () => {
  await using one = await openRoom();
  const { service } = one;
  await one.arrive(['Ann']);
  const { tess, tom } = await withTellers(one);
  const question = { ballot_type: 'POLL', options: ['TESS@club.example', 'Lee'], settings: { seats: 1 } };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  const path = `${one.base}/items/${board.id}`;
  const { now } = service.clock;
  const call = { opens_at: isoTime(now), closes_at: isoTime(now + DAY), who: 'anybody', seconders: 0 };
  await send(service, 'PUT', `${path}/nominations`, call);
  await service.post(`/m/${one.id}/nominate/${board.id}`, {
    name: 'Thomas',
    email: 'tom@club.example',
    text: '',
  });
  const { id } = service.ctx.db.first(build.selectFrom('nominations').select('id'))!;
  await service.post(`/m/${one.id}/nominations/${proposalCode(service.ctx, id)}`, { action: 'consent' });
  await service.post(`${path}/nominations/${id}`, { decision: 'accept' });
  await one.act(board.id, 'open');
  await one.act(board.id, 'close');
  const batch = (await service.post(`${path}/batches`, { control: { valid: 1 } })).json().id;
  const at = `${path}/batches/${batch}`;
  const warning = 'You stand in “Board”';
  for (const who of [tess, tom]) {
    expect((await page(service, `${at}/entries/1`, who)).body).toContain(warning);
  }
  expect((await page(service, `${at}/entries/1`)).body).not.toContain(warning);
  // It is no rule of every club, so they can enter it all the same.
  const entered = await service.submit(`${at}/entries/1?_method=PUT`, { lines: '1 1' }, tess);
  expect(entered.statusCode).toBe(303);
  const read = (await page(service, at)).body;
  expect(read).toContain('tess@club.example stands in this election');
  expect((await service.get(at)).json().entries['1']).toMatchObject({ stands: true });
});

it('printed ballots have candidates and the rule, and neither a number nor a name', async () => {
  await using one = await openRoom();
  const question = {
    ballot_type: 'RANKED_STV',
    candidates: ['Ivy', 'Lee', 'Hugh'],
    settings: { seats: 2, allow_blank: true },
  };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  const motion = await one.add({ kind: 'motion', title: 'New lamps', text: 'Buy lamps for 1,200.' });
  const { body } = await page(
    one.service,
    `${one.base}/items/${board.id}/printed?copies=3&each=2&items=${motion.id}`,
  );
  const papers = body.match(/<article[\s\S]*?<\/article>/g) ?? [];
  expect(new Set(papers).size).toBe(1);
  expect(papers).toHaveLength(3);
  for (const text of [
    '1. Board',
    '2. New lamps',
    'Ivy',
    'Write 1 beside your first choice',
    'Buy lamps for 1,200.',
    'Carried with more yes than no',
  ])
    expect(papers[0]).toContain(text);
  const text = await one.add({ kind: 'text', title: 'Report' });
  expectRefusal(await one.service.get(`${one.base}/items/${text.id}/printed`), 409, 'item_without_question');
});
