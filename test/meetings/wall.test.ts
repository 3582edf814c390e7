import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
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
    'Carried: 2 yes to 1 no.',
  ]);
  expect(await wallAfter([yes, no, no])).toEqual(['wall-outcome wall-short', 'Not carried: 2 no to 1 yes.']);
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

it('the wall shows what is in force beside what is proposed, the rule, how long somebody speaks, and what follows', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const question = { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } };
  const texts = { old_text: 'Two guests.', text: 'Four guests.' };
  const rules = await one.add({ kind: 'motion', title: 'Guests', ...texts, question });
  const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
  const wall = async () => (await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' })).body;
  expect(await wall()).toMatch(/Agenda<\/h2><ol><li>1. Guests<\/li><li>2. New lamps/);

  await one.act(rules.id, 'call');
  for (const name of ['Ann', 'Bob']) await one.service.post(`${one.base}/speakers`, { name });
  expect(await wall()).toContain('Next speaker: <strong>Ann');
  const begun = (await one.service.post(`${one.base}/speakers/next`, { seconds: 120 })).json().speakers;
  expect(Date.parse(begun[0].ends_at) - Date.parse(begun[0].began_at)).toBe(120 * SECOND);
  one.service.clock.now += 15 * SECOND;
  const debate = await wall();
  for (const said of [
    'In force now</h2><p class="wall-wording">Two guests.',
    'New</h2><p class="wall-wording">Four guests.',
    'Carried if two thirds of those who vote',
    'Speaking now (1:45 left): <strong>Ann',
    'Next speaker: Bob',
    'Then</h2><ol><li>2. New lamps',
  ])
    expect(debate).toContain(said);
  one.service.clock.now += 2 * MINUTE;
  expect(await wall()).toContain('Speaking now (time is up)');
  const page = (await one.service.get(`${one.base}/chair`, { accept: 'text/html' })).body;
  expect(page).toContain('<option value="120" selected>');

  await one.act(rules.id, 'open', { seconds: 60 });
  const open = await wall();
  expect(open).toContain('closing in <span data-left="60000">60 s');
  expect(open).not.toMatch(/Speaking now|Then<|Next speaker/);
  await one.act(rules.id, 'close');
  // Whoever spoke has spoken to the item before.
  await one.act(lamps.id, 'call');
  const next = await wall();
  expect(next).not.toContain('Speaking now');
  expect(next).toContain('Next speaker: <strong>Bob');
});

it('the wall has the whole agenda before the meeting and every decision after it', async () => {
  await using one = await openRoom();
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const motion = await one.add({ kind: 'motion', title: 'Lamps' });
  for (let at = 2; at <= 17; at++) await one.add({ kind: 'text', title: `Report ${at}` });
  const wall = async () => (await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' })).body;
  expect(await wall()).toMatch(
    /wall-columns"><li>1\. Lamps.*<li>15\. Report 15<\/li><li>And 2 more\.<\/li>/s,
  );

  await one.act(motion.id, 'open');
  for (const code of one.codes.slice(0, 3)) await one.vote(code, motion.election_id, yes);
  for (const act of ['close', 'declare']) await one.act(motion.id, act);
  await one.service.submit(`${one.base}?_method=PATCH`, { state: 'closed' });
  expect(await wall()).toContain('<li>1. Lamps: <strong>Carried</strong></li>');
});
