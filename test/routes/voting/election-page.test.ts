import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import type { Permission } from '#kernel/access/roles.ts';
import { MINUTE } from '#kernel/clock.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { renderElectionPage } from '#routes/voting/officers-page/election.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, page } from '#test/support/factories.ts';
import { pageText } from '#test/support/page-text.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { getElection } from '#voting/elections/elections.ts';

const asRead = (service: TestApp, url: string, headers: Record<string, string>) =>
  service.get(url, { accept: 'text/html', ...headers });

/** The history on an election's page, one line per row. */
function historyOf(body: string): string[] {
  const [section = ''] = /<section[^>]*id="history"[\s\S]*?<\/section>/.exec(body) ?? [];
  const [rows = ''] = /<tbody[\s\S]*<\/tbody>/.exec(section) ?? [];
  return rows
    .split('<tr ')
    .slice(1)
    .map((row) =>
      row
        .replaceAll(/<[^>]*>/g, ' ')
        .replaceAll(/\s+/g, ' ')
        .replace(/^.*?> /, ''),
    );
}

it('shows the newest changes in words, equal entries folded, with a link to all of them', async () => {
  await using service = await testApp();
  const olga = await appoint(service, 'olga@club.example', 'officer');
  const id = await addElection(service, { title: 'The piano' });
  const other = await addElection(service, { title: 'The organ' });
  const url = `/admin/elections/${id}`;
  const at = service.clock.now;
  await service.ctx.write((tx) => {
    for (let n = 0; n < 30; n += 1) {
      const of = { election_id: id, metadata: { invite_id: `i${n}` } };
      recordAudit(tx, { ip: SERVICE, at: at + n * 1000 }, { action: 'invite.sent', ...of });
    }
  });
  service.clock.now += MINUTE;
  const change = (quorum: number) =>
    service.request({
      method: 'PATCH',
      url: `${url}/settings`,
      payload: { settings: { quorum } },
      headers: { accept: 'application/json', ...olga },
    });
  await change(1);

  const { body } = await asRead(service, url, olga);
  const short = historyOf(body);
  for (let quorum = 2; quorum <= 12; quorum += 1) await change(quorum);
  const long = historyOf((await asRead(service, url, olga)).body);

  expect(short).toHaveLength(3);
  expect(short[0]).toMatch(/12:01 PM Settings changed olga@club\.example/);
  expect(short[1]).toMatch(/30 invitations sent The service/);
  expect(short[2]).toContain('Election made');
  expect(body).toContain(`href="/admin/audit-logs?election_id=${id}"`);
  expect(body).toContain('href="#history"');
  expect(body).not.toContain(other);
  expect(body).not.toContain('Counted from');
  expect(long).toHaveLength(10);
  expect(long.every((row) => row.includes('Settings changed'))).toBe(true);
});

it('says how many entries it counted if an election has more than it reads', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  await service.ctx.write((tx) => {
    for (let n = 0; n < 1_200; n += 1)
      recordAudit(tx, { ip: SERVICE, at: service.clock.now }, { action: 'vote.submitted', election_id: id });
  });

  const { body } = await asRead(service, `/admin/elections/${id}`, {});

  expect(historyOf(body)).toEqual([expect.stringContaining('1,000 votes cast')]);
  expect(body).toContain('Counted from the newest 1,000 entries.');
});

// No role can currently read elections but not the log, so the page is rendered directly.
it('shows no history without permission to read the audit log', async () => {
  await using service = await testApp({ BASE_URL: 'https://club.example' });
  const election = getElection(service.ctx.db, await addElection(service));
  const rendered = (...permissions: Permission[]) => {
    const request = { granted: new Set(permissions) } as unknown as FastifyRequest;
    return pageText(renderElectionPage(service.ctx, election, request, {}));
  };

  expect(rendered('elections:read', 'audit:read')).toMatch(/id="history"[\s\S]*Election made/);
  expect(rendered('elections:read')).not.toMatch(/id="history"|href="#history"|Election made/);
});

it('says on the officers’ page when so few people can vote that votes can be guessed', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const seen = [];
  for (const more of [4, 1]) {
    await addTokens(service, id, more);
    const { body } = await page(service, `/admin/elections/${id}`);
    seen.push(body.includes('Fewer than five people have a voting code.'));
  }
  expect(seen).toEqual([true, false]);
});
