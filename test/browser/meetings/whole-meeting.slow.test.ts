// A meeting of forty members from the call for candidates to the signed minutes, in a dozen tabs: an officer, two who
// chair it, two doors, two tellers, members on phones, the wall at three sizes. The process is killed in the middle.
import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { listPeopleOf } from '#kernel/access/person-roles.ts';
import { DAY, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sortName } from '#people/persons.ts';
import { parseMail } from '#test/stand-ins/parse-mail.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { DESK, openTab, PHONE } from '#test/support/browser/browser-service.ts';
import { message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { addSession } from '#test/support/people/people.ts';
import { freePort } from '#test/support/process/free-port.ts';
import { startService, tempFolder } from '#test/support/process/process.ts';

type Browser = Awaited<ReturnType<typeof sharedBrowser>>;
let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});
afterEach(() => closePages(browser));

/** Half of them begin with a letter of the first door. */
const NAMES =
  'Ada Ben Cleo Dora Emil Finn Gina Hugo Iris Jack Kaya Lena Milo Ann Bob Cid Dee Eve Fay Gus ' +
  'Nora Otto Pia Quinn Rosa Samuel Tilda Ugo Vera Will Xenia Yara Zoe Nell Olaf Paul Rita Saul Tina Uma';
const MEMBERS = NAMES.split(' ');
const STAFF = { sam: 'secretary', clara: 'chair', carl: 'chair', tess: 'chair', tom: 'chair' } as const;
type Staff = keyof typeof STAFF;
const SIZES = [
  { width: 1366, height: 768 },
  { width: 3840, height: 2160 },
  { width: 1024, height: 768 },
];

/** A club of forty in the database of a folder, with officers who are signed in. @returns their sessions */
async function prepareClub(folder: string): Promise<Record<Staff, string>> {
  await using service = await testApp({ DATABASE_URL: `file:${folder}/service.db` });
  service.clock.now = Date.now();
  const sessions = {} as Record<Staff, string>;
  for (const [name, role] of Object.entries(STAFF) as [Staff, string][]) {
    const email = `${name}@club.example`;
    await appoint(service, email, role, ...(role === 'secretary' ? ['officer'] : []));
    const credential_at = service.clock.now;
    const { id } = listPeopleOf(service.ctx.db, email)[0]!;
    sessions[name] = await addSession(service, id, { credential_at });
    // Minutes are signed by name.
    const named = `${name[0]!.toUpperCase()}${name.slice(1)} of the club`;
    await service.ctx.write((tx) =>
      tx.run(
        build
          .updateTable('persons')
          .set({ name: named, sort_name: sortName(named) })
          .where('id', '=', id),
      ),
    );
  }
  const sam = { 'edge-access-authenticated-user-email': 'sam@club.example' };
  await service.post('/api/admin/kinds', { name: 'Full', votes: true }, sam);
  for (const name of MEMBERS) {
    const standing = { kind: 'Full', first_day: '2020-01-01' };
    await service.post(
      '/api/admin/people',
      { name, addresses: [{ email: `${name.toLowerCase()}@club.example` }], standing },
      sam,
    );
  }
  return sessions;
}

/** The service as a process of its own, which can be killed and started again at its address. */
async function openHouse() {
  const folder = tempFolder();
  const outbox = path.join(folder, 'outbox');
  const sessions = await prepareClub(folder);
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const env = {
    ...mailTo(`file:${outbox}`),
    PORT: String(port),
    BASE_URL: origin,
    RATE_LIMIT_ADMIN: '10000',
  };
  let running = await startService(folder, env);
  const ask = async (method: string, url: string, body?: object, who: Staff = 'sam') => {
    const answer = await fetch(origin + url, {
      method,
      headers: {
        accept: 'application/json',
        'content-type': 'application/json',
        'sec-fetch-site': 'same-origin',
        ...(url.startsWith('/admin') && { cookie: `publichouse=${sessions[who]}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const json = await answer.json();
    expect([url, answer.status, json.error]).toEqual([
      url,
      answer.status < 300 ? answer.status : 200,
      undefined,
    ]);
    return json;
  };
  return {
    ask,
    /** The path of the link in the first mail to an address. */
    linkTo: async (address: string) => {
      const find = () =>
        (fs.existsSync(outbox) ? fs.readdirSync(outbox) : [])
          .map((name) => parseMail(fs.readFileSync(path.join(outbox, name), 'utf8')))
          .find(({ headers }) => headers.to?.includes(address));
      await expect.poll(find, { timeout: 60_000 }).toBeDefined();
      return new URL(/http:\S+\/nominations\/\S+/.exec(find()!.text)![0]).pathname;
    },
    tab: async (options: object, who?: Staff): Promise<Page> => {
      const page = await openTab(browser, origin, options);
      if (who) await page.context().addCookies([{ name: 'publichouse', value: sessions[who], url: origin }]);
      return page;
    },
    killAndStart: async () => {
      running.process.kill('SIGKILL');
      await running.ended;
      running = await startService(folder, env);
    },
  };
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name }).first();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first();
/** Presses a button, and waits for what follows on the page. */
const press = async (page: Page, name: string | RegExp, next: string | RegExp) => {
  await button(page, name).click();
  await page.getByText(next).first().waitFor();
};
/** The same for a button whose answer has the words that the page before may have had. */
const pressAgain = (page: Page, name: string, next: string) =>
  Promise.all([page.waitForEvent('domcontentloaded'), press(page, name, next)]);

test('a meeting is called, held, counted and signed', { timeout: 300_000 }, async () => {
  const house = await openHouse();
  const { ask, tab, linkTo } = house;

  // The officer writes the agenda and calls for candidates.
  const sam = await tab(DESK, 'sam');
  await sam.goto('/admin/meetings/new');
  await sam.getByLabel('Title').fill('Annual general meeting');
  await sam.getByLabel(/Day and time/).fill(isoTime(Date.now()).slice(0, 16));
  await sam.getByLabel('Everybody can read it').check();
  await Promise.all([sam.waitForURL(/meetings\/[0-9a-f-]{36}/), button(sam, /Create|Make/).click()]);
  const [id] = /[0-9a-f-]{36}/.exec(sam.url())!;
  const base = `/admin/meetings/${id}`;
  await ask('PATCH', base, { quorum: 20 });
  const add = (item: object) => ask('POST', `${base}/items`, item);
  const lamps = await add({ kind: 'motion', title: 'New lamps', text: 'At most 900 dollars.', mover: 'Ada' });
  const committee = await add({
    kind: 'election',
    title: 'Committee',
    question: {
      ballot_type: 'POLL',
      settings: { seats: 2, poll_response_type: 'multiple', max_choices: 2, allow_blank: true },
    },
  });
  await add({ kind: 'motion', title: 'Thanks to the kitchen' });
  const nominations = `${base}/items/${committee.id}/nominations`;
  const period = { opens_at: isoTime(Date.now() - DAY), closes_at: isoTime(Date.now() + DAY) };
  await ask('PUT', nominations, { ...period, who: 'members', seconders: 0 });

  // Members are nominated on a phone, and consent by the links in their mails.
  const nominees = ['Ada', 'Ben', 'Cleo'];
  const phone = await tab(PHONE);
  for (const name of nominees) {
    await phone.goto(`/m/${id}/nominate/${committee.id}`);
    await phone.getByLabel('Name', { exact: true }).fill(name);
    await phone
      .getByLabel(/address/i)
      .first()
      .fill(`${name.toLowerCase()}@club.example`);
    await press(phone, 'Nominate', 'Thank you');
    await phone.goto(await linkTo(`${name.toLowerCase()}@club.example`));
    await press(phone, 'Yes, I stand', /officers|accept/i);
  }
  await sam.goto(nominations);
  for (const name of nominees)
    await pressAgain(sam, `Accept ${name}`, 'The nominee is a candidate, and gets a mail.');

  // Cards are printed; two doors share the roll, and one of them loses the network.
  const { packs } = await ask('POST', `${base}/packs`, { class: 'Members', packs: 4 });
  const codes: string[] = [];
  for (const pack of packs) {
    await ask('POST', `${base}/packs/${pack.id}/open`);
    codes.push(...pack.cards.map(({ code }: { code: string }) => code));
  }
  const [first, second] = [await tab(PHONE, 'tess'), await tab(PHONE, 'tom')];
  await first.goto(`${base}/door?from=A&to=M`);
  await second.goto(`${base}/door?from=N&to=Z`);
  const checkIn = (door: Page, name: string) =>
    door.getByRole('listitem').filter({ hasText: name }).getByRole('button', { name: 'Check in' }).click();
  await checkIn(first, 'Ada');
  await first.getByText('Hand out 1 card of Members').waitFor();
  await second.context().setOffline(true);
  for (const name of ['Nora', 'Otto', 'Pia']) {
    await checkIn(second, name);
    await second.getByRole('listitem').filter({ hasText: name }).getByText('In, not sent yet').waitFor();
  }
  const { people } = await ask('GET', `${base}/door`);
  const others = MEMBERS.filter((name) => !['Ada', 'Nora', 'Otto'].includes(name));
  for (const name of others) {
    const person = people.find((one: { name: string }) => one.name === name);
    await ask('POST', `${base}/door`, { person_id: person.id, action: 'in' });
  }
  await second.context().setOffline(false);
  await second.getByText(`Pia: ${message('in_already', { name: 'Pia' })}`).waitFor();
  await expect.poll(async () => (await ask('GET', base)).meeting.present).toBe(40);

  // Two people chair it, members hold their phones, the wall is on three screens.
  const [clara, carl] = [await tab(DESK, 'clara'), await tab(PHONE, 'carl')];
  for (const chair of [clara, carl]) await chair.goto(`${base}/chair`);
  const phones = await Promise.all(codes.slice(0, 3).map(() => tab(PHONE)));
  for (const [at, page] of phones.entries()) await page.goto(`/m/${id}?t=${codes[at]}`);
  const walls = await Promise.all(SIZES.map((viewport) => tab({ viewport })));
  for (const wall of walls) await wall.goto(`/m/${id}/wall`);
  const onWalls = async (text: string | RegExp) => {
    for (const wall of walls) await wall.getByText(text).first().waitFor();
  };
  const { paper_id } = (await ask('GET', base)).meeting;
  const vote = (at: number, election: string, ballot: object) =>
    ask('POST', `/p/${paper_id}/vote`, { token: codes[at], answers: { [election]: ballot } });
  const choice = (at: number) => ({ choice: at % 4 === 0 ? 'no' : 'yes' });

  // Both press at once: voting opens once.
  await press(clara, 'Begin: 1. Opening', 'Next: 2. Minutes of the last meeting');
  await press(clara, /Go to it.*New lamps/, 'Open voting');
  // By the key: a pointer could meet what the other one's press puts there.
  for (const chair of [clara, carl]) await button(chair, 'Open voting').focus();
  await Promise.all([clara, carl].map((chair) => chair.keyboard.press('Enter')));
  for (const chair of [clara, carl]) await button(chair, 'Close voting').waitFor();
  for (const page of phones) await page.getByRole('radio', { name: 'Yes' }).check();
  for (let at = 3; at < 20; at++) await vote(at, lamps.election_id, choice(at));
  await onWalls('17');

  // The process is killed and started again: pages go on, half a ballot is kept, nothing is lost.
  await house.killAndStart();
  for (let at = 20; at < 40; at++) await vote(at, lamps.election_id, choice(at));
  for (const page of phones) {
    expect(await page.getByRole('radio', { name: 'Yes' }).isChecked()).toBe(true);
    await press(page, 'Review', 'Is this your vote?');
    await press(page, 'Cast my vote', 'Your vote is recorded');
  }
  await onWalls('40');
  await press(clara, 'Close voting', 'Announce the result');
  for (const page of phones) await page.getByText('The result will be announced').waitFor();
  await button(carl, 'Announce the result').click();
  for (const page of [...phones, ...walls]) await page.getByText('31 yes to 9 no').first().waitFor();

  // The committee is elected: three vote on paper, and one of the tellers makes a mistake.
  await press(clara, /Next: \S+ Committee/, 'Open voting');
  await press(clara, 'Open voting', 'Close voting');
  const [tess, tom] = [first, second];
  const papers = `${base}/items/${committee.id}/papers`;
  await tess.goto(papers);
  for (const code of codes.slice(37)) {
    await tess.getByLabel('The code of the card').fill(code);
    await pressAgain(tess, 'Hand out a paper', 'hand the paper over');
  }
  const { election } = await ask('GET', `/e/${committee.election_id}`);
  const [ada, ben, cleo] = election.options.map((option: { id: string }) => option.id);
  for (let at = 1; at < 37; at++)
    await vote(at, committee.election_id, { selected_options: at % 3 === 0 ? [ben, cleo] : [ada, ben] });
  for (const name of ['Ada', 'Cleo']) await phones[0]!.getByRole('checkbox', { name }).check();
  await press(phones[0]!, 'Review', 'Is this your vote?');
  await press(phones[0]!, 'Cast my vote', 'Your vote is recorded');
  // Nobody sees figures before the papers are counted.
  await press(carl, 'Close voting', '0 of 3 papers are counted');
  await tess.goto(papers);
  for (const [name, number] of [
    ['Valid', '2'],
    ['Blank', '1'],
    ['Invalid', '0'],
  ] as const)
    await tess.getByLabel(name, { exact: true }).fill(number);
  await press(tess, 'Make the batch', 'Two people enter it now');
  const batch = new URL(tess.url()).pathname;
  for (const [teller, page, lines] of [
    [1, tess, '1 1 3\n2 1\n3 b'],
    [2, tom, '1 1 3\n2 2\n3 b'],
  ] as const) {
    await page.goto(`${batch}/entries/${teller}`);
    await page.getByLabel(/3 papers, each on a line/).fill(lines);
    await press(page, 'Save this entry', 'The entry is saved');
  }
  // Each teller corrects the own entry.
  await tom.goto(batch);
  await tom.getByRole('group', { name: 'Paper 2' }).getByLabel('What is on it').fill('1');
  await press(tom, 'Correct my entry', 'Your entry is corrected');
  await ask('PUT', `${base}/items/${committee.id}/sheet`, { in_box: 3 }, 'tess');
  await tess.goto(batch);
  await press(tess, 'Let these ballots join the others', 'joined the others');
  await button(carl, 'Announce the result').waitFor();
  await press(carl, 'Announce the result', /Next: \S+ Thanks to the kitchen/);
  await onWalls(/Elected: .*Ada/);
  await onWalls(/on paper/);

  // Hands are counted, and a motion of the floor is stopped.
  await press(clara, /Next: \S+ Thanks to the kitchen/, 'Show of hands, or nobody against');
  await clara.getByText('Show of hands, or nobody against').click();
  await clara.getByLabel('Yes', { exact: true }).fill('35');
  await clara.getByLabel('No', { exact: true }).fill('3');
  await press(clara, 'Enter the count', 'Announce the result');
  await press(clara, 'Announce the result', '35 yes to 3 no');
  await clara.getByText('A motion on the spot').click();
  await clara.getByLabel('The motion').fill('A dog for the bar');
  await press(clara, 'Put it to the vote now', 'Close voting');
  await onWalls('A dog for the bar');
  await clara.getByText('Declare this vote void').click();
  await clara.getByLabel('The reason, which is published').fill('It was not on the agenda');
  await press(clara, 'Make the vote void', 'This vote is void');
  await onWalls('It was not on the agenda');

  // The door closes, the meeting ends, two persons sign.
  await ask('POST', `${base}/packs/void`);
  await sam.goto(`${base}/end`);
  await press(sam, 'End the meeting', 'Closed');
  await sam.goto(`${base}/minutes`);
  await sam.getByLabel('Chair', { exact: true }).fill('clara@club.example');
  await sam.getByLabel('Minute taker', { exact: true }).fill('sam@club.example');
  await press(sam, 'Save', 'Saved');
  await clara.goto(`${base}/minutes`);
  await press(clara, 'Sign as chair', 'You have signed');
  await sam.goto(`${base}/minutes`);
  await press(sam, 'Sign as minute taker', 'Both have signed');
  for (const words of [
    'New lamps',
    'At most 900 dollars.',
    'Ada',
    '31',
    'A dog for the bar',
    'not on the agenda',
  ])
    expect(await sam.getByText(words).count(), words).toBeGreaterThan(0);
  await phones[1]!.goto(`/m/${id}`);
  await heading(phones[1]!, 'Annual general meeting').waitFor();
  await phones[1]!
    .getByText(/Elected: .*Ada/)
    .first()
    .waitFor();
});
