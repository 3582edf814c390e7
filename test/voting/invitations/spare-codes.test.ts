import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, cast, openElection, page } from '#test/support/factories.ts';

const people = (count: number) => Array.from({ length: count }, (_, n) => `member${n}@club.example`);

async function mailing(): Promise<TestApp & { server: MailServer }> {
  const server = await startMailServer();
  return Object.assign(await testApp(mailTo(server.url)), { server });
}

const check = async (service: TestApp, id: string, emails = people(27)) =>
  (await service.submit(`/admin/elections/${id}/invite/check`, { emails: emails.join('\n') })).body;

const later = (service: TestApp) => ({ open_at: isoTime(service.clock.now + HOUR) });

describe('a new election', () => {
  it.each([
    ['mail', 'created-mail#invitations', 'Next: invite people. Each gets a link of their own'],
    [
      'paper',
      'created-paper#tokens',
      'Next: make a voting code for each person who votes, and print the slips',
    ],
  ])('asks “by mail or on paper?” and leads to the next step: %s', async (hand_out, done, words) => {
    await using service = await testApp();
    const form = (await page(service, '/admin/elections/new')).body;

    const made = await service.submit('/admin/elections', {
      ...(openElection(service) as Record<string, string>),
      hand_out,
    });
    const [path, hash] = made.headers.location!.split('#');

    expect(form).toContain(`name="hand_out" value="${hand_out}"`);
    expect(`${path?.split('done=')[1]}#${hash}`).toBe(done);
    expect((await page(service, path!)).body).toContain(words);
  });

  it('suggests mail first if mails can be sent, and slips if not', async () => {
    await using service = await testApp();
    await using mails = await mailing();
    const next = async (which: TestApp) => {
      const url = `/admin/elections/${await addElection(which)}`;
      const { body } = await page(which, url);
      const [, href] = /An invitation by mail[\s\S]*?<a class="button" href="([^"]+)"/.exec(body) ?? [];
      return href?.replace(url, '');
    };

    expect([await next(service), await next(mails)]).toEqual(['/codes#tokens', '/mails#invitations']);
  });
});

describe('inviting when there are unused codes for paper', () => {
  it('says how many there are, what the public turnout would be, and offers to delete them', async () => {
    await using service = await mailing();
    const id = await addElection(service, { title: 'Budget', ...later(service) });
    await addTokens(service, id, 20, 'Hall');
    await addTokens(service, id, 4);

    const body = await check(service, id);

    expect(body).toContain('There are 24 unused voting codes already');
    expect(body).toContain('it would be out of 51 voting codes, though you invite 27 people now');
    expect(body).toContain(`href="/admin/elections/${id}/codes?ask=batch&amp;batch=Hall#ask"`);
    expect(body).toContain(`href="/admin/elections/${id}/codes?ask=batch#ask"`);
    expect(body).toContain('Send 27 invitations');

    await service.submit(`/admin/elections/${id}/batches?_method=DELETE`, { batch_name: 'Hall' });
    expect(await check(service, id)).toContain('There are 4 unused voting codes already');
  });

  it('shows no warning if there are none, or only those of invitations', async () => {
    await using service = await mailing();
    const id = await addElection(service, later(service));

    expect(await check(service, id)).not.toContain('unused voting code');
    await service.post(`/admin/elections/${id}/invite`, { emails: people(3), queue: true });
    expect(await check(service, id)).not.toContain('unused voting code');
  });

  it.each([{ hide_results_until_close: true }, {}])('does not count used ones, with %j', async (settings) => {
    await using service = await mailing();
    const id = await addElection(service, { settings });
    const [token] = await addTokens(service, id, 2, 'Hall');
    await cast(service, id, { token, choice: 'yes' });
    expect(await check(service, id)).toContain('There is 1 unused voting code already');
  });
});

describe('the public turnout', () => {
  it('says how many codes were mailed and how many are on paper', async () => {
    await using service = await mailing();
    const settings = { hide_results_until_close: true };
    const id = await addElection(service, { settings });
    const [token] = await addTokens(service, id, 24);
    expect((await page(service, `/e/${id}`)).body).not.toContain('were mailed');
    await service.post(`/admin/elections/${id}/invite`, { emails: people(27) });
    await cast(service, id, { token, choice: 'yes' });

    const open = (await page(service, `/e/${id}`)).body;
    await service.post(`/admin/elections/${id}/close`);
    const closed = (await page(service, `/e/${id}`)).body;

    for (const body of [open, closed]) {
      expect(body).toContain('1 of 51 voting codes was used');
      expect(body).toContain('27 of them were mailed and 24 made for paper');
    }
  });
});
