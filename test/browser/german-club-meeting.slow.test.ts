// A meeting of a German club, from its set-up to the signed minutes, with a member at home who reads French. Nobody finds
// a word in a language that they did not ask for: on pages, in mails, on the wall, on paper and in files.
import zlib from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE } from '#kernel/clock.ts';
import { t } from '#kernel/language/message.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { PHONE } from '#test/support/browser/browser-service.ts';
import { type GermanClub, openGermanClub, TV, textsOfCalendar } from './german-club.ts';

afterEach(async () => closePages(await sharedBrowser()));

const OLGA = 'olga@verein.example';
const COLETTE = 'colette@verein.example';
const MEMBERS = [
  'Anke Thorn',
  'Cem Aydin',
  'Dora Lenz',
  'Emil Roth',
  'Klara Voss',
  'Colette Moreau',
  'Walter Zander',
];
/** Walter has no address: he gets a letter. */
const mailOf = (name: string) =>
  name.startsWith('Walter') ? '' : `${name.split(' ')[0]!.toLowerCase()}@verein.example`;
const SAID = [
  `Kegelverein Blaue Ente Olga Brandt ${MEMBERS.join(' ')} Vollmitglied Gartensaal Mitgliederversammlung Verein`,
  'Neue Lampen Höchstens neunhundert Euro Es ist zu dunkel Beirat Dank an die Küche Ein Hund für die Bar Kasse',
  'Ein Tisch im Garten Wir sitzen gern draußen Es stand nicht auf der Tagesordnung Ich mag Zahlen vom Blech Torte',
  'Bitte pünktlich kommen Nichts zu sagen Schatzamt Kuchen Entlastung des Vorstands Herr Sommer zu Gast',
];

const FR = { language: 'fr' } as const;
const french = { language: 'fr', locale: 'fr' };
const ABROAD = { ...PHONE, locale: 'fr-FR' };

interface Item {
  id: string;
  election_id: string;
}

/** The meeting, and those who are in it. */
interface Evening {
  club: GermanClub;
  /** The officer, who is one of the tellers too. */
  olga: Page;
  id: string;
  /** The address of the meeting for officers. */
  base: string;
  items: Record<string, Item>;
  paper: string;
}

test('a meeting without a foreign word', { timeout: 400_000 }, async () => {
  await using club = await openGermanClub(SAID);
  const olga = await club.setUp({ name: 'Kegelverein Blaue Ente', owner: 'Olga Brandt', email: OLGA });
  await bringMembers(club, olga);
  const evening = await writeAgenda(club, olga);
  await invite(evening);
  const colette = await club.tab(ABROAD);
  await meetColette(evening, colette);
  await takeProposals(evening);
  const klara = await club.tab();
  await findHelpers(evening, klara);
  const { codes, link } = await openDoor(evening, klara);
  await holdMeeting(evening, { klara, colette, codes, link });
  await afterwards(evening, { klara, colette });
  for (const mail of club.mails) if (!mail.recipients.includes(COLETTE)) club.readMail(mail);
  expect(club.findings()).toEqual([]);
});

/** The list is imported, and everybody is welcomed. */
async function bringMembers({ visit, send, mailTo }: GermanClub, olga: Page): Promise<void> {
  await visit(olga, '/admin/people/import');
  const lines = MEMBERS.map((name) => `${name};${mailOf(name)};Vollmitglied`);
  const form = 'form[action="/admin/people/import"]';
  await send(olga, form, { csv: ['Name;E-Mail;Mitgliedschaft', ...lines].join('\n') });
  await send(olga, form, { 'kinds.Vollmitglied': 'vote' });
  await send(olga, form, {}, { by: '[name=dry_run][value=false]' });
  await send(olga, 'form[action$="/welcome"]');
  await mailTo(mailOf('Anke'), { holds: '/sign-in' });
  await visit(olga, '/admin/people');
}

async function writeAgenda(club: GermanClub, olga: Page): Promise<Evening> {
  const { visit, send, ask, clock } = club;
  await visit(olga, '/admin/meetings/new');
  const form = 'form[action="/admin/meetings"]';
  await send(olga, form, { title: '' });
  await send(olga, form, {
    title: 'Mitgliederversammlung',
    held_at: isoTime(clock.now + HOUR).slice(0, 16),
    place: 'Gartensaal',
  });
  const [id] = /[0-9a-f-]{36}/.exec(olga.url())!;
  const base = `/admin/meetings/${id}`;
  const rules = {
    public: true,
    notes: 'Bitte pünktlich kommen',
    quorum: 3,
    proxies_per_person: 1,
    remote: true,
    minutes_public: true,
  };
  await ask(olga, 'PATCH', base, rules);
  await visit(olga, `${base}/items/new`);
  const items = `form[action="${base}/items"]`;
  await send(olga, items, { title: '' });
  await send(olga, items, {
    kind: 'motion',
    title: 'Neue Lampen',
    text: 'Höchstens neunhundert Euro',
    old_text: 'Es ist zu dunkel',
    mover: 'Anke Thorn',
  });
  const several = {
    seats: 2,
    poll_response_type: 'multiple',
    max_choices: 2,
    allow_blank: true,
    receipts: 'included',
  };
  const single = { poll_response_type: 'single' };
  for (const item of [
    { kind: 'election', title: 'Beirat', question: { ballot_type: 'POLL', settings: several } },
    {
      kind: 'election',
      title: 'Schatzamt',
      question: { ballot_type: 'RANKED_STV', candidates: ['Dora Lenz', 'Emil Roth'], settings: { seats: 1 } },
    },
    {
      kind: 'election',
      title: 'Kuchen',
      question: { ballot_type: 'POLL', options: ['vom Blech', 'Torte'], settings: single },
    },
    { kind: 'motion', title: 'Dank an die Küche' },
    { kind: 'text', title: 'Kasse', text: 'Nichts zu sagen' },
  ])
    await ask(olga, 'POST', `${base}/items`, item);
  const { items: made, meeting } = await ask(olga, 'GET', base);
  const byTitle = Object.fromEntries(made.map((item: Item & { title: string }) => [item.title, item]));
  const period = {
    opens_at: isoTime(clock.now - DAY),
    closes_at: isoTime(clock.now + DAY),
    who: 'members',
    seconders: 1,
  };
  const nominations = `/items/${byTitle.Beirat.id}/nominations`;
  await ask(olga, 'PUT', base + nominations, period);
  await ask(olga, 'PUT', `${base}/motions`, period);
  for (const page of [
    '',
    '/details',
    '/end',
    '/motions',
    '/documents',
    `/items/${byTitle.Beirat.id}`,
    nominations,
  ])
    await visit(olga, base + page);
  await ask(olga, 'POST', `${base}/event`);
  return { club, olga, id, base, items: byTitle, paper: meeting.paper_id };
}

/** By mail, and by a letter. */
async function invite({ club, olga, id, base, items }: Evening): Promise<void> {
  const { visit, send, ask, note, mailTo } = club;
  await visit(olga, `${base}/mails`);
  const emails = [OLGA, ...MEMBERS.map(mailOf).filter(Boolean)];
  await send(olga, `form[action="${base}/invite/check"], form:has([formaction="${base}/invite/check"])`, {
    emails: emails.join('\n'),
    message: 'Bitte pünktlich kommen',
  });
  await ask(olga, 'POST', `${base}/invite`, { emails, message: 'Bitte pünktlich kommen' });
  for (const email of emails) await mailTo(email, { holds: 'Gartensaal' });
  await ask(olga, 'POST', `${base}/letters`);
  await visit(olga, `${base}/letters`);
  await ask(olga, 'POST', `${base}/items/${items.Beirat!.id}/nominations/mail`, {});
  await ask(olga, 'POST', `${base}/motions/mail`, {});
  await mailTo(mailOf('Anke'), { holds: '/nominate/' });
  await mailTo(mailOf('Anke'), { holds: `/m/${id}/motions` });
  await visit(olga, `${base}/mails`);
  const phone = await club.tab(PHONE);
  await visit(phone, `/m/${id}`);
  note('the meeting as iCal', textsOfCalendar(await ask(phone, 'GET', `/m/${id}/calendar.ics`)));
  await phone.context().close();
}

/** Her browser asks for French, and she tells the club so: from then on her mails are French too. */
async function meetColette({ club, id }: Evening, page: Page): Promise<void> {
  const { visit, send } = club;
  await club.signIn(page, COLETTE, { ...FR, mailed: 'de' });
  await send(page, 'form[action="/me/language"]', FR, FR);
  for (const url of ['/me', '/me/devices', `/m/${id}`, `/m/${id}/motions`, '/']) await visit(page, url, FR);
  await visit(page, '/nulle-part', { ...FR, status: 404 });
}

const action = (name: string) => `main form:has([name=action][value=${name}])`;
const linkIn = ({ text }: { text: string }, what: string) =>
  new URL(new RegExp(`http\\S+/${what}/\\S+`).exec(text)![0]).pathname;

/** Members nominate and move by mailed links; the officers accept and refuse. */
async function takeProposals({ club, olga, id, base, items }: Evening): Promise<void> {
  const { visit, send, ask, mailTo } = club;
  const phone = await club.tab(PHONE);
  const abroad = await club.tab(ABROAD);
  const nominate = `/m/${id}/nominate/${items.Beirat!.id}`;
  await visit(phone, nominate);
  await send(phone, `form[action="${nominate}"]`, { name: '', email: 'x' });
  for (const name of ['Anke Thorn', 'Cem Aydin', 'Colette Moreau']) {
    const [page, who] = name.startsWith('Colette') ? [abroad, FR] : [phone, {}];
    const after = club.mails.length;
    await visit(page, nominate, who);
    await send(
      page,
      `form[action="${nominate}"]`,
      { name, email: mailOf(name), text: 'Ich mag Zahlen', seconders: mailOf('Dora') },
      who,
    );
    await visit(
      page,
      linkIn(await mailTo(mailOf(name), { after, holds: '/nominations/', ...who }), 'nominations'),
      who,
    );
    await send(page, action('consent'), {}, who);
    await visit(
      phone,
      linkIn(await mailTo(mailOf('Dora'), { after, holds: '/nominations/' }), 'nominations'),
    );
    await send(phone, action('second'));
  }
  const motions = `/m/${id}/motions`;
  await visit(phone, motions);
  await send(phone, `form[action="${motions}"]`, { name: '', email: 'x' });
  let after = club.mails.length;
  const table = { title: 'Ein Tisch im Garten', text: 'Wir sitzen gern draußen', reason: 'Es ist zu dunkel' };
  await send(phone, `form[action="${motions}"]`, {
    name: 'Emil Roth',
    email: mailOf('Emil'),
    ...table,
    seconders: mailOf('Anke'),
  });
  await visit(phone, linkIn(await mailTo(mailOf('Emil'), { after, holds: '/motions/' }), 'motions'));
  await send(phone, action('consent'));
  await visit(phone, linkIn(await mailTo(mailOf('Anke'), { after, holds: '/motions/' }), 'motions'));
  await send(phone, action('second'));

  const nominations = `${base}/items/${items.Beirat!.id}/nominations`;
  for (const page of [nominations, `${base}/motions`]) await visit(olga, page);
  after = club.mails.length;
  for (const one of (await ask(olga, 'GET', nominations)).nominations)
    await ask(olga, 'POST', `${nominations}/${one.id}`, { decision: 'accept' });
  const refusal = { decision: 'refuse', reason: 'Es stand nicht auf der Tagesordnung' };
  for (const one of (await ask(olga, 'GET', `${base}/motions`)).motions)
    await ask(olga, 'POST', `${base}/motions/${one.id}`, refusal);
  await mailTo(COLETTE, { after, ...FR });
  await mailTo(mailOf('Emil'), { after });
  for (const page of [nominations, `${base}/motions`]) await visit(olga, page);
  for (const page of [phone, abroad]) await page.context().close();
}

async function findHelpers({ club, olga, base }: Evening, klara: Page): Promise<void> {
  const { visit, send, mailTo } = club;
  const form = `form[action="${base}/helpers"]`;
  await visit(olga, `${base}/helpers`);
  await send(olga, form, { chair: 'Klara Voss', door: 'Niemand' });
  const after = club.mails.length;
  await visit(olga, `${base}/helpers`);
  await send(olga, form, { chair: 'Klara Voss', door: 'Klara Voss', tellers: 'Klara Voss' });
  await mailTo(mailOf('Klara'), { after });
  await club.signIn(klara, mailOf('Klara'));
}

/** Cards are printed, links are mailed, and members come in. @returns the codes of the cards, and the link of Colette */
async function openDoor({ club, olga, base, paper }: Evening, klara: Page) {
  const { visit, send, ask, look, mailTo } = club;
  for (const page of ['', '/invitations', '/history']) await visit(olga, `/admin/papers/${paper}${page}`);
  const after = club.mails.length;
  await ask(olga, 'POST', `/admin/papers/${paper}/invite`, { emails: [COLETTE, mailOf('Emil')] });
  const { text } = await mailTo(COLETTE, { after, holds: '?t=', ...FR });
  await mailTo(mailOf('Emil'), { after, holds: '?t=' });
  await visit(olga, `${base}/door`);
  await send(olga, `form[action="${base}/packs"]`);
  const { packs: printed } = await ask(olga, 'GET', `${base}/door`);
  const { packs } = await ask(olga, 'POST', `${base}/packs`, { class: printed[0].class, packs: 1 });
  const codes: string[] = [];
  for (const pack of packs) {
    await ask(olga, 'POST', `${base}/packs/${pack.id}/open`);
    codes.push(...pack.cards.map(({ code }: { code: string }) => code));
  }
  await visit(klara, `${base}/door`);
  for (const name of MEMBERS.filter((one) => !one.startsWith('Colette'))) {
    const row = klara.getByRole('listitem').filter({ hasText: name });
    await row.getByRole('button').first().click();
  }
  await expect.poll(async () => (await ask(olga, 'GET', base)).meeting.present).toBe(MEMBERS.length - 1);
  await look(klara, 'everybody is in:');
  const { people } = await ask(klara, 'GET', `${base}/door`);
  const walter = people.find(({ name }: { name: string }) => name === 'Walter Zander');
  await ask(klara, 'POST', `${base}/door`, { person_id: walter.id, action: 'out' });
  await ask(klara, 'POST', `${base}/door`, { guest: 'Herr Sommer', action: 'in' });
  await visit(klara, `${base}/door`);
  const { pathname, search } = new URL(/http\S+\?t=\S+/.exec(text)![0]);
  return { codes, link: pathname + search };
}

interface Room {
  klara: Page;
  colette: Page;
  codes: string[];
  link: string;
}

/** All that is voted on, as the chair, the wall, a phone, a member at home and the officer see it at each step. */
async function holdMeeting(evening: Evening, { klara, colette, codes, link }: Room): Promise<void> {
  const { club, olga, id, base, items, paper } = evening;
  const { visit, ask, look } = club;
  const [phone, wall] = [await club.tab(PHONE), await club.tab(TV)];
  await visit(phone, `/m/${id}/card`);
  await phone.goto(`/m/${id}?t=${codes[0]}`);
  await colette.goto(link);
  const everywhere = async (step: string) => {
    await visit(klara, `${base}/chair`);
    await visit(olga, base);
    await visit(wall, `/m/${id}/wall`, { step });
    await visit(phone, `/m/${id}/card`, { step });
    await visit(colette, `/m/${id}/card`, { step, ...FR });
  };
  const act = async (title: string, what: string, body: object = {}) => {
    await ask(klara, 'POST', `${base}/items/${items[title]!.id}/${what}`, body);
    await everywhere(`${title}, ${what}`);
  };
  const vote = (at: number, title: string, ballot: object) =>
    ask(phone, 'POST', `/p/${paper}/vote`, {
      token: codes[at],
      answers: { [items[title]!.election_id]: ballot },
    });
  const idsOf = async (title: string): Promise<string[]> => {
    const { election } = await ask(phone, 'GET', `/e/${items[title]!.election_id}`);
    return (election.options ?? election.candidates).map((one: { id: string }) => one.id);
  };
  await everywhere('before it begins');

  await act('Neue Lampen', 'call');
  await ask(klara, 'POST', `${base}/speakers`, { name: 'Cem Aydin' });
  await ask(klara, 'POST', `${base}/speakers/next`);
  await act('Neue Lampen', 'open', { seconds: 600 });
  for (const [page, reader] of [
    [phone, { language: 'de', locale: 'de-DE' }],
    [colette, french],
  ] as const) {
    await page.getByRole('radio').first().check();
    await page.getByRole('button', { name: t('voting.ballot.review').for(reader), exact: true }).click();
    const cast = page.getByRole('button', { name: t('voting.review.cast_my_vote').for(reader) });
    await cast.waitFor();
    await look(page, 'review:', reader.language);
    await cast.click();
    await page.getByText(t('meetings.member.vote_recorded').for(reader)).first().waitFor();
    await look(page, 'recorded:', reader.language);
  }
  await vote(1, 'Neue Lampen', { choice: 'no' });
  await vote(2, 'Neue Lampen', { choice: 'abstain' });
  for (const what of ['close', 'declare']) await act('Neue Lampen', what);

  await act('Beirat', 'open');
  const [anke, cem, third] = await idsOf('Beirat');
  await countPapers(evening, klara, {
    code: codes[5]!,
    marks: [anke!, cem!],
    whileOpen: async () => {
      await vote(0, 'Beirat', { selected_options: [anke, cem] });
      await vote(1, 'Beirat', { selected_options: [cem, third] });
      await act('Beirat', 'close');
    },
  });
  await act('Beirat', 'declare');

  await act('Schatzamt', 'open');
  const [dora, emil] = await idsOf('Schatzamt');
  await vote(0, 'Schatzamt', { ranking: [dora, emil] });
  await vote(1, 'Schatzamt', { ranking: [emil, dora] });
  for (const what of ['close', 'declare']) await act('Schatzamt', what);

  await act('Kuchen', 'open');
  await act('Kuchen', 'void', { reason: 'Es stand nicht auf der Tagesordnung' });
  await act('Dank an die Küche', 'call');
  await act('Dank an die Küche', 'hands', { yes: 4, no: 1, abstain: 0, elsewhere: true });
  await act('Dank an die Küche', 'declare');
  const spot = await ask(klara, 'POST', `${base}/motion`, { title: 'Ein Hund für die Bar' });
  items['Ein Hund für die Bar'] = spot.item ?? spot;
  await everywhere('a motion on the spot');
  for (const what of ['close', 'declare']) await act('Ein Hund für die Bar', what);
  await act('Kasse', 'call');

  await visit(olga, `${base}/end`);
  await ask(olga, 'POST', `${base}/packs/void`);
  await ask(olga, 'PATCH', base, { state: 'closed', confirm: ['announce'] });
  await everywhere('the end');
  for (const page of [phone, wall]) await page.context().close();
}

/** One member votes on paper; two tellers enter it, and one of them makes a mistake. */
async function countPapers(
  { club, olga, base, items }: Evening,
  klara: Page,
  { code, marks, whileOpen }: { code: string; marks: string[]; whileOpen: () => Promise<void> },
): Promise<void> {
  const { visit, send, ask, look } = club;
  const item = `${base}/items/${items.Beirat!.id}`;
  await ask(klara, 'POST', `${item}/paper`, { code });
  await visit(klara, `${item}/papers`);
  await whileOpen();
  await visit(klara, `${item}/papers`);
  const { id } = await ask(klara, 'POST', `${item}/batches`, { control: { valid: 1 } });
  const batch = `${item}/batches/${id}`;
  await visit(klara, `${batch}/entries/1`);
  await klara.locator('#lines').fill('1 9');
  await look(klara, 'a wrong line:');
  await send(klara, 'main form:has(#lines)', { lines: '1 1 2' });
  await visit(olga, `${batch}/entries/2`);
  await send(olga, 'main form:has(#lines)', { lines: '1 1 3' });
  await visit(olga, batch);
  await ask(olga, 'PATCH', `${batch}/entries/mine`, { papers: [{ number: 1, selected_options: marks }] });
  await visit(olga, `${item}/sheet`);
  await ask(olga, 'PUT', `${item}/sheet`, { in_box: 1 });
  for (const page of ['/sheet', '/printed?copies=5&each=4']) await visit(olga, item + page);
  await visit(olga, batch);
  await ask(olga, 'POST', `${batch}/join`, {});
  await visit(olga, batch);
}

/** Results are mailed; minutes are written, downloaded, signed and mailed. */
async function afterwards(
  { club, olga, id, base, items, paper }: Evening,
  { klara, colette }: Pick<Room, 'klara' | 'colette'>,
): Promise<void> {
  const { visit, send, ask, mailTo, download, note } = club;
  let after = club.mails.length;
  await send(olga, `form[action="${base}/results/mail"]`);
  await mailTo(mailOf('Anke'), { after });
  await mailTo(COLETTE, { after, ...FR });
  const results = ['Beirat', 'Neue Lampen', 'Schatzamt', 'Kuchen'].map(
    (title) => `/e/${items[title]!.election_id}`,
  );
  for (const url of [...results, `${results[0]}/check`, `/m/${id}?agenda=1`, `/p/${paper}/check`]) {
    await visit(klara, url);
    await visit(colette, url, FR);
  }
  await visit(olga, `/admin/elections/${items.Beirat!.election_id}`);

  await visit(olga, `${base}/minutes`);
  const named = { chair: mailOf('Klara'), secretary: OLGA, texts: { called: 'Nichts zu sagen' } };
  await ask(olga, 'PATCH', `${base}/minutes`, named);
  const sign = `form[action="${base}/minutes/sign"]`;
  for (const page of [klara, olga]) {
    await visit(page, `${base}/minutes`);
    await send(page, sign);
  }
  note('minutes.md', String(await download(olga, `${base}/minutes.md`)).split('\n'));
  const document = fileIn(await download(olga, `${base}/minutes.docx`), 'word/document.xml');
  note(
    'minutes.docx',
    document.split('</w:p>').map((part) => part.replaceAll(/<[^>]*>/g, '')),
  );
  expect(document).toContain('Neue Lampen');
  after = club.mails.length;
  await visit(olga, base);
  await send(olga, `form[action="${base}/minutes/mail"]`);
  await mailTo(mailOf('Anke'), { after });
  await mailTo(COLETTE, { after, ...FR });
  await visit(klara, `/m/${id}/minutes`);
  await visit(colette, `/m/${id}/minutes`, FR);
  for (const page of [
    '/admin',
    '/admin/audit-logs?limit=200',
    '/admin/meetings',
    '/admin/mails',
    '/admin/health',
  ])
    await visit(olga, page);
  await visit(klara, '/me');
  // A second code is sent once some minutes have passed.
  club.clock.now += 10 * MINUTE;
  await club.signIn(await club.tab(ABROAD), COLETTE, FR);
  await visit(klara, '/admin/settings', { status: 403 });
}

/** A file of a ZIP archive. */
function fileIn(archive: Buffer, name: string): string {
  const at = archive.indexOf(name) - 30;
  const [method, size] = [archive.readUInt16LE(at + 8), archive.readUInt32LE(at + 18)];
  const start = at + 30 + name.length + archive.readUInt16LE(at + 28);
  const bytes = archive.subarray(start, start + size);
  return String(method === 0 ? bytes : zlib.inflateRawSync(bytes));
}
