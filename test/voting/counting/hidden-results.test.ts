import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { testApp } from '#test/support/app.ts';
import { addElection, castAll, page, send } from '#test/support/factories.ts';
import { errorJson, message, refusal } from '#test/support/messages.ts';

describe('results hidden until close', () => {
  const HIDDEN = errorJson('results_hidden');
  const settings = { hide_results_until_close: true, publish_results_to_home: true };

  it('are on no public surface while the election is open, and on all of them after', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings });
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'yes' }, { choice: 'no' }]);
    const surfaces = [
      `/e/${id}/results`,
      `/e/${id}/results?refresh=1`,
      `/admin/elections/${id}/export`,
      `/admin/elections/${id}/export?format=json`,
    ];

    const open = await Promise.all(surfaces.map((url) => service.get(url)));
    const [electionPage, homePage] = [await page(service, `/e/${id}`), await page(service, '/')];
    await service.post(`/admin/elections/${id}/close`);
    const closed = await Promise.all(surfaces.map((url) => service.get(url)));
    const [electionPageAfter, homePageAfter] = [await page(service, `/e/${id}`), await page(service, '/')];

    for (const answer of open) expect([answer.statusCode, answer.json()]).toEqual([403, HIDDEN]);
    for (const { body } of [electionPage, homePage]) {
      expect(body).toContain('Shall we buy a piano?');
      expect(body).not.toMatch(/carried:|2 yes/i);
    }
    expect(electionPage.body).toContain('The result appears here when voting closes');
    expect(closed.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    for (const { body } of [electionPageAfter, homePageAfter]) expect(body).toMatch(/carried/i);
  });

  it('are hidden from officers too, who see only the turnout', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings });
    await castAll(service, id, [{ choice: 'yes' }, { choice: 'no' }]);
    const preview = `/admin/elections/${id}/results-preview`;

    const json = await service.get(preview);
    const html = await page(service, preview);

    expect([json.statusCode, json.json()]).toEqual([403, HIDDEN]);
    expect(html.headers).toMatchObject({ vary: 'Accept', 'content-type': 'text/html; charset=utf-8' });
    expect(html.body).toContain(HIDDEN.error);
    expect(html.body).toContain('2 of 2 voting codes were used');
    expect(html.body).not.toMatch(/tied|1 yes/i);
    expect((await page(service, `/admin/elections/${id}`)).body).not.toContain(preview);

    service.clock.now += 2 * HOUR;
    expect((await service.get(preview)).json()).toMatchObject({ results: { yes: 1, no: 1 } });
  });

  it('stay hidden while the election is scheduled, and are shown when it closes by time', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings, open_at: isoTime(service.clock.now + HOUR) });

    const scheduled = await service.get(`/e/${id}/results`);
    service.clock.now += 2 * HOUR - 1;
    const last = await service.get(`/e/${id}/results`);
    service.clock.now += 1;
    const closed = await service.get(`/e/${id}/results`);

    const hidden = [403, message('results_hidden')];
    expect([refusal(scheduled), refusal(last), closed.statusCode]).toEqual([hidden, hidden, 200]);
  });

  it('include certified results', async () => {
    await using service = await testApp();
    const id = await addElection(service, { settings });
    const results = { contests: [{ label: 'Piano', items: [{ label: 'Steinway', votes: 3 }] }] };
    await send(service, 'PUT', `/admin/elections/${id}/manual-results`, { results });

    const json = await service.get(`/e/${id}/results`);
    const html = await page(service, `/e/${id}`);

    expect(json.statusCode).toBe(403);
    expect(html.body).not.toContain('Steinway');
  });
});
