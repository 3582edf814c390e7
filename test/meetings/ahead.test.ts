import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openElectorate, person } from '#test/voting/electors/electorate.ts';
import { openRoom } from './a-meeting.ts';

const ENV = { ELECTIONS_NEED_ROLE: 'on' };
const HTML = { accept: 'text/html', host: 'club.example' };

/** The rows of meetings on the first page of the officers: their text, and the addresses that they lead to. */
async function shownTo(
  service: Awaited<ReturnType<typeof openRoom>>['service'],
  who: Record<string, string> = {},
) {
  const { body } = await service.get('/admin', { ...HTML, ...who });
  const [, section = ''] =
    /<section class="meetings-ahead" aria-labelledby="meetings-ahead">(.*?)<\/section>/s.exec(body) ?? [];
  return [...section.matchAll(/<li class="election-row.*?">(.*?)<\/p><\/li>/gs)].map(([, row = '']) => ({
    text: row
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
    links: [...row.matchAll(/href="([^"]+)"/g)].map(([, href]) => href),
  }));
}

it('the first page of the officers has the meetings to come, the next one first, and what waits there', async () => {
  await using club = await openElectorate();
  const { service, olga } = club;
  for (const name of ['Ann', 'Bob']) await club.add(person(name, `${name.toLowerCase()}@club.example`));
  expect(await shownTo(service, olga)).toEqual([]);
  const empty = (await service.get('/admin', { ...HTML, ...olga })).body;
  expect(empty).toContain('href="/admin/meetings/new"');
  const post = async (url: string, payload: object = {}) => (await service.post(url, payload, olga)).json();
  const meet = (title: string, held_at: string) =>
    post('/admin/meetings', { title, held_at, place: 'The hall' });
  const { id } = await meet('AGM', '2026-12-04T19:00');
  await meet('Another', '2026-12-05T19:00');
  const base = `/admin/meetings/${id}`;
  expect(await shownTo(service, olga)).toEqual([
    {
      text: expect.stringMatching(
        /^Prepared AGM Fri, Dec 4,.* The hall Nobody is invited yet\. The door : AGM Chair : AGM$/,
      ),
      links: [base, `${base}/mails`, `${base}/door`, `${base}/chair`],
    },
    { text: expect.stringContaining('Another'), links: expect.anything() },
  ]);

  await post(`${base}/invite`, { emails: ['ann@club.example', 'bob@club.example'] });
  const item = await post(`${base}/items`, { kind: 'election', title: 'Treasurer' });
  const nominations = `${base}/items/${item.id}/nominations`;
  await service.request({
    method: 'PUT',
    url: nominations,
    payload: {
      opens_at: isoTime(service.clock.now),
      closes_at: isoTime(service.clock.now + DAY),
      who: 'members',
      seconders: 0,
    },
    headers: { accept: 'application/json', ...olga },
  });
  await service.post(`/m/${id}/nominate/${item.id}`, { name: 'Ann', email: 'ann@club.example', text: '' });
  const [unconfirmed] = await shownTo(service, olga);
  expect(unconfirmed?.text).not.toContain('nomination');
  await club.sendAll();
  const mail = club.mails.mails.findLast(({ text }) => /\/nominations\/\S+/.test(text));
  const link = new URL(/https:\S+\/nominations\/\S+/.exec(mail?.text ?? '')![0]);
  await service.post(link.pathname, { action: 'consent' });
  const [waits] = await shownTo(service, olga);
  expect(waits?.text).toContain('have not been told of a change');
  expect(waits?.text).toContain('Treasurer: 1 nomination waits for a decision.');
  expect(waits?.links).toContain(nominations);

  // An auditor reads; the chair leads the meeting and writes nothing.
  const ada = await appoint(service, 'ada@club.example', 'auditor');
  const [read] = await shownTo(service, ada);
  expect(read?.links).not.toContain(`${base}/door`);
  expect(read?.links).not.toContain(`${base}/chair`);
  await service.request({
    method: 'PATCH',
    url: base,
    payload: { state: 'called_off', reason: 'The boiler is broken.' },
    headers: { accept: 'application/json', ...olga },
  });
  expect((await shownTo(service, olga)).map(({ links }) => links[0])).not.toContain(base);
});

it('a result that is counted and not announced is said until the chair announces it', async () => {
  await using one = await openRoom({}, undefined, ENV);
  const { service } = one;
  const olga = await appoint(service, 'olga@club.example', 'officer');
  await one.arrive(['Ann', 'Bob']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(motion.id, 'open');
  await one.vote(one.codes[0]!, motion.election_id, { choice: 'yes' });
  await one.act(motion.id, 'close');
  const [running] = await shownTo(service, olga);
  expect(running?.text).toMatch(/^Running AGM .*Counted, not announced: New lamps\./);
  await one.act(motion.id, 'declare');
  expect((await shownTo(service, olga))[0]?.text).not.toContain('not announced');
});
