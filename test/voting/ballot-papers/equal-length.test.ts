import { expect, test } from 'vitest';
import { testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { addCodes, addPaper, castPaper, motion } from './a-paper.ts';

type Pairs = [name: string, value: string][];

/** The fields of the form with this action. */
function formOf(text: string, action: string): Pairs {
  const [, inside = ''] = new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  return [...inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
}

const NAMES = ['Jo', 'Anne-Sophie & “Co” <Ltd>', 'Łukasz Żółć'];

test('review, body of the cast and the paper shown again have one length whatever is chosen or left out', async () => {
  await using service = await testApp({ RATE_LIMIT_GENERAL: '100000' });
  const { id } = await addPaper(
    service,
    [
      motion('A'),
      {
        title: 'B',
        ballot_type: 'POLL',
        options: NAMES,
        settings: { poll_response_type: 'multiple', allow_blank: true },
      },
      { title: 'C', ballot_type: 'RANKED_CONDORCET', candidates: NAMES, settings: { ranking: 'partial' } },
    ],
    { settings: { receipts: 'content', hide_results_until_close: true } },
  );
  const { questions } = (await service.get(`/p/${id}`)).json();
  const [motionId, pollId, rankedId] = questions.map((one: { id: string }) => one.id);
  const optionIds: string[] = questions[1].options.map((one: { id: string }) => one.id);
  const rankedIds: string[] = questions[2].candidates.map((one: { id: string }) => one.id);
  const [path, review] = [`/p/${id}/vote`, `/p/${id}/vote/review`];
  const [code = ''] = await addCodes(service, id, 5);
  const ballot = formOf((await page(service, `${path}?t=${code}`)).body, review);

  const motions: Pairs[] = [
    [],
    ...['yes....', 'no.....', 'abstain'].map((choice): Pairs => [[`${motionId}.choice`, choice]]),
  ];
  const polls: Pairs[] = [
    [],
    [[`${pollId}.blank`, 'true']],
    ...optionIds.map((option): Pairs => [[`${pollId}.selected_options`, option]]),
    optionIds.map((option) => [`${pollId}.selected_options`, option]),
  ];
  const ranked: Pairs[] = [
    [],
    ...rankedIds.map((candidate): Pairs => [[`${rankedId}.rank_${candidate}`, '1']]),
    rankedIds.map((candidate, at) => [`${rankedId}.rank_${candidate}`, String(at + 1)]),
  ];
  const kinds = [motions, polls, ranked];
  // Each question is filled up by itself: one of them differs at a time.
  const all = kinds.flatMap((own, at) =>
    own.map((fields) => kinds.flatMap((others, index) => (index === at ? fields : others[1]!))),
  );
  const seen = {
    review: new Set<number>(),
    cast: new Set<number>(),
    again: new Set<number>(),
    sent: new Set<number>(),
  };
  const submit = (url: string, fields: Pairs) =>
    service.request({
      method: 'POST',
      url,
      payload: String(new URLSearchParams(fields)),
      headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
    });
  // One length for each number of questions that are answered: that is public anyway once the ballots are in.
  const answered = (fields: Pairs) => new Set(fields.map(([name]) => name.split('.')[0])).size;
  for (const fields of all.filter((one) => answered(one) === 3)) {
    const looked = await submit(review, [...ballot, ...fields]);
    expect(looked.body).toContain('Are these your votes?');
    const cast = formOf(looked.body, path);
    const edit = formOf(looked.body, review);
    const again = await submit(review, [...edit, ['step', 'edit']]);
    seen.review.add(looked.rawPayload.length);
    seen.cast.add(String(new URLSearchParams(cast)).length);
    seen.sent.add(String(new URLSearchParams(edit)).length);
    seen.again.add(again.rawPayload.length);
  }
  const wrong = rankedIds.map((candidate): [string, string] => [`${rankedId}.rank_${candidate}`, '1']);
  const refused = await submit(review, [...ballot, ...wrong]);
  seen.again.add(refused.rawPayload.length);

  for (const lengths of Object.values(seen)) expect([...lengths]).toHaveLength(1);
  expect(refused.statusCode).toBe(400);
  const left = await Promise.all(
    all.filter((one) => answered(one) === 2).map((fields) => submit(review, [...ballot, ...fields])),
  );
  const bodies = new Set(left.map(({ body }) => String(new URLSearchParams(formOf(body, path))).length));
  expect(new Set(left.map(({ rawPayload }) => rawPayload.length)).size).toBe(1);
  expect([...bodies]).toEqual([...seen.cast]);
  expect((await castPaper(service, id, { token: code, answers: {} })).statusCode).toBe(400);
});

test('where one vote is left to cast the review speaks of one, in one length whatever is chosen', async () => {
  await using service = await testApp({ RATE_LIMIT_GENERAL: '100000' });
  const { id, questions } = await addPaper(service, [motion('A'), motion('B')]);
  await service.post(`/admin/elections/${questions[1]}/close`);
  const [path, review] = [`/p/${id}/vote`, `/p/${id}/vote/review`];
  const [code = ''] = await addCodes(service, id, 5);
  const ballot = formOf((await page(service, `${path}?t=${code}`)).body, review);
  const look = (choice: string) =>
    service.submit(review, Object.fromEntries([...ballot, [`${questions[0]}.choice`, choice]]));

  const looked = await Promise.all(['yes....', 'no.....', 'abstain'].map(look));
  for (const { body } of looked) {
    expect(body).toContain('Is this your vote?');
    expect(body).toContain('Cast my vote</button>');
    expect(body).toContain('Change my answer</button>');
    expect(body).not.toContain('Leave out for now');
  }
  expect(new Set(looked.map(({ rawPayload }) => rawPayload.length)).size).toBe(1);
  const cast = looked.map(({ body }) => String(new URLSearchParams(formOf(body, path))).length);
  expect(new Set(cast).size).toBe(1);
});
