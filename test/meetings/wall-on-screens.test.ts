import { expect, it } from 'vitest';
import { DAY } from '#kernel/clock.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';

it('hands the TVs to the wall until it is ended from the room page, by the chair or with the meeting', async () => {
  await using one = await openRoom();
  const { service } = one;
  const tess = await appoint(service, 'tess@club.example', 'tender');
  const wall = `/m/${one.id}/wall`;
  const shown = async () => (await service.get('/api/takeover')).json().takeover;
  const show = (body?: object) => service.post(`${one.base}/screens`, body);
  expect((await show({ screens: ['hall'] })).statusCode).toBe(200);
  const first = await shown();
  expect(first).toMatchObject({ kind: 'voting', title: 'AGM', pageUrl: wall, screens: ['hall'] });
  expect((await service.get(wall)).headers['content-security-policy']).toContain('frame-ancestors *');
  await service.post(`/api/admin/takeover/${first.id}/end`, {}, tess);
  expect(await shown()).toBeNull();

  await show();
  await show();
  expect(await shown()).toMatchObject({ pageUrl: wall, screens: [], earlier: [] });
  const chair = await service.get(`${one.base}/chair`, { accept: 'text/html' });
  expect(chair.body).toContain('The TVs show the wall');
  await service.post(`${one.base}/screens/end`);
  expect(await shown()).toBeNull();

  await show();
  service.clock.now += DAY - 1;
  expect(await shown()).toMatchObject({ pageUrl: wall });
  await send(service, 'PATCH', one.base, { state: 'closed' });
  expect(await shown()).toBeNull();
  expectRefusal(await show(), 409, 'meeting_closed');
});
