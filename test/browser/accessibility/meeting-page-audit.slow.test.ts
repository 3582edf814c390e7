import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { openRoom } from '#test/meetings/a-meeting.ts';
import { closePages, sharedBrowser } from '#test/support/browser/browser.ts';
import { type ListeningService, listeningService } from '#test/support/browser/browser-service.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { multipart } from '#test/support/pictures.ts';
import { type AuditedPage, at, auditPages, form, SMALL, toPrint } from './page-audit.ts';

let browser: Browser;
let service: ListeningService;

beforeAll(async () => {
  [browser, service] = await Promise.all([sharedBrowser(), listeningService()]);
});
afterEach(() => closePages(browser));
afterAll(() => service[Symbol.asyncDispose]());

test('every page of a meeting is accessible', { timeout: 900_000 }, async () => {
  const sam = await appoint(service, 'sam@club.example', 'secretary');
  const roll = (url: string, payload: object) => service.post(`/api/admin/${url}`, payload, sam);
  await roll('kinds', { name: 'Full', votes: true });
  const long = 'unbreakable'.repeat(6);
  const ids: string[] = [];
  for (const name of ['Ann', 'Bob', long]) {
    const person = { name, standing: { kind: 'Full', first_day: '2020-01-01' } };
    ids.push((await roll('people', person)).json().id);
  }
  const { now } = service.clock;
  const meeting = { title: `AGM ${long}`, held_at: isoTime(now + 14 * DAY), place: long, notes: long };
  const made = await service.post('/admin/meetings', {
    ...meeting,
    quorum: 2,
    classes: ['Members', 'Committee'],
    proxies_per_person: 1,
    remote: true,
    documents: [{ title: long, url: 'https://club.example/a.pdf' }],
  });
  const { id } = made.json();
  const base = `/admin/meetings/${id}`;
  const motion = {
    kind: 'motion',
    title: long,
    text: long,
    old_text: long,
    mover: long,
    classes: ['Members'],
  };
  await service.post(`${base}/items`, motion);
  const office = { kind: 'election', title: 'Treasurer' };
  const { id: item } = (await service.post(`${base}/items`, office)).json();
  const call = {
    opens_at: isoTime(now),
    closes_at: isoTime(now + DAY),
    who: 'anybody',
    seconders: 1,
    picture: true,
  };
  const address = `${base}/items/${item}/nominations`;
  const headers = { accept: 'application/json' };
  await service.request({ method: 'PUT', url: address, payload: call, headers });
  const nominee = { name: long, email: 'ann@club.example', text: long, seconders: ['bob@club.example'] };
  await service.post(`/m/${id}/nominate/${item}`, nominee);
  const [nomination] = service.ctx.db.all(build.selectFrom('nominations').select('id'));
  const link = `/m/${id}/nominations/${proposalCode(service.ctx, nomination!.id)}`;
  await service.post(`${base}/door`, { person_id: ids[0], action: 'in', proxies: [ids[1]] });
  for (const action of ['in', 'out']) await service.post(`${base}/door`, { person_id: ids[2], action });
  await service.post(`${base}/door`, { guest: long, action: 'in' });
  await service.post('/admin/elections', {
    title: long,
    ballot_type: 'SIMPLE_TRIPLE',
    open_at: isoTime(now + DAY),
    close_at: isoTime(now + 2 * DAY),
  });
  await service.post(`${base}/packs`, { class: 'Members', packs: 1 });
  const papers = await countPapers(long);
  const more = (await service.post(`${base}/packs`, { class: 'Members', packs: 1 })).json().packs[0];
  await service.post(`${base}/packs/${more.id}/open`);
  const [{ code }] = more.cards;
  const lamps = { kind: 'motion', title: `Lamps ${long}`, text: long, mover: long };
  const { id: open, election_id: asked } = (await service.post(`${base}/items`, lamps)).json();
  for (const name of [long, 'Bob']) await service.post(`${base}/speakers`, { name });
  await service.post(`${base}/speakers/next`);
  await service.request({ method: 'PATCH', url: base, payload: { members_ask: true }, headers });
  await service.post(`${base}/items/${open}/open`, { seconds: 3_600 });
  const paper = (await service.get(base)).json().meeting.paper_id;
  const { id: later } = (await service.post('/admin/meetings', meeting)).json();
  await service.post(`/admin/meetings/${later}/items`, lamps);
  const motions = `/admin/meetings/${later}/motions`;
  const period = { opens_at: call.opens_at, closes_at: call.closes_at, who: 'anybody', seconders: 1 };
  await service.request({ method: 'PUT', url: motions, payload: period, headers });
  await service.post(`/m/${later}/motions`, { ...nominee, title: long, reason: long });
  const [handedIn] = service.ctx.db.all(build.selectFrom('motions').select('id'));
  const ofAuthor = `/m/${later}/motions/${proposalCode(service.ctx, handedIn!.id)}`;
  const pdf = await multipart({ title: long }, { document: { bytes: Buffer.from('%PDF-1.7\n') } });
  const uploads = `/admin/meetings/${later}/documents`;
  await service.request({ method: 'POST', url: uploads, ...pdf });
  // A reader who is no officer.
  const elsewhere = { origin: service.origin.replace('127.0.0.1', 'club.localhost') };
  const pages = [
    ...at(service, {
      meetings: '/admin/meetings',
      'new meeting': '/admin/meetings/new',
      'an agenda': base,
      'the invitation to a meeting': `${base}/mails`,
      'day, place and rules': `${base}/details`,
      'the end of a meeting': `${base}/end`,
      'a new item': `${base}/items/new`,
      'a change of an item': `${base}/items/${item}`,
      'the door': `${base}/door`,
      nominations: address,
      'the links of members elsewhere': `/admin/papers/${paper}`,
      'the history of its paper': `/admin/papers/${paper}/history`,
      motions,
      'the form to hand in a motion': `/m/${later}/motions`,
      'the answer of an author': ofAuthor,
      'a document of a meeting': `/admin/meetings/${later}/documents`,
      'an agenda with motions': `/admin/meetings/${later}`,
      'the form to nominate': `/m/${id}/nominate/${item}`,
      'the answer of a nominee': link,
      'a lost card': `/m/${id}/void`,
      'the chair': `${base}/chair`,
      'the meeting without a card': `/m/${id}`,
      'asking to speak': `/m/${id}?ask=1`,
      'the ballot in the meeting': `/m/${id}?t=${code}`,
      'the ballot on its paper': `/p/${paper}/vote?t=${code}`,
      'ballots on paper': `${papers}/papers`,
      'a batch with a difference': `${papers}/batches/${batchOf.get(papers)}`,
      'the entry of a teller': `${papers}/batches/${batchOf.get(papers)}/entries/2`,
    }),
    ...at(elsewhere, { 'the number of an invitation': `/m/${id}/door/4821-7703` }),
    ...toPrint(at(service, { 'a public agenda': `/m/${later}`, 'the minutes': `${base}/minutes` })),
    form(service, 'a refused meeting', '/admin/meetings', { title: '', held_at: '', quorum: '0' }),
    form(service, 'a refused item', `${base}/items`, { kind: 'election', title: '', type: '', names: '' }),
    form(service, 'refused minutes', `${base}/minutes?_method=PATCH`, { chair: long, secretary: 'nobody' }),
    form(service, 'a refused call', `${address}?_method=PUT`, {
      opens_at: '',
      closes_at: '',
      seconders: '9',
    }),
    form(service, 'somebody who came', `${base}/door`, { person_id: ids[2]!, action: 'in' }),
    form(service, 'the codes of the evening', `/p/${paper}/vote`, {
      token: more.cards[1].code,
      submission_id: 'a',
      [`${asked}.choice`]: 'yes',
    }),
    form(service, 'a refused nomination', `/m/${id}/nominate/${item}`, { name: '', email: 'x' }),
    form(service, 'a refused motion', `/m/${later}/motions`, { name: '', email: 'x', text: '' }),
    form(service, 'a refused call for motions', `${motions}?_method=PUT`, { closes_at: '', seconders: '9' }),
    form(service, 'a refused document', uploads, { title: '', item: '' }),
    form(service, 'a refused entry', `${papers}/batches/${batchOf.get(papers)}/entries/1?_method=PUT`, {
      lines: `1 9\n${long}`,
    }),
    ...toPrint(
      at(service, {
        'a reconciliation sheet': `${papers}/sheet`,
        'printed ballots': `${papers}/printed?copies=5&each=4`,
      }),
    ),
    ...toPrint([form(service, 'cards', `${base}/packs`, { class: 'Members', packs: '1' })]),
  ];
  expect(await auditPages(browser, pages, [service.origin, elsewhere.origin], SMALL)).toEqual([]);
});

test('the wall of a meeting is accessible in each of its states', { timeout: 900_000 }, async () => {
  await using room = await openRoom({ remote: true });
  await room.arrive(['Ann', 'Bob']);
  const origin = await room.service.app.listen({ port: 0, host: '127.0.0.1' });
  const long = 'unbreakable'.repeat(6);
  const report = await room.add({ kind: 'text', title: `Report ${long}`, text: long });
  const motion = await room.add({ kind: 'motion', title: `Lamps ${long}`, text: long });
  const question = { ballot_type: 'POLL', options: [long, 'Bob'], settings: { seats: 1 } };
  const board = await room.add({ kind: 'election', title: 'Treasurer', question });
  const spoilt = await room.add({ kind: 'motion', title: 'Chairs' });
  const options = (await room.service.get(`/e/${board.election_id}`)).json().election.options;
  const vote = (item: { election_id: string }, ballot: object) =>
    room.vote(room.codes[0]!, item.election_id, ballot);
  /** What the chair does before each look. */
  const states: Record<string, () => Promise<unknown>> = {
    'before it begins': async () => undefined,
    'a text': () => room.act(report.id, 'call'),
    'a speaker': async () => {
      await room.service.post(`${room.base}/speakers`, { name: long });
      await room.service.post(`${room.base}/speakers/next`);
    },
    'a motion': () => room.act(motion.id, 'call'),
    'voting is open': () => room.act(motion.id, 'open', { seconds: 60 }),
    'voting has closed': async () => {
      await vote(motion, { choice: 'yes' });
      await room.act(motion.id, 'close');
    },
    'an announced motion': () => room.act(motion.id, 'declare'),
    'an announced election': async () => {
      await room.act(board.id, 'open');
      await vote(board, { selected_option: options[0].id });
      await room.act(board.id, 'close');
      await room.act(board.id, 'declare');
    },
    'a void vote': async () => {
      await room.act(spoilt.id, 'open');
      await room.act(spoilt.id, 'void', { reason: long });
    },
    'after its end': () =>
      room.service.request({ method: 'PATCH', url: room.base, payload: { state: 'closed' } }),
  };
  const pages = Object.entries(states).map(([name, act]): AuditedPage => {
    const [look] = at({ origin }, { [name]: `/m/${room.id}/wall` });
    return { name, open: (page) => act().then(() => look!.open(page)) };
  });
  expect(await auditPages(browser, pages, [origin], { viewport: { width: 1920, height: 1080 } })).toEqual([]);
});

/** The batch of an item, by the address of the item. */
const batchOf = new Map<string, string>();

/** A vote of another meeting, of which papers were entered differently. @returns the address of its item */
async function countPapers(name: string): Promise<string> {
  const meeting = { title: name, held_at: isoTime(service.clock.now + DAY), classes: ['Members'] };
  const base = `/admin/meetings/${(await service.post('/admin/meetings', meeting)).json().id}`;
  const { packs } = (await service.post(`${base}/packs`, { class: 'Members', packs: 1 })).json();
  await service.post(`${base}/packs/${packs[0].id}/open`);
  const question = {
    ballot_type: 'POLL',
    options: [name, 'Bob'],
    settings: { poll_response_type: 'single' },
  };
  const item = { kind: 'election', title: name, question };
  const own = (await service.post(`${base}/items`, item)).json();
  const path = `${base}/items/${own.id}`;
  await service.post(`${path}/open`, { present: 1 });
  await service.post(`${path}/paper`, { code: packs[0].cards[0].code });
  await service.post(`${path}/close`);
  const { id } = (await service.post(`${path}/batches`, { control: { valid: 1 } })).json();
  batchOf.set(path, id);
  for (const teller of [1, 2]) {
    const who = await appoint(service, `teller${teller}@club.example`, 'chair');
    const entry = `${path}/batches/${id}/entries/${teller}?_method=PUT`;
    await service.submit(entry, { lines: `1 ${teller}` }, who);
  }
  return path;
}
