import { expect, it } from 'vitest';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();
const FOLDED = '<summary>More: announcing, public list, check codes, quorum</summary>';

it('folds what most elections leave as it is, until something in it was entered', async () => {
  const service = await shared();
  const fresh = (await page(service, '/admin/elections/new')).body;
  expect(fresh).toContain(`<details>${FOLDED}`);
  const fields = {
    title: 'Chair',
    ballot_type: 'SIMPLE_TRIPLE',
    open_now: 'true',
    close_at: '2026-11-30T10:00',
  };
  const refused = await service.submit('/admin/elections', { ...fields, 'settings.quorum': '0' });
  expect([refused.statusCode, refused.body.includes(`<details open>${FOLDED}`)]).toEqual([400, true]);
});

it.each([
  ['mail', 'Nobody has a link yet: invite them.', 'Invite people', 'Make voting codes'],
  ['paper', 'Nobody has a code yet: make one for each person.', 'Make voting codes', 'Invite people'],
])('asks only once how people vote: by %s', async (hand_out, sentence, action, other) => {
  const server = await startMailServer();
  await using service = await testApp(mailTo(server.url));
  const fields = {
    title: 'Chair',
    ballot_type: 'SIMPLE_TRIPLE',
    open_now: 'true',
    close_at: '2026-11-30T10:00',
  };
  const created = await service.submit('/admin/elections', { ...fields, hand_out });
  const { body } = await page(service, created.headers.location!);
  const next = body.slice(body.indexOf('id="next-title"'), body.indexOf('Chair’s view'));
  expect(next).toContain(sentence);
  expect([next.includes(`>${action}</a>`), next.includes(`>${other}</a>`)]).toEqual([true, false]);
});
