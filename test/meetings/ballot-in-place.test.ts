import { describe, expect, it } from 'vitest';
import { expectRefusal } from '#test/support/messages.ts';
import { openRoom } from './a-meeting.ts';

const asPage = { accept: 'text/html' };
const NAMES = ['Ivy', 'Lee'];

/** The hidden fields of the form with this action. */
function fieldsOf(text: string, action: string): Record<string, string[]> {
  const [, inside = ''] = new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  const fields: Record<string, string[]> = {};
  for (const [, name = '', value = ''] of inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g))
    fields[name] = [...(fields[name] ?? []), value];
  return fields;
}

/** A ballot of each type: its question, and the fields of its form for the options with these ids. */
const TYPES: [type: string, question: object, choose: (ids: string[]) => Record<string, string>][] = [
  ['SIMPLE_TRIPLE', {}, () => ({ choice: 'yes....' })],
  ['POLL', { options: NAMES }, ([ivy = '']) => ({ selected_option: ivy })],
  ['YES_NO_EACH', { options: NAMES }, ([ivy = '']) => ({ [`answers.${ivy}`]: 'yes....' })],
  [
    'RANKED_CONDORCET',
    { candidates: NAMES },
    ([ivy, lee]) => ({ [`rank_${ivy}`]: '1', [`rank_${lee}`]: '2' }),
  ],
  ['RANKED_STV', { candidates: NAMES }, ([ivy]) => ({ [`rank_${ivy}`]: '1' })],
];

/** Adds and opens a question of each type. */
async function openAll(one: Awaited<ReturnType<typeof openRoom>>, settings: object) {
  const made: { id: string; election_id: string }[] = [];
  for (const [ballot_type, question] of TYPES) {
    const item = { kind: 'election', title: ballot_type, question: { ballot_type, settings, ...question } };
    made.push(await one.add(item));
  }
  for (const { id } of made) await one.act(id, 'open');
  return made;
}

/** The page for cards as a phone with this card gets it. */
const ofCard = async (one: Awaited<ReturnType<typeof openRoom>>, code = '') =>
  (await one.service.get(`/m/${one.id}/card`, { ...asPage, cookie: `house_card=${code}` })).body;

describe('the ballot on the page of the meeting', () => {
  it('is there for every type of ballot at once, and one cast answers all of them', async () => {
    await using one = await openRoom();
    const [card] = await one.arrive(['Ann', 'Bob']);
    const made = await openAll(one, {});
    const path = `/p/${await one.paper()}/vote`;
    const page = await ofCard(one, card);
    const { questions } = (await one.service.get(`/p/${await one.paper()}`)).json();
    const chosen = made.map(({ election_id }, at) => {
      const { options, candidates } = questions.find(({ id }: { id: string }) => id === election_id);
      const ids = (options ?? candidates ?? []).map(({ id }: { id: string }) => id);
      const fields = Object.entries(TYPES[at]![2](ids));
      return Object.fromEntries(fields.map(([name, value]) => [`${election_id}.${name}`, value]));
    });
    for (const name of chosen.flatMap((fields) => Object.keys(fields)))
      expect(page).toContain(`name="${name}"`);
    const entered = Object.assign(fieldsOf(page, `${path}/review`), ...chosen);
    const review = await one.service.submit(`${path}/review`, entered);
    expect(review.body).toContain('You cast 5 of 5 votes now');
    expect(review.body).toContain(`data-after="/m/${one.id}/card"`);
    const cast = await one.service.submit(path, fieldsOf(review.body, path));
    expect([cast.statusCode, cast.headers.location]).toEqual([303, `/m/${one.id}/card`]);
    expect(String(cast.headers['set-cookie'])).toContain(`house_card=${card}`);
    for (const { id } of made) expect((await one.act(id, 'close')).body.item.result.total_ballots).toBe(1);
  });

  it('does not show what opens later, and says which open questions are used', async () => {
    await using one = await openRoom();
    const [card = ''] = await one.arrive(['Ann']);
    const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
    const chairs = await one.add({ kind: 'motion', title: 'New chairs' });
    await one.act(lamps.id, 'open');
    expect(await ofCard(one, card)).not.toContain('New chairs');
    await one.act(chairs.id, 'open');
    await one.vote(card, lamps.election_id, { choice: 'yes' });
    const page = await ofCard(one, card);
    expect(page).toContain('New lamps: <strong>you have voted');
    expect(page).toContain('New chairs: <strong>your ballot is below');
    expect(page).not.toContain(`name="${lamps.election_id}.choice"`);
    const path = `/p/${await one.paper()}/vote`;
    const answer = { [`${chairs.election_id}.choice`]: 'no.....' };
    const entered = { ...fieldsOf(page, `${path}/review`), ...answer };
    await one.act(chairs.id, 'close');
    const late = await one.service.submit(`${path}/review`, entered);
    expect([late.statusCode, late.body.includes(`href="/m/${one.id}/card"`)]).toEqual([200, true]);
  });

  it('keeps an inclusion code on the page, below which the meeting goes on', async () => {
    await using one = await openRoom();
    const [card] = await one.arrive(['Ann']);
    const settings = { receipts: 'content' };
    const lamps = await one.add({ kind: 'motion', title: 'New lamps', question: { settings } });
    await one.act(lamps.id, 'open');
    const path = `/p/${await one.paper()}/vote`;
    const form = fieldsOf(await ofCard(one, card), `${path}/review`);
    const entered = { ...form, [`${lamps.election_id}.choice`]: 'yes....' };
    const review = await one.service.submit(`${path}/review`, entered);
    const cast = await one.service.submit(path, fieldsOf(review.body, path));
    expect(cast.statusCode).toBe(200);
    expect(cast.body).toContain('Your code: keep it now');
    expect(cast.body).toContain(`data-follow="/m/${one.id}/stream" data-page="/m/${one.id}/card"`);
  });
});

it('a typed card leads to the meeting until it is over, whatever is open', async () => {
  await using one = await openRoom();
  const [card = ''] = await one.arrive(['Ann']);
  const lamps = await one.add({ kind: 'motion', title: 'New lamps' });
  const typed = () => one.service.post('/vote', { code: card });
  const path = { path: `/m/${one.id}?t=${card}` };
  expect((await typed()).json()).toEqual(path);
  await one.act(lamps.id, 'open');
  await one.vote(card, lamps.election_id, { choice: 'yes' });
  expect((await typed()).json()).toEqual(path);
  await one.act(lamps.id, 'close');
  await one.act(lamps.id, 'declare');
  await one.service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' } });
  expectRefusal(await typed(), 403, 'token_used');
});
