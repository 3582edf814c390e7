import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { Permission } from '#kernel/access/roles.ts';
import { HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { recordAudit, SERVICE } from '#kernel/db/audit.ts';
import { renderElectionPage } from '#routes/voting/officers-page/election.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addRanked, addTokens, page } from '#test/support/factories.ts';
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

  const { body } = await asRead(service, `${url}/history`, olga);
  const short = historyOf(body);
  for (let quorum = 2; quorum <= 22; quorum += 1) await change(quorum);
  const long = historyOf((await asRead(service, `${url}/history`, olga)).body);

  expect(short).toHaveLength(3);
  expect(short[0]).toMatch(/12:01 PM Settings changed olga@club\.example/);
  expect(short[1]).toMatch(/30 invitations sent The service/);
  expect(short[2]).toContain('Election made');
  expect(body).toContain(`href="/admin/audit-logs?election_id=${id}"`);
  expect(body).toContain(`href="${url}/history" aria-current="page"`);
  expect(body).not.toContain(other);
  expect(body).not.toContain('Counted from');
  expect(long).toHaveLength(20);
  expect(long.every((row) => row.includes('Settings changed'))).toBe(true);
});

it('says how many entries it counted if an election has more than it reads', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  await service.ctx.write((tx) => {
    for (let n = 0; n < 1_200; n += 1)
      recordAudit(tx, { ip: SERVICE, at: service.clock.now }, { action: 'vote.submitted', election_id: id });
  });

  const { body } = await asRead(service, `/admin/elections/${id}/history`, {});

  expect(historyOf(body)).toEqual([expect.stringContaining('1,000 votes cast')]);
  expect(body).toContain('Counted from the newest 1,000 entries.');
});

// No role can currently read elections but not the log, so the page is rendered directly.
it('shows no history without permission to read the audit log', async () => {
  await using service = await testApp({ BASE_URL: 'https://club.example' });
  const election = getElection(service.ctx.db, await addElection(service));
  const rendered = (...permissions: Permission[]) => {
    const granted = new Set(permissions);
    const request = { granted, viewer: { granted, permissions: granted } } as unknown as FastifyRequest;
    return pageText(renderElectionPage(service.ctx, election, request, { page: 'history' }));
  };

  expect(rendered('elections:read', 'audit:read')).toMatch(/id="history"[\s\S]*Election made/);
  expect(rendered('elections:read')).not.toMatch(/id="history"|>History|Election made/);
});

it('says on the officers’ page when so few people can vote that votes can be guessed', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const seen = [];
  for (const more of [4, 1]) {
    await addTokens(service, id, more);
    const { body } = await page(service, `/admin/elections/${id}/codes`);
    seen.push(body.includes('Fewer than five people have a voting code.'));
  }
  expect(seen).toEqual([true, false]);
});

describe('the sub-pages', () => {
  const section = (id: string) => new RegExp(`<section[^>]* id="${id}"`);

  it.each([
    ['', ['results', 'ending'], ['tokens', 'dates']],
    ['/codes', ['tokens'], ['invitations', 'results']],
    ['/mails', ['invitations'], ['tokens', 'text']],
    ['/ballot', ['text', 'candidates', 'attachments'], ['dates', 'ending']],
    ['/rules', ['dates', 'settings'], ['candidates', 'history', 'checks']],
    ['/checks', ['checks'], ['settings', 'history']],
    ['/history', ['history'], ['settings', 'results']],
  ])(
    '%s has what it is for, below a short head, and the others are linked with their sections',
    async (under, here, elsewhere) => {
      await using service = await testApp();
      const { id } = await addRanked(service, ['Ivy', 'Lee']);
      const { body } = await page(service, `/admin/elections/${id}${under}`);
      // What is next and how many have voted stands on the first one, to which the title of the others leads.
      const whole = ['id="next-title"', `data-turnout="/admin/elections/${id}"`, 'class="stages"'];
      for (const part of whole) expect([part, body.includes(part)]).toEqual([part, under === '']);
      expect(/<h1[^>]*><a [^>]*href="([^"]*)">/.exec(body)?.[1]).toBe(
        under === '' ? undefined : `/admin/elections/${id}`,
      );
      expect(body).toContain(`href="/admin/elections/${id}${under}" aria-current="page"`);
      for (const one of here) expect(body).toMatch(section(one));
      for (const one of elsewhere) {
        expect(body).not.toMatch(section(one));
        expect(body).toMatch(
          new RegExp(`<li><a [^>]*>[^/]*(<span id="[a-z]+"></span>)*<span id="${one}"></span>`),
        );
      }
    },
  );

  it('redraws a refused form where it stands, and asks where the act begins', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const url = `/admin/elections/${id}`;
    const current = (body: string) => {
      const [pages = ''] = /<nav class="filter-links"[\s\S]*?<\/nav>/.exec(body) ?? [];
      return /href="([^"]*)" aria-current/.exec(pages)?.[1];
    };
    const refused = await service.submit(`${url}/dates?_method=PATCH`, { open_at: 'soon', close_at: '' });
    expect([refused.statusCode, current(refused.body)]).toEqual([400, `${url}/rules`]);
    expect(refused.body).toMatch(/value="soon"|id="dates-open_at"/);
    const closing = await page(service, `${url}?ask=close`);
    const batch = await page(service, `${url}/codes?ask=batch`);
    const before = await page(service, `${url}?ask=batch`);
    for (const { body } of [closing, batch, before]) expect(body).toContain('id="ask"');
    expect([closing, batch, before].map(({ body }) => current(body))).toEqual([
      url,
      `${url}/codes`,
      `${url}/codes`,
    ]);
    expect((await page(service, `${url}/rules?ask=close`)).body).not.toContain('id="ask"');
  });

  it('answers 404 for another name, and keeps the JSON of an election', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    for (const under of ['overview', 'announce', 'nothing'])
      expect((await page(service, `/admin/elections/${id}/${under}`)).statusCode).toBe(404);
    expect((await page(service, '/admin/elections/nothing/codes')).statusCode).toBe(404);
    expect((await service.get(`/admin/elections/${id}`)).json().election.id).toBe(id);
  });

  it('lists batches of codes ten at a time', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    for (let n = 1; n <= 12; n += 1) {
      service.clock.now += MINUTE;
      await addTokens(service, id, 1, `Batch ${n}`);
    }
    const first = (await page(service, `/admin/elections/${id}/codes`)).body;
    const second = (await page(service, `/admin/elections/${id}/codes?page=2`)).body;
    expect(first).toContain('1 to 10 of 12 batches');
    expect([first.includes('Batch 12'), first.includes('Batch 2')]).toEqual([true, false]);
    expect([second.includes('Batch 12'), second.includes('Batch 2')]).toEqual([false, true]);
  });

  it.each([
    ['', ['questions', 'ending']],
    ['/codes', ['tokens']],
    ['/mails', ['invitations']],
    ['/ballot', ['text', 'translations']],
    ['/rules', ['dates', 'settings']],
    ['/history', ['history']],
  ])('of a ballot paper are the same: %s', async (under, here) => {
    await using service = await testApp();
    const dates = { open_at: isoTime(service.clock.now), close_at: isoTime(service.clock.now + HOUR) };
    const made = await service.post('/admin/papers', { title: 'Board', ...dates, questions: [] });
    const url = `/admin/papers/${made.json().id}`;
    const { body } = await page(service, url + under);
    const sections = [...body.matchAll(/<section class="panel[^"]*" id="([a-z]+)"/g)].map(([, id]) => id);
    expect(sections).toEqual(here);
    expect(body).toContain(`href="${url}${under}" aria-current="page"`);
    // What an election has, its address does not answer for a paper, nor the other way round.
    const other = await page(service, `${url.replace('papers', 'elections')}${under || '/codes'}`);
    expect(other.statusCode).toBe(404);
  });
});
