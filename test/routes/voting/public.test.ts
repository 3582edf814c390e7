import { describe, expect, it } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { addElection, addRanked, castAll, page, send } from '#test/support/factories.ts';

const cellsOf = (body: string) => body.match(/<td class="heat-\d/g)?.length ?? 0;
const namesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `Candidate ${index + 1}`.padEnd(60, ' of'));

describe('the matrices of a ranked result', () => {
  it('of many candidates have separate pages, so that the result stays small', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, namesOf(100));
    const ranking = Object.values(ids);
    await castAll(service, id, [{ ranking }, { ranking: ranking.toReversed() }, { ranking }]);

    for (const close of [false, true]) {
      if (close) await service.post(`/admin/elections/${id}/close`);
      const urls = [`/e/${id}`, `/admin/elections/${id}/results-preview`];
      if (close) urls.push(`/admin/elections/${id}/chair`);
      for (const url of urls) {
        const { body } = await page(service, url);
        expect(Buffer.byteLength(body)).toBeLessThan(300_000);
        expect(cellsOf(body)).toBe(0);
        expect(body).toContain(`href="/e/${id}/results/matrix"`);
        const details = url.startsWith('/admin')
          ? (await page(service, `/admin/elections/${id}/results-preview/details`)).body
          : body;
        expect(cellsOf(details)).toBe(0);
        expect(details).toContain(`href="/e/${id}/results/matrix?of=chains"`);
      }
    }

    const pairs = await page(service, `/e/${id}/results/matrix`);
    const chains = await page(service, `/e/${id}/results/matrix?of=chains`);
    expect([pairs.statusCode, chains.statusCode]).toEqual([200, 200]);
    expect([cellsOf(pairs.body), cellsOf(chains.body)]).toEqual([9_900, 9_900]);
    expect(pairs.body).toContain('<h1 tabindex="-1">Every pair</h1>');
    expect(chains.body).toContain('<h1 tabindex="-1">Strongest chains</h1>');
    expect(pairs.body).not.toContain('<script');
  });

  it('of few candidates are in the result', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, namesOf(20));
    await castAll(service, id, [{ ranking: Object.values(ids) }]);

    const { body } = await page(service, `/e/${id}`);

    expect(cellsOf(body)).toBe(2 * 20 * 19);
    expect(body).not.toContain('/results/matrix');
    expect(Buffer.byteLength(body)).toBeLessThan(300_000);
    expect(cellsOf((await page(service, `/e/${id}/results/matrix?of=nothing`)).body)).toBe(20 * 19);
  });

  it('are hidden with the results, and exist for ranked elections only', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, namesOf(3), {
      settings: { hide_results_until_close: true },
    });
    await castAll(service, id, [{ ranking: Object.values(ids) }]);
    const simple = await addElection(service);
    const empty = await addRanked(service, ['Ann']);
    await send(service, 'DELETE', `/admin/elections/${empty.id}/candidates/${empty.ids.Ann}`);
    const statusOf = async (of: string) => (await page(service, `/e/${of}/results/matrix`)).statusCode;

    expect(await Promise.all([id, simple, empty.id].map(statusOf))).toEqual([403, 404, 404]);
    await service.post(`/admin/elections/${id}/close`);
    expect(await statusOf(id)).toBe(200);
  });

  it('of a void election say that it is void', async () => {
    await using service = await testApp();
    const { id, ids } = await addRanked(service, namesOf(3));
    await castAll(service, id, [{ ranking: Object.values(ids) }]);
    await service.post(`/admin/elections/${id}/close`);
    await service.post(`/admin/elections/${id}/void`, { reason: 'A candidate was missing' });
    const { body } = await page(service, `/e/${id}/results/matrix`);
    expect(body).toContain('This election is void');
    expect(body).toContain('A candidate was missing');
  });
});
