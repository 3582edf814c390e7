import { expect, it } from 'vitest';
import { openRoom } from './a-meeting.ts';

const yes = { choice: 'yes' };
const no = { choice: 'no' };

it('the wall shows in green what was decided for, and nothing else', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const wallAfter = async (ballots: object[]) => {
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    for (const [at, ballot] of ballots.entries()) await one.vote(one.codes[at]!, item.election_id, ballot);
    await one.act(item.id, 'close');
    await one.act(item.id, 'declare');
    const { body } = await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' });
    return /<p class="(wall-outcome[^"]*)">([^<]*)/.exec(body)!.slice(1);
  };

  expect(await wallAfter([yes, yes, no])).toEqual([
    'wall-outcome wall-short wall-carried',
    'Passed: 2 yes to 1 no.',
  ]);
  expect(await wallAfter([yes, no, no])).toEqual(['wall-outcome wall-short', 'Not passed: 2 no to 1 yes.']);
  expect(await wallAfter([yes, no])).toEqual([
    'wall-outcome wall-short',
    'Not carried (tie): 1 yes to 1 no.',
  ]);
});

it('the wall says how many candidates it does not show', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const names = ['Ada', 'Bea', 'Cem', 'Dag', 'Eli', 'Fay', 'Gus', 'Hal'];
  const question = { ballot_type: 'POLL', options: names };
  const item = await one.add({ kind: 'election', title: 'Chair', question });
  const { options } = (await one.service.get(`/e/${item.election_id}`)).json().election;
  await one.act(item.id, 'open');
  for (const code of one.codes.slice(0, 3))
    await one.vote(code, item.election_id, { selected_option: options[0].id });
  await one.act(item.id, 'close');
  await one.act(item.id, 'declare');

  const { body } = await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' });
  expect(body.match(/class="wall-name/g)).toHaveLength(6);
  expect(body).toContain('And 2 more.');
  expect(body).toContain('wall-carried');
});
