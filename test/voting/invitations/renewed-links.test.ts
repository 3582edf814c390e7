import { describe, expect, test } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { type ReceivedMail, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, auditOf, cast, page } from '#test/support/factories.ts';
import { withoutSwitch } from '#test/support/forms.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { deleteClosedLinks } from '#voting/invitations/invites.ts';

const ANN = 'ann@club.example';
const BOB = 'bob@club.example';
const linkIn = ({ text }: ReceivedMail) => new URL(/https:\S+/.exec(text)![0]);
const tokenIn = (mail: ReceivedMail | undefined) => linkIn(mail!).searchParams.get('t') ?? '';

interface Restored extends TestApp {
  mails: ReceivedMail[];
  id: string;
}

/** A service that has invited Ann and Bob to an election, and was then restored from a backup. */
async function restored(invitation: object = {}, fields: object = {}): Promise<Restored> {
  const { url, mails } = await startMailServer();
  const service = await testApp(mailTo(url), { delays: [0, 0] });
  const settings = { hide_results_until_close: true };
  const close_at = isoTime(service.clock.now + 7 * DAY);
  const id = await addElection(service, { close_at, settings, ...fields });
  await service.post(`/admin/elections/${id}/invite`, { emails: [ANN, BOB], ...invitation });
  await loseKeptLinks(service, null);
  return Object.assign(service, { mails, id });
}

/** Sets the stored links to what is left of them after a restore. */
const loseKeptLinks = (service: TestApp, token_plaintext: string | null) =>
  service.ctx.write((tx) => tx.run(build.updateTable('invites').set({ token_plaintext })));

const mailsTo = ({ mails }: Restored, email: string) =>
  mails.filter(({ recipients }) => recipients[0] === email);
const vote = (service: Restored, token: string) => cast(service, service.id, { token, choice: 'yes' });
const tokensOf = (service: Restored) =>
  service.ctx.db.all(build.selectFrom('tokens').select(['used_at', 'batch_name']));

async function mailAgain(service: Restored, email: string, deed: 'resend' | 'remind') {
  const { invites } = (await service.get(`/admin/elections/${service.id}/invites`)).json();
  const { id } = invites.find((row: { email: string }) => row.email === email);
  return service.post(`/admin/elections/${service.id}/invites/${id}/${deed}`);
}

describe('after the restore of a backup', () => {
  test('the voters’ links still work', async () => {
    await using service = await restored();

    for (const email of [ANN, BOB]) {
      const { pathname, search } = linkIn(mailsTo(service, email)[0]!);
      expect((await page(service, pathname + search)).body).toContain('Review my choice');
      expect((await vote(service, tokenIn(mailsTo(service, email)[0]))).statusCode).toBe(200);
    }
  });

  test.each(['resend', 'remind'] as const)(
    'to %s sends a new link, and the old one no longer works',
    async (deed) => {
      await using service = await restored();
      const answer = await mailAgain(service, ANN, deed);
      const [old, renewed] = mailsTo(service, ANN).map(tokenIn);

      expect([answer.statusCode, answer.json()]).toEqual([200, { success: true, status: 'SENT' }]);
      expect(renewed).not.toBe(old);
      expectRefusal(await vote(service, old ?? ''), 401, 'invalid_token');
      expect((await mailAgain(service, ANN, deed)).statusCode).toBe(200);
      expect(tokenIn(mailsTo(service, ANN)[2])).toBe(renewed);
      expect(tokensOf(service)).toEqual(Array(2).fill({ used_at: null, batch_name: 'Invited 2026-11-21' }));
      const entries = (await auditOf(service, service.id)).filter(
        ({ action }) => action === 'invite.link_renewed',
      );
      expect(entries).toMatchObject([{ ip_address: 'service', metadata: { invite_id: expect.any(String) } }]);

      expect((await vote(service, renewed ?? '')).statusCode).toBe(200);
      expectRefusal(await mailAgain(service, ANN, deed), 400, 'voting_code_used');
      expect(tokensOf(service).filter(({ used_at }) => used_at !== null)).toHaveLength(1);
    },
  );

  test('reminders have new links for those who have not voted', async () => {
    await using service = await restored();
    expect((await vote(service, tokenIn(mailsTo(service, BOB)[0]))).statusCode).toBe(200);

    const answer = await service.post(`/admin/elections/${service.id}/reminders/send`, { force: true });

    expect(answer.json().results).toEqual([{ email: ANN, success: true }]);
    expect((await vote(service, tokenIn(mailsTo(service, ANN)[1]))).statusCode).toBe(200);
    expect(tokensOf(service)).toHaveLength(2);
  });

  test('a ballot cast while its link is renewed is counted at most once', async () => {
    await using service = await restored({}, { settings: {} });
    const old = tokenIn(mailsTo(service, ANN)[0]);

    const [voted] = await Promise.all([vote(service, old), mailAgain(service, ANN, 'resend')]);
    const tried = [...new Set(mailsTo(service, ANN).map(tokenIn))];
    const statuses = [voted.statusCode];
    for (const token of tried) statuses.push((await vote(service, token)).statusCode);

    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect((await service.get(`/e/${service.id}/results`)).json().total_ballots).toBe(1);
  });

  test('a link that was sealed with another key is replaced', async () => {
    await using service = await restored();
    await loseKeptLinks(service, `v1.${'A'.repeat(86)}`);

    expect((await mailAgain(service, ANN, 'resend')).json()).toEqual({ success: true, status: 'SENT' });
    expect((await vote(service, tokenIn(mailsTo(service, ANN)[1]))).statusCode).toBe(200);
  });

  test('queued invitations are sent with new links at the opening', async () => {
    await using service = await restored({ queue: true }, { open_at: isoTime(Date.UTC(2026, 10, 21, 18)) });
    service.clock.now += HOUR;

    while (service.mails.length < 2) await sendDueMails(service.ctx);

    for (const email of [ANN, BOB])
      expect((await vote(service, tokenIn(mailsTo(service, email)[0]))).statusCode).toBe(200);
    expect(tokensOf(service)).toHaveLength(2);
  });

  test('queued invitations to an election that has closed meanwhile fail', async () => {
    await using service = await restored({ queue: true }, { open_at: isoTime(Date.UTC(2026, 10, 21, 18)) });
    service.clock.now += 8 * DAY;
    await deleteClosedLinks(service.ctx);

    const { invites } = (await service.get(`/admin/elections/${service.id}/invites`)).json();
    expect(invites.map(({ status }: { status: string }) => status)).toEqual(['FAILED', 'FAILED']);
  });
});

describe('after the restore of a backup the link to all elections of a person', () => {
  const pathTo = (service: Restored, email: string) => {
    const { pathname, search } = linkIn(mailsTo(service, email)[0]!);
    return pathname + search;
  };

  /** The fields of the form that leads to the ballot. */
  const buttonOn = (body: string) =>
    Object.fromEntries(
      [...withoutSwitch(body).matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
        ([, name, value]) => [name, value],
      ),
    ) as Record<string, string>;

  test('leads to the ballot with a button, which makes one new voting link', async () => {
    await using service = await restored({ invite_mode: 'batch' });
    const before = service.ctx.changes();
    const first = await page(service, pathTo(service, ANN));
    const button = buttonOn(first.body);
    expect(button).toEqual({ email: ANN, token: expect.any(String), election_id: service.id });
    expect(first.body).toContain('Vote now');
    expect(service.ctx.changes()).toBe(before);

    const answers = [await service.submit('/vote/my-elections', button)];
    answers.push(await service.submit('/vote/my-elections', button));
    const locations = answers.map(({ headers }) => headers.location);
    const token = new URLSearchParams(String(locations[0]).split('?')[1]).get('t') ?? '';

    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303]);
    expect(locations).toEqual(Array(2).fill(`/e/${service.id}/vote?t=${token}`));
    expect((await page(service, pathTo(service, ANN))).headers.location).toBe(
      `/e/${service.id}/vote?t=${token}`,
    );
    expect((await vote(service, token)).statusCode).toBe(200);
    const late = await service.submit('/vote/my-elections', button);
    expect([late.statusCode, late.headers.location]).toEqual([303, pathTo(service, ANN)]);
    expect((await page(service, pathTo(service, ANN))).body).toContain('You have voted');
    expect(tokensOf(service)).toHaveLength(2);
  });

  test('does not work for anybody else', async () => {
    await using service = await restored({ invite_mode: 'batch' });
    const ann = buttonOn((await page(service, pathTo(service, ANN))).body);
    const bob = buttonOn((await page(service, pathTo(service, BOB))).body);
    const other = await addElection(service);
    const before = service.ctx.changes();

    for (const fields of [
      { ...ann, token: bob.token ?? '' },
      { ...ann, email: BOB },
      { ...ann, token: '' },
      { election_id: service.id },
    ])
      expect((await service.submit('/vote/my-elections', fields)).statusCode).toBe(404);
    for (const election_id of [other, '', 'nothing']) {
      const answer = await service.submit('/vote/my-elections', { ...ann, election_id });
      expect([answer.statusCode, answer.headers.location]).toEqual([303, pathTo(service, ANN)]);
    }
    expect(service.ctx.changes()).toBe(before);
  });
});
