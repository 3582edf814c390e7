import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { priceNames } from '#content/menu-prices.ts';
import { readRule } from '#content/recurrence/rule.ts';
import { SECOND } from '#kernel/clock.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import type { FactTable } from '#kernel/db/facts/places.ts';
import { FACTS } from '#kernel/db/facts/tables.ts';
import { build } from '#kernel/db/queries.ts';
import type { AppError } from '#kernel/http/errors.ts';
import { LANGUAGES } from '#kernel/language/catalogues.ts';
import { inEnglish } from '#kernel/language/kept-text.ts';
import { reasonWords } from '#kernel/mail/reasons.ts';
import { jsonParams, pageTextOf } from '#kernel/messages/messages.ts';
import { readVocabulary } from '#people/roll/people.ts';
import { applyInput, NOBODY, PersonInput } from '#people/roll/person-input.ts';
import { listChainDifferences } from '#voting/counting/chain-check.ts';
import { getElection } from '#voting/elections/elections.ts';
import { openRoom } from './meetings/a-meeting.ts';
import { heldMeeting } from './meetings/held-meeting.ts';
import { type TestApp, testApp } from './support/app.ts';
import { editorAt } from './support/content.ts';
import { addPoll, castAll } from './support/factories.ts';
import { formAt, press } from './support/forms.ts';
import { appoint } from './support/people/patrons.ts';
import { openClub } from './support/people/roll.ts';

const inLanguage = (text: ReturnType<typeof reasonWords>, language: string): string =>
  typeof text === 'string' ? text : text.for({ language, locale: language });

it.each([
  ['This voting code was used already', 'Dieser Stimmcode wurde schon benutzt'],
  ['The mail server did not answer in time', 'Der Mailserver hat nicht rechtzeitig geantwortet'],
  ['Not an e-mail address', 'Keine E-Mail-Adresse'],
  ['550 5.1.1 No such user', '550 5.1.1 No such user'],
])('the stored reason “%s” is shown to a German officer as “%s”', (stored, german) => {
  expect(inLanguage(reasonWords(stored), 'de')).toBe(german);
  expect(inEnglish(reasonWords(stored))).toBe(stored);
});

/** Changes a row as somebody does who edits the file; the next visitor comes after ten seconds. */
async function edit(service: TestApp, statement: ReturnType<typeof sql>): Promise<void> {
  await service.ctx.write((tx) => {
    tx.run(statement.compile(build));
    tx.run(sql`DELETE FROM changed_facts`.compile(build));
  });
  service.clock.now += 11 * SECOND;
}

const GERMAN = { CLUB_LANGUAGE: 'de' };
const OTHERWISE = 'as Prüfprotokoll hat etwas anderes festgehalten: ';

it('a German page of a result says in German what differs from the log, and JSON in English', async () => {
  await using service = await testApp(GERMAN);
  const { id, ids } = await addPoll(service, ['Red', 'Blue']);
  await castAll(service, id, [{ selected_option: ids.Red }], 'vote/poll');
  await service.post(`/admin/elections/${id}/close`);
  await edit(
    service,
    sql`UPDATE elections SET description = 'Another', attachment_url = 'https://club.example/'`,
  );
  await edit(service, sql`UPDATE results SET result = json_set(result, '$.total_ballots', 2)`);
  const { body } = await service.get(`/e/${id}`, { accept: 'text/html' });
  expect(body).toContain(`D${OTHERWISE}die Beschreibung, die Unterlage.`);
  expect(body).toContain('Das gespeicherte Ergebnis weicht vom Prüfprotokoll ab: die Zahl der Stimmzettel.');
  expect(body).not.toMatch(/span lang="en"|the description|the number of/);
  expect((await service.get(`/e/${id}/results`)).json().differences).toEqual(
    expect.arrayContaining([
      'the stored result differs from the log: the number of ballots',
      'the log has recorded otherwise: the description, the document',
    ]),
  );
});

it('a German page does not show the English words of a row that cannot be read', async () => {
  await using service = await testApp(GERMAN);
  const { id, ids } = await addPoll(service, ['Red', 'Blue']);
  await castAll(service, id, [{ selected_option: ids.Red }], 'vote/poll');
  await edit(service, sql`UPDATE elections SET question = '{'`);
  const { db } = service.ctx;
  const found = listChainDifferences(db, getElection(db, id), undefined);
  const unreadable = found.find(({ english }) => english.startsWith('what is stored of it cannot be read: '));
  expect(unreadable && inLanguage(unreadable, 'de')).toBe(
    'was davon gespeichert ist, lässt sich nicht lesen',
  );
});

it('German members, officers and minutes read in German what differs of a meeting', async () => {
  const { one, end } = await heldMeeting({}, { env: GERMAN });
  await using service = one.service;
  await end();
  await edit(service, sql`UPDATE meeting_items SET counted = replace(counted, '3', '4')`);
  const { base, id } = one;
  const minutes = [`${base}/minutes`, `${base}/minutes.md`];
  for (const url of [`/m/${id}`, `/m/${id}?card=other`, base, `${base}/chair`, ...minutes]) {
    const { body } = await service.get(url, { accept: 'text/html' });
    expect([url, body.includes(`${OTHERWISE}die Zahl der Handzeichen`)]).toEqual([url, true]);
    expect([url, /span lang="en"|recorded otherwise|the number of/.exec(body)]).toEqual([url, null]);
  }
});

it('German readers read in German which door is silent, and which two people made a vote void', async () => {
  await using one = await openRoom({}, undefined, GERMAN);
  const item = await one.add({ kind: 'motion', title: 'Lampen' });
  const [card = ''] = await one.arrive(['Ann']);
  await one.act(item.id, 'open');
  await one.vote(card, item.election_id, { choice: 'yes' });
  await one.act(item.id, 'close');
  await one.service.post(`${one.base}/door/heard`, { door: 'a', to: 'K', waiting: 3 });
  const chair = (await one.service.get(`${one.base}/chair`, { accept: 'text/html' })).body;
  expect(chair).toContain('Der Einlass A bis K hat noch 3 Eingaben zu senden.');
  for (const name of ['cat', 'dan'])
    await one.act(
      item.id,
      'void',
      { reason: 'Zwei Karten fehlen' },
      await appoint(one.service, `${name}@club.example`, 'officer'),
    );
  const url = `/e/${item.election_id}`;
  expect((await one.service.get(`${url}/results`)).json().void.by).toBe('two officers');
  for (const page of [url, `/m/${one.id}`]) {
    const { body } = await one.service.get(page, { accept: 'text/html' });
    expect([page, /Zwei Karten fehlen \(durch zwei Personen aus der Wahlleitung\)/.test(body)]).toEqual([
      page,
      true,
    ]);
    expect([page, body.includes('officer')]).toEqual([page, false]);
  }
});

it.each([
  ['FREQ=MONTHLY;BYMONTHDAY=40', 'BYMONTHDAY muss 1 bis 31 oder -1 bis -31 sein.', '1 to 31 or -1 to -31'],
  ['FREQ=SOON', 'FREQ muss DAILY, WEEKLY, MONTHLY oder YEARLY sein.', 'DAILY, WEEKLY, MONTHLY or YEARLY'],
  ['FREQ=DAILY;INTERVAL=0', 'INTERVAL muss 1 bis 366 sein.', '1 to 366'],
])('the problem of the rule %s is said in German on a page', (text, german, values) => {
  const read = readRule(text);
  const problem = 'problem' in read ? read.problem : undefined;
  expect(problem && pageTextOf(problem)?.for({ language: 'de', locale: 'de' })).toBe(german);
  expect(problem && jsonParams(problem)).toMatchObject({ values });
});

it('German officers read in German which prices are rounded', async () => {
  await using service = await testApp(GERMAN);
  const owner = { accept: 'text/html', ...(await appoint(service, 'ann@club.example', 'owner')) };
  const eve = await editorAt(service);
  const section = await eve.publish('menu_section', { title: 'Bier' });
  await eve.publish('menu_item', { name: 'Helles', section, sizes: [{ label: '0,5', price: 520 }] });
  const page = (await service.get('/admin/settings/menu', owner)).body;
  const form = formAt(page, '/admin/settings');
  const asked = await press(service, form, { ...form.fields, currency: 'JPY' }, owner);
  expect(asked.statusCode).toBe(409);
  expect(asked.body).toMatch(/Helles: aus 5,20\s\$ wird 5\s¥/);
  expect(asked.body).not.toContain('becomes');
});

it('a German page says in German which standings overlap, and JSON has the days as they were sent', async () => {
  await using club = await openClub(GERMAN);
  const standings = [
    { kind: 'full', first_day: '2020-01-01', last_day: '2022-12-31' },
    { kind: 'honorary', first_day: '2021-03-01' },
  ];
  const input = PersonInput.parse({ name: 'Ann', standings });
  const { ctx } = club.service;
  let refused: unknown;
  try {
    applyInput({ ...NOBODY, id: 'x', name: 'Ann' }, input, readVocabulary(ctx.db));
  } catch (error) {
    refused = error;
  }
  const { pageText, message } = refused as AppError;
  expect(message).toMatch(/\w from 2020-01-01 to 2022-12-31 and \w.* from 2021-03-01 overlap$/);
  expect(pageText?.for({ language: 'de', locale: 'de' })).toMatch(
    /full vom Mi\., 1\. Jan\. 2020 bis Sa\., 31\. Dez\. 2022 und honorary ab Mo\., 1\. März 2021 überschneiden sich$/,
  );
});

it('every fact of a vote has a name in every language', () => {
  const tables: FactTable[] = Object.values(FACTS as unknown as Record<string, FactTable>);
  const places = tables.flatMap(({ columns }) => Object.values(columns));
  const names = [
    ...places.flatMap((place) => (place.is === 'fact' ? place.name : [])),
    ...tables.flatMap(({ row }) => row ?? []),
  ];
  for (const language of LANGUAGES.filter((one) => one !== 'en'))
    for (const name of names)
      expect([language, name.key, inLanguage(name, language)]).not.toEqual([
        language,
        name.key,
        inEnglish(name),
      ]);
});

it('a person who opens the address of a feed reads why it is refused in their language, a program in English', async () => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de' });
  const refused = async (accept: string) =>
    (await service.get('/cal/programs.ics?token=x&calendar_id=programs', { accept })).body;
  expect(await refused('text/html')).toBe('Unter dieser Adresse gibt es keinen Kalender.\n');
  expect(await refused('text/calendar, */*')).toBe('There is no calendar at this address.\n');
});

it.each([
  ['/no-such-page', {}, 404],
  ['/feedback', { 'content-type': 'application/x-www-form-urlencoded' }, 413],
])('the error page of %s %j is German', async (url, headers, status) => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de', FEEDBACK_ENABLED: 'on' });
  const answer = await service.request({
    method: Object.keys(headers).length === 0 ? 'GET' : 'POST',
    url,
    payload: 'x'.repeat(3_000_000),
    headers: { accept: 'text/html', ...headers },
  });
  expect(answer.statusCode).toBe(status);
  expect(answer.body).toContain('<html lang="de"');
});

it('what a club has left at its default is named in its language: headings of prices, the class of cards', async () => {
  await using service = await testApp({ CLUB_LANGUAGE: 'de' });
  const { settings } = service.ctx.config;
  expect(priceNames(settings)).toEqual({ members: 'Mitglieder', guests: 'Gäste' });
  const named = { ...settings, 'price_names.members': 'Crew' };
  expect(priceNames(named)).toEqual({ members: 'Crew', guests: 'Gäste' });
  const owner = { accept: 'text/html', ...(await appoint(service, 'ann@club.example', 'owner')) };
  const page = (await service.get('/admin/settings/menu', owner)).body;
  expect(page).toMatch(/name="price_names\.members"[^>]* value="Mitglieder"/);
  expect(page).toMatch(/name="alcohol_free_below"[^>]* value="0,5"/);
  const unchanged = formAt(page, '/admin/settings');
  expect((await press(service, unchanged, unchanged.fields, owner)).headers.location).toBe(
    '/admin/settings/menu?done=unchanged',
  );
  const typed = { ...unchanged.fields, 'price_names.members': 'Crew' };
  await press(service, unchanged, typed, owner);
  expect((await service.get('/admin/settings/menu', owner)).body).toContain('value="Crew"');
  const form = (await service.get('/admin/meetings/new', { accept: 'text/html' })).body;
  expect(form).toMatch(/<textarea[^>]* name="classes"[^>]*>\s*Mitglieder/);
});

it('a German audit log names in German who did it at the machine, and texts in other languages', async () => {
  await using service = await testApp({ ...GERMAN, LOCAL_BYPASS: 'off' });
  const owner = await appoint(service, 'ann@club.example', 'owner');
  const shell = { ip: 'shell', at: service.clock.now, by: 'shell' };
  const times = { open_at: '2026-12-01T10:00', close_at: '2026-12-02T10:00' };
  const poll = { title: 'Farbe', ballot_type: 'POLL', options: ['Rot', 'Blau'], ...times };
  const { id } = (await service.post('/admin/elections', poll, owner)).json();
  const payload = { translations: { fr: { title: 'Couleur' } } };
  await service.request({ method: 'PATCH', url: `/admin/elections/${id}`, payload, headers: owner });
  await service.ctx.write((tx) => recordAudit(tx, shell, { action: 'election.closed', election_id: id }));
  const page = (await service.get('/admin/audit-logs', { accept: 'text/html', ...owner })).body;
  expect(page).toContain('Von der Kommandozeile');
  expect(page).toMatch(/andere Sprachen[^<]*Titel/);
  expect(page).not.toMatch(/>\s*(?:shell|translations)\b/);
});
