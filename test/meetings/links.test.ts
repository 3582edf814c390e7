import { expect, it } from 'vitest';
import { page } from '#test/support/factories.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';

/** A meeting with two members, and what its officer sends. */
async function openMeeting(fields: object) {
  const club = await openElectorate();
  const { service, olga } = club;
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  const post = (url: string, payload: object = {}) => service.post(url, payload, olga);
  const meeting = { title: 'AGM', held_at: '2026-12-04T19:00', ...fields };
  const { id, paper_id } = (await post('/admin/meetings', meeting)).json();
  const send = (method: 'PATCH' | 'DELETE', url: string, payload: object) =>
    service.request({ method, url, payload, headers: { accept: 'application/json', ...olga } });
  return { ...club, id, base: `/admin/meetings/${id}`, paper: `/admin/papers/${paper_id}`, post, send };
}

it('members elsewhere get a link that says when the meeting is, from a page for nothing else', async () => {
  await using one = await openMeeting({ remote: true });
  await one.post(`${one.base}/items`, { kind: 'motion', title: 'Lamps' });
  expect((await one.send('PATCH', one.base, { title: 'AGM 2027' })).statusCode).toBe(200);
  const { body } = await page(one.service, one.base, one.olga);
  expect(body).toContain(`${one.paper}#invitations`);
  const shown = (await page(one.service, one.paper, one.olga)).body;
  for (const [text, is] of [
    ['Links for members elsewhere', true],
    ['Invite people', true],
    ['Save the dates', false],
    ['Add a question', false],
    ['Make voting codes', false],
    ['Delete the ballot paper', false],
  ] as const)
    expect([text, shown.includes(text)]).toEqual([text, is]);
  expect((await one.post(`${one.paper}/invite`, { roll: {} })).statusCode).toBe(200);
  await one.sendAll();
  const [mail] = one.mails.mails;
  expect(mail!.headers.subject).toBe('Your link to the meeting: AGM 2027');
  for (const text of ['When: Fri, Dec 4, 2026, 7:00 PM', `/m/${one.id}?t=`, 'you count as present'])
    expect(mail!.text).toContain(text);
  expect(mail!.text).not.toContain('when the chair opens it');
});

it('without members elsewhere a meeting has cards alone, which only its door takes back', async () => {
  await using one = await openMeeting({});
  const { packs } = (await one.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
  await one.post(`${one.base}/packs/${packs[0].id}/open`);
  const answers = [
    await one.post(`${one.paper}/invite`, { roll: {} }),
    await one.post(`${one.paper}/tokens`, { count: 2 }),
    await one.send('DELETE', `${one.paper}/batches`, { batch_name: null }),
  ];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([409, 409, 409]);
  const { meeting } = (await one.service.get(one.base, one.olga)).json();
  expect(meeting).toMatchObject({ remote: 0, cards_too_many: 10 });
});
