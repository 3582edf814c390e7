import { expect, it } from 'vitest';
import { expectForbidden } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';
import { withTellers } from './tellers.ts';

/** Here a permission in elections comes by roles alone. */
const ENV = { ELECTIONS_NEED_ROLE: 'on', RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' };
const HTML = { accept: 'text/html', host: 'club.example' };

it('the door lets people in and hands out cards and papers of printed packs, and does nothing else', async () => {
  await using one = await openRoom({}, undefined, ENV);
  const { service, base, ids } = one;
  await one.arrive(['Ann', 'Bob']);
  const { packs } = (await service.post(`${base}/packs`, { class: 'Members', packs: 1 })).json();
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(motion.id, 'open');
  const dora = await appoint(service, 'dora@club.example', 'door');

  const home = await service.get('/admin', { ...HTML, ...dora });
  expect([home.statusCode, home.headers.location]).toEqual([303, '/admin/meetings']);
  const list = (await service.get('/admin/meetings', { ...HTML, ...dora })).body;
  expect(list).toContain(`href="${base}/door"`);
  expect(list).not.toContain(`href="${base}"`);
  const page = (await service.get(`${base}/door`, { ...HTML, ...dora })).body;
  expect(page).toContain(`${base}/packs/${packs[0].id}/open`);
  expect(page).not.toContain(`action="${base}/packs"`);
  expect(page).not.toContain(`action="${base}/packs/renew"`);
  expect(page).not.toContain(`href="${base}"`);

  expect((await service.post(`${base}/packs/${packs[0].id}/open`, {}, dora)).statusCode).toBe(200);
  const arrival = { person_id: ids.Cid, action: 'in', class: 'Members' };
  expect((await service.post(`${base}/door`, arrival, dora)).json()).toMatchObject({ ok: true });
  expect((await one.act(motion.id, 'paper', { code: one.codes[0] }, dora)).status).toBe(200);
  for (const [url, body] of [
    [`${base}/packs`, { class: 'Members', packs: 1 }],
    [`${base}/packs/renew`, { confirm: true }],
    [`${base}/items/${motion.id}/open`, {}],
    [`${base}/motion`, { title: 'More' }],
  ] as const)
    expectForbidden(await service.post(url, body, dora), 'elections:run');
  expectForbidden(await service.post(`${base}/items/${motion.id}/close`, {}, dora), 'elections:certify');
  for (const url of [base, `/admin/elections/${motion.election_id}`, '/admin/elections'])
    expectForbidden(await service.get(url, dora), 'elections:read');
});

it('two tellers enter the papers, and see no ballot of a batch that others have entered', async () => {
  await using one = await openRoom({}, undefined, ENV);
  const { service, base } = one;
  await one.arrive(['Ann', 'Bob', 'Cid']);
  const motion = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(motion.id, 'open');
  expect(await one.vote(one.codes[0]!, motion.election_id, { choice: 'no' })).toBe(200);
  for (const code of one.codes.slice(1, 3)) await one.act(motion.id, 'paper', { code });
  await one.act(motion.id, 'close');
  const paper = await withTellers(one);
  const [tia, tim, tor] = await Promise.all(
    ['tia', 'tim', 'tor'].map((name) => appoint(service, `${name}@club.example`, 'teller')),
  );
  const list = (await service.get('/admin/meetings', { ...HTML, ...tia })).body;
  expect(list).toContain(`href="${base}/items/${motion.id}/papers"`);

  const made = await paper.call(
    'POST',
    `${motion.id}/batches`,
    { control: { valid: 2, blank: 0, invalid: 0 } },
    tia,
  );
  const id = made.body.id;
  const papers = [
    { number: 1, choice: 'yes' },
    { number: 2, choice: 'no' },
  ];
  expect((await paper.enter(motion, id, 1, papers, tia)).status).toBe(200);
  const other = [papers[0]!, { number: 2, choice: 'yes' }];
  expect((await paper.enter(motion, id, 2, other, tim)).body.differences).toHaveLength(1);
  const readAs = async (who = tor) =>
    (await paper.call('GET', `${motion.id}/batches/${id}`, undefined, who)).body;
  expect((await readAs(tia)).differences).toMatchObject([{ number: 2, teller_1: 'no', teller_2: 'yes' }]);
  expect((await readAs()).differences).toEqual([]);
  expect((await paper.correct(motion, id, [{ number: 2, choice: 'no' }], tim)).status).toBe(200);
  expect((await paper.call('PUT', `${motion.id}/sheet`, { in_box: 2 }, tia)).status).toBe(200);
  expectForbidden(
    await service.post(`${base}/items/${motion.id}/batches/${id}/join`, {}, tia),
    'elections:certify',
  );
  expect((await paper.join(motion, id)).status).toBe(200);

  expect((await readAs(tim)).papers).toHaveLength(2);
  expect(await readAs()).not.toHaveProperty('papers');
  expect((await paper.call('GET', `${motion.id}/sheet`, undefined, tia)).body.sheet).not.toHaveProperty(
    'valid',
  );
  for (const url of [base, `${base}/chair`, `/admin/elections/${motion.election_id}`])
    expect((await service.get(url, tia)).statusCode).toBe(403);
});

it('the chair ends the meeting, and changes nothing else of it', async () => {
  await using one = await openRoom({}, undefined, ENV);
  const chair = await appoint(one.service, 'cleo@club.example', 'chair');
  const patch = (payload: object) =>
    one.service.request({
      method: 'PATCH',
      url: one.base,
      payload,
      headers: { accept: 'application/json', ...chair },
    });

  expectForbidden(await patch({ title: 'Mine' }), 'elections:write');
  expectForbidden(await patch({ state: 'closed', title: 'Mine' }), 'elections:write');
  expectForbidden(await patch({ state: 'called_off', reason: 'Rain' }), 'elections:write');
  expect((await patch({ state: 'closed' })).json()).toMatchObject({
    meeting: { state: 'closed', title: 'AGM' },
  });
});
