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

/** The page for cards as a phone with this card gets it: not on the machine of the service, which may be an officer’s. */
const ofCard = async (one: Awaited<ReturnType<typeof openRoom>>, code = '', headers: object = {}) => {
  const url = `/m/${one.id}/card`;
  const sent = { ...asPage, ...headers, cookie: `house_card=${code}` };
  return (await one.service.request({ url, remoteAddress: '10.0.0.9', headers: sent })).body;
};

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

describe('phones that ask at the same moment', () => {
  it('each get what is of their card, and a form that is drawn for this page', async () => {
    await using one = await openRoom({ inclusion_codes: true });
    const cards = await one.arrive(NAMES.concat('Ann', 'Bob', 'Cid'));
    const { id } = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(id, 'open');
    const asked = [...cards, cards[0], cards[0]];
    const pages = await Promise.all(asked.map((card) => ofCard(one, card)));
    const path = `/p/${await one.paper()}/vote/review`;
    const forms = pages.map((page) => fieldsOf(page, path));
    expect(forms.map(({ token }) => token)).toEqual(asked.map((card) => [card]));
    for (const name of ['submission_id', 'inclusion_code'])
      expect(new Set(forms.map((form) => String(form[name]))).size, name).toBe(asked.length);
    const marks = pages.map((page) => / data-card="([^"]+)"/.exec(page)?.[1]);
    expect(new Set(marks).size).toBe(cards.length);
    expect([marks.at(-1), marks.at(-2)]).toEqual([marks[0], marks[0]]);
    // Sizes tell nothing: what a form sends is of a random length, and the pages are of one.
    expect(new Set(forms.map(({ filling }) => String(filling).length)).size).toBeGreaterThan(1);
    expect(new Set(pages.map((page) => page.length)).size).toBe(1);
  });

  it('see what their own card has done, in their own language', async () => {
    await using one = await openRoom();
    const [ann = '', bob] = await one.arrive(['Ann', 'Bob']);
    const { id, election_id } = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(id, 'open');
    await one.vote(ann, election_id, { choice: 'yes' });
    const german = { 'accept-language': 'de' };
    const [voted, waiting, inGerman] = await Promise.all([
      ofCard(one, ann),
      ofCard(one, bob),
      ofCard(one, bob, german),
    ]);
    const has = (page: string) => [page.includes('/vote/review"'), /<html[^>]* lang="(..)/.exec(page)?.[1]];
    expect([voted, waiting, inGerman].map(has)).toEqual([
      [false, 'en'],
      [true, 'en'],
      [true, 'de'],
    ]);
    await one.act(id, 'close');
    expect(has(await ofCard(one, bob))).toEqual([false, 'en']);
  });

  it('get each an order of its own where options are shuffled', async () => {
    await using one = await openRoom();
    const [card] = await one.arrive(['Ann']);
    const options = Array.from({ length: 12 }, (_, at) => `Name ${at}`);
    const question = { ballot_type: 'POLL', options, settings: { randomize_order: true } };
    const { id } = await one.add({ kind: 'election', title: 'Which lamps?', question });
    await one.act(id, 'open');
    const pages = await Promise.all(Array.from({ length: 4 }, () => ofCard(one, card)));
    const orders = pages.map((page) => page.match(/shown_order" value="[\d,]+"/)?.[0]);
    expect(orders.filter(Boolean)).toHaveLength(4);
    expect(new Set(orders).size).toBeGreaterThan(1);
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
