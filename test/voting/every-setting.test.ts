import { beforeAll, expect, test } from 'vitest';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo } from '#test/support/app.ts';
import { addElection, addTokens, cast, page, send } from '#test/support/factories.ts';
import { MOTIONS, PIANO, startLinkedService } from '#test/support/linked-service.ts';
import { recount } from '#test/support/process/recount.ts';
import { afterLast, shared } from '#test/support/shared-app.ts';
import { handlingOf } from '#voting/ballots/ballot-types.ts';
import { countBallotTexts, spellBallots } from '#voting/shared/ballot-file.ts';
import { CASES, type Case, NAMES } from './setting-cases.ts';

const atEnd = afterLast();
const clubOf = shared(async () => {
  const { url, mails } = await startMailServer({}, atEnd);
  const limits = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000', RATE_LIMIT_ADMIN: '100000' };
  return Object.assign(await startLinkedService({ ...mailTo(url), ...limits }), { mails });
});
let club: Awaited<ReturnType<typeof clubOf>>;
beforeAll(async () => {
  club = await clubOf();
});

type Ids = Record<string, string>;
const idOf = (ids: Ids, letter: string): string => ids[NAMES.find((name) => name.startsWith(letter))!] ?? '';

/** A ballot as JSON, and as the fields of its form. */
function ballotOf({ type, settings }: Case, ids: Ids, text: string) {
  if (text === 'blank') return { json: { blank: true }, form: { blank: 'true' } };
  const list = [...text].filter((letter) => /[A-D]/.test(letter)).map((letter) => idOf(ids, letter));
  const answers = [...text.matchAll(/([A-D])([+-])/g)].map(
    ([, letter = '', sign]) => [idOf(ids, letter), sign === '+' ? 'yes' : 'no'] as const,
  );
  const single = !('poll_response_type' in settings);
  const chosen = single ? { selected_option: list[0]! } : { selected_options: list };
  const ranks = Object.fromEntries(list.map((id, at) => [`rank_${id}`, String(at + 1)]));
  const fields = Object.fromEntries(answers.map(([id, answer]) => [`answers.${id}`, answer]));
  const ranked = { json: { ranking: list }, form: ranks };
  return {
    SIMPLE_TRIPLE: { json: { choice: text }, form: { choice: text } },
    POLL: { json: chosen, form: chosen },
    RANKED_CONDORCET: ranked,
    RANKED_STV: ranked,
    YES_NO_EACH: { json: { answers: Object.fromEntries(answers) }, form: fields },
  }[type];
}

/** Casts a ballot with the forms alone. @returns the code that the voter is shown */
async function castByForm(id: string, route: string, token: string, form: Record<string, string | string[]>) {
  const { service } = club;
  expect((await page(service, `/e/${id}/${route}?t=${token}`)).statusCode).toBe(200);
  const review = await service.submit(`/e/${id}/vote/review`, { token, ...form });
  const [found = '', action = ''] =
    /<form method="post" action="([^"]+)" data-cast[\s\S]*?<\/form>/.exec(review.body) ?? [];
  const fields: Record<string, string[]> = {};
  for (const [, name = '', value = ''] of found.matchAll(/name="([^"]+)" value="([^"]*)"/g))
    fields[name] = [...(fields[name] ?? []), value];
  const thanks = await service.submit(action, fields);
  expect(thanks.body).toContain('Your vote has been recorded.');
  return /id="inclusion-code"[^>]*>([^<]+)/.exec(thanks.body)?.[1];
}

const textOf = (body: string) => body.replace(/<[^>]+>/g, '').replace(/\s+/g, ' ');
/** What only a valid result says. */
const WON = /Elected:|Elected without|>Elected<|>Winner<|(?<!Not )Carried:|wall-leads|\bwins\b[:. ]\d/;

const PUBLIC = ['', '/results?wall=1'];
const FIGURES = ['results', 'results/matrix', 'ballots.json', 'ballots.csv', 'recount'];

async function expectSilence(id: string, { outcome, lot }: Case, officers: boolean) {
  const { service } = club;
  const statuses = await Promise.all(
    [
      ...FIGURES.map((under) => `/e/${id}/${under}`),
      ...(officers
        ? ['results-preview', 'export?format=json'].map((under) => `/admin/elections/${id}/${under}`)
        : []),
    ].map(async (url) => (await service.get(url)).statusCode),
  );
  expect(new Set(statuses)).toEqual(new Set([403]));
  const pages = [
    ...PUBLIC.map((under) => `/e/${id}${under}`),
    '/',
    ...(officers ? [`/admin/elections/${id}`] : []),
  ];
  for (const url of pages) {
    const { body } = await page(service, url);
    expect([
      url,
      textOf(body).includes(outcome),
      WON.test(cardOf(body, id)),
      lot && /A lot was/.test(body),
    ]).toEqual([url, false, false, lot && false]);
  }
  const mail = await service.post(`/admin/elections/${id}/results-email`, { emails: ['ann@club.example'] });
  expect(mail.statusCode).toBe(403);
}

/** The part of the home page about one election; any other page as it is. */
function cardOf(body: string, id: string): string {
  const cards = body.split('<article');
  return cards.length < 2 ? body : cards.filter((card) => card.includes(id)).join('');
}

test.each(Object.entries(CASES))('%s: every surface says the same', async (title, one) => {
  const { service, server, mails } = club;
  const { type, settings, invalid, blank = 0, outcome } = one;
  const names = NAMES.slice(0, one.names ?? 3);
  const kind = type.startsWith('RANKED') ? 'candidates' : 'options';
  const id = await addElection(service, {
    title,
    ballot_type: type,
    ...(type !== 'SIMPLE_TRIPLE' && { [kind]: names }),
    settings: { publish_results_to_home: true, ...settings },
  });
  const { election } = (await service.get(`/e/${id}`)).json();
  const ids: Ids = Object.fromEntries(
    (election[kind] ?? []).map(({ id, name }: { id: string; name: string }) => [name, id]),
  );
  const all = one.ballots.flatMap((line) => {
    const [count = '', text = ''] = line.split(' ');
    return Array.from({ length: Number(count) }, (_, at) => ({ text, first: at === 0 }));
  });
  const tokens = await addTokens(service, id, all.length + (one.unused ?? 0));
  const { route } = handlingOf(type);
  const codes: { code: string; text: string }[] = [];
  for (const [at, { text, first }] of all.entries()) {
    const ballot = ballotOf(one, ids, text);
    const token = tokens[at]!;
    if (first) {
      const code = await castByForm(id, route, token, ballot.form as Record<string, string>);
      expect(code !== undefined).toBe('receipts' in settings);
      if (code) codes.push({ code, text });
      continue;
    }
    const answer = await cast(service, id, { token, ...ballot.json }, route);
    expect(answer.json()).toMatchObject({ success: true });
    if ('receipts' in settings) codes.push({ code: answer.json().inclusion_code, text });
  }

  if ('hide_results_until_close' in settings) await expectSilence(id, one, true);
  else {
    const live = (await service.get(`/e/${id}/results`)).json();
    expect([live.status, live.total_ballots, live.results.blank]).toEqual(['open', all.length, blank]);
    for (const under of PUBLIC)
      expect(textOf((await page(service, `/e/${id}${under}`)).body)).toContain('So far: ');
  }
  expect((await service.post(`/admin/elections/${id}/close`)).statusCode).toBe(200);
  if ('announce' in settings) await expectSilence(id, one, false);
  if (one.lot) {
    const order = [...one.lot].map((letter) => idOf(ids, letter));
    const drawn = await service.post(`/admin/elections/${id}/lot`, { order, drawn_by: 'Ada' });
    expect(drawn.statusCode).toBe(200);
  }
  if ('announce' in settings) {
    if (one.lot) await expectSilence(id, one, false);
    expect((await service.post(`/admin/elections/${id}/announce`)).statusCode).toBe(200);
  }

  const json = (await service.get(`/e/${id}/results`)).json();
  expect(json).toMatchObject({
    total_ballots: all.length,
    electors: tokens.length,
    turnout: { issued: tokens.length, used: all.length },
    result_matches: true,
    books: { balanced: true },
    results: {
      valid: !invalid,
      blank,
      ...(one.carried !== undefined && { carried: one.carried }),
      ...(one.elected !== undefined && { elected: [...one.elected].map((letter) => idOf(ids, letter)) }),
    },
  });

  const surfaces = [
    ...PUBLIC.map((under) => `/e/${id}${under}`),
    '/',
    '/archive',
    ...['results-preview', 'chair'].map((under) => `/admin/elections/${id}/${under}`),
  ];
  for (const url of surfaces) {
    const body = cardOf((await page(service, url)).body, id);
    expect([url, textOf(body)]).toEqual([url, expect.stringContaining(outcome)]);
    if (invalid) expect([url, WON.exec(body)?.[0]]).toEqual([url, undefined]);
  }
  mails.length = 0;
  await service.post(`/admin/elections/${id}/results-email`, { emails: ['ann@club.example'] });
  expect(mails).toHaveLength(1);
  expect(textOf(mails[0]!.text)).toContain(outcome);
  expect(textOf(mails[0]!.text)).toContain(`Ballots counted: ${all.length}`);
  if (invalid) expect(WON.exec(mails[0]!.text)).toBeNull();

  const form = (await page(service, `/admin/elections/${id}/manual-results`)).body;
  const votes = [...form.matchAll(/<input(?=[^>]*name="[^"]*\.votes")[^>]*>/g)].flatMap(
    ([input]) => / value="(\d+)"/.exec(input)?.[1] ?? [],
  );
  expect(votes.map(Number)).toEqual(one.proposed ?? []);
  if (invalid) expect(textOf(form)).toMatch(/The result counts only if .* vote/);

  await expectExports(id, one, { total: all.length, results: json.results });
  await expectRecount(id, one, json);
  for (const { code, text } of codes) {
    const { found, ballot } = (await service.post(`/e/${id}/check`, { code })).json();
    expect(found).toBe(true);
    if ((settings as { receipts: string }).receipts !== 'content') continue;
    const spelled = typeof ballot === 'string' ? ballot : JSON.stringify(ballot);
    for (const letter of text.match(/[A-D]/g) ?? [text])
      expect(spelled).toContain(NAMES.find((name) => name.startsWith(letter)) ?? text);
  }
  const linked = { database_id: MOTIONS, page_id: PIANO };
  expect((await service.post(`/admin/elections/${id}/workspace/link`, linked)).statusCode).toBe(200);
  expect(server.requests.at(-1)?.body).toMatchObject({
    properties: { Status: { status: { name: 'Closed' } }, Turnout: { number: all.length } },
  });
  expect(JSON.stringify(server.requests.at(-1)?.body)).not.toMatch(/elected|carried|Ann|Bob/i);
  await send(service, 'DELETE', `/admin/elections/${id}/workspace/link`);
  // The home page has the newest results alone.
  const off = { settings: { publish_results_to_home: false } };
  expect((await send(service, 'PATCH', `/admin/elections/${id}/settings`, off)).statusCode).toBe(200);
});

/** The officers' exports: the same ballots in every format of the type, and no other format. */
async function expectExports(id: string, { type, blank = 0 }: Case, { total, results }: Counted) {
  const get = (format: string) => club.service.get(`/admin/elections/${id}/export?format=${format}`);
  const { formats } = handlingOf(type);
  for (const format of ['cef', 'blt'] as const)
    expect([format, (await get(format)).statusCode]).toEqual([format, formats.includes(format) ? 200 : 400]);
  const csv = (await get('csv')).body.trim().split('\r\n').slice(1);
  expect([csv.length, csv.filter((line) => line.startsWith('blank')).length]).toEqual([total, blank]);
  const file = (await get('json')).json();
  expect([file.total_ballots, file.ballots.length, file.results]).toEqual([total, total, results]);
  const sum = (lines: string[], pattern: RegExp) =>
    lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
  if (formats.includes('cef')) expect(sum((await get('cef')).body.split('\n'), / \* (\d+)$/)).toBe(total);
  if (!formats.includes('blt')) return;
  const blt = (await get('blt')).body.split('\n').slice(1);
  expect(sum(blt, /^(\d+) .* 0$/)).toBe(total - blank);
}

interface Counted {
  total: number;
  results: object;
}

/** The published list, the page that counts it and `npm run recount`, which count with the same code. */
async function expectRecount(
  id: string,
  one: Case,
  published: { results: object; ballot_set_sha256: string },
) {
  const { service } = club;
  const list = await service.get(`/e/${id}/ballots.json`);
  expect(list.statusCode).toBe(one.listed === false ? 404 : 200);
  const source = one.listed === false ? `/admin/elections/${id}/export?format=json` : `/e/${id}/ballots.json`;
  const file = (await service.get(source)).json();
  expect(countBallotTexts(file, spellBallots(file)).results).toEqual(published.results);
  const { code, out } = await recount(file);
  expect([code, out]).toEqual([0, expect.stringContaining(one.outcome)]);
  expect(out).toContain(published.ballot_set_sha256);
  if (one.invalid) expect(out).not.toMatch(WON);
  if (one.listed === false) return;
  const shown = (await page(service, `/e/${id}/recount`)).body;
  const cell = (key: string) =>
    textOf(new RegExp(`data-shown="${key}">(.*?)</span>`, 's').exec(shown)?.[1] ?? '');
  expect([cell('ballots'), cell('figures')]).toEqual([String(file.total_ballots), one.figures]);
  if (one.invalid) expect(cell('winner')).toBe('no valid result');
  else if (one.elected)
    expect(cell('winner').split(', ').toSorted()).toEqual(
      [...one.elected].map((letter) => NAMES.find((name) => name.startsWith(letter))).toSorted(),
    );
}
