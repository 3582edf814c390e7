import { expect, it } from 'vitest';
import { openRoom } from './a-meeting.ts';

const RECEIPTS = { question: { settings: { inclusion_codes: true } } };

it('the code of a vote in a meeting says which vote it belongs to, and nothing about the others', async () => {
  await using one = await openRoom();
  const { service } = one;
  const [card] = await one.arrive(['Ann', 'Bob']);
  const items: { id: string; election_id: string }[] = [];
  const codes: string[] = [];
  for (const title of ['New lamps', 'New chairs', 'A new roof']) {
    const item = await one.add({ kind: 'motion', title, ...RECEIPTS });
    await one.act(item.id, 'open');
    const answers = { [item.election_id]: { choice: 'yes' } };
    const cast = await service.post(`/p/${await one.paper()}/vote`, { token: card, answers });
    codes.push(cast.json().inclusion_code);
    if (title === 'New chairs') await one.act(item.id, 'void', { reason: 'The microphone failed.' });
    else await one.act(item.id, 'close');
    items.push(item);
  }
  await one.act(items[0]!.id, 'declare');
  const check = async (code: string) => {
    const form = await service.submit(`/p/${await one.paper()}/check`, { code });
    // What follows are templates for the script.
    return form.body.slice(form.body.indexOf('data-check-result'), form.body.indexOf('<form'));
  };

  const lamps = await check(codes[0]!);
  expect(lamps).toContain('New lamps');
  expect(lamps).not.toMatch(/New chairs|A new roof|There is no ballot/);
  expect(lamps).toContain('A ballot with this code was counted.');
  const chairs = await check(codes[1]!);
  expect(chairs).toContain('New chairs');
  expect(chairs).toContain('not counted: the vote is void');
  expect(chairs).not.toMatch(/was counted\.|New lamps/);
  const json = await service.post(`/p/${await one.paper()}/check`, { code: codes[1] });
  expect(json.json().questions).toMatchObject([
    { found: false },
    { found: true, void: true },
    { found: false },
  ]);
  expect(await check('0'.repeat(32))).toContain('There is no ballot with this code');
});
