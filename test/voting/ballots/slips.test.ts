import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addSlips, addTokens, auditOf, cast } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';

const SHORT = /^[0-9A-Z]{4}(-[0-9A-Z]{4}){3}$/;
const BASE_URL = 'https://club.example';

describe('short codes', () => {
  it('are made by the officers’ form; programs get UUIDs as before', async () => {
    await using service = await testApp();
    const id = await addElection(service);

    const form = (await service.get(`/admin/elections/${id}/codes`, { accept: 'text/html' })).body;
    const made = await service.submit(`/admin/elections/${id}/tokens`, { count: '2', format: 'short' });
    const refused = await service.post(`/admin/elections/${id}/tokens`, { count: 1, format: 'long' });
    const [token] = await addTokens(service, id, 1);

    expect(form).toContain('<input type="hidden" name="format" value="short">');
    const [, codes = ''] = /id="codes"[^>]*>([^<]+)</.exec(made.body) ?? [];
    expect(codes.split('\n')).toEqual([expect.stringMatching(SHORT), expect.stringMatching(SHORT)]);
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      `format: ${message('not_either', { choices: ['uuid', 'short'] })}`,
    ]);
    expect(token).toHaveLength(36);
  });

  it('are stored as SHA-256 only', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const codes = await addSlips(service, id, 5);
    await cast(service, id, { token: codes[0], choice: 'yes' });
    await service.submit('/vote', { code: codes[1]! });
    await service.post(`/admin/elections/${id}/tokens/print`, { tokens: codes });

    const kept = everythingStored(service) + service.logged.join('\n');

    for (const code of codes) {
      expect(kept).toContain(sha256(code));
      expect(kept).not.toContain(code);
      expect(kept).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('cast one ballot each in any spelling, and so do links sent by mail', async () => {
    await using service = await testApp();
    const opens = service.clock.now + MINUTE;
    const id = await addElection(service, {
      open_at: new Date(opens).toISOString(),
      settings: { receipts: 'content' },
    });
    const codes = await addSlips(service, id, 3);
    const tokens = await addTokens(service, id, 2);
    service.clock.now = opens;

    const first = await cast(service, id, { token: codes[0]!.toLowerCase(), choice: 'yes' });
    const again = await cast(service, id, { token: codes[0]!.replaceAll('-', ' '), choice: 'no' });
    const plain = await cast(service, id, { token: codes[1]!.replaceAll('-', ''), choice: 'yes' });
    const mailed = await cast(service, id, { token: tokens[0]!.toUpperCase(), choice: 'no' });
    const look = await service.get(`/e/${id}?t=${codes[2]!.replaceAll('-', '%20')}`, {
      accept: 'application/json',
    });
    await service.post(`/admin/elections/${id}/close`);
    const check = await service.post(`/e/${id}/check`, { code: first.json().inclusion_code });

    expect([first, again, plain, mailed].map(({ statusCode }) => statusCode)).toEqual([200, 403, 200, 200]);
    expect(look.json().token).toEqual({ valid: true, used: false });
    expect(check.json()).toMatchObject({ found: true });
    const results = (await service.get(`/e/${id}/results`, { accept: 'application/json' })).json();
    expect(results).toMatchObject({
      turnout: { issued: 5, used: 3 },
      books: { ballots: 3, tokens_used: 3, vote_entries: 3, tokens_made: 5, balanced: true },
    });
    const opened = (await auditOf(service, id)).find(({ action }) => action === 'election.opened');
    const hashes = [...codes, ...tokens].map(sha256).toSorted();
    expect(opened?.metadata).toMatchObject({
      electors_sha256: sha256([hashes.length, ...hashes].join('\n')),
    });
  });
});

describe('a printed slip', () => {
  it('shows the club, the address to open, and the code in groups; the QR code has the link', async () => {
    await using service = await testApp({ BASE_URL, CLUB_NAME: 'The Anchor' });
    const id = await addElection(service);
    const codes = await addSlips(service, id, 9);

    const { body } = await service.post(`/admin/elections/${id}/tokens/print`, { tokens: codes });

    expect(body.match(/<p class="slip-club">The Anchor<\/p>/g)).toHaveLength(9);
    expect(body.match(/open club\.example\/vote and type the code/g)).toHaveLength(9);
    for (const code of codes) expect(body).toContain(`<p class="slip-code">${code}</p>`);
    expect(body).not.toContain('/vote?t=');
    expect(body.match(/<svg class="qr"/g)).toHaveLength(9);
    // Each sheet is a separate list, with cutting lines on all sides.
    expect(body.match(/<ul class="slips"/g)).toHaveLength(2);
    expect(body).toContain('9 slips on 2 sheets of A4');
  });
});

/** Every value of every table, as one string. */
function everythingStored(service: TestApp): string {
  const rows = service.ctx.db.all(
    sql<{
      name: string;
    }>`SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  return JSON.stringify(
    rows.map(({ name }) => service.ctx.db.all(sql`SELECT * FROM ${sql.table(name)}`.compile(build))),
  );
}
