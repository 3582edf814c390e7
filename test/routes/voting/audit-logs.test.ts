import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { CHAIN_START, recordAudit, SERVICE, verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { newId } from '#kernel/ids.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addRanked,
  addTokens,
  auditOf,
  cast,
  openElection,
  page,
  send,
} from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { sharedApp } from '#test/support/shared-app.ts';

const open = sharedApp();
const logsOf = async (service: TestApp, query = '') =>
  (await service.get(`/admin/audit-logs${query}`)).json();

/** A few entries of two elections. */
async function somethingHappens(service: TestApp) {
  const first = await addElection(service, { title: 'First' });
  service.clock.now += MINUTE;
  const second = await addElection(service, { title: 'Second' });
  const [token] = await addTokens(service, first, 1);
  await cast(service, first, { token, choice: 'yes' });
  return { first, second };
}

describe('the audit log', () => {
  it('has a separate action for every change', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, ['Ann', 'Bob', 'Cid']);
    const url = `/admin/elections/${id}`;
    const window = { open_at: '2026-11-21T10:00', close_at: '2026-11-22T10:00' };
    const results = { contests: [{ label: 'A', items: [{ label: 'B', votes: 1 }] }] };
    await send(service, 'PATCH', `${url}/dates`, window);
    await send(service, 'PATCH', `${url}/settings`, { settings: { quorum: 2 } });
    await send(service, 'PATCH', `${url}/attachments`, { attachment_url: 'https://club.example/a' });
    await service.post(`${url}/candidates`, { name: 'Dee' });
    await send(service, 'DELETE', `${url}/candidates/${ids.Cid}`);
    const [token] = await addTokens(service, id, 1);
    const ranking = (await service.get(`/e/${id}`))
      .json()
      .election.candidates.map((one: { id: string }) => one.id);
    await cast(service, id, { token, ranking });
    await addTokens(service, id, 1, 'Spare');
    await send(service, 'DELETE', `${url}/batches`, { batch_name: 'Spare' });
    await service.post(`${url}/close`);
    await send(service, 'PUT', `${url}/manual-results`, { results });
    await send(service, 'DELETE', `${url}/manual-results`);
    await send(service, 'DELETE', url);
    const poll = await addPoll(service, ['Tea', 'Milk']);
    const added = await service.post(`/admin/elections/${poll.id}/options`, { name: 'Juice' });
    await send(service, 'DELETE', `/admin/elections/${poll.id}/options/${added.json().id}`);

    const actions = [...(await auditOf(service, id)), ...(await auditOf(service, poll.id))].map(
      ({ action }) => action,
    );

    expect(actions).toEqual([
      'election.created',
      'election.dates_changed',
      'election.settings_changed',
      'election.attachment_changed',
      'candidate.added',
      'candidate.removed',
      'tokens.generated',
      'election.opened',
      'vote.submitted',
      'tokens.generated',
      'batch.deleted',
      'election.closed',
      'results.settled',
      'election.sealed',
      'results.manual_set',
      'results.manual_cleared',
      'election.deleted',
      'election.created',
      'option.added',
      'option.removed',
    ]);
  });

  it('shows no client of a vote and only its hour, also of votes that earlier versions recorded', async () => {
    await using service = await testApp();
    const hour = Math.floor(service.clock.now / HOUR) * HOUR;
    const id = await addElection(service);
    const [token = ''] = await addTokens(service, id, 1);
    service.clock.now = hour + 34 * MINUTE + 567;
    const from = { 'edge-connecting-ip': '198.51.100.7' };
    const cast = await service.post(`/e/${id}/vote`, { token, choice: 'yes' }, from);
    const { now: at } = service.clock;
    await service.ctx.write((tx) => {
      const metadata = { ballot_type: 'SIMPLE_TRIPLE' };
      recordAudit(tx, { ip: '198.51.100.8', at }, { action: 'vote.submitted', election_id: id, metadata });
    });

    const { logs } = await logsOf(service, `?action=vote.submitted&election_id=${id}`);
    const shown = await page(service, '/admin/audit-logs?fold=off');
    const stored = service.ctx.db.all(
      build.selectFrom('audit_log').selectAll().where('action', '=', 'vote.submitted').orderBy('seq'),
    );
    const [used] = service.ctx.db.all(build.selectFrom('tokens').select('used_at'));

    expect(cast.statusCode).toBe(200);
    expect(logs).toHaveLength(2);
    for (const entry of logs) {
      expect(entry).toMatchObject({
        ip_address: null,
        timestamp: hour,
        metadata: '{"ballot_type":"SIMPLE_TRIPLE"}',
      });
      expect(entry.id).not.toContain(newId(at).slice(0, 13));
    }
    expect(shown.body).not.toMatch(/198\.51\.100\.[78]/);
    expect(stored[0]).toMatchObject({ ip_address: '', client: null, timestamp: hour });
    expect(stored[0]!.id[14]).toBe('4');
    expect(used).toEqual({ used_at: hour });
    expect(verifyAudit(service.ctx.db).broken).toBeUndefined();
  });

  it('says who, when and what for each entry, newest first, with metadata as JSON text', async () => {
    const ADMIN_API_KEY = 'a long key for officers';
    await using service = await testApp({ ADMIN_API_KEY });
    const headers = { authorization: `Bearer ${ADMIN_API_KEY}`, 'edge-connecting-ip': '198.51.100.1' };
    const body = {
      title: 'Piano',
      ballot_type: 'SIMPLE_TRIPLE',
      open_at: '2026-11-21T10:00',
      close_at: '2026-11-22T10:00',
    };
    const { id } = (await service.post('/admin/elections', body, headers)).json();
    service.clock.now += MINUTE;
    await service.post(`/admin/elections/${id}/close`);

    const { logs, total } = await logsOf(service);

    expect(total).toBe(4);
    expect(logs).toEqual([
      expect.objectContaining({ action: 'election.sealed', ip_address: 'service', metadata: '{}' }),
      {
        id: expect.any(String),
        action: 'results.settled',
        ip_address: 'service',
        election_id: id,
        timestamp: service.clock.now,
        metadata: expect.stringContaining('"total_ballots":0'),
      },
      {
        id: expect.any(String),
        action: 'election.closed',
        ip_address: '127.0.0.1',
        election_id: id,
        timestamp: service.clock.now,
        metadata: '{}',
      },
      {
        id: expect.any(String),
        action: 'election.created',
        ip_address: '198.51.100.1',
        election_id: id,
        timestamp: service.clock.now - MINUTE,
        metadata: JSON.stringify({
          ballot_type: 'SIMPLE_TRIPLE',
          open_at: '2026-11-21T15:00:00.000Z',
          close_at: '2026-11-22T15:00:00.000Z',
        }),
      },
    ]);
  });

  it('is filtered by limit, offset, action and election; total counts all matches', async () => {
    await using service = await testApp();
    const { first, second } = await somethingHappens(service);
    const actionsOf = async (query: string) => {
      const { logs, total } = await logsOf(service, query);
      return [total, ...logs.map(({ action }: { action: string }) => action)];
    };

    const answers = {
      page: await actionsOf('?limit=2&offset=1'),
      beyond: await actionsOf('?offset=99'),
      action: await actionsOf('?action=election.created'),
      election: await actionsOf(`?election_id=${second}`),
      both: await actionsOf(`?action=vote.submitted&election_id=${first}`),
      neither: await actionsOf(`?action=vote.submitted&election_id=${second}`),
      emptyFilter: await actionsOf('?action=&election_id=&limit=1'),
    };

    expect(answers).toEqual({
      page: [5, 'election.opened', 'tokens.generated'],
      beyond: [5],
      action: [2, 'election.created', 'election.created'],
      election: [1, 'election.created'],
      both: [1, 'vote.submitted'],
      neither: [0],
      emptyFilter: [5, 'vote.submitted'],
    });
  });

  it('returns 50 entries by default, and never more than 200', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    for (let index = 0; index < 205; index++) {
      await send(service, 'PATCH', `/admin/elections/${id}/settings`, { settings: { quorum: index + 1 } });
    }

    const lengths = [];
    for (const query of ['', '?limit=&offset=', '?limit=200', '?limit=201', '?limit=1000000']) {
      lengths.push((await logsOf(service, query)).logs.length);
    }

    expect(lengths).toEqual([50, 50, 200, 200, 200]);
  });

  it.each([
    'limit=0',
    'limit=-1',
    'limit=1.5',
    'limit=all',
    'limit=1&limit=2',
    'offset=-1',
    'offset=x',
    `action=${'x'.repeat(65)}`,
  ])('refuses ?%s', async (query) => {
    const service = await open();

    const answer = await service.get(`/admin/audit-logs?${query}`);

    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors[0].path).toBe(query.split('=')[0]);
  });

  it('names the valid range of a limit that it refuses', async () => {
    await using service = await testApp();

    const answer = await service.get('/admin/audit-logs?limit=0');

    expect(answer.json().error).toBe(`limit: ${message('out_of_range', { min: 1, max: 200 })}`);
  });

  it('folds equal entries for people, each with the person in words, and unfolds them', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: 'The piano' });
    const olga = await appoint(service, 'olga@club.example', 'officer');
    const at = service.clock.now;
    await service.ctx.write((tx) => {
      for (let n = 0; n < 1_500; n += 1) {
        const of = { election_id: id, metadata: { invite_id: `i${n}` } };
        recordAudit(tx, { ip: SERVICE, at: at + n * 100 }, { action: 'invite.sent', ...of });
        if (n % 500 === 0)
          recordAudit(tx, { ip: SERVICE, at: at + n * 100 }, { action: 'vote.submitted', election_id: id });
      }
    });
    await service.request({
      method: 'PATCH',
      url: `/admin/elections/${id}/settings`,
      payload: { settings: { quorum: 2 } },
      headers: { accept: 'application/json', ...olga },
    });

    const { body } = await page(service, `/admin/audit-logs?election_id=${id}`);
    const rows = body.slice(body.indexOf('<tbody'), body.indexOf('</tbody>')).split('<tr ').slice(1);
    const words = rows.map((row) => row.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '));

    expect(words).toHaveLength(4);
    expect(words[0]).toMatch(/Settings changed olga@club\.example The piano .*quorum: 2/);
    expect(words[1]).toMatch(/Sat, Nov 21, 12:00 PM to 12:02 PM 1,500 invitations sent Show each/);
    expect(words[1]).toContain('The service');
    expect(words[2]).toContain('3 votes cast');
    expect(words[3]).toContain('Election made');
    expect(body).toContain('All times are New York time.');
    expect(body).toContain('1 to 1,505 of 1,505 entries');
    const each = `/admin/audit-logs?action=invite.sent&election_id=${id}&limit=10&fold=off`;
    expect(body).toContain(`href="${each.replaceAll('&', '&amp;')}"`);
    const unfolded = (await page(service, each)).body;
    expect(unfolded.match(/<tr role="row">/g)).toHaveLength(11);
    expect(unfolded).toContain('1 to 10 of 1,500 entries');
    expect((await logsOf(service, `?election_id=${id}&action=invite.sent&fold=on`)).total).toBe(1_500);
  });

  it('has pages of folded entries: “Next” reaches every entry once, and a link leads to the newest', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const at = service.clock.now;
    await service.ctx.write((tx) => {
      for (let n = 0; n < 60; n += 1) {
        const metadata = { quorum: Math.floor(n / 4) };
        recordAudit(
          tx,
          { ip: SERVICE, at },
          { action: 'election.settings_changed', election_id: id, metadata },
        );
        if (n % 2 === 0) recordAudit(tx, { ip: SERVICE, at }, { action: 'invite.sent', election_id: id });
      }
    });
    const first = `/admin/audit-logs?election_id=${id}&limit=3`;
    const linkTo = (body: string, words: string) =>
      new RegExp(`<a [^>]*href="([^"]+)"[^>]*>(?:<[^>]*>)*${words}`)
        .exec(body)?.[1]
        ?.replaceAll('&amp;', '&');

    const spans: number[][] = [];
    const back = new Set<string | undefined>();
    let read = 0;
    for (let next: string | undefined = first; next !== undefined; ) {
      const { body } = await page(service, next);
      const [, from, to, total] = /([\d,]+) to ([\d,]+) of ([\d,]+) entries/.exec(body)!.map(Number);
      spans.push([from!, to!, total!]);
      const rows = body.slice(body.indexOf('<tbody'), body.indexOf('</tbody>')).split('<tr ').slice(1);
      for (const row of rows) read += Number(/>(\d+) (?:invitations|changes)/.exec(row)?.[1] ?? 1);
      if (spans.length > 1) back.add(linkTo(body, 'To the newest entries'));
      next = linkTo(body, 'Next');
    }
    const [backTo] = back;

    expect(spans.length).toBeGreaterThan(3);
    expect(spans.map(([from]) => from)).toEqual([1, ...spans.slice(0, -1).map(([, to]) => to! + 1)]);
    expect(spans.at(-1)!.slice(1)).toEqual([91, 91]);
    expect(read).toBe(91);
    expect(back.size).toBe(1);
    expect((await page(service, backTo!)).body).toContain(`1 to ${spans[0]![1]} of 91 entries`);
  });

  it('is a page for browsers, with input escaped', async () => {
    await using service = await testApp();
    const id = await addElection(service, { title: '<i>Piano</i>' });
    await addTokens(service, id, 1, '<script>alert(1)</script>');

    const html = await page(service, '/admin/audit-logs');
    const json = await service.get('/admin/audit-logs');

    for (const { headers } of [html, json])
      expect(headers).toMatchObject({ vary: 'Accept', 'cache-control': 'no-store' });
    expect(html.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(html.body).toContain('tokens.generated');
    expect(html.body).not.toMatch(/<script>alert|<i>Piano/);
    expect(json.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('names officers authenticated by the edge, and nobody for voters, keys and local requests', async () => {
    await using service = await testApp({ ADMIN_API_KEY: 'a key for officers' });
    const outside = { host: 'club.example', 'edge-access-authenticated-user-email': ' Ann@Club.Example ' };
    const locally = await addElection(service, { title: 'Local' });
    const answer = await service.post('/admin/elections', openElection(service), outside);
    const { id } = answer.json();
    const url = `/admin/elections/${id}`;
    const tokens = await service.post(`${url}/tokens`, { count: 1 }, outside);
    await service.post(
      `/e/${id}/vote`,
      { token: tokens.json().tokens[0], choice: 'yes' },
      { 'edge-access-authenticated-user-email': 'ann@club.example' },
    );
    const dates = { open_at: '2026-11-21T10:00', close_at: '2026-11-23T10:00' };
    await service.submit(`${url}/dates?_method=PATCH`, dates, outside);
    const key = { host: 'club.example', authorization: 'Bearer a key for officers' };
    await service.post(`${url}/close`, undefined, key);

    const by = (await auditOf(service, id)).map(({ action, metadata }) => [action, metadata.by]);

    expect(by).toEqual([
      ['election.created', 'ann@club.example'],
      ['tokens.generated', 'ann@club.example'],
      ['election.opened', undefined],
      ['vote.submitted', undefined],
      ['election.dates_changed', 'ann@club.example'],
      ['election.closed', undefined],
      ['results.settled', undefined],
      ['election.sealed', undefined],
    ]);
    expect((await auditOf(service, locally))[0]?.metadata).not.toHaveProperty('by');
  });

  it('contains no choice, no token and no code', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings: { inclusion_codes: true } });
    const tokens = await addTokens(service, id, 3);
    const code = '0123456789abcdef0123456789abcdef';
    await cast(service, id, {
      token: tokens[0],
      choice: 'abstain',
      inclusion_code: code,
      submission_id: 'mine-only',
    });
    await cast(service, id, { token: tokens[1], choice: 'perhaps' });
    await service.post(`/admin/elections/${id}/close`);

    const rows = JSON.stringify(service.ctx.db.all(build.selectFrom('audit_log').selectAll()));

    for (const secret of [...tokens, code, 'abstain', 'perhaps', 'mine-only'])
      expect(rows).not.toContain(secret);
    expect((await auditOf(service, id)).filter(({ action }) => action === 'vote.submitted')).toHaveLength(1);
  });

  it('has no entry of a refused change', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 1);

    await service.post('/admin/elections', { title: 'Half' });
    await service.post(`/admin/elections/${id}/tokens`, { count: 0 });
    await service.post(`/admin/elections/${id}/options`, { name: 'Tea' });
    await send(service, 'DELETE', `/admin/elections/${id}/batches`, { batch_name: 'nobody' });
    await cast(service, id, { token: 'nonsense', choice: 'yes' });

    expect((await logsOf(service)).total).toBe(3);
  });
});

describe('the chain of audit entries', () => {
  it('is verified from its start, and its head changes with every entry', async () => {
    await using service = await testApp();
    const empty = await verifyAudit(service.ctx.db);
    await somethingHappens(service);

    const verified = await verifyAudit(service.ctx.db);

    expect(empty).toEqual({ entries: 0, head: CHAIN_START });
    // Five acts, and after three of them what they changed.
    expect(verified).toEqual({ entries: 8, head: expect.stringMatching(/^[0-9a-f]{64}$/) });
  });

  it('cannot be changed through the database', async () => {
    await using service = await testApp();
    await somethingHappens(service);
    const { db } = service.ctx;

    const attempts = [
      sql`UPDATE audit_log SET action = 'nothing.happened'`,
      sql`DELETE FROM audit_log WHERE seq = 1`,
      sql`REPLACE INTO audit_log (seq, id, action, ip_address, election_id, timestamp, metadata, hash)
        SELECT seq, id, 'nothing.happened', ip_address, election_id, timestamp, metadata, hash
        FROM audit_log WHERE seq = 1`,
    ];
    const outcomes = await Promise.allSettled(
      attempts.map((attempt) => service.ctx.write((tx) => tx.run(attempt.compile(build)))),
    );

    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { message: expect.stringMatching(/append-only/) } });
    }
    expect(await verifyAudit(db)).toMatchObject({ entries: 8 });
    expect(await verifyAudit(db)).not.toHaveProperty('broken');
  });

  it.each([
    ['changed in its action', sql`UPDATE audit_log SET action = 'vote.imagined' WHERE seq = 3`, 3],
    ['changed in its time', sql`UPDATE audit_log SET timestamp = timestamp + 1 WHERE seq = 2`, 2],
    ['changed in its metadata', sql`UPDATE audit_log SET metadata = '{"count":9}' WHERE seq = 3`, 3],
    ['moved to another election', sql`UPDATE audit_log SET election_id = NULL WHERE seq = 1`, 1],
    ['taken out', sql`DELETE FROM audit_log WHERE seq = 2`, 3],
    ['taken from the start', sql`DELETE FROM audit_log WHERE seq = 1`, 2],
    ['given another number', sql`UPDATE audit_log SET seq = 9 WHERE seq = 8`, 9],
  ])('names the first entry that does not match when one was %s', async (_how, tampering, seq) => {
    await using service = await testApp();
    await somethingHappens(service);
    for (const verb of ['update', 'delete']) {
      const drop = sql`DROP TRIGGER ${sql.ref(`audit_log_no_${verb}`)}`.compile(build);
      await service.ctx.write((tx) => tx.run(drop));
    }
    await service.ctx.write((tx) => tx.run(tampering.compile(build)));

    const verified = await verifyAudit(service.ctx.db);

    expect(verified.broken).toMatchObject({ seq });
    expect(verified.entries).toBeLessThan(seq);
  });
});
