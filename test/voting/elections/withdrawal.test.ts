import { expect, it } from 'vitest';
import { isoTime, MINUTE } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addRanked, addTokens, auditOf, cast, page } from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { countBallotTexts, fileQuestion, spellBallots } from '#voting/shared/ballot-file.ts';

const NOTE = 'Moved away on 3 May';

interface Kind {
  type: string;
  fields: object;
  /** Ballots before the withdrawal of Ivy, by names; one after it, and one that still has her. */
  before: string[][];
  after: string[];
  stale: string[];
  /** What the result says, by name or as it is. */
  winners: string[];
  blank: number;
}

const KINDS: Kind[] = [
  {
    type: 'poll/single',
    fields: {},
    before: [['Ivy'], ['Ivy'], ['Lee']],
    after: ['Lee'],
    stale: ['Ivy'],
    winners: ['Lee'],
    blank: 2,
  },
  {
    type: 'poll/multiple',
    fields: { settings: { poll_response_type: 'multiple' } },
    before: [['Ivy', 'Hugh'], ['Ivy'], ['Hugh']],
    after: ['Lee'],
    stale: ['Ivy', 'Lee'],
    winners: ['Hugh'],
    blank: 1,
  },
  {
    type: 'poll/all of three',
    fields: { settings: { poll_response_type: 'multiple', min_choices: 3 } },
    before: [
      ['Ivy', 'Lee', 'Hugh'],
      ['Ivy', 'Lee', 'Hugh'],
      ['Ivy', 'Lee', 'Hugh'],
    ],
    after: ['Hugh', 'Lee'],
    stale: ['Ivy', 'Lee', 'Hugh'],
    winners: ['Lee', 'Hugh'],
    blank: 0,
  },
  {
    type: 'ranked/complete',
    fields: {},
    before: [
      ['Ivy', 'Hugh', 'Lee'],
      ['Ivy', 'Hugh', 'Lee'],
      ['Lee', 'Ivy', 'Hugh'],
    ],
    after: ['Hugh', 'Lee'],
    stale: ['Ivy', 'Hugh', 'Lee'],
    winners: ['Hugh'],
    blank: 0,
  },
  {
    type: 'ranked/partial',
    fields: { settings: { ranking: 'partial' } },
    before: [['Ivy'], ['Ivy', 'Lee'], ['Lee']],
    after: ['Hugh'],
    stale: ['Ivy'],
    winners: ['Lee'],
    blank: 1,
  },
  {
    type: 'stv',
    fields: { ballot_type: 'RANKED_STV', settings: { seats: 1 } },
    before: [['Ivy'], ['Ivy', 'Hugh'], ['Lee', 'Hugh'], ['Ivy', 'Hugh', 'Lee']],
    after: ['Hugh'],
    stale: ['Ivy'],
    winners: ['Hugh'],
    blank: 1,
  },
  {
    type: 'each',
    fields: { ballot_type: 'YES_NO_EACH' },
    before: [
      ['Ivy yes', 'Lee yes', 'Hugh no'],
      ['Ivy yes', 'Lee abstain', 'Hugh abstain'],
      ['Ivy no', 'Lee yes', 'Hugh no'],
    ],
    after: ['Lee no', 'Hugh no'],
    stale: ['Ivy yes'],
    winners: ['Lee'],
    blank: 0,
  },
];

const answers = (ids: Record<string, string>, chosen: string[]) =>
  Object.fromEntries(chosen.map((text) => text.split(' ')).map(([name = '', answer]) => [ids[name], answer]));

const isPoll = ({ type }: Kind) => type.startsWith('poll');

function bodyOf(kind: Kind, ids: Record<string, string>, names: string[]) {
  if (kind.type === 'each') return { answers: answers(ids, names) };
  const chosen = names.map((name) => ids[name]);
  if (!isPoll(kind)) return { ranking: chosen };
  return kind.type === 'poll/single' ? { selected_option: chosen[0] } : { selected_options: chosen };
}

it.each(KINDS)('$type: a withdrawn name is taken off all ballots before the count', async (kind) => {
  await using service = await testApp();
  const names = ['Ivy', 'Lee', 'Hugh'];
  const fields = {
    ...kind.fields,
    settings: { receipts: 'content', ...(kind.fields as Kind['fields'] & { settings?: object }).settings },
  };
  const hasOptions = isPoll(kind) || kind.type === 'each';
  const { id, ids } = await (hasOptions ? addPoll : addRanked)(service, names, fields);
  const tokens = await addTokens(service, id, 5);
  const next = tokens[kind.before.length];
  const vote = (token: string | undefined, chosen: string[], more: object = {}) =>
    cast(service, id, { token, ...bodyOf(kind, ids, chosen), ...more }, isPoll(kind) ? 'vote/poll' : 'vote');
  const code = 'a'.repeat(32);
  const [first, ...others] = kind.before;
  expect((await vote(tokens[0], first!, { inclusion_code: code })).statusCode).toBe(200);
  for (const [index, chosen] of others.entries()) await vote(tokens[index + 1], chosen);
  const part = hasOptions ? 'options' : 'candidates';

  const withdraw = () => service.post(`/admin/elections/${id}/${part}/${ids.Ivy}/withdraw`, { note: NOTE });
  expect((await withdraw()).json()).toEqual({ success: true });
  expect((await withdraw()).json().error).toBe(message('withdrawn_already'));

  for (const url of [`/e/${id}`, `/e/${id}/${isPoll(kind) ? 'vote/poll' : 'vote'}?t=${next}`]) {
    const { body } = await page(service, url);
    expect([url, body.includes(NOTE), body.includes(ids.Ivy!)]).toEqual([url, true, false]);
  }
  expect((await vote(next, kind.stale)).statusCode).toBe(400);
  expect((await vote(next, kind.after)).statusCode).toBe(200);

  await service.post(`/admin/elections/${id}/close`);
  const { results, total_ballots, result_matches } = (await service.get(`/e/${id}/results`)).json();
  const winners = kind.winners.map((name) => ids[name]);
  expect([total_ballots, results.blank, results.winners ?? results.elected, result_matches]).toEqual([
    kind.before.length + 1,
    kind.blank,
    winners,
    true,
  ]);
  expect((await page(service, `/e/${id}/results?wall=1`)).body).toContain('Withdrawn before the count: Ivy.');
  const listed: { id: string }[] = results.options ?? results.candidates;
  expect(listed.map((option) => option.id)).toEqual([ids.Lee, ids.Hugh]);
  const { election } = (await service.get(`/e/${id}`)).json();
  expect(election[part][0].withdrawn).toEqual({ at: isoTime(service.clock.now), note: NOTE });
  expect((await page(service, `/e/${id}`)).body).toContain(NOTE);

  // The exported file counts to the same result, and the question is still the one of the opening.
  const file = (await service.get(`/admin/elections/${id}/export?format=json`)).json();
  expect(countBallotTexts(file, spellBallots(file)).results).toEqual(results);
  expect(sha256(fileQuestion(file))).toBe(file.question_sha256);
  if (!hasOptions) {
    const format = kind.type === 'stv' ? 'blt' : 'cef';
    const exported = await service.get(`/admin/elections/${id}/export?format=${format}`);
    expect([exported.statusCode, exported.body.includes('Ivy')]).toEqual([200, false]);
  }
  const checked = await service.post(`/e/${id}/check`, { code });
  const pairs = first!.map((text) => text.split(' '));
  const ballot = kind.type === 'each' ? Object.fromEntries(pairs) : first;
  expect(checked.json()).toEqual({ found: true, ballot, altered: false });
});

async function running(service: TestApp, fields: object = {}) {
  const { id, ids } = await addRanked(service, ['Ivy', 'Lee'], { none_of_the_above: true, ...fields });
  const [token] = await addTokens(service, id, 2);
  const { candidates } = (await service.get(`/e/${id}`)).json().election;
  await cast(service, id, { token, ranking: candidates.map((one: { id: string }) => one.id) });
  const path = (of: string) => `/admin/elections/${id}/candidates/${of}/withdraw`;
  return { id, ids, path, none: candidates.at(-1).id as string };
}

it('is refused without a note, for none of the above, and after the close', async () => {
  await using service = await testApp();
  const { id, ids, path, none } = await running(service);
  const refused = await service.submit(path(ids.Ivy!), { note: ' ' });
  expect([refused.statusCode, refused.body.includes('Error: Withdraw Ivy')]).toEqual([400, true]);
  expect((await service.post(path(none), { note: NOTE })).json().error).toBe(
    message('none_of_the_above_stands'),
  );
  await service.post(`/admin/elections/${id}/close`);
  expect((await service.post(path(ids.Ivy!), { note: NOTE })).json().error).toBe(
    message('withdrawn_before_close'),
  );
});

it('removes the name before the opening', async () => {
  await using service = await testApp();
  const fields = { open_at: isoTime(service.clock.now + MINUTE) };
  const { id, ids } = await addRanked(service, ['Ivy', 'Lee', 'Hugh'], fields);
  const url = `/admin/elections/${id}/candidates/${ids.Ivy}/withdraw`;
  expect((await service.post(url, { note: NOTE })).statusCode).toBe(200);
  const { candidates } = (await service.get(`/e/${id}`)).json().election;
  expect(candidates.map(({ name }: { name: string }) => name)).toEqual(['Lee', 'Hugh']);
  expect((await auditOf(service, id)).map(({ action }) => action)).toContain('candidate.removed');
});

it('is in the public history, by the form, and a withdrawal that the log does not know is found', async () => {
  await using service = await testApp();
  const { id, ids, path } = await running(service);
  const done = await service.submit(path(ids.Ivy!), { note: NOTE });
  expect(done.headers.location).toBe(`/admin/elections/${id}/ballot?done=candidate-withdrawn#candidates`);
  expect((await page(service, `/admin/elections/${id}/ballot`)).body).toContain('Withdrawn');
  const history = (await page(service, `/e/${id}`)).body;
  expect([history.includes('was withdrawn, by'), history.includes('are not those that the log')]).toEqual([
    true,
    false,
  ]);

  await service.ctx.write((tx) =>
    tx.run(
      build.updateTable('options').set({ withdrawn_at: 1, withdrawn_note: '' }).where('id', '=', ids.Lee!),
    ),
  );
  service.clock.now += MINUTE;
  expect((await page(service, `/e/${id}`)).body).toContain('are not those that the log');
});

it('a yes-or-no question has nobody to withdraw', async () => {
  await using service = await testApp();
  const id = await addElection(service);
  const answer = await service.post(`/admin/elections/${id}/candidates/x/withdraw`, { note: NOTE });
  expectRefusal(answer, 404, 'candidate_not_found');
});
