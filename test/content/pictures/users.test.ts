// Every user of pictures keeps them: from deletion by hand, and from the job a month after the upload.

import { expect, test } from 'vitest';
import { deleteUnusedPictures } from '#content/pictures/retention.ts';
import { listUses, type PICTURE_USERS } from '#content/pictures/uses.ts';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { openTv, pair } from '#test/pub/devices/pairing-steps.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { addPoll } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { smallPicture, upload } from '#test/support/pictures.ts';
import { patchScreen } from '#test/support/screens.ts';

type Editor = Awaited<ReturnType<typeof editorAt>>;
type Use = (service: TestApp, picture: string, eve: Editor) => Promise<unknown>;
type Users = { [name in keyof typeof PICTURE_USERS]: Use };

const patch = (service: TestApp, url: string, payload: object, headers = {}) =>
  service.request({ method: 'PATCH', url, payload, headers: { accept: 'application/json', ...headers } });

async function screen(service: TestApp) {
  const tom = await appoint(service, 'tom@club.example', 'tender');
  const id = await pair(service, tom, await openTv(service), { name: 'Bar' });
  return (payload: object) => patchScreen(service, { accept: 'application/json', ...tom }, id, payload);
}

/** How each user gets a picture. */
const USERS: Users = {
  settings: async (service, logo) =>
    service.request({
      method: 'PUT',
      url: '/api/admin/settings',
      payload: { logo },
      headers: { accept: 'application/json', ...(await appoint(service, 'olga@club.example', 'owner')) },
    }),
  content_records: (_service, picture, eve) => eve.create('announcement', { title: 'Quiz', picture }),
  options: async (service, picture) => {
    const { id, ids } = await addPoll(service, ['Tea', 'Cake'], {});
    return patch(service, `/admin/elections/${id}/options/${ids.Tea}`, { picture });
  },
  nominations: async (service, picture) => {
    const { id } = (
      await service.post('/admin/meetings', { title: 'AGM', held_at: '2026-12-04T19:00' })
    ).json();
    const items = `/admin/meetings/${id}/items`;
    const item = (await service.post(items, { kind: 'election', title: 'Treasurer' })).json().id;
    await service.request({
      method: 'PUT',
      url: `${items}/${item}/nominations`,
      payload: {
        opens_at: isoTime(service.clock.now),
        closes_at: isoTime(service.clock.now + HOUR),
        who: 'anybody',
        seconders: 0,
      },
      headers: { accept: 'application/json' },
    });
    await service.post(`/m/${id}/nominate/${item}`, { name: 'Ann', email: 'ann@club.example', text: '' });
    return service.ctx.write((tx) => tx.run(build.updateTable('nominations').set({ picture })));
  },
  screens: async (service, id) =>
    (await screen(service))({ mix: { layout: 'picture', pictures: [{ id, seconds: 20, fit: 'cover' }] } }),
};

const CASES: [string, Use][] = [
  ...Object.entries(USERS),
  [
    'a time of a screen',
    async (service, id) => {
      const mix = { layout: 'picture', pictures: [{ id, seconds: 20, fit: 'cover' }] };
      return (await screen(service))({ times: [{ days: ['sat'], mix }] });
    },
  ],
];

test.each(CASES)('%s keeps its picture for as long as it uses it', async (_name, use) => {
  await using service = await testApp({ MAILER_URL: 'smtp://127.0.0.1:9', FROM_EMAIL: 'club@club.example' });
  const eve = await editorAt(service);
  const { id } = (await upload(service, eve.headers, { bytes: await smallPicture() })).json();
  const unused = (await upload(service, eve.headers, { bytes: await smallPicture('#123456') })).json().id;
  await use(service, id, eve);
  expect(listUses(service.ctx.db, id, service.clock.now)).toHaveLength(1);
  const refused = await service.request({
    method: 'DELETE',
    url: `/api/admin/pictures/${id}`,
    headers: eve.headers,
  });
  expect([refused.statusCode, refused.json().used_in]).toEqual([409, [expect.anything()]]);

  service.clock.now += 31 * DAY;
  await deleteUnusedPictures(service.ctx);
  const left = service.ctx.db.all(build.selectFrom('pictures').select('id')).map((row) => row.id);
  expect(left).toContain(id);
  expect(left).not.toContain(unused);
});
