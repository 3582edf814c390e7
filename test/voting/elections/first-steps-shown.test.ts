import { expect, it } from 'vitest';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const shared = sharedApp();

it('leaves out what most elections leave as it is, until something of it was entered', async () => {
  const service = await shared();
  const fresh = (await page(service, '/admin/elections/new')).body;
  expect(fresh).not.toContain('name="settings.quorum"');
  const fields = {
    title: 'Chair',
    ballot_type: 'SIMPLE_TRIPLE',
    open_now: 'true',
    close_at: '2026-11-30T10:00',
  };
  const refused = await service.submit('/admin/elections', { ...fields, 'settings.quorum': '0' });
  expect([refused.statusCode, refused.body.includes('name="settings.quorum"')]).toEqual([400, true]);

  // One press leads to it, with an election that is made.
  const made = await service.submit('/admin/elections', { ...fields, hand_out: 'mail', next: 'checks' });
  expect(made.headers.location).toMatch(/^\/admin\/elections\/[^/]+\/checks\?done=created-checks#checks$/);
  const shown = (await page(service, made.headers.location!)).body;
  expect(shown).toContain('name="settings.quorum"');
  const [url] = made.headers.location!.split('/checks');
  const saved = await service.submit(`${url}/settings?_method=PATCH`, {
    'settings.announce': 'by_officer',
    'settings.publish_ballots': '',
    'settings.receipts': 'included',
    'settings.quorum': '12',
    'settings.quorum_share.kind': '',
  });
  expect(saved.headers.location).toBe(`${url}/checks?done=checks#checks`);
  expect((await service.get(url!)).json().election.settings).toMatchObject({
    announce: 'by_officer',
    receipts: 'included',
    quorum: 12,
    publish_results_to_home: false,
  });
});

it.each([
  ['mail', 'Next: invite people.', 'invitations', 'tokens'],
  ['paper', 'Next: make a voting code for each person who votes', 'tokens', 'invitations'],
])('asks only once how people vote: by %s', async (hand_out, sentence, here, other) => {
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
  expect(body).toContain(sentence);
  const sections = [...body.matchAll(/<section[^>]* id="(\w+)"/g)].map(([, id]) => id);
  expect([sections.includes(here), sections.includes(other)]).toEqual([true, false]);
});
