import { expect, it } from 'vitest';
import { openRoom } from './a-meeting.ts';
import { withTellers } from './tellers.ts';

const yes = { choice: 'yes' };
const no = { choice: 'no' };
type Room = Awaited<ReturnType<typeof openRoom>>;
const read = async (one: Room) => (await one.service.get(`${one.base}/minutes.md`)).body;

const FIGURES = [
  ['POLL', { seats: 1 }, ([a]: string[]) => ({ selected_option: a }), ['| Ivy | 2 |', '1 seat.']],
  [
    'YES_NO_EACH',
    { seats: 2 },
    ([a, b]: string[]) => ({ answers: { [a!]: 'yes', [b!]: 'no' } }),
    ['| Name | Yes | No | Abstentions |', '| Ivy | 2 | 0 | 0 |', '| Hugh | 0 | 0 | 2 |'],
  ],
  [
    'RANKED_CONDORCET',
    {},
    ([a, b, c]: string[]) => ({ ranking: [c, a, b] }),
    [
      '| Name | Rank | First choices |',
      '| Hugh | 1 | 2 |',
      '| Name | Hugh | Ivy | Lee |',
      '| Hugh |  | 2 | 2 |',
    ],
  ],
  [
    'RANKED_STV',
    { seats: 2 },
    ([a, b]: string[]) => ({ ranking: [a, b] }),
    ['| Name | Stage 1 |', 'quota 1', 'elected at stage', '| Not transferable |'],
  ],
] as const;

it.each(FIGURES)('the minutes have every figure of %s', async (ballot_type, settings, fill, lines) => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const names = ['Ivy', 'Lee', 'Hugh'];
  const listed = ballot_type.startsWith('RANKED') ? { candidates: names } : { options: names };
  const question = { ballot_type, ...listed, settings };
  const item = await one.add({ kind: 'election', title: 'Board', question });
  const { election } = (await one.service.get(`/e/${item.election_id}`)).json();
  const ids = (election.candidates ?? election.options).map(({ id }: { id: string }) => id);
  await one.act(item.id, 'open');
  for (const code of one.codes.slice(0, 2))
    expect(await one.vote(code, item.election_id, fill(ids))).toBe(200);
  await one.act(item.id, 'close');
  await one.act(item.id, 'declare');
  const text = await read(one);
  for (const line of lines) expect(text).toContain(line);
  expect(text).toContain('- Votes: 2 ballots, invalid 0.');
});

it('the minutes name the lot and who drew it', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob']);
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Hugh'], settings: { seats: 1, lot: 'drawn' } };
  const item = await one.add({ kind: 'election', title: 'Chair', question });
  const { options } = (await one.service.get(`/e/${item.election_id}`)).json().election;
  const [ivy, hugh] = options.map(({ id }: { id: string }) => id);
  await one.act(item.id, 'open');
  await one.vote(one.codes[0]!, item.election_id, { selected_option: ivy });
  await one.vote(one.codes[1]!, item.election_id, { selected_option: hugh });
  await one.act(item.id, 'close');
  const lot = { order: [hugh, ivy], drawn_by: 'Dee', witnesses: ['Ann', 'Bob'] };
  expect((await one.service.post(`/admin/elections/${item.election_id}/lot`, lot)).statusCode).toBe(200);
  await one.act(item.id, 'declare');
  const text = await read(one);
  expect(text).toContain('Ivy and Hugh had the same votes; by lot: Hugh.');
  expect(text).toMatch(/The lot was drawn by Dee before Ann and Bob \(entered .*\): Hugh, Ivy\./);
});

it('the minutes have the papers of a vote, what was noted, and what came late', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const item = await one.add({ kind: 'motion', title: 'Lamps' });
  await one.act(item.id, 'open');
  await one.vote(one.codes[0]!, item.election_id, yes);
  await one.act(item.id, 'paper', { code: one.codes[1] });
  await one.act(item.id, 'close');
  const paper = await withTellers(one);
  const papers = [
    { number: 1, ...yes },
    { number: 2, ...no },
    { number: 3, invalid: true },
  ];
  await paper.count(item, { valid: 2, invalid: 1 }, papers);
  await paper.call('PUT', `${item.id}/sheet`, { printed: 20, returned: 0, in_box: 3 });
  const note = 'All three were seen to be put in.';
  expect((await one.act(item.id, 'declare', { note })).status).toBe(200);
  const text = await read(one);
  for (const said of [
    'Secret, with voting cards that are tied to nobody: 1 online, 2 on paper.',
    '- Votes: Yes 2, no 1, abstentions 0, invalid 1.',
    `- Noted: There were 3 papers, and 1 was handed out. ${note}`,
    '| Item | Printed | Handed out | Returned | In the box | Valid | Blank | Invalid |',
    '| 1 | 20 | 1 | 0 | 3 | 2 | 0 | 1 |',
  ])
    expect(text).toContain(said);
  await paper.count(item, { valid: 1 }, [{ number: 1, ...no }], { reason: 'It lay under a chair' });
  expect(await read(one)).toContain(
    '- Corrected: 1 ballot on paper joined after the announcement: It lay under a chair (They were counted.)',
  );
});
