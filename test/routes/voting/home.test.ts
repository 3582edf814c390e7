import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, castAll, page, send } from '#test/support/factories.ts';

/** Adds a published election; `from` and `to` are its dates in hours from now. */
async function publish(service: TestApp, title: string, from: number, to: number, settings: object = {}) {
  return addElection(service, {
    title,
    open_at: isoTime(service.clock.now + from * HOUR),
    close_at: isoTime(service.clock.now + to * HOUR),
    allow_past_close: true,
    settings: { publish_results_to_home: true, ...settings },
  });
}

describe('the front page', () => {
  it('lists published elections: open ones first, by closing time, then the newest results', async () => {
    await using service = await testApp();
    await publish(service, 'Closed long ago', -72, -48);
    await publish(service, 'Coming up', 5, 9);
    await publish(service, 'Open for long', -1, 20);
    await publish(service, 'Closed lately', -72, -1);
    await publish(service, 'Closes soon', -1, 2);
    await addElection(service, { title: 'Not published' });
    const early = await publish(service, 'Closed by hand just now', -1, 30);
    await service.post(`/admin/elections/${early}/close`);

    const { headers, body } = await page(service, '/');

    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    const titles = [
      'Closes soon',
      'Open for long',
      'Coming up',
      'Closed by hand just now',
      'Closed lately',
      'Closed long ago',
    ];
    const places = titles.map((title) => body.indexOf(title));
    expect(places).not.toContain(-1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(body).not.toContain('Not published');
  });

  it('says how a vote ended, and links to it', async () => {
    await using service = await testApp();
    const id = await publish(service, 'Piano & <stool>', -1, 2);
    await castAll(service, id, [{ choice: 'no' }, { choice: 'no' }, { choice: 'yes' }]);
    await service.post(`/admin/elections/${id}/close`);

    const { body } = await page(service, '/');

    expect(body).toContain('Piano &amp; &lt;stool&gt;');
    expect(body).toContain(`href="/e/${id}"`);
    expect(body).toContain('Not carried: 2 no to 1 yes.');
  });

  it('shows certified results instead of the computed ones', async () => {
    await using service = await testApp();
    const id = await publish(service, 'Chair', -1, 2);
    const results = { contests: [{ label: 'Chair', items: [{ label: 'Zdena', votes: 3 }] }] };
    await send(service, 'PUT', `/admin/elections/${id}/manual-results`, { results });
    await service.post(`/admin/elections/${id}/close`);

    const { body } = await page(service, '/');

    expect(body).toContain('Zdena');
  });

  it('removes an election that is no longer published or was deleted', async () => {
    await using service = await testApp();
    const withdrawn = await publish(service, 'Withdrawn', -1, 2);
    const deleted = await publish(service, 'Deleted', -1, 2);
    await send(service, 'PATCH', `/admin/elections/${withdrawn}/settings`, {
      settings: { publish_results_to_home: false },
    });
    await send(service, 'DELETE', `/admin/elections/${deleted}`);

    const { statusCode, body } = await page(service, '/');

    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/Withdrawn|Deleted/);
    expect(body).toContain('Nothing is on the board');
  });

  it('has no results of an election that has not opened', async () => {
    await using service = await testApp();
    await publish(service, 'Coming up', 24, 48);

    const { body } = await page(service, '/');
    service.clock.now += DAY;
    const open = await page(service, '/');

    expect(body).toContain('Coming up');
    expect(body).not.toMatch(/tied/i);
    expect(open.body).toContain('Read and vote');
  });

  it('begins with the house and its pages where no vote is open, and with the votes before its pages where one is', async () => {
    await using service = await testApp();
    const order = async () => {
      const { body } = await page(service, '/');
      const main = body.slice(body.indexOf('<main'));
      return [main.indexOf('href="/tenders/"'), main.indexOf('id="vote"')];
    };
    const [pages = 0, votes = 0] = await order();
    expect(pages).toBeGreaterThan(0);
    expect(pages).toBeLessThan(votes);

    await publish(service, 'Chair', -1, 2);
    const [after = 0, open = 0] = await order();
    expect(open).toBeLessThan(after);
  });
});
