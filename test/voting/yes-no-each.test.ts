import { beforeAll, expect, test } from 'vitest';
import { sha256 } from '#kernel/secrets.ts';
import type { TestApp } from '#test/support/app.ts';
import {
  addElection,
  addPoll,
  addTokens,
  cast,
  castAll,
  openElection,
  page,
} from '#test/support/factories.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { recount } from '#test/support/process/recount.ts';
import { sharedApp } from '#test/support/shared-app.ts';
import { addCodes, addPaper, castPaper } from './ballot-papers/a-paper.ts';

const serviceOf = sharedApp();
let service: TestApp;
beforeAll(async () => {
  service = await serviceOf();
});

const NAMES = ['Ivy Cole', 'Hugh Birch', 'Lee Ford'];
const add = (settings: object = {}, fields: object = {}) =>
  addPoll(service, NAMES, { ballot_type: 'YES_NO_EACH', title: 'The committee', settings, ...fields });
const close = (id: string) => service.post(`/admin/elections/${id}/close`);
const resultsOf = async (id: string) => (await service.get(`/e/${id}/results`)).json();

type Word = 'yes' | 'no' | 'abstain';
const answersOf = (ids: Record<string, string>, answers: Record<string, Word>) => ({
  answers: Object.fromEntries(Object.entries(answers).map(([name, answer]) => [ids[name], answer])),
});
const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item);

/** Ivy and Hugh are elected, Lee is not. */
async function decided(settings: object = {}) {
  const { id, ids } = await add(settings);
  await castAll(service, id, [
    ...times(8, answersOf(ids, { 'Ivy Cole': 'yes', 'Hugh Birch': 'yes', 'Lee Ford': 'no' })),
    ...times(3, answersOf(ids, { 'Ivy Cole': 'yes', 'Hugh Birch': 'no' })),
  ]);
  return { id, ids };
}

test('a ballot answers each; what it leaves out is an abstention', async () => {
  const { id, ids } = await decided({ seats: 3 });
  await close(id);

  const { results, total_ballots } = await resultsOf(id);
  expect(total_ballots).toBe(11);
  expect(results).toEqual({
    method: 'majority',
    variant: 'yes or no to each',
    options: [
      { id: ids['Ivy Cole'], name: 'Ivy Cole', yes: 11, no: 0, abstain: 0 },
      { id: ids['Hugh Birch'], name: 'Hugh Birch', yes: 8, no: 3, abstain: 0 },
      { id: ids['Lee Ford'], name: 'Lee Ford', yes: 0, no: 8, abstain: 3 },
    ],
    majority: { share: 'more_than_half', of: 'yes_no' },
    seats: 3,
    elected: [ids['Ivy Cole'], ids['Hugh Birch']],
    tied_for_last: [],
    open_seats: 1,
    next: { unelected: [ids['Lee Ford']], all: NAMES.map((name) => ids[name]) },
    winners: [ids['Ivy Cole'], ids['Hugh Birch']],
    tied: false,
    quorum: null,
    quorum_met: null,
    blank: 0,
    valid: true,
  });
});

test.each<[string, (ids: Record<string, string>) => unknown]>([
  ['no answer', () => ({})],
  ['no answers', () => undefined],
  ['a list', (ids) => [ids['Ivy Cole']]],
  ['another word', (ids) => ({ [ids['Ivy Cole']!]: 'perhaps' })],
  ['a stranger', () => ({ stranger: 'yes' })],
  ['more Yes than allowed', (ids) => Object.fromEntries(NAMES.map((name) => [ids[name], 'yes']))],
])('%s is a 400 that names the answers and consumes no code', async (_what, answers) => {
  const { id, ids } = await add({ max_yes: 2 });
  const [token] = await addTokens(service, id, 1);

  const refused = await cast(service, id, { token, answers: answers(ids) });
  expect([refused.statusCode, refused.json().errors.map((error: { path: string }) => error.path)]).toEqual([
    400,
    ['answers'],
  ]);
  const accepted = await cast(service, id, { token, ...answersOf(ids, { 'Ivy Cole': 'yes' }) });
  expect(accepted.statusCode).toBe(200);
});

test('it is created with options, at least one, and takes ballots at its own route', async () => {
  const fields = { ballot_type: 'YES_NO_EACH', options: [] };
  const none = await service.post('/admin/elections', openElection(service, fields));
  expect([none.statusCode, none.json().errors[0].path]).toEqual([400, 'options']);
  const tooMany = { ...fields, options: NAMES, settings: { max_yes: 4 } };
  const refused = await service.post('/admin/elections', openElection(service, tooMany));
  expect([refused.statusCode, refused.json().errors[0].path]).toEqual([400, 'settings.max_yes']);

  const id = await addElection(service, { ...fields, options: ['Ivy Cole'] });
  const { election } = (await service.get(`/e/${id}`)).json();
  const [token] = await addTokens(service, id, 1);
  const answers = { [election.options[0].id]: 'yes' };
  expectRefusal(await cast(service, id, { token, answers }, 'vote/poll'), 400, 'wrong_ballot_route', {
    route: 'vote',
  });
  expect((await cast(service, id, { token, answers })).statusCode).toBe(200);
});

test('an officer makes it with the form, and a voter without script reviews and casts it', async () => {
  const made = await service.submit('/admin/elections', {
    ...(openElection(service, { ballot_type: 'YES_NO_EACH', title: 'The new committee' }) as object),
    options: NAMES.join('\n'),
    'settings.seats': '2',
    'settings.max_yes': '2',
    'settings.min_choices': '',
    'settings.threshold.share.kind': '',
    'settings.threshold.of': 'valid',
  });
  const id = /elections\/([^?]+)/.exec(String(made.headers.location))?.[1] ?? '';
  const { election } = (await service.get(`/e/${id}`)).json();
  expect(election.settings).toMatchObject({ seats: 2, max_yes: 2, threshold: null });
  const [ivy = '', hugh = '', lee = ''] = election.options.map((option: { id: string }) => option.id);
  const [token = ''] = await addTokens(service, id, 1);

  const ballot = (await page(service, `/e/${id}/vote?t=${token}`)).body;
  expect(ballot).toContain('Say yes or no to each of 3, or abstain');
  expect(ballot).toContain('A ballot has at most 2 Yes. 2 are elected.');
  const tooMany = await service.submit(`/e/${id}/vote/review`, {
    token,
    ...Object.fromEntries([ivy, hugh, lee].map((one) => [`answers.${one}`, 'yes....'])),
  });
  expect(tooMany.statusCode).toBe(400);
  expect(tooMany.body).toContain(message('choose_fewer_yes', { limit: 2 }));
  // What was entered stays.
  expect(tooMany.body.match(/ checked/g)).toHaveLength(3);

  const chosen = { [`answers.${ivy}`]: 'yes....', [`answers.${lee}`]: 'no.....' };
  const review = await service.submit(`/e/${id}/vote/review`, { token, ...chosen });
  const words = review.body.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  expect(words).toContain('You vote Ivy Cole Yes Hugh Birch Abstain Lee Ford No');
  const fields = { [`answers.${ivy}`]: 'yes', [`answers.${hugh}`]: 'abstain', [`answers.${lee}`]: 'no' };
  const confirmed = await service.submit(`/e/${id}/vote`, { token, ...fields });
  expect(confirmed.body).toContain('class="thanks"');
  await close(id);
  expect((await resultsOf(id)).results.options.map((option: object) => Object.values(option))).toEqual([
    [ivy, 'Ivy Cole', 1, 0, 0],
    [hugh, 'Hugh Birch', 0, 0, 1],
    [lee, 'Lee Ford', 0, 1, 0],
  ]);
});

test('the same words on page, wall and home page; figures are hidden until the close', async () => {
  const { id } = await decided({ hide_results_until_close: true, publish_results_to_home: true });
  expectRefusal(await service.get(`/e/${id}/results`), 403, 'results_hidden');
  expect((await page(service, `/e/${id}`)).body).not.toContain('Elected');
  await close(id);

  const said = (html: string) => html.replace(/<[^>]+>/g, '');
  const outcome = 'Elected: Ivy Cole (11), Hugh Birch (8).';
  for (const address of [`/e/${id}`, `/e/${id}/results?wall=1`, '/'])
    expect([address, said((await page(service, address)).body)]).toEqual([
      address,
      expect.stringContaining(outcome),
    ]);
  const certified = (await page(service, `/admin/elections/${id}/manual-results`)).body;
  for (const name of NAMES) expect(certified).toContain(`value="${name}"`);
});

test('list, exports, receipts and recount name each answer', async () => {
  const { id, ids } = await add({ receipts: 'content' });
  const [token = '', ...others] = await addTokens(service, id, 11);
  const answers = answersOf(ids, { 'Ivy Cole': 'yes', 'Lee Ford': 'no' });
  const { inclusion_code } = (await cast(service, id, { token, ...answers })).json();
  for (const other of others) await cast(service, id, { token: other, ...answers });
  await close(id);

  const listed = (await service.get(`/e/${id}/ballots.json`)).json();
  const ballot = { 'Ivy Cole': 'yes', 'Hugh Birch': 'abstain', 'Lee Ford': 'no' };
  expect(listed.ballots).toEqual(times(11, ballot));
  expect(listed.receipts).toContain(sha256(`${inclusion_code}:${JSON.stringify(ballot)}`));
  const check = await service.post(`/e/${id}/check`, { code: inclusion_code });
  expect(check.json()).toMatchObject({ found: true, altered: false, ballot });
  const [head, first] = (await service.get(`/e/${id}/ballots.csv`)).body.split('\r\n');
  expect(head).toContain('receipt,Ivy Cole,Hugh Birch,Lee Ford,');
  expect(first).toContain(',yes,abstain,no,');
  const csv = (await service.get(`/admin/elections/${id}/export?format=csv`)).body;
  expect(csv.split('\r\n').slice(0, 2)).toEqual(['\ufeffIvy Cole,Hugh Birch,Lee Ford', 'yes,abstain,no']);
  const exported = (await service.get(`/admin/elections/${id}/export?format=json`)).json();
  expect(exported.ballots[0]).toEqual(ballot);

  const { code, out } = await recount(exported);
  expect(out).toContain('Elected: Ivy Cole (11).');
  expect(code).toBe(0);
});

test('it is a question of a ballot paper, on its form and in JSON', async () => {
  const question = (title: string) => ({ title, ballot_type: 'YES_NO_EACH', options: NAMES });
  const paper = await addPaper(service, [question('The committee'), question('The auditors')]);
  const [first = '', second = ''] = paper.questions;
  const [code = '', other = ''] = await addCodes(service, paper.id, 2);
  const optionsOf = async (id: string): Promise<string[]> =>
    (await service.get(`/e/${id}`)).json().election.options.map((option: { id: string }) => option.id);
  const [ivy = '', hugh = ''] = await optionsOf(first);
  const [auditor = ''] = await optionsOf(second);

  const shown = (await page(service, `/p/${paper.id}/vote?t=${code}`)).body;
  const ids = [...shown.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  const review = await service.submit(`/p/${paper.id}/vote/review`, {
    token: code,
    submission_id: 'once',
    [`${first}.answers.${ivy}`]: 'yes....',
    [`${first}.answers.${hugh}`]: 'no.....',
    [`${second}.answers.${auditor}`]: 'abstain',
  });
  const [form = ''] = /<form method="post" action="[^"]+" data-cast[\s\S]*?<\/form>/.exec(review.body) ?? [];
  const fields = [...form.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const cast = await service.submit(`/p/${paper.id}/vote`, Object.fromEntries(fields));
  expect(cast.body).toContain('recorded');
  const answers = { [first]: { answers: { [ivy]: 'yes' } } };
  const json = await castPaper(service, paper.id, { token: other, submission_id: 'twice', answers });
  expect(json.json()).toMatchObject({ success: true, waiting: [second] });

  await close(first);
  expect(
    (await resultsOf(first)).results.options.map(({ yes, no }: { yes: number; no: number }) => [yes, no]),
  ).toEqual([
    [2, 0],
    [0, 1],
    [0, 0],
  ]);
});
