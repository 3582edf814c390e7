import { expect, it } from 'vitest';
import { build } from '#kernel/db/queries.ts';
import { BASE } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { FULL_SINCE_2020, openElectorate, person } from '#test/voting/electors/electorate.ts';

/** Not digits of an id, which has letters, digits or hyphens beside them. */
const NUMBER = /(?<![\w-])\d{4}-\d{4}(?![\w-])/g;

/** A meeting to which everybody on the roll was invited: Ann with two addresses, Bob and Cid with one, Dee without. */
async function openInvited() {
  const club = await openElectorate();
  const { service, olga, mails } = club;
  const addresses = [{ email: 'ann@club.example' }, { email: 'ann@work.example' }];
  const ann = await club.add({ name: 'Ann', addresses, ...FULL_SINCE_2020 });
  await club.add(person('Bob', 'home@club.example'));
  await club.add(person('Cid', 'home@club.example'));
  await club.add(person('Dee', null));
  const post = (url: string, payload: object) => service.post(url, payload, olga);
  const { id } = (await post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })).json();
  const base = `/admin/meetings/${id}`;
  const invited = (await post(`${base}/invite`, { roll: {} })).json();
  await club.sendAll();
  return {
    ...club,
    id,
    base,
    ann: ann.id,
    post,
    invited,
    mailTo: (email: string) => mails.mails.filter(({ recipients }) => recipients.includes(email)),
    open: async (url: string, who = {}) => {
      const {
        statusCode: status,
        headers,
        body,
      } = await page(service, url, { host: 'club.example', ...who });
      return { status, location: headers.location, body };
    },
    find: async (q: string): Promise<string[]> =>
      (await service.get(`${base}/door?q=${encodeURIComponent(q)}`, olga))
        .json()
        .people.map(({ name }: { name: string }) => name),
    stored: () => service.ctx.db.all(build.selectFrom('door_numbers').selectAll()),
  };
}

it('an invitation has the number and the square by which the door finds a person, with and without pictures', async () => {
  await using one = await openInvited();
  const [mail] = one.mailTo('ann@club.example');
  const [number] = mail!.text.match(NUMBER)!;
  expect(mail!.text).toContain(`${BASE}/m/${one.id}/door/${number}`);
  expect(mail!.html).toContain(number);
  const [, cid] = /<img src="cid:([^"]+)"/.exec(mail!.html)!;
  expect(cid).toBe(`door-${number}@club.invalid`);
  expect(mail!.types.filter((type) => type.startsWith('image/png'))).toHaveLength(1);

  const digits = number!.replace('-', '');
  for (const text of [
    number!,
    digits,
    ` ${digits.slice(0, 4)} ${digits.slice(4)}`,
    `${BASE}/m/${one.id}/door/${number}`,
  ])
    expect(await one.find(text), text).toEqual(['Ann']);
  expect(await one.find('0000-0000')).toEqual([]);
  const other = (await one.post('/admin/meetings', { title: 'Other', held_at: '2026-12-05T19:00' })).json();
  const elsewhere = await one.service.get(`/admin/meetings/${other.id}/door?q=${number}`, one.olga);
  expect(elsewhere.json().people).toEqual([]);
});

it('somebody keeps one number, whichever of their addresses is invited, and a shared address names whose is whose', async () => {
  await using one = await openInvited();
  expect(one.invited).toMatchObject({ queued: 2, without_address: 1, unreached: ['Dee'] });
  const form = await one.service.submit(`${one.base}/invite`, { roll: 'on', emails: '' }, one.olga);
  expect(form.body).toContain('1 member without an address: Dee. Tell them.');
  const [first] = one.mailTo('ann@club.example');
  await one.post(`${one.base}/invite`, {
    emails: ['ann@work.example', 'guest@other.example', 'home@club.example'],
  });
  await one.sendAll();
  const [again] = one.mailTo('ann@work.example');
  expect(again!.text.match(NUMBER)).toEqual(first!.text.match(NUMBER));
  expect(one.mailTo('guest@other.example')[0]!.text).not.toMatch(NUMBER);
  // An address of two people, one of whom has a number and another first address.
  await one.add({ name: 'Eve', addresses: [{ email: 'eve@club.example' }, { email: 'ann@club.example' }] });
  await one.post(`${one.base}/invite`, { emails: ['ann@club.example', 'eve@club.example'] });
  await one.sendAll();
  const both = one.mailTo('ann@club.example').at(-1);
  expect(both!.text).toContain(`Ann: ${first!.text.match(NUMBER)![0]}`);
  expect([
    both!.text.includes('Eve:'),
    one.mailTo('eve@club.example')[0]!.text.match(NUMBER)!.length,
  ]).toEqual([false, 2]);
  for (const shared of one.mailTo('home@club.example')) {
    const [, bob] = /^Bob: (\S+)$/m.exec(shared.text)!;
    const [, cid] = /^Cid: (\S+)$/m.exec(shared.text)!;
    expect([await one.find(bob!), await one.find(cid!)]).toEqual([['Bob'], ['Cid']]);
    expect(shared.types.filter((type) => type.startsWith('image/png'))).toHaveLength(2);
  }
  expect(one.mailTo('home@club.example')).toHaveLength(2);
  expect(one.stored()).toHaveLength(4);
});

it('its address opens the door to whoever works there, shows itself to others, and checks nobody in', async () => {
  await using one = await openInvited();
  const [number] = one.mailTo('ann@club.example')[0]!.text.match(NUMBER)!;
  const address = `/m/${one.id}/door/${number}`;
  const officer = await one.open(address, one.olga);
  expect([officer.status, officer.location]).toEqual([303, `${one.base}/door?q=${number}`]);
  const [member, unknown] = [await one.open(address), await one.open(`/m/${one.id}/door/12345678`)];
  expect([member.status, member.body.includes(number!), member.body.includes('Ann')]).toEqual([
    200,
    true,
    false,
  ]);
  expect([unknown.status, unknown.body.includes('1234-5678')]).toEqual([200, true]);
  expect((await one.open(`/m/${one.id}/door/elsewhere`)).location).toBe(`/m/${one.id}`);
  expect((await one.open(`/m/none/door/${number}`)).status).toBe(404);
  const { meeting } = (await one.service.get(one.base, one.olga)).json();
  expect(meeting.present).toBe(0);
});

it('the numbers are exported to their person, and go with the person and with the end of the meeting', async () => {
  await using one = await openInvited();
  const [number] = one.mailTo('ann@club.example')[0]!.text.match(NUMBER)!;
  const exported = await one.call('GET', `people/${one.ann}/export`);
  expect(exported.body.kept.door_numbers).toEqual([{ meeting: 'AGM', number: number!.replace('-', '') }]);
  const headers = { accept: 'application/json', ...one.olga };
  await one.service.request({ method: 'PATCH', url: one.base, payload: { state: 'closed' }, headers });
  expect(one.stored()).toEqual([]);
  expect((await one.open(`/m/${one.id}/door/${number}`)).location).toBe(`/m/${one.id}`);
});
