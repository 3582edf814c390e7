import { expect, it } from 'vitest';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

type Named = { id: string; number: string; title: string };
const shown = (items: Named[]) => items.map(({ number, title }) => `${number} ${title}`);

/** A meeting with an agenda of three items, to which nobody is invited yet. */
async function prepare() {
  const club = await openElectorate();
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const { service, olga } = club;
  const post = async (url: string, payload: object = {}) => (await service.post(url, payload, olga)).json();
  const { id } = await post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' });
  const base = `/admin/meetings/${id}`;
  const add = async (title: string, kind = 'motion', more: object = {}): Promise<string> =>
    (await post(`${base}/items`, { kind, title, ...more })).id;
  const items = async (): Promise<(Named & { added?: true })[]> =>
    (await service.get(base, olga)).json().items;
  const numbers = async () => shown(await items());
  const page = async (url: string, who: Record<string, string> = {}) =>
    (await service.get(url, { accept: 'text/html', ...who })).body;
  await add('Report', 'text');
  await add('Fees');
  await add('Any other business', 'text');
  return Object.assign(club, {
    id,
    base,
    add,
    items,
    numbers,
    page,
    invite: () => post(`${base}/invite`, { roll: {} }),
    tell: () => service.post(`${base}/tell`, {}, olga),
    order: async (titles: string[]) => {
      const all = await items();
      const ids = titles.map((title) => all.find((one) => one.title === title)!.id);
      await service.request({ method: 'PUT', url: `${base}/order`, payload: { items: ids }, headers: olga });
    },
    remove: (item: string) =>
      service.request({ method: 'DELETE', url: `${base}/items/${item}`, headers: olga }),
  });
}

it('until the invitation the number of an item is its place; what is added goes before the last item', async () => {
  await using one = await prepare();
  await one.add('Lamps');
  expect(await one.numbers()).toEqual(['1 Report', '2 Fees', '3 Lamps', '4 Any other business']);
  await one.order(['Lamps', 'Report', 'Fees', 'Any other business']);
  expect(await one.numbers()).toEqual(['1 Lamps', '2 Report', '3 Fees', '4 Any other business']);
  await one.remove((await one.items())[0]!.id);
  expect(await one.numbers()).toEqual(['1 Report', '2 Fees', '3 Any other business']);
});

it('once it went out numbers stay, and what is added is 2a, 2b, the same everywhere', async () => {
  await using one = await prepare();
  await one.invite();
  const lamps = await one.add('Lamps');
  await one.add('Chairs');
  const all = ['1 Report', '2 Fees', '2a Lamps', '2b Chairs', '3 Any other business'];
  expect(await one.numbers()).toEqual(all);
  await one.order(['Any other business', 'Chairs', 'Fees', 'Report', 'Lamps']);
  expect(await one.numbers()).toEqual([
    '3 Any other business',
    '2b Chairs',
    '2 Fees',
    '1 Report',
    '2a Lamps',
  ]);
  await one.order(['Report', 'Fees', 'Lamps', 'Chairs', 'Any other business']);
  await one.remove((await one.items())[1]!.id);
  expect(await one.numbers()).toEqual(all.toSpliced(1, 1));
  await one.add('Tables');
  expect((await one.numbers()).at(-2)).toBe('2c Tables');
  for (const url of [`/m/${one.id}`, one.base]) expect(await one.page(url, one.olga)).toContain('2a. Lamps');
  expect((await one.service.get(`/m/${one.id}/calendar.ics`)).body).toContain('2a. Lamps');
  const { paper_id } = (await one.service.get(one.base, one.olga)).json().meeting;
  const paper = (await one.service.get(`/p/${paper_id}`)).json();
  expect(paper.questions.map(({ number, title }: Named) => `${number} ${title}`)).toEqual([
    '2a Lamps',
    '2b Chairs',
    '2c Tables',
  ]);
  const question = (await one.service.get(one.base, one.olga)).json().items[1];
  expect(await one.page(`/e/${question.election_id}`)).toContain('2a. Lamps</h1>');
  expect(await one.page(`/admin/elections/${question.election_id}`, one.olga)).toContain(', item 2a');
  expect(question.id).toBe(lamps);
});

it('an item that is added after the invitation is named so, and mailed once to those who were invited', async () => {
  await using one = await prepare();
  const invited = await one.invite();
  await one.sendAll();
  expectRefusal(await one.tell(), 409, 'nothing_to_tell');
  const text = 'At most 900.';
  await one.add('Lamps', 'motion', { text, mover: 'Ann', seconders: ['Bob'], reason: 'It is dark.' });
  expect((await one.items()).map(({ added }) => added)).toEqual([undefined, undefined, true, undefined]);
  const member = await one.page(`/m/${one.id}`);
  expect(member.split('Added after the invitation')).toHaveLength(2);
  const desk = await one.page(one.base, one.olga);
  expect(desk).toContain('Mail what was added to');

  expect((await one.tell()).json()).toEqual({ queued: invited.queued });
  one.mails.mails.length = 0;
  await one.sendAll();
  expect(one.mails.mails).toHaveLength(invited.queued);
  const [mail] = one.mails.mails;
  expect(mail!.headers.subject).toContain('Added to the agenda: AGM');
  for (const said of ['2a. Lamps', 'At most 900.', 'Proposed by Ann; seconded by Bob', 'It is dark.'])
    expect(mail!.text).toContain(said);
  expectRefusal(await one.tell(), 409, 'nothing_to_tell');

  await one.add('Chairs');
  expect((await one.tell()).json()).toEqual({ queued: invited.queued });
  one.mails.mails.length = 0;
  await one.sendAll();
  const again = one.mails.mails[0]!.text;
  expect(again.slice(0, again.indexOf('The agenda:'))).not.toContain('Lamps');

  // An invitation of everybody says it too, and a meeting that has begun says it in the room.
  await one.add('Tables');
  await one.invite();
  expectRefusal(await one.tell(), 409, 'nothing_to_tell');
  const late = await one.add('Late');
  await one.service.post(`${one.base}/items/${late}/show`, {}, one.olga);
  expectRefusal(await one.tell(), 409, 'nothing_to_tell');
});

it('in the room numbers stay without an invitation too: repeats and motions from the floor go before the last item', async () => {
  await using one = await openRoom();
  const welcome = (await one.add({ kind: 'text', title: 'Welcome' })).id;
  const fees = await one.add({ kind: 'motion', title: 'Fees' });
  const other = (await one.add({ kind: 'text', title: 'Open questions' })).id;
  await one.arrive(['Ann', 'Bob']);
  await one.act(welcome, 'call');
  await one.act(fees.id, 'open');
  await one.service.post(`${one.base}/items/${fees.id}/void`, { reason: 'The wrong text' });
  await one.act(other, 'call');
  const floor = (await one.service.post(`${one.base}/motion`, { title: 'Cake' })).json().item;
  await one.service.post(`/admin/elections/${fees.election_id}/follow-up`, { kind: 'repeat' });
  expect(shown((await one.read()).items)).toEqual([
    '1 Welcome',
    '2 Fees',
    '2b Fees (round 2)',
    '2a Cake',
    '3 Open questions',
  ]);
  expect(floor).toMatchObject({ number: '2a', state: 'open' });
  expect((await one.read()).items.some(({ added }: { added?: true }) => added)).toBe(false);
  const page = async (url: string) => (await one.service.get(url, { accept: 'text/html' })).body;
  for (const url of [`/m/${one.id}/wall`, `${one.base}/chair`, `/m/${one.id}`])
    expect(await page(url)).toContain('2a. Cake');
  await one.vote(one.codes[0]!, floor.election_id, { choice: 'yes' });
  await one.act(floor.id, 'close');
  await one.act(floor.id, 'declare');
  await send(one.service, 'PATCH', one.base, { state: 'closed' });
  const minutes = (await one.service.get(`${one.base}/minutes.md`)).body;
  for (const said of ['- 2a. Cake', '2a. Cake', '- 1\\. Welcome', 'the vote on item 2\n'])
    expect(minutes).toContain(said);
});
