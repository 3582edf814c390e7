import { expect, test } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { addCodes, addPaper, motion } from './a-paper.ts';

type Pairs = [name: string, value: string][];

/** The hidden fields of the form with this action. */
function formOf(text: string, action: string): Pairs {
  const [, inside = ''] = new RegExp(`<form [^>]*action="${action}"[^>]*>(.*?)</form>`, 's').exec(text) ?? [];
  return [...inside.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
}

const send = (service: TestApp, url: string, fields: Pairs) =>
  service.request({
    method: 'POST',
    url,
    payload: String(new URLSearchParams(fields)),
    headers: { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' },
  });

test('what was filled in stays, whatever its type, when another question closes before the cast', async () => {
  await using service = await testApp();
  const { id, questions } = await addPaper(service, [
    motion('First'),
    { title: 'Discharge', ballot_type: 'YES_NO_EACH', options: ['Ann', 'Ben', 'Cleo'] },
    { title: 'A date', ballot_type: 'POLL', options: ['Friday', 'Saturday'] },
    { title: 'The chair', ballot_type: 'RANKED_CONDORCET', candidates: ['Dee', 'Eve'] },
  ]);
  const [first = '', each = '', poll = '', ranked = ''] = questions;
  const shown = (await service.get(`/p/${id}`)).json().questions;
  const idsOf = (at: number): string[] =>
    (shown[at].options ?? shown[at].candidates).map((one: { id: string }) => one.id);
  const [ann = '', ben = '', cleo = ''] = idsOf(1);
  const [code = ''] = await addCodes(service, id, 5);
  const path = `/p/${id}/vote`;
  const ballot = formOf((await page(service, `${path}?t=${code}`)).body, `${path}/review`);
  const filled: Pairs = [
    [`${first}.choice`, 'yes'],
    [`${each}.answers.${ann}`, 'yes'],
    [`${each}.answers.${ben}`, 'no'],
    [`${each}.answers.${cleo}`, 'abstain'],
    [`${poll}.selected_option`, idsOf(2)[1] ?? ''],
    [`${ranked}.rank_${idsOf(3)[0]}`, '2'],
    [`${ranked}.rank_${idsOf(3)[1]}`, '1'],
  ];
  const looked = await send(service, `${path}/review`, [...ballot, ...filled]);
  expect(looked.statusCode).toBe(200);
  service.clock.now += MINUTE;
  await service.post(`/admin/elections/${first}/close`);

  const again = await send(service, path, formOf(looked.body, path));
  expect(again.statusCode).toBe(409);
  const rest = formOf(again.body, path);
  const chosen = (fields: Pairs) =>
    fields.filter(([name]) => name.includes('.') && !name.startsWith(first) && !name.endsWith('.filling'));
  expect(chosen(rest)).toEqual(chosen(formOf(looked.body, path)));
  expect(chosen(rest)).toContainEqual([`${each}.answers.${cleo}`, 'abstain']);
  expect((await send(service, path, rest)).statusCode).toBe(200);
  const counts = await Promise.all(
    questions.map(
      async (one) => (await service.get(`/admin/elections/${one}/results-preview`)).json().turnout.used,
    ),
  );
  expect(counts).toEqual([0, 1, 1, 1]);
});

test('a ballot that is shown again is a page of the club, and so is every other one on the way', async () => {
  await using service = await testApp({ CLUB_NAME: 'The Long Bar Club' });
  const { id, questions } = await addPaper(service, [motion('First'), motion('Second')]);
  const [code = ''] = await addCodes(service, id, 5);
  const path = `/p/${id}/vote`;
  const ballot = formOf((await page(service, `${path}?t=${code}`)).body, `${path}/review`);
  const empty = await send(service, `${path}/review`, ballot);
  const looked = await send(service, `${path}/review`, [...ballot, [`${questions[0]}.choice`, 'yes']]);
  const changed = await send(service, `${path}/review`, [
    ...formOf(looked.body, `${path}/review`),
    ['step', 'edit'],
  ]);
  const done = await send(service, path, formOf(looked.body, path));
  expect([empty, looked, changed, done].map(({ statusCode }) => statusCode)).toEqual([400, 200, 200, 200]);
  for (const { body } of [empty, looked, changed, done]) {
    expect(body).toMatch(/<title>[^<]* · The Long Bar Club<\/title>/);
    expect(body).not.toContain('Public House');
  }
  // Its menu has what the club uses, and nothing else.
  const menu = (text: string) => /<nav class="site-menu".*?<\/nav>/s.exec(text)?.[0];
  expect(menu(changed.body)).toBe(menu(looked.body));
});

test('the confirmation of a paper has one length, however many questions were answered', async () => {
  await using service = await testApp();
  const { id, questions } = await addPaper(
    service,
    ['A', 'B', 'C'].map((title) => motion(title)),
    {
      settings: { receipts: 'content', hide_results_until_close: true },
    },
  );
  const codes = await addCodes(service, id, 8);
  const path = `/p/${id}/vote`;
  const lengths = new Set<number>();
  for (const [at, code] of codes.entries()) {
    // Each of the eight sets of questions but the empty one.
    const chosen = questions.filter((_, index) => ((at + 1) >> index) & 1);
    if (chosen.length === 0) continue;
    const ballot = formOf((await page(service, `${path}?t=${code}`)).body, `${path}/review`);
    const looked = await send(service, `${path}/review`, [
      ...ballot,
      ...chosen.map((question): [string, string] => [`${question}.choice`, 'no.....']),
    ]);
    const done = await send(service, path, formOf(looked.body, path));
    expect(done.statusCode).toBe(200);
    lengths.add(done.rawPayload.length);
  }
  expect([...lengths]).toHaveLength(1);
});
