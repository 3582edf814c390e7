import { describe, expect, test } from 'vitest';
import { BALLOT_TYPES, type BallotType } from '#kernel/db/schema/voting.ts';
import { addElection, addTokens, page } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';

const open = sharedApp();

/** A valid answer in JSON, and the same on the form. */
const ANSWERS: Record<BallotType, (ids: string[]) => { json: object; form: Record<string, string> }> = {
  SIMPLE_TRIPLE: () => ({ json: { choice: 'no' }, form: { choice: 'no' } }),
  POLL: ([first = '']) => ({ json: { selected_option: first }, form: { selected_option: first } }),
  YES_NO_EACH: ([first = '', second = '']) => ({
    json: { answers: { [first]: 'yes', [second]: 'no' } },
    form: { [`answers.${first}`]: 'yes....', [`answers.${second}`]: 'no.....' },
  }),
  RANKED_CONDORCET: ([first = '', second = '']) => ({
    json: { ranking: [second, first] },
    form: { [`rank_${first}`]: '2', [`rank_${second}`]: '1' },
  }),
  RANKED_STV: ([_first, second = '']) => ({ json: { ranking: [second] }, form: { [`rank_${second}`]: '1' } }),
};

describe.each(BALLOT_TYPES)('every page of a %s', (ballot_type) => {
  test('is there, and a ballot of the form counts like one in JSON', async () => {
    const service = await open();
    const kind = rulesOf(ballot_type).options?.kind;
    const names = kind && { [`${kind}s`]: ['Ada', 'Bo'] };
    const preview = await service.submit('/admin/elections/preview', {
      title: 'The vote',
      ballot_type,
      ...(kind && { [`${kind}s`]: 'Ada\nBo' }),
    });
    expect(preview.body).toContain('This is the ballot');

    const id = await addElection(service, { ballot_type, ...names });
    const { election } = (await service.get(`/e/${id}`)).json();
    const ids = (election[`${kind}s`] ?? []).map((option: { id: string }) => option.id);
    const { json, form } = ANSWERS[ballot_type](ids);
    const [first = '', second = ''] = await addTokens(service, id, 2);
    expect((await page(service, `/admin/elections/${id}`)).statusCode).toBe(200);

    const opened = await page(service, `/e/${id}?t=${first}`);
    const way = /href="(\/e\/[^"]+t=[^"]+)"/.exec(opened.body)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await page(service, way)).body).toContain('Review my choice');

    const review = await service.submit(`/e/${id}/vote/review`, { token: first, ...form });
    const [castForm = '', action = ''] =
      /<form method="post" action="([^"]+)" data-cast[\s\S]*?<\/form>/.exec(review.body) ?? [];
    const inputs = [...castForm.matchAll(/name="([^"]+)" value="([^"]*)"/g)];
    const fields = Map.groupBy(inputs, ([, name = '']) => name);
    const cast = [...fields].map(([name, found]) => [name, found.map(([, , value = '']) => value)]);
    const confirmed = await service.submit(action, Object.fromEntries(cast));
    expect(confirmed.body).toContain('class="thanks"');
    expect((await service.post(action, { token: second, ...json })).statusCode).toBe(200);

    await service.post(`/admin/elections/${id}/close`);
    const exported = (await service.get(`/admin/elections/${id}/export?format=json`)).json();
    expect(exported.ballots).toHaveLength(2);
    expect(exported.ballots[0]).toEqual(exported.ballots[1]);
    expect((await page(service, `/e/${id}`)).body).toContain('All ballots are the same');
    expect((await page(service, `/e/${id}/results?wall=1`)).statusCode).toBe(200);
    expect((await page(service, `/admin/elections/${id}/manual-results`)).statusCode).toBe(200);
  });
});
