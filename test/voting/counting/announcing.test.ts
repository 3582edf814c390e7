import { expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addPoll, addRanked, auditOf, castAll } from '#test/support/factories.ts';
import { errorJson, expectForbidden, expectRefusal, message, refusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openElectorate, person } from '../electors/electorate.ts';

const REFUSED = errorJson('results_not_announced');
const AWAITED = 'The result will be announced.';
/** Nothing but the outcome of the ballots below says this. */
const OUTCOME = /Ivy(<\/\w+>)? (wins|is elected)|\bElected:|winner/i;
const FIGURES = /\b(7|70 ?%)\b/;

type Headers = Record<string, string>;

const pageOf = async (service: TestApp, url: string, who: Headers = {}) =>
  service.get(url, { ...who, accept: 'text/html' });

/** An election of ten ballots that an officer announces, open until `close` is called. */
async function awaited(service: TestApp, fields: { settings?: object } = {}) {
  const settings = { announce: 'by_officer', receipts: 'content', publish_results_to_home: true };
  const { id, ids } = await addRanked(service, ['Ivy', 'Lee', 'Hugh'], {
    settings: { hide_results_until_close: true, ...settings, ...fields.settings },
  });
  const ranking = (...names: string[]) => ({ ranking: names.map((name) => ids[name]) });
  await castAll(service, id, [
    ...Array(7).fill(ranking('Ivy', 'Lee', 'Hugh')),
    ...Array(3).fill(ranking('Lee', 'Ivy', 'Hugh')),
  ]);
  return id;
}

async function club() {
  const service = await testApp({ ELECTIONS_NEED_ROLE: 'on' });
  const officer = await appoint(service, 'olga@club.example', 'officer');
  const auditor = await appoint(service, 'audrey@club.example', 'auditor');
  return { service, officer, auditor };
}

const JSON_READERS = [
  '/e/ID/results',
  '/e/ID/results?refresh=1',
  '/e/ID/results/matrix',
  '/e/ID/ballots.json',
  '/e/ID/ballots.csv',
  '/e/ID/recount',
];
const PAGES = ['/e/ID', '/e/ID/results?wall=1', '/', '/archive'];
const OFFICERS_JSON = ['results-preview', 'export', 'export?format=json', 'export?format=cef'];
const OFFICERS_PAGES = ['results-preview', 'chair'];

it('hides a result that is not announced from everybody but who certifies, and shows it to all after', async () => {
  const { service, officer, auditor } = await club();
  await using _ = service;
  const id = await awaited(service);
  const at = (url: string) => url.replace('ID', id);
  await service.post(`/admin/elections/${id}/close`, {}, officer);
  const admin = (url: string) => `/admin/elections/${id}/${url}`;

  for (const url of JSON_READERS) {
    const answer = await service.get(at(url));
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 403, REFUSED]);
  }
  for (const url of PAGES) {
    const { body } = await pageOf(service, at(url));
    expect([url, body.includes(AWAITED), OUTCOME.test(body)]).toEqual([url, true, false]);
  }
  const check = await pageOf(service, `/e/${id}/check`);
  expect([check.statusCode, check.body.includes('ballots.json')]).toEqual([200, false]);
  for (const url of OFFICERS_JSON) {
    const answer = await service.get(admin(url), auditor);
    expect([url, answer.statusCode, answer.json()]).toEqual([url, 403, REFUSED]);
    expect([url, (await service.get(admin(url), officer)).statusCode]).toEqual([url, 200]);
  }
  for (const url of OFFICERS_PAGES) {
    const { body } = await pageOf(service, admin(url), auditor);
    expect([url, body.includes('not announced'), OUTCOME.test(body), FIGURES.test(textOf(body))]).toEqual([
      url,
      true,
      false,
      false,
    ]);
    const seen = (await pageOf(service, admin(url), officer)).body;
    expect([url, OUTCOME.test(seen), seen.includes('Announce the result')]).toEqual([url, true, true]);
  }
  expect((await pageOf(service, admin(''), auditor)).body).not.toContain('Announce the result');
  const dashboard = (await pageOf(service, '/admin', auditor)).body;
  expect([dashboard.includes('Its result is not announced yet.'), OUTCOME.test(dashboard)]).toEqual([
    true,
    false,
  ]);
  expect((await pageOf(service, admin('results-email'), officer)).statusCode).toBe(403);
  const mail = await service.post(admin('results-email'), {}, officer);
  expect([mail.statusCode, mail.json()]).toEqual([403, REFUSED]);
  expect((await service.get(`/e/${id}`)).json().election).toMatchObject({
    status: 'closed',
    settings: { announce: 'by_officer' },
    announced_at: null,
  });
  expect((await service.get(admin('published-status'), officer)).json()).toMatchObject({
    results_visible: false,
    reason: 'On the home page; its results appear when they are announced',
  });

  expectForbidden(await service.post(admin('announce'), {}, auditor), 'elections:certify');
  const announced = await service.post(admin('announce'), {}, officer);
  expect([announced.statusCode, announced.json().success]).toEqual([200, true]);
  expect(announced.json().election.announced_at).toBe(isoTime(service.clock.now));

  for (const url of [...JSON_READERS, '/e/ID/check'])
    expect([url, (await service.get(at(url))).statusCode]).toEqual([url, 200]);
  for (const url of PAGES) {
    const { body } = await pageOf(service, at(url));
    expect([url, body.includes(AWAITED), OUTCOME.test(body)]).toEqual([url, false, true]);
  }
  for (const url of OFFICERS_JSON)
    expect([url, (await service.get(admin(url), auditor)).statusCode]).toEqual([url, 200]);
  expect((await pageOf(service, `/e/${id}`)).body).toContain('The result was announced by');
  expect((await pageOf(service, '/admin', auditor)).body).not.toContain('not announced');

  // A repeated request is no failure and no second announcement.
  service.clock.now += HOUR;
  expect((await service.post(admin('announce'), {}, officer)).statusCode).toBe(200);
  const entries = (await auditOf2(service, id, officer)).filter(
    ({ action }) => action === 'results.announced',
  );
  const { ballot_set_sha256 } = (await service.get(`/e/${id}/results`)).json();
  expect(entries.map(({ metadata }) => metadata.ballot_set_sha256)).toEqual([ballot_set_sha256]);
});

const textOf = (body: string) =>
  body.slice(body.indexOf('<main'), body.indexOf('</main>')).replaceAll(/<[^>]*>/g, ' ');

const auditOf2 = async (service: TestApp, id: string, who: Headers) =>
  auditOf({ ...service, get: (url: string) => service.get(url, who) } as TestApp, id);

it.each([
  ['an election whose result everybody sees at the close', { announce: 'at_close' }, 200],
  ['one with live figures, after its close', { hide_results_until_close: false }, 403],
])('%s', async (_, settings, status) => {
  await using service = await testApp();
  const id = await awaited(service, { settings });
  const early = await service.post(`/admin/elections/${id}/announce`);
  expectRefusal(early, 409, 'announced_after_close');
  await service.post(`/admin/elections/${id}/close`);
  const results = await service.get(`/e/${id}/results`);
  const error = status === 403 ? message('results_not_announced') : undefined;
  expect(refusal(results)).toEqual([status, error]);
  expect((await service.post(`/admin/elections/${id}/announce`)).statusCode).toBe(200);
  expect((await service.get(`/e/${id}/results`)).statusCode).toBe(200);
});

it('tells nobody else of a tie, nor of the lot that decided it', async () => {
  const { service, officer, auditor } = await club();
  await using _ = service;
  const settings = { announce: 'by_officer', seats: 1, lot: 'drawn' };
  const { id, ids } = await addPoll(service, ['Ivy', 'Lee'], { settings });
  await castAll(service, id, [{ selected_option: ids.Ivy }, { selected_option: ids.Lee }], 'vote/poll');
  await service.post(`/admin/elections/${id}/close`, {}, officer);
  const told = async (url: string, who: Headers = {}) =>
    /\blots?\b|seat is open|equal votes/i.test(textOf((await pageOf(service, url, who)).body));
  const pages = async (who: Headers) => [
    await told(`/admin/elections/${id}`, who),
    await told(`/admin/elections/${id}/results-preview`, who),
  ];
  expect([await pages(officer), await pages(auditor)]).toEqual([
    [true, true],
    [false, false],
  ]);
  const lot = { order: [ids.Lee, ids.Ivy], drawn_by: 'Olga' };
  expectForbidden(await service.post(`/admin/elections/${id}/lot`, lot, auditor), 'elections:certify');
  expect((await service.post(`/admin/elections/${id}/lot`, lot, officer)).statusCode).toBe(200);
  expect(await told(`/e/${id}`)).toBe(false);
  const contests = [{ label: 'Chair', items: [{ label: 'Lee', votes: 1 }] }];
  const payload = { results: { contests } };
  const url = `/admin/elections/${id}/manual-results`;
  expect((await service.request({ method: 'PUT', url, payload, headers: officer })).statusCode).toBe(200);

  // The log has the acts from the beginning; what they tell of the figures is for those who see them.
  const shown = async (who: Headers) => {
    const log = await auditOf2(service, id, who);
    const { metadata: lot } = log.find(({ action }) => action === 'election.lot_drawn')!;
    const { metadata: figures } = log.find(({ action }) => action === 'results.manual_set')!;
    expect([lot.drawn_by, figures.contests]).toEqual(['Olga', 1]);
    return ['order' in lot, 'figures_sha256' in figures];
  };
  expect([await shown(officer), await shown(auditor)]).toEqual([
    [true, true],
    [false, false],
  ]);
  const telling = new RegExp(`figures_sha256|\\[[^\\]]*${ids.Lee}`);
  for (const address of ['/api/admin/audit', '/admin/pub/audit', '/admin/audit-logs?fold=off'])
    expect([address, telling.test((await service.get(address, { ...auditor, accept: '*/*' })).body)]).toEqual(
      [address, false],
    );
  await service.post(`/admin/elections/${id}/announce`, {}, officer);
  expect(await told(`/e/${id}`)).toBe(true);
  expect(await shown(auditor)).toEqual([true, true]);
});

it('tells the figures of an act that waits for a second person to those who may confirm it alone', async () => {
  const { service, officer, auditor } = await club();
  await using _ = service;
  const owner = await appoint(service, 'otto@club.example', 'owner');
  const id = await awaited(service);
  await service.post(`/admin/elections/${id}/close`, {}, officer);
  expect((await service.post('/admin/approvals/setting', { two_people: true }, owner)).statusCode).toBe(200);
  const results = { contests: [{ label: 'Chair', items: [{ label: 'Ivy', votes: 7 }] }] };
  const url = `/admin/elections/${id}/manual-results`;
  const asked = await service.request({ method: 'PUT', url, payload: { results }, headers: officer });
  expect(asked.statusCode).toBe(202);

  for (const [who, sees] of [
    [owner, true],
    [auditor, false],
  ] as const) {
    const { approvals } = (await service.get('/admin/approvals', who)).json();
    expect(approvals.map(({ details }: { details: unknown[] }) => details.length > 0)).toEqual([sees]);
    expect((await pageOf(service, '/admin/approvals', who)).body.includes('Ivy 7')).toBe(sees);
  }
});

it('can be chosen and given up until the close, with ballots too, and by the form', async () => {
  await using service = await testApp();
  const id = await awaited(service);
  const set = (announce: string) =>
    service.request({
      method: 'PATCH',
      url: `/admin/elections/${id}/settings`,
      payload: { settings: { announce } },
    });
  expect((await set('at_close')).json().election.settings.announce).toBe('at_close');
  expect((await set('somebody')).json().errors).toMatchObject([{ path: 'settings.announce' }]);
  const form = { 'settings.announce': 'by_officer' };
  expect((await service.submit(`/admin/elections/${id}/settings?_method=PATCH`, form)).statusCode).toBe(303);
  expect((await pageOf(service, `/admin/elections/${id}/checks`)).body).toMatch(/by_officer" [^>]*checked/);

  await service.post(`/admin/elections/${id}/close`);
  const late = await set('at_close');
  expect([late.statusCode, late.json().errors]).toMatchObject([409, [{ path: 'settings.announce' }]]);
  expectRefusal(await service.get(`/e/${id}/results`), 403, 'results_not_announced');
  expect((await set('by_officer')).statusCode).toBe(200);
  const home = { 'settings.publish_results_to_home': 'false' };
  expect((await service.submit(`/admin/elections/${id}/settings?_method=PATCH`, home)).statusCode).toBe(303);
});

it('is announced anew after voting was opened again', async () => {
  await using service = await testApp();
  const id = await awaited(service);
  await service.post(`/admin/elections/${id}/close`);
  await service.post(`/admin/elections/${id}/announce`);
  const dates = {
    open_at: isoTime(service.clock.now - HOUR),
    close_at: isoTime(service.clock.now + HOUR),
    reopen: true,
    reason: 'The hall was locked',
  };
  const url = `/admin/elections/${id}/dates`;
  expect((await service.request({ method: 'PATCH', url, payload: dates })).statusCode).toBe(200);
  service.clock.now += HOUR;

  expect((await service.get(`/e/${id}/results`)).json()).toEqual(REFUSED);
  await service.post(`/admin/elections/${id}/announce`);
  expect((await service.get(`/e/${id}/results`)).statusCode).toBe(200);
});

it('is published with the reason when the election is declared void after its close, not before', async () => {
  await using service = await testApp();
  const [open, closed] = [await awaited(service), await awaited(service)];
  await service.post(`/admin/elections/${closed}/close`);
  const body = { reason: 'Wrong roll', repeat: false };
  for (const id of [open, closed])
    expect((await service.post(`/admin/elections/${id}/void`, body)).json()).toEqual({ success: true });

  const stopped = (await service.get(`/e/${open}/results`)).json();
  expect(stopped).toMatchObject({ void: { reason: 'Wrong roll' }, turnout: { used: 10 } });
  expect(stopped).not.toHaveProperty('results');
  const results = (await service.get(`/e/${closed}/results`)).json();
  expect([results.total_ballots, results.void]).toMatchObject([
    10,
    { reason: 'Wrong roll', repeated_by: null },
  ]);
  const { elections } = (await service.get('/admin/elections')).json();
  expect(elections).toHaveLength(2);
});

it('keeps the hash of certified figures from the public history until then', async () => {
  await using service = await testApp();
  const id = await awaited(service);
  await service.post(`/admin/elections/${id}/close`);
  const results = { contests: [{ label: 'Chair', items: [{ label: 'Ivy', votes: 7 }] }] };
  await service.request({
    method: 'PUT',
    url: `/admin/elections/${id}/manual-results`,
    payload: { results },
  });
  const before = (await pageOf(service, `/e/${id}`)).body;
  expect([before.includes('Certified figures were entered'), before.includes('/certified/')]).toEqual([
    true,
    false,
  ]);
  await service.post(`/admin/elections/${id}/announce`);
  expect((await pageOf(service, `/e/${id}`)).body).toContain(`/e/${id}/certified/`);
});

it('the mail of a result goes out after it only, and voters read that it will be announced', async () => {
  await using electorate = await openElectorate();
  const { service, olga, mails } = electorate;
  await electorate.add(person('Ann', 'ann@club.example'));
  const id = await electorate.election({
    settings: { hide_results_until_close: true, announce: 'by_officer' },
  });
  await electorate.invite(id, { roll: {} });
  service.clock.now += HOUR;
  await electorate.sendAll();
  expect((await pageOf(service, `/e/${id}`)).body).toContain('The result is announced after that');
  await service.post(`/admin/elections/${id}/close`, {}, olga);
  const before = mails.mails.length;
  const mail = () => service.post(`/admin/elections/${id}/results-email`, {}, olga);
  expectRefusal(await mail(), 403, 'results_not_announced');
  const form = await service.submit(`/admin/elections/${id}/announce`, {}, olga);
  expect(form.headers.location).toBe(`/admin/elections/${id}?done=announced#results`);
  expect((await mail()).json()).toMatchObject({ success: true });
  await electorate.sendAll();
  expect(mails.mails.length).toBe(before + 1);
});
