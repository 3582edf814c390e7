import { describe, expect, it } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { message } from '#test/support/messages.ts';
import { addCodes, addPaper, castPaper, FIVE, motion } from './a-paper.ts';

type Fields = Record<string, string | string[]>;

/** The fields of the form with this action as a browser would send it untouched: hidden ones, checked ones, selects. */
function fieldsOf(body: string, action: string): Fields {
  const form = body.split('<form ').find((part) => part.includes(`action="${action}"`)) ?? '';
  const inputs = form
    .split('</form>')[0]!
    .matchAll(/<input type="(\w+)" name="([^"]+)" value="([^"]*)"([^>]*)>/g);
  const fields: Record<string, string[]> = {};
  for (const [, type, name = '', value = '', rest] of inputs)
    if (type === 'hidden' || rest?.includes(' checked')) fields[name] = [...(fields[name] ?? []), value];
  return Object.fromEntries(
    Object.entries(fields).map(([name, all]) => [name, all.length > 1 ? all : all[0]!]),
  );
}

async function open(service: TestApp, questions: object[], fields: object = {}) {
  const paper = await addPaper(service, questions, fields);
  const [code = ''] = await addCodes(service, paper.id, 6);
  const path = `/p/${paper.id}/vote`;
  return { ...paper, code, path, review: `${path}/review`, ballot: await page(service, `${path}?t=${code}`) };
}

const ballotsOf = (service: TestApp) =>
  service.ctx.db.all(build.selectFrom('ballots').select(['election_id', 'choice']));

describe('a paper without script', () => {
  it('is filled in, looked over, changed and cast, and what was left out waits', async () => {
    await using service = await testApp();
    const { questions, path, review, ballot } = await open(service, FIVE, {
      settings: { receipts: 'included' },
    });
    const [accounts = '', date = '', chair = '', fee = '', rules = ''] = questions;
    const sent = fieldsOf(ballot.body, review);
    const [, saturday = ''] = [...ballot.body.matchAll(/selected_option" value="([^"]+)"/g)].map(
      ([, id]) => id,
    );
    const ranks = [...ballot.body.matchAll(/<select class="input" id="([^"]+)"/g)].map(([, name]) => name!);

    const wrong = await service.submit(review, { ...sent, [ranks[0]!]: '1', [ranks[1]!]: '1' });
    const looked = await service.submit(review, {
      ...sent,
      [`${accounts}.choice`]: 'yes....',
      [`${date}.selected_option`]: saturday!,
      [ranks[0]!]: '2',
      [ranks[1]!]: '1',
      [ranks[2]!]: '3',
      [`${fee}.choice`]: 'no.....',
    });
    const edit = { ...fieldsOf(looked.body, review), step: 'edit' };
    const again = await service.submit(review, edit);
    const { step: _, ...rest } = edit;
    const without = await service.submit(review, { ...rest, leave: fee });
    const cast = await service.submit(path, fieldsOf(without.body, path));

    expect(ballot.statusCode).toBe(200);
    for (const text of ['Question 1 of 5', 'Question 5 of 5', 'The accounts', '5 questions to vote on'])
      expect(ballot.body).toContain(text);
    expect(wrong.statusCode).toBe(400);
    expect(wrong.body).toContain(`href="#${ranks[1]}"`);
    expect(looked.statusCode).toBe(200);
    for (const text of ['Yes', 'Saturday', 'Your order, first choice first', 'You cast 4 of 5 votes now'])
      expect(looked.body).toContain(text);
    expect(fieldsOf(again.body, review)).toMatchObject({
      [`${accounts}.choice`]: 'yes....',
      [`${date}.selected_option`]: saturday,
      [`${fee}.choice`]: 'no.....',
    });
    expect(without.body).toContain('You cast 3 of 5 votes now');
    expect(cast.statusCode).toBe(200);
    expect(cast.body).toContain('3 ballots are in their boxes');
    expect(cast.body).toContain('2 questions wait');
    expect(cast.body).toMatch(/id="inclusion-code"/);
    expect(
      ballotsOf(service)
        .map(({ election_id, choice }) => [election_id, choice])
        .sort(),
    ).toEqual(
      [
        [accounts, 'yes'],
        [date, '[2]'],
        [chair, '[2,1,3]'],
      ].sort(),
    );
    const later = await page(service, `${path}?t=${fieldsOf(without.body, path).token}`);
    expect(later.body.match(/You have voted on this/g)).toHaveLength(3);
    expect(later.body).toContain(`name="${rules}.choice"`);
    expect(later.body).not.toContain(`name="${accounts}.choice"`);
  });

  it.each([
    ['live figures of all questions once, above them', [false, false, false], 6, [1, 0, 0, 0]],
    ['live figures of one question at it', [true, false, true], 6, [0, 0, 1, 0]],
    ['few voters once, above them', [true, true, true], 3, [1, 0, 0, 0]],
    ['few voters and live figures of one question', [true, true, false], 3, [1, 0, 0, 1]],
  ])('warns of %s', async (_what, hidden, voters, expected) => {
    await using service = await testApp();
    const questions = hidden.map((hide_results_until_close) =>
      motion('A', { settings: { hide_results_until_close } }),
    );
    const { id } = await addPaper(service, questions);
    const [code] = await addCodes(service, id, voters);

    const { body } = await page(service, `/p/${id}/vote?t=${code}`);

    expect(body.split('<section ').map((part) => part.split('href="#stored"').length - 1)).toEqual(expected);
  });

  it('takes a large one with every box ticked', async () => {
    await using service = await testApp();
    const options = Array.from({ length: 100 }, (_, at) => `Option ${at}`);
    const poll = {
      title: 'A',
      ballot_type: 'POLL',
      options,
      settings: { poll_response_type: 'multiple', receipts: 'content' },
    };
    const { id, path, review, code, questions } = await open(service, Array(15).fill(poll));
    const all = (await service.get(`/p/${id}`))
      .json()
      .questions.flatMap((question: { id: string; options: { id: string }[] }) =>
        question.options.map((option) => [`${question.id}.selected_options`, option.id]),
      );
    const ticked = Map.groupBy(all as [string, string][], ([name]) => name);
    const fields = Object.fromEntries(
      [...ticked].map(([name, pairs]) => [name, pairs.map(([, one]) => one)]),
    );

    const looked = await service.submit(review, { token: code, submission_id: 's', ...fields });
    const cast = await service.submit(path, fieldsOf(looked.body, path));

    expect([looked.statusCode, cast.statusCode]).toEqual([200, 200]);
    expect(ballotsOf(service)).toHaveLength(questions.length);
  });

  it('asks for an answer where there is none', async () => {
    await using service = await testApp();
    const { review, ballot, questions } = await open(service, [motion('A'), motion('B')]);

    const answer = await service.submit(review, fieldsOf(ballot.body, review));

    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain(message('answer_one_question'));
    expect(answer.body).toContain(`href="#${questions[0]}"`);
  });

  it('says what closed or was answered meanwhile, and casts the rest once it is confirmed', async () => {
    await using service = await testApp();
    const { id, code, path, review, ballot, questions } = await open(service, [
      motion('A'),
      motion('B'),
      motion('C'),
    ]);
    const [a = '', b = '', c = ''] = questions;
    const all = Object.fromEntries(questions.map((question) => [`${question}.choice`, 'yes....']));
    const looked = await service.submit(review, { ...fieldsOf(ballot.body, review), ...all });
    await service.post(`/admin/elections/${a}/close`, {});
    await castPaper(service, id, { token: code, answers: { [b]: { choice: 'no' } } });

    const refused = await service.submit(path, fieldsOf(looked.body, path));
    const stored = ballotsOf(service).length;
    const cast = await service.submit(path, fieldsOf(refused.body, path));
    const done = await page(service, `${path}?t=${code}`);

    expect(refused.statusCode).toBe(403);
    expect(refused.body).toContain('Nothing was cast yet');
    expect(refused.body).toContain('A ballot is in already on “B”.');
    expect(refused.body).toContain('Voting on this question has closed.');
    expect(stored).toBe(1);
    expect(cast.body).toContain('class="thanks"');
    expect(
      ballotsOf(service)
        .map(({ election_id }) => election_id)
        .sort(),
    ).toEqual([b, c].sort());
    expect(done.body).toContain('A ballot was already recorded with this link');
  });

  it.each([
    ['without a code', '', 'Enter your voting code', 0],
    ['with an unknown code', '?t=nonsense', 'This code does not open a ballot', 0],
    ['after the close', undefined, 'Voting has closed', 3 * HOUR],
  ])('%s says what to do', async (_what, query, words, later) => {
    await using service = await testApp();
    const { path, code } = await open(service, [motion('A')]);
    service.clock.now += later;

    const answer = await page(service, `${path}${query ?? `?t=${code}`}`);
    expect((await page(service, `${path}/review`)).headers.location).toBe(path);

    expect(answer.body).toContain(words);
  });
});

describe('the public page of a paper', () => {
  it('lists the questions, then their results', async () => {
    await using service = await testApp();
    const { id, code, questions } = await open(service, [motion('A'), motion('B')], {
      settings: { hide_results_until_close: true },
    });
    await castPaper(service, id, { token: code, answers: { [questions[0]!]: { choice: 'yes' } } });

    const before = await page(service, `/p/${id}`);
    const own = await page(service, `/p/${id}?t=${code}`);
    service.clock.now += 3 * HOUR;
    const after = await page(service, `/p/${id}`);

    expect(before.body).toContain('A ballot paper with 2 questions');
    expect(before.body).toContain('You answer yes or no, or abstain.');
    expect(before.body).not.toContain('1 yes');
    expect(own.body).toContain('1 question waits for you');
    expect(after.body).toContain('Carried: 1 yes to 0 no.');
    expect(after.body).toContain('No ballots were cast.');
  });

  it('is linked from each question', async () => {
    await using service = await testApp();
    const { id, questions } = await open(service, [motion('A'), motion('B')]);

    const question = await page(service, `/e/${questions[1]}`);

    expect(question.body).toContain(`href="/p/${id}"`);
  });

  it('looks up one code on every question', async () => {
    await using service = await testApp();
    const { id, code, questions } = await open(service, [motion('A'), motion('B')], {
      settings: { receipts: 'content' },
    });
    const vote = await castPaper(service, id, {
      token: code,
      answers: { [questions[0]!]: { choice: 'no' } },
    });
    const early = await page(service, `/p/${id}/check`);
    service.clock.now += 3 * HOUR;

    const found = await service.submit(`/p/${id}/check`, { code: vote.json().inclusion_code });
    const bad = await service.submit(`/p/${id}/check`, { code: 'short' });

    expect(early.body).toContain(message('checks_after_close'));
    expect(found.body).toContain('Your ballot is in the box');
    expect(found.body).toContain('There is no ballot with this code on this question.');
    expect(bad.statusCode).toBe(400);
  });
});

describe('the wall of a paper', () => {
  it('shows the turnout while voting is open, and each result that is public after it', async () => {
    await using service = await testApp();
    const { id, questions } = await addPaper(
      service,
      [
        motion('The rules', { settings: { majority: { share: 'two_thirds', of: 'yes_no' } } }),
        { title: 'The board', ballot_type: 'RANKED_STV', candidates: ['Ann', 'Ben'] },
        motion('The fee', { settings: { announce: 'by_officer' } }),
      ],
      { settings: { hide_results_until_close: true } },
    );
    const [rules = '', board = '', fee = ''] = questions;
    const { candidates } = (await service.get(`/p/${id}`)).json().questions[1];
    const codes = await addCodes(service, id, 8);
    for (const [at, token] of codes.slice(0, 5).entries())
      await castPaper(service, id, {
        token,
        answers: {
          [rules]: { choice: at < 3 ? 'yes' : 'no' },
          [board]: { ranking: [candidates[0].id] },
          [fee]: { choice: 'yes' },
        },
      });
    const wall = async () => {
      const { body } = await page(service, `/p/${id}/wall`);
      return body.replaceAll(/<(style|script|svg)[\s\S]*?<\/\1>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
    };

    const open = await wall();
    await service.post(`/admin/papers/${id}/close`);
    const closed = await wall();

    expect(open).toMatch(/The rules The board The fee 5 of 8 have voted/);
    expect(open).not.toMatch(/\byes\b|\bAnn\b|carried/i);
    expect(closed).toContain('The rules Not carried: 3 of 5 votes, 4 were needed');
    expect(closed).toContain('The board Elected: Ann');
    expect(closed).toContain('The fee Voting has closed. The result will be announced.');
  });
});

it('says from how many ballots on the first list of a paper is published', async () => {
  await using service = await testApp();
  const board = { title: 'Board', ballot_type: 'RANKED_STV', candidates: ['A', 'B', 'C', 'D'] };
  const ranked = await open(service, [board]);
  const mixed = await open(service, [board, motion('Rules')]);
  const none = await open(service, [board], { settings: { publish_ballots: false } });

  expect(ranked.ballot.body).toContain('If there are a hundred ballots');
  expect(mixed.ballot.body).toContain('If there are ten ballots');
  expect(none.ballot.body).not.toContain('If there are');
});
