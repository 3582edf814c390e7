import { expect, test } from 'vitest';
import { addElection, addPoll, addRanked, addTokens, cast } from '#test/support/factories.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { statementsOf } from '#test/support/statements.ts';
import { addCodes, addPaper, motion } from '#test/voting/ballot-papers/a-paper.ts';
import { beyond } from './budget.ts';

/** What casting costs the database. */
const COST = {
  'a ballot': { statements: 9, rows: 3 },
  'a ballot with a receipt': { statements: 10, rows: 3 },
  'a ranking': { statements: 10, rows: 3 },
  'a choice of a poll': { statements: 10, rows: 3 },
  'a hundred ballots that arrive together': { statements: 213, rows: 300 },
  'a paper of five questions': { statements: 18, rows: 16 },
};

const app = sharedApp({ RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' });
const YES = { choice: 'yes' };

/** Casts with each code once, the first of them before the figures are taken: it opens the election. */
async function costOf(send: (code: string) => Promise<{ statusCode: number }>, [first, ...codes]: string[]) {
  expect((await send(first!)).statusCode).toBe(200);
  const asked = await statementsOf(async () => {
    for (const answer of await Promise.all(codes.map(send))) expect(answer.statusCode).toBe(200);
  });
  return { statements: asked.length, rows: asked.reduce((sum, { written }) => sum + written, 0) };
}

test('a ballot asks the database no more than it did', async () => {
  const service = await app();
  const ballots = async (id: string, ballot: object, { count = 1, route = 'vote' } = {}) => {
    const codes = await addTokens(service, id, count + 1);
    return costOf((token) => cast(service, id, { token, ...ballot }, route), codes);
  };
  const plain = await addElection(service);
  const receipts = await addElection(service, { settings: { receipts: 'content' } });
  const ranked = await addRanked(service, ['Ann', 'Bob', 'Cid']);
  const poll = await addPoll(service, ['Friday', 'Saturday']);
  const paper = await addPaper(
    service,
    ['A', 'B', 'C', 'D', 'E'].map((title) => motion(title)),
  );
  const codes = await addCodes(service, paper.id, 2);
  const answers = Object.fromEntries(paper.questions.map((question) => [question, YES]));
  const sendPaper = (token: string) => service.post(`/p/${paper.id}/vote`, { token, answers });

  const costs = {
    'a ballot': await ballots(plain, YES),
    'a ballot with a receipt': await ballots(receipts, YES),
    'a ranking': await ballots(ranked.id, { ranking: Object.values(ranked.ids) }),
    'a choice of a poll': await ballots(
      poll.id,
      { selected_option: poll.ids.Friday },
      { route: 'vote/poll' },
    ),
    'a hundred ballots that arrive together': await ballots(plain, YES, { count: 100 }),
    'a paper of five questions': await costOf(sendPaper, codes),
  };

  expect(beyond(COST, costs)).toEqual([]);
});
