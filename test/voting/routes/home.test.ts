import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, castAll, page, send } from '#test/support/factories.ts';

/** A published election, its window in hours from now. */
async function publish(house: TestApp, title: string, from: number, to: number, settings: object = {}) {
  return addElection(house, {
    title,
    open_at: isoTime(house.clock.now + from * HOUR),
    close_at: isoTime(house.clock.now + to * HOUR),
    allow_past_close: true,
    settings: { publish_results_to_home: true, ...settings },
  });
}

describe('the front page', () => {
  it('lists what is published: open ones first, soonest to close on top, then the newest results', async () => {
    await using house = await testApp();
    await publish(house, 'Closed long ago', -72, -48);
    await publish(house, 'Coming up', 5, 9);
    await publish(house, 'Open for long', -1, 20);
    await publish(house, 'Closed lately', -72, -1);
    await publish(house, 'Closes soon', -1, 2);
    await addElection(house, { title: 'Not published' });
    const early = await publish(house, 'Closed by hand just now', -1, 30);
    await house.post(`/admin/elections/${early}/close`);

    const { headers, body } = await page(house, '/');

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
    await using house = await testApp();
    const id = await publish(house, 'Piano & <stool>', -1, 2);
    await castAll(house, id, [{ choice: 'no' }, { choice: 'no' }, { choice: 'yes' }]);
    await house.post(`/admin/elections/${id}/close`);

    const { body } = await page(house, '/');

    expect(body).toContain('Piano &amp; &lt;stool&gt;');
    expect(body).toContain(`href="/e/${id}"`);
    expect(body).toContain('Not passed: 2 no to 1 yes.');
  });

  it('shows certified results in the place of the counted ones', async () => {
    await using house = await testApp();
    const id = await publish(house, 'Chair', -1, 2);
    const results = { contests: [{ label: 'Chair', items: [{ label: 'Zdena', votes: 3 }] }] };
    await send(house, 'PUT', `/admin/elections/${id}/manual-results`, { results });
    await house.post(`/admin/elections/${id}/close`);

    const { body } = await page(house, '/');

    expect(body).toContain('Zdena');
  });

  it('takes an election down when it is no longer published, or deleted', async () => {
    await using house = await testApp();
    const withdrawn = await publish(house, 'Withdrawn', -1, 2);
    const deleted = await publish(house, 'Deleted', -1, 2);
    await send(house, 'PATCH', `/admin/elections/${withdrawn}/settings`, {
      settings: { publish_results_to_home: false },
    });
    await send(house, 'DELETE', `/admin/elections/${deleted}`);

    const { statusCode, body } = await page(house, '/');

    expect(statusCode).toBe(200);
    expect(body).not.toMatch(/Withdrawn|Deleted/);
    expect(body).toContain('Nothing is on the board');
  });

  it('has no results of an election that has not begun', async () => {
    await using house = await testApp();
    await publish(house, 'Coming up', 24, 48);

    const { body } = await page(house, '/');
    house.clock.now += DAY;
    const open = await page(house, '/');

    expect(body).toContain('Coming up');
    expect(body).not.toMatch(/tied/i);
    expect(open.body).toContain('Read and vote');
  });
});
