import { expect, it, onTestFinished } from 'vitest';
import { DAY, isoTime, SECOND } from '#kernel/clock.ts';
import { backUp } from '#kernel/db/backup.ts';
import { restore } from '#kernel/db/restore.ts';
import { proposalCode } from '#meetings/proposals/codes.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { accusations, accusingPages, answered, runVerify } from '#test/support/accusations.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addTokens, castAll, send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { multipart } from '#test/support/pictures.ts';
import { tempFolder } from '#test/support/process/process.ts';
import { deleteOldTrials } from '#voting/elections/trials.ts';
import { openRoom } from './a-meeting.ts';
import { session } from './held-meeting.ts';
import { type Item, type Who, withTellers } from './tellers.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay', 'Gil', 'Hal', 'Ida', 'Jim'];
const yes = { choice: 'yes' };
const no = { choice: 'no' };

/** A meeting in a file, whose every act is followed by a look at everything that could say that something differs. */
async function openEvening(file: string) {
  const limits = { RATE_LIMIT_GENERAL: '100000', RATE_LIMIT_VOTE: '100000' };
  const { url } = await startMailServer();
  const env = {
    ...mailTo(url),
    ...limits,
    ELECTIONS_NEED_ROLE: 'on',
    BASE_URL: 'http://club.example',
    DATABASE_URL: `file:${file}`,
  };
  const fields = { place: 'The hall', quorum: 2, remote: true, proxies_per_person: 1 };
  const one = await openRoom(fields, NAMES, env);
  const { service, base, ids } = one;
  const [cat, dan] = await Promise.all(
    ['cat', 'dan'].map((name) => appoint(service, `${name}@club.example`, 'officer')),
  );
  const olga = await appoint(service, 'olga@club.example', 'officer', 'secretary');
  const paper = `/admin/papers/${(await one.read()).meeting.paper_id}`;
  /** The cards of the pile, the next first. */
  const pile: string[] = [];
  const press = async (item: Item, name: string, payload: object = {}, who: Who = {}, status = 200) =>
    answered((await one.act(item.id, name, payload, who)).answer, status).item;
  const post = async (url: string, payload: object = {}, status = 200, who: Who = {}) =>
    answered(await service.post(url, payload, who), status);
  return {
    ...one,
    pile,
    press,
    post,
    olga,
    links: paper,
    /** The codes of printed letters, by name. */
    letters: async (): Promise<Record<string, string>> => {
      const { body } = await service.submit(`${paper}/invites/slips`, {}, olga);
      const letters = body.matchAll(/For (\w+)\. .*?<p class="slip-code[^>]*>\s*([^<\s]+)\s*</gs);
      return Object.fromEntries([...letters].map(([, name, code]) => [name, code]));
    },
    agrees: async (said: string) => expect([said, await accusations(service, file)]).toEqual([said, []]),
    door: (who: string, action: string, more: object = {}) =>
      post(`${base}/door`, { person_id: ids[who], action, ...more }),
    scan: (code: string) => post(`${base}/door/return`, { code }),
    pack: async () => {
      const { packs } = await post(`${base}/packs`, { class: 'Members', packs: 1 });
      await post(`${base}/packs/${packs[0].id}/open`);
      for (const { code } of packs[0].cards) pile.push(code);
      return packs[0].cards as { code: string; stub: string }[];
    },
    ask: async (title: string, more: object = {}): Promise<Item> =>
      await post(`${base}/items`, { kind: 'motion', title, ...more }),
    cast: async (code: string | undefined, item: Item, ballot: object) =>
      expect(await one.vote(code ?? '', item.election_id, ballot)).toBe(200),
    change: async (payload: object) => answered(await send(service, 'PATCH', base, payload)),
    /** What the first of two officers asks for, and the other does. */
    byTwo: async (request: (who: Who) => Promise<{ statusCode: number; body: string }>) => {
      answered(await request(cat!), 202);
      return answered(await request(dan!));
    },
  };
}

type Evening = Awaited<ReturnType<typeof openEvening>>;

/** What members and officers bring to a meeting before it. */
async function beforehand(one: Evening): Promise<void> {
  const { agrees, base, id, post, service } = one;
  const now = service.clock.now;
  const period = { opens_at: isoTime(now), closes_at: isoTime(now + DAY) };
  const call = { ...period, who: 'anybody', seconders: 0 };
  answered(await send(service, 'PUT', `${base}/motions`, call));
  const later = { ...call, closes_at: isoTime(now + 2 * DAY) };
  answered(await send(service, 'PUT', `${base}/motions`, later));
  await agrees('a call for motions that is extended');
  const titles = ['Benches', 'Curtains', 'Carpets'];
  for (const title of titles)
    await post(`/m/${id}/motions`, { name: 'Uma', email: 'uma@club.example', title, text: 'New ones.' }, 202);
  const { motions } = answered(await service.get(`${base}/motions`, { accept: 'application/json' }));
  const linkOf = (motion: { id: string }) => `/m/${id}/motions/${proposalCode(service.ctx, motion.id)}`;
  for (const motion of motions) await post(linkOf(motion), { action: 'consent' });
  const [first, second, third] = motions;
  for (const motion of [first, second]) await post(`${base}/motions/${motion.id}`, { decision: 'accept' });
  await post(`${base}/motions/${third.id}`, { decision: 'refuse', reason: 'Too dear.' });
  await agrees('motions that are accepted and refused');
  await post(linkOf(second), { action: 'withdraw' });
  const item = (await one.read()).items.find(({ mover }: { mover: string | null }) => mover === 'Uma').id;
  const upload = async (fields: Record<string, string>) => {
    const file = { document: { bytes: Buffer.from('%PDF-1.7\n') } };
    const { payload, headers } = await multipart({ title: 'Accounts', ...fields }, file);
    const url = `${base}/documents`;
    return answered(
      await service.request({
        method: 'POST',
        url,
        payload,
        headers: { accept: 'application/json', ...headers },
      }),
    );
  };
  await upload({});
  const removed = await upload({});
  await upload({ item });
  answered(await send(service, 'DELETE', `${base}/documents/${removed.id}`));
  await agrees('documents that are uploaded and removed');
  answered(await send(service, 'DELETE', `${base}/items/${item}`));
  await agrees('an item that takes its motion and its documents with it');
}

/** Who comes, goes, comes back and is mistaken for somebody else, while a question is open. */
async function atTheDoor(one: Evening): Promise<Item> {
  const { agrees, door, pile, cast, press } = one;
  await one.post(`${one.links}/invite`, { roll: {} }, 200, one.olga);
  expect(Object.keys(await one.letters()).toSorted()).toEqual(NAMES);
  await agrees('links for everybody');
  const { invites } = (await one.service.get(`${one.links}/invites`, one.olga)).json();
  const linkOf = (who: string) => invites.find(({ name }: { name: string }) => name === who).id;
  for (const [who, name] of Object.entries({ Gil: 'withdraw', Jim: 'replace' }))
    await one.post(`${one.links}/invites/${linkOf(who)}/${name}`, { reason: 'Asked for it.' }, 200, one.olga);
  const links = await one.letters();
  await agrees('links that are withdrawn and replaced');
  const spare = await one.post(`${one.base}/packs`, { class: 'Members', packs: 1 });
  await one.post(`${one.base}/packs/drop`, { packs: [spare.packs[0].id] });
  await agrees('a pack that was printed for nothing');
  const cards = await one.pack();
  await one.pack();
  const held: Record<string, string> = {};
  for (const who of ['Ann', 'Bob', 'Cid', 'Dee']) {
    expect(await door(who, 'in')).toMatchObject({ cards: { Members: 1 }, link_ended: true });
    held[who] = pile.shift()!;
  }
  await agrees('links that end at the door');
  const proxies = `${one.base}/proxies`;
  const mistake = await one.post(proxies, { giver: one.ids.Ida, holder: one.ids.Bob });
  answered(await send(one.service, 'DELETE', `${proxies}/${mistake.id}`));
  await one.post(proxies, { giver: one.ids.Ida, holder: one.ids.Ann });
  await door('Ann', 'in', { proxies: [one.ids.Ida] });
  const proxyCard = pile.shift();
  await agrees('a proxy whose card is handed out');

  const first = await one.ask('Lamps', { text: 'Ten lamps are bought.' });
  await press(first, 'open');
  await cast(held.Ann, first, yes);
  await cast(proxyCard, first, yes);
  await cast(held.Bob, first, no);
  await cast(links.Jim, first, yes);
  await agrees('votes with cards, a proxy and a link');
  expect(await door('Bob', 'out', { gave_back: true })).toMatchObject({ takes: { Members: 1 } });
  await agrees('“gave the card back” before the scan');
  expect(await one.scan(held.Bob!)).toMatchObject({ returned: 1 });
  await agrees('the scan after “gave the card back”');
  expect(await one.scan(held.Cid!)).toMatchObject({ returned: 1 });
  await door('Cid', 'out', { gave_back: true });
  await agrees('“gave the card back” after the scan');
  await door('Dee', 'out');
  await agrees('“left with the card”');
  expect(await door('Bob', 'in')).toMatchObject({ cards: {}, waits: true });
  one.service.clock.now += 60 * SECOND;
  expect(await door('Eve', 'in', { ago: 30 })).toMatchObject({ cards: { Members: 1 } });
  held.Eve = pile.shift()!;
  await agrees('a press that comes late');

  await door('Fay', 'in');
  pile.shift();
  await door('Fay', 'undo', { for: one.ids.Gil });
  await agrees('an undo: it was somebody else');
  await door('Fay', 'in');
  await door('Fay', 'undo', { gave_back: false });
  await agrees('an undo: no card was handed out');
  await door('Hal', 'in');
  const mistaken = pile.shift();
  expect(await door('Hal', 'undo', { gave_back: true })).toMatchObject({ takes: { Members: 1 } });
  await one.scan(mistaken!);
  await agrees('an undo: the card is back');
  await door('Hal', 'in', { ago: 10 });
  await door('Hal', 'undo', { gave_back: false, ago: 5 });
  await agrees('an undo that comes late');

  await press(first, 'close');
  expect(await door('Bob', 'card')).toMatchObject({ cards: { Members: 1 } });
  held.Bob = pile.shift()!;
  await agrees('a card for somebody who has waited');
  expect(await door('Hal', 'in', { ago: 120 })).toMatchObject({ cards: { Members: 1 } });
  held.Hal = pile.shift()!;
  await agrees('a press from before the close that comes after it');
  await press(first, 'declare');
  await agrees('an announcement');
  await one.post(`${one.base}/door/replace`, { stub: cards[0]!.stub });
  await agrees('a lost card that is replaced');
  return first;
}

/** Openings, the end of links, new cards, hands, void votes, names that are withdrawn, and a follow-up. */
async function inTheRoom(one: Evening): Promise<Item> {
  const { agrees, press, cast, pile } = one;
  const chairs = await one.ask('Chairs');
  await press(chairs, 'open');
  await press(chairs, 'take-back');
  await agrees('an opening that is taken back');
  answered(await send(one.service, 'PATCH', `${one.base}/items/${chairs.id}`, { title: 'Ten chairs' }));
  await press(chairs, 'open', { seconds: 60 });
  await press(chairs, 'extend', { seconds: 30 });
  await press(chairs, 'close');
  await press(chairs, 'declare');
  await agrees('a reopening of what was taken back');

  expect(await one.post(`${one.base}/packs/renew`, { confirm: true })).toMatchObject({ ok: true });
  pile.length = 0;
  await one.pack();
  const held: string[] = [];
  for (const [who, cards] of Object.entries({ Ann: 2, Bob: 1, Eve: 1, Hal: 1 })) {
    expect(await one.door(who, 'card')).toMatchObject({ cards: { Members: cards } });
    held.push(...pile.splice(0, cards));
  }
  await agrees('a renewal of cards');
  await one.change({ remote: false });
  await agrees('no members elsewhere any more');

  const rope = await one.ask('Ropes');
  await press(rope, 'hands', { yes: 2, no: 1 });
  await press(rope, 'hands', { yes: 1, no: 2, correction: true });
  await press(rope, 'declare');
  await press(await one.ask('Thanks'), 'unopposed');
  await agrees('hands that are counted, and corrected, and an item without opposition');

  const wrong = await one.ask('Wrong');
  await press(wrong, 'open');
  await cast(held[0], wrong, yes);
  await press(wrong, 'void', { reason: 'The wrong text.' });
  await agrees('a vote that is void while it is open');
  const lost = await one.ask('Lost');
  await press(lost, 'open');
  await cast(held[0], lost, yes);
  await press(lost, 'close');
  await press(lost, 'declare');
  const voided = `${one.base}/items/${lost.id}/void`;
  await one.byTwo((who) => one.service.post(voided, { reason: 'Two votes.' }, who));
  await agrees('a vote that two people make void after its close');
  const repeat = await one.post(`/admin/elections/${lost.election_id}/follow-up`, { kind: 'repeat' });
  await agrees('a repeat');
  const again = (await one.read()).items.find(({ id }: Item) => id === repeat.item) as Item;
  await press(again, 'open');
  await cast(held[0], again, no);
  await press(again, 'close');
  await press(again, 'declare');
  await agrees('a repeat that is held');

  const board: Item = await one.post(`${one.base}/items`, {
    kind: 'election',
    title: 'Treasurer',
    question: { ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Max'], settings: { seats: 1, lot: 'drawn' } },
  });
  await press(board, 'open');
  const { options } = (await one.service.get(`/e/${board.election_id}`)).json().election;
  const [ivy, lee, max] = options.map(({ id }: { id: string }) => id);
  await cast(held[0], board, { selected_option: lee });
  const url = `/admin/elections/${board.election_id}/options/${ivy}/withdraw`;
  await one.byTwo((who) => one.service.post(url, { note: 'Ivy has fallen ill' }, who));
  await agrees('a name that two people withdraw');
  await cast(held[1], board, { selected_option: max });
  await press(board, 'close');
  const lot = { order: [max, lee], drawn_by: 'Ann', witnesses: ['Bob', 'Eve'] };
  await one.post(`/admin/elections/${board.election_id}/lot`, lot);
  await press(board, 'declare', { accepts: { [max]: true } });
  await agrees('a lot, and somebody who accepts');
  return rope;
}

/** Papers that two tellers count, some of them after the announcement. */
async function onPaper(one: Evening): Promise<void> {
  const { agrees, press, pile } = one;
  const roof = await one.ask('Roof');
  for (const who of ['Cid', 'Jim']) await one.door(who, 'in');
  const [cid, jim] = pile.splice(0, 2);
  await press(roof, 'open');
  for (const code of [cid, jim]) await press(roof, 'paper', { code });
  await agrees('papers that are handed out');
  await press(roof, 'close');
  const tellers = await withTellers(one);
  const dropped = await tellers.batch(roof, { valid: 2 });
  expect((await tellers.enter(roof, dropped, 1, [{ number: 1, ...no }])).status).toBe(200);
  await agrees('a batch that one teller has entered');
  const drop = `${roof.id}/batches/${dropped}`;
  expect((await tellers.call('DELETE', drop, { reason: 'Tess went home.' })).status).toBe(200);
  await agrees('a batch that is dropped');
  await tellers.count(roof, { valid: 1 }, [{ number: 1, ...no }]);
  expect((await tellers.box(roof, 1)).status).toBe(200);
  await press(roof, 'declare');
  await agrees('papers that join');
  await tellers.count(roof, { valid: 1 }, [{ number: 2, ...yes }], { reason: 'It was under a magazine.' });
  await agrees('a late paper that two people join');
}

const figures = (votes: number) => ({
  reason: 'The scrutineers counted again.',
  results: { contests: [{ label: 'Lamps', items: [{ label: 'Yes', votes }] }] },
});

/** Two people certify figures beside the count. */
function certify(one: Evening, { election_id }: Item, votes: number) {
  const url = `/admin/elections/${election_id}/manual-results`;
  return one.byTwo((who) =>
    one.service.request({
      method: 'PUT',
      url,
      payload: figures(votes),
      headers: { accept: 'application/json', ...who },
    }),
  );
}

/** The end, and what comes after it: minutes, their corrections, and figures that change what they say. */
async function afterwards(one: Evening, lamps: Item): Promise<void> {
  const { agrees } = one;
  await certify(one, lamps, 9);
  await agrees('figures that two people certify');
  await one.post(`${one.base}/packs/void`);
  await agrees('cards that are void');
  await one.change({ state: 'closed', confirm: ['announce'] });
  await agrees('the end');
  const thanks = (await one.read()).items.find(({ title }: { title: string }) => title === 'Thanks');
  await one.press(thanks, 'declare');
  await agrees('a result that is announced after the end');
  await one.scan(one.pile[0]!);
  await agrees('a card that comes back after the end');
  const minutes = `${one.base}/minutes`;
  const patch = async (payload: object) => answered(await send(one.service, 'PATCH', minutes, payload));
  const sign = async () => {
    for (const [as, name] of Object.entries({ chair: 'Ann', secretary: 'Bob' }))
      await one.post(`${minutes}/sign`, { as }, 200, await session(one, name));
  };
  await patch({ chair: one.ids.Ann, secretary: one.ids.Bob, texts: { led: 'Ann' } });
  await sign();
  await agrees('minutes that are signed');
  await one.post(`${minutes}/correct`, { reason: 'Begun by mistake.' });
  answered(await send(one.service, 'DELETE', `${minutes}/correct`));
  await agrees('a correction that is dropped');
  await certify(one, lamps, 8);
  await agrees('figures that are certified after the signing');
  await one.post(`${minutes}/correct`, { reason: 'The figures were counted again.' });
  await patch({ texts: { led: 'Anna' } });
  await agrees('a correction that is written');
  await sign();
  await agrees('a correction that is signed');
  const cleared = `/admin/elections/${lamps.election_id}/manual-results`;
  await one.byTwo((who) =>
    one.service.request({ method: 'DELETE', url: cleared, headers: { accept: 'application/json', ...who } }),
  );
  await agrees('certified figures that are taken back');
}

/** Meetings that are called off or deleted, and elections without a meeting. */
async function elsewhere(one: Evening): Promise<string> {
  const { agrees, post, service } = one;
  const next = await post('/admin/meetings', { title: 'Extra', held_at: '2027-01-04T19:00' });
  await post(`/admin/meetings/${next.id}/items`, { kind: 'motion', title: 'Spoons' });
  const change = async (payload: object) =>
    answered(await send(service, 'PATCH', `/admin/meetings/${next.id}`, payload));
  await change({ held_at: '2027-01-05T19:00' });
  await change({ state: 'called_off', reason: 'The hall is flooded.' });
  await agrees('a meeting that is called off');
  const third = await post('/admin/meetings', { title: 'Wrong', held_at: '2027-01-04T19:00' });
  await post(`/admin/meetings/${third.id}/items`, { kind: 'motion', title: 'Forks' });
  answered(await send(service, 'DELETE', `/admin/meetings/${third.id}`, { reason: 'Wrong year.' }));
  await agrees('a meeting that is deleted');

  const id = await addElection(service);
  await addTokens(service, id, 3);
  await castAll(service, id, Array(6).fill(yes));
  await post(`/admin/elections/${id}/close`);
  answered(await service.get(`/e/${id}/results`));
  expect((await service.get(`/admin/elections/${id}/export`)).statusCode).toBe(200);
  const dates = { open_at: '2026-01-01T00:00:00Z', close_at: '2099-01-01T00:00:00Z' };
  const reopened = { ...dates, reopen: true, reason: 'Late.' };
  answered(await send(service, 'PATCH', `/admin/elections/${id}/dates`, reopened));
  await castAll(service, id, Array(5).fill(no));
  await post(`/admin/elections/${id}/close`);
  answered(await service.get(`/e/${id}/results`));
  await agrees('an election that is opened again');
  const gone = await addElection(service);
  await castAll(service, gone, [yes]);
  answered(await send(service, 'DELETE', `/admin/elections/${gone}`, { reason: 'A mistake.' }));
  await agrees('an election that is deleted');
  const trial = await addElection(service, { trial: true });
  await castAll(service, trial, [yes, no]);
  await post(`/admin/elections/${trial}/close`);
  service.clock.now += 8 * DAY;
  await deleteOldTrials(service.ctx);
  expectRefusal(await service.get(`/e/${trial}`), 404, 'election_not_found');
  await agrees('the end of a trial');
  return id;
}

it('no lawful act is a difference: at once, after a restart, an export, and a backup that is put back', async () => {
  const folder = tempFolder();
  const file = `${folder}/service.db`;
  const env = { DATABASE_URL: `file:${file}` };
  const one = await openEvening(file);
  onTestFinished(() => one[Symbol.asyncDispose]());
  const { service, agrees } = one;
  const owner = await appoint(service, 'owner@club.example', 'owner');
  const pages = async (of: TestApp = service) => expect(await accusingPages(of, owner)).toEqual([]);
  await beforehand(one);
  const lamps = await atTheDoor(one);
  await pages();
  await inTheRoom(one);
  await pages();
  await onPaper(one);
  await afterwards(one, lamps);
  await pages();
  const election = await elsewhere(one);
  // Somebody who voted, somebody who held a proxy, and one of those who have signed.
  for (const who of ['Dee', 'Ida', 'Bob'])
    expect([who, await one.call('POST', `people/${one.ids[who]}/erase`, {}, owner)]).toMatchObject([
      who,
      { status: 200 },
    ]);
  await agrees('people who are erased');
  await pages();

  for (const id of [election, lamps.election_id]) {
    expect((await service.get(`/admin/elections/${id}/export`)).statusCode).toBe(200);
    expect((await service.get(`/e/${id}/results`)).json()).toMatchObject({ result_matches: true });
  }
  for (const name of ['minutes.md', 'minutes.docx'])
    expect((await service.get(`${one.base}/${name}`)).statusCode).toBe(200);
  await agrees('an export');
  const backup = await backUp(file, { folder: `${folder}/backups`, keep: 14, at: service.clock.now });
  const at = service.clock.now;
  await one[Symbol.asyncDispose]();
  {
    await using again = await testApp(env);
    again.clock.now = at;
    expect(['a restart', await accusations(again, file)]).toEqual(['a restart', []]);
    await pages(again);
  }
  await restore(backup, file, at);
  const restored = await testApp(env);
  onTestFinished(() => restored[Symbol.asyncDispose]());
  restored.clock.now = at;
  expect(['a restore', await accusations(restored, file)]).toEqual(['a restore', []]);
  expect((await runVerify(file)).stdout).toContain('Restored before ');
  await pages(restored);
});
