import { beforeAll, describe, expect, it } from 'vitest';
import type { BallotType } from '#kernel/db/schema/voting.ts';
import { sha256 } from '#kernel/secrets.ts';
import type { TestApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, cast, page } from '#test/support/factories.ts';
import { fieldJson, message } from '#test/support/messages.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { countBallotTexts, spellBallots } from '#voting/shared/ballot-file.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

interface Made {
  id: string;
  route: string;
  choice: object;
  /** What the ballot shows for an abstention. */
  abstain: string;
}

async function ranked(settings: object, ballot_type: BallotType): Promise<Made> {
  const { id, ids } = await addRanked(service, ['Ann', 'Bob'], { settings, ballot_type });
  const choice = { ranking: [ids.Bob, ids.Ann] };
  return { id, route: 'vote', choice, abstain: '>I abstain</button>' };
}

const TYPES: Record<BallotType, (settings: object) => Promise<Made>> = {
  SIMPLE_TRIPLE: async (settings) => ({
    id: await addElection(service, { settings }),
    route: 'vote',
    choice: { choice: 'yes' },
    abstain: 'I abstain',
  }),
  POLL: async (settings) => {
    const { id, ids } = await addPoll(service, ['Tea', 'Milk'], { settings });
    return { id, route: 'vote/poll', choice: { selected_option: ids.Tea }, abstain: '>I abstain</button>' };
  },
  RANKED_CONDORCET: (settings) => ranked(settings, 'RANKED_CONDORCET'),
  RANKED_STV: (settings) => ranked(settings, 'RANKED_STV'),
  YES_NO_EACH: async (settings) => {
    const { id, ids } = await addPoll(service, ['Ann', 'Bob'], { settings, ballot_type: 'YES_NO_EACH' });
    const choice = { answers: { [ids.Ann!]: 'yes' } };
    return { id, route: 'vote', choice, abstain: '>I abstain</button>' };
  },
};

const resultsOf = async (id: string) => (await service.get(`/e/${id}/results`)).json();
const close = (id: string) => service.post(`/admin/elections/${id}/close`);

describe.each(Object.entries(TYPES))('a blank ballot of %s', (type, make) => {
  it('is refused unless the election allows it, and with a choice', async () => {
    const { id, route, choice } = await make({});
    const allowing = await make({ allow_blank: true });
    const [token] = await addTokens(service, id, 1);
    const [other] = await addTokens(service, allowing.id, 1);
    const refusals = [
      await cast(service, id, { token, blank: true }, route),
      await cast(service, allowing.id, { token: other, blank: true, ...allowing.choice }, route),
      await cast(service, allowing.id, { token: other, blank: 'perhaps' }, route),
    ];

    expect(refusals.map((answer) => [answer.statusCode, answer.json().errors])).toEqual([
      [400, [fieldJson('blank', 'no_blank_ballots')]],
      [400, [fieldJson('blank', 'blank_with_choice')]],
      [400, [fieldJson('blank', 'not_true_or_false')]],
    ]);
    // Nothing was consumed.
    expect((await cast(service, id, { token, ...choice, blank: false }, route)).statusCode).toBe(200);
  });

  it('counts for turnout and quorum, and for nobody, in result, list and exports', async () => {
    const { id, route, choice } = await make({ allow_blank: true, quorum: 12, receipts: 'content' });
    const tokens = await addTokens(service, id, 12);
    const codes: string[] = [];
    for (const [at, token] of tokens.entries()) {
      const ballot = at < 2 ? choice : { blank: true };
      codes.push((await cast(service, id, { token, ...ballot }, route)).json().inclusion_code);
    }
    const open = await resultsOf(id);
    await close(id);
    const closed = await resultsOf(id);

    for (const results of [open, closed])
      expect(results).toMatchObject({
        total_ballots: 12,
        turnout: { issued: 12, used: 12 },
        results: { blank: 10, quorum: 12, quorum_met: true, valid: true },
      });
    expect(closed.result_matches).toBe(true);
    const file = (await service.get(`/e/${id}/ballots.json`)).json();
    expect(file.ballots.filter((ballot: unknown) => ballot === 'blank')).toHaveLength(10);
    expect(file.receipts).toContain(sha256(`${codes.at(-1)}:blank`));
    expect(countBallotTexts(file, spellBallots(file)).results).toEqual(closed.results);
    const check = await service.submit(`/e/${id}/check`, { code: codes.at(-1)! });
    expect(check.body).toMatch(/<li>Blank<\/li>/);
    const csv = (await service.get(`/e/${id}/ballots.csv`)).body;
    expect(csv.split('\r\n').filter((line) => line.split(',')[1] === 'blank')).toHaveLength(10);
    for (const format of ['csv', 'json'])
      expect(
        (await service.get(`/admin/elections/${id}/export?format=${format}`)).body.match(/\bblank\b/g)!
          .length,
      ).toBeGreaterThanOrEqual(10);
    const shown = (await page(service, `/e/${id}`)).body;
    expect(shown).toContain('10 ballots are blank.');
    expect((await page(service, `/e/${id}/results?wall=1`)).body).toContain('10 ballots are blank.');
  });

  it('is cast from the ballot in two steps, without script', async () => {
    const { id, route, abstain } = await make({ allow_blank: true });
    const [token = ''] = await addTokens(service, id, 1);
    const without = await make({});
    const [other] = await addTokens(service, without.id, 1);

    expect((await page(service, `/e/${without.id}/${route}?t=${other}`)).body).not.toContain('I abstain');
    expect((await page(service, `/e/${id}/${route}?t=${token}`)).body).toContain(abstain);
    const review = await service.submit(`/e/${id}/vote/review`, { token, blank: 'true.....' });
    expect(review.body).toContain('You abstain');
    const again = await service.submit(`/e/${id}/vote/review`, { token, blank: 'true', step: 'edit' });
    expect([again.statusCode, again.body]).toEqual([200, expect.stringContaining('Review my choice')]);
    expect(again.body).not.toContain(' checked');
    const thanks = await service.submit(`/e/${id}/${route}`, { token, blank: 'true' });
    expect(thanks.body).toContain('class="thanks"');
    expect((await resultsOf(id)).results.blank).toBe(1);
    // The form of an election without blank ballots leads back to the ballot.
    const refused = await service.submit(`/e/${without.id}/vote/review`, { token: other!, blank: 'true' });
    expect([refused.statusCode, refused.body]).toEqual([400, expect.stringContaining(message('not_blank'))]);
  });

  it('alone makes no result', async () => {
    const { id, route } = await make({ allow_blank: true });
    const [token] = await addTokens(service, id, 1);
    await cast(service, id, { token, blank: true }, route);
    await close(id);

    expect((await page(service, `/e/${id}`)).body).toContain('No result: every ballot is blank.');
    expect(type).toBeTruthy();
  });
});

it('is an empty ranking in the Condorcet Election Format', async () => {
  const { id, choice } = await TYPES.RANKED_CONDORCET({ allow_blank: true });
  const tokens = await addTokens(service, id, 2);
  await cast(service, id, { token: tokens[0], ...choice });
  await cast(service, id, { token: tokens[1], blank: true });
  await close(id);

  const cef = (await service.get(`/admin/elections/${id}/export?format=cef`)).body;
  expect(cef.split('\n').slice(3).toSorted()).toEqual(['', '/EMPTY_RANKING/ * 1', 'Bob > Ann * 1']);
});
