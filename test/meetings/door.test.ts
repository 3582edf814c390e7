import { describe, expect, it } from 'vitest';
import { verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import type { TestApp } from '#test/support/app.ts';
import { recorded } from '#test/support/audit.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField, expectRefusal, message } from '#test/support/messages.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';
import { FULL_SINCE_2020, openElectorate, person } from '#test/voting/electors/electorate.ts';

const WHEN = '2026-12-04T19:00';
const STANDING = { kind: 'full', first_day: '2020-01-01' };

/** A club of members, and a meeting of theirs. */
async function openMeeting(fields: object = {}, names = ['Ann', 'Bob', 'Cid', 'Dee']) {
  const club = await openClub();
  const { service } = club;
  const ids: Record<string, string> = {};
  for (const name of names) ids[name] = (await club.add({ name, standing: STANDING })).id;
  const { id } = (await service.post('/admin/meetings', { title: 'AGM', held_at: WHEN, ...fields })).json();
  const base = `/admin/meetings/${id}`;
  const pass = (who: string, action = 'in', more: object = {}) =>
    service.post(`${base}/door`, { person_id: ids[who] ?? who, action, ...more });
  return {
    ...club,
    id,
    base,
    ids,
    pass,
    meeting: async () => (await service.get(base)).json().meeting,
    people: async (q = '') => (await service.get(`${base}/door?q=${q}`)).json().people,
    packs: async (count = 1, name = 'Members') =>
      (await service.post(`${base}/packs`, { class: name, packs: count })).json().packs as {
        id: string;
        cards: { code: string; stub: string }[];
      }[],
    open: (pack: string) => service.post(`${base}/packs/${pack}/open`),
    back: (payload: object) => service.post(`${base}/door/return`, payload),
  };
}

/** Every value that is stored outside the log, as text. */
function everythingStored({ ctx }: TestApp): string {
  const read = (sql: string) => ctx.db.all<Record<string, unknown>>({ sql, parameters: [] } as never);
  return read(
    "SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND name <> 'audit_log'",
  )
    .map(({ name }) => JSON.stringify(read(`SELECT * FROM "${name}"`)))
    .join('\n');
}

const validFor = (club: Club, election: string): number =>
  club.service.ctx.db.all(build.selectFrom('tokens').select('token_hash').where('election_id', '=', election))
    .length;

describe('the door', () => {
  it('checks in once, says which cards to hand out, and counts who is present', async () => {
    await using one = await openMeeting({ quorum: 2 });
    expect((await one.pass('Ann')).json()).toEqual({ ok: true, present: 1, cards: { Members: 1 } });
    const again = await one.pass('Ann');
    expect([again.statusCode, again.json().error]).toEqual([409, message('in_already', { name: 'Ann' })]);
    const both = await Promise.all([one.pass('Bob'), one.pass('Bob')]);
    expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409]);
    expect(await one.meeting()).toMatchObject({ present: 2, entitled: 4, quorum: { needed: 2, met: true } });
    expect((await one.pass('Bob', 'out')).json()).toMatchObject({ present: 1 });
    expect(await one.meeting()).toMatchObject({
      present: 1,
      quorum: { met: false },
      cards: { Members: { printed: 0, handed_out: 2, returned: 0, void: 0 } },
    });
    expect((await one.pass('Bob')).json()).toMatchObject({ present: 2, cards: {} });
    expect((await one.pass('Cid')).json().present).toBe(3);
    const silent = await one.pass('Cid', 'undo');
    expect([silent.statusCode, silent.json().errors[0].path]).toEqual([400, 'gave_back']);
    expect((await one.pass('Cid', 'undo', { gave_back: false })).json().present).toBe(2);
    expect((await one.meeting()).cards.Members.handed_out).toBe(2);
    for (const [who, action] of [
      ['Cid', 'out'],
      ['nobody', 'in'],
    ] as const)
      expect([404, 409]).toContain((await one.pass(who, action)).statusCode);
  });

  it('lets guests and people without a vote in without a card', async () => {
    await using one = await openMeeting();
    const { id } = await one.add({ name: 'Sue', standing: { kind: 'suspended', first_day: '2020-01-01' } });
    expect((await one.pass(id)).json()).toEqual({ ok: true, present: 0, cards: {} });
    const guest = (action: string) => one.service.post(`${one.base}/door`, { guest: 'A speaker', action });
    expect((await guest('in')).json()).toEqual({ ok: true, present: 0, cards: {} });
    expectRefusal(await guest('in'), 409, 'in_already', { name: 'A speaker' });
    expect((await one.service.get(`${one.base}/door`)).json().guests).toEqual(['A speaker']);
    const page = await one.service.get(`${one.base}/door`, { accept: 'text/html' });
    expect(page.body).toContain('name="guest" value="A speaker"');
    expect((await guest('undo')).statusCode).toBe(200);
    expect((await one.service.get(`${one.base}/door`)).json().guests).toEqual([]);
    await guest('in');
    expect((await guest('out')).statusCode).toBe(200);
    const neither = await one.service.post(`${one.base}/door`, { action: 'in' });
    expect([neither.statusCode, neither.json().errors[0].path]).toEqual([400, 'person_id']);
  });

  it('finds people by name or number, with the class of their card', async () => {
    await using one = await openMeeting({ classes: ['Members', 'board'] });
    await one.add({ name: 'Eva', number: '77', standing: STANDING, groups: ['Board'] });
    expect(await one.people('77')).toMatchObject([
      { name: 'Eva', class: 'board', state: 'absent', may_vote: true },
    ]);
    expect(await one.people('ann')).toMatchObject([{ name: 'Ann', class: 'Members' }]);
    const [eva] = await one.people('eva');
    expect((await one.pass(eva.id)).json().cards).toEqual({ board: 1 });
    const dee = await one.pass('Dee', 'in', { class: 'Board' });
    expect(dee.json().cards).toEqual({ board: 1 });
    expect((await one.pass('Cid', 'in', { class: 'Youth' })).json().errors[0].path).toBe('class');
  });

  it('has a button for a card of another class where the roll gives somebody none, without script too', async () => {
    await using one = await openMeeting({ classes: ['Members', 'Board', 'Youth'] });
    const eva = await one.add({ name: 'Eva', standing: STANDING, groups: ['Board'] });
    const rowOf = async (name: string) => {
      const { body } = await one.service.get(`${one.base}/door`, { accept: 'text/html' });
      return (
        body.match(/<li class="door-row"[\s\S]*?<\/li>/g)?.find((row) => row.includes(`>${name} `)) ?? ''
      );
    };
    const dee = await rowOf('Dee');
    expect(dee).toContain('Another class');
    for (const name of ['Board', 'Youth']) {
      expect(dee).toContain(`<input type="hidden" name="class" value="${name}">`);
      expect(dee).toContain(`Check in: ${name}`);
    }
    // The button of each class has the sign of its cards.
    expect([...dee.matchAll(/data-class-sign="(\d)"/g)].map(([, at]) => at)).toEqual(['0', '1', '2']);
    expect(await rowOf('Eva')).not.toContain('Another class');
    expect(await one.people('eva')).toMatchObject([{ id: eva.id, class: 'Board', other_classes: [] }]);
    await one.open((await one.packs(1, 'Youth'))[0]!.id);
    const fields = { person_id: one.ids.Dee!, action: 'in', class: 'Youth' };
    const said = await one.service.submit(`${one.base}/door`, fields);
    expect(said.body).toContain('Hand out 1 card of Youth');
    // Whoever has a card has no choice any more.
    expect(await rowOf('Dee')).not.toContain('Another class');
    expect(await one.people('dee')).toMatchObject([{ class: 'Youth', cards: { Youth: 1 } }]);
  });

  it('signs cards of several classes by shape and colour, and says on the page of the meeting who is in which', async () => {
    await using one = await openMeeting({ classes: ['Members', 'Board', 'Youth'] });
    await one.add({ name: 'Eva', standing: STANDING, groups: ['board'] });
    const asPage = { accept: 'text/html' };
    const print = async (name: string) =>
      (await one.service.submit(`${one.base}/packs`, { class: name, packs: '1' })).body;
    const signs = async (name: string) =>
      new Set(
        [...(await print(name)).matchAll(/<path d="([^"]+)" fill="(#[0-9a-f]+)" fill-rule/g)].map(String),
      );
    const [members, board] = [await signs('Members'), await signs('Board')];
    expect(members.size).toBeGreaterThan(0);
    expect(members.intersection(board)).toEqual(new Set());
    const { body } = await one.service.get(one.base, asPage);
    expect(body).toMatch(/Board: 1 person</);
    expect(body).toMatch(/Youth: 0 people: make a group of this name/);
    await using single = await openMeeting();
    const printed = await single.service.submit(`${single.base}/packs`, { class: 'Members', packs: '1' });
    expect(printed.body).not.toContain('data-class-sign');
    expect((await single.service.get(single.base, asPage)).body).not.toContain('Classes of cards');
  });

  it('does a press once that a door sends again, and takes back that press alone', async () => {
    await using one = await openMeeting();
    const first = { press: 'a1' };
    for (const _ of [1, 2])
      expect((await one.pass('Ann', 'in', first)).json()).toMatchObject({
        present: 1,
        cards: { Members: 1 },
      });
    expectRefusal(await one.pass('Ann', 'in', { press: 'b1' }), 409, 'in_already', { name: 'Ann' });
    const other = await one.pass('Ann', 'undo', { press: 'b2', undoes: 'b1' });
    expect(other.json()).toMatchObject({ present: 1, cards: {} });
    for (const _ of [1, 2])
      expect(
        (await one.pass('Ann', 'undo', { press: 'a2', undoes: 'a1', gave_back: false })).json().present,
      ).toBe(0);
    await one.pass('Ann', 'in', { press: 'a3' });
    for (const _ of [1, 2]) await one.pass('Ann', 'out', { press: 'a4' });
    for (const _ of [1, 2])
      expect((await one.pass('Ann', 'undo', { press: 'a5', undoes: 'a4' })).json().present).toBe(1);
  });

  it('hands another card to whoever comes back only if they gave theirs back, and it was scanned', async () => {
    await using one = await openMeeting({ proxies_per_person: 1 });
    const [pack] = await one.packs();
    await one.open(pack!.id);
    await one.pass('Ann', 'in', { proxies: [one.ids.Dee] });
    for (const name of ['Bob', 'Cid']) await one.pass(name);
    const row = async (name: string) => {
      const [{ state, hands_out, has_card }] = await one.people(name);
      return { state, hands_out, has_card };
    };
    expect((await one.pass('Ann', 'out')).json().takes).toEqual({});
    expect(await row('Ann')).toEqual({ state: 'out', hands_out: {}, has_card: true });
    expect((await one.pass('Ann')).json().cards).toEqual({});
    // A scan alone is nobody's: it gives nobody another card.
    await one.back({ code: pack!.cards[9]!.code });
    await one.pass('Bob', 'out');
    expect((await one.pass('Bob')).json().cards).toEqual({});
    expect((await one.pass('Ann', 'out', { gave_back: true })).json().takes).toEqual({ Members: 2 });
    expect(await one.meeting()).toMatchObject({ given_back: { Members: 2 }, scanned: { Members: 1 } });
    expect((await one.pass('Ann')).json()).toMatchObject({
      cards: {},
      waits: true,
      waits_cards: 'unscanned',
    });
    await one.back({ code: pack!.cards[0]!.code });
    const page = await one.service.get(`${one.base}/door?q=ann`, { accept: 'text/html' });
    expect(page.body).toContain('Hand out: 2 cards');
    expect((await one.pass('Ann', 'card')).json().cards).toEqual({ Members: 2 });
  });

  it('works with forms alone', async () => {
    await using one = await openMeeting();
    await one.open((await one.packs())[0]!.id);
    const page = await one.service.get(`${one.base}/door?q=ann`, { accept: 'text/html' });
    expect([page.statusCode, page.body.includes('Check in – 1 card')]).toEqual([200, true]);
    const form = { person_id: one.ids.Ann!, action: 'in' };
    const done = await one.service.submit(`${one.base}/door`, form);
    expect([done.statusCode, done.body.includes('Hand out 1 card of Members')]).toEqual([200, true]);
    const twice = await one.service.submit(`${one.base}/door`, form);
    expect([twice.statusCode, twice.body.includes(message('in_already', { name: 'Ann' }))]).toEqual([
      409,
      true,
    ]);
    const printed = await one.service.submit(`${one.base}/packs`, { class: 'Members', packs: '1' });
    expect(printed.body.match(/class="voting-card"/g)).toHaveLength(10);
  });
});

describe('proxies', () => {
  it('give their holder one more card, are limited, and end when the giver comes', async () => {
    await using one = await openMeeting({ proxies_per_person: 1, proxies_count: true, quorum: 2 });
    const { Ann, Bob, Cid, Dee } = one.ids;
    expectBadField(await one.pass('Ann', 'in', { proxies: [Ann] }), 'proxies', 'proxy_for_self');
    expectRefusal(await one.pass('Ann', 'in', { proxies: [Bob, Cid] }), 409, 'too_many_proxies', { max: 1 });
    expect((await one.pass('Ann', 'in', { proxies: [Bob] })).json()).toMatchObject({
      present: 1,
      cards: { Members: 2 },
    });
    expect(await one.meeting()).toMatchObject({ present: 1, represented: 1, quorum: { met: true } });
    expectRefusal(await one.pass('Dee', 'in', { proxies: [Bob] }), 409, 'represented_already', {
      name: 'Bob',
    });
    // The giver is there, and their vote stays with the holder until the card is given back and scanned.
    const came = (await one.pass('Bob')).json();
    expect(came).toEqual({ ok: true, present: 2, cards: {}, waits: true, holder: 'Ann' });
    expect(await one.meeting()).toMatchObject({
      present: 2,
      without_card: 1,
      represented: 0,
      cards: { Members: { handed_out: 2 } },
    });
    const early = await one.pass('Bob', 'card', { gave_back: true });
    expect(early.json().error).toContain(message('waits_for_scan', { name: 'Ann' }));
    const [pack] = await one.packs();
    await one.open(pack!.id);
    await one.back({ code: pack!.cards[0]!.code });
    expect((await one.pass('Bob', 'card', { gave_back: true })).json().cards).toEqual({ Members: 1 });
    expect(await one.meeting()).toMatchObject({ present: 2, cards: { Members: { handed_out: 3 } } });
    expectRefusal(await one.pass('Dee', 'in', { proxies: [Ann] }), 409, 'in_already', { name: 'Ann' });
    const entered = await one.service.post(`${one.base}/proxies`, {
      giver: Cid,
      holder: Dee,
      document: 'Folder 3',
    });
    expect(entered.statusCode).toBe(200);
    expect((await one.pass('Dee')).json().cards).toEqual({ Members: 2 });
    const remove = () => send(one.service, 'DELETE', `${one.base}/proxies/${entered.json().id}`);
    expectRefusal(await remove(), 409, 'proxy_used');
    await one.pass('Dee', 'undo', { gave_back: false });
    expect((await remove()).statusCode).toBe(200);
  });

  it('that are entered later are handed to a holder who is there, once', async () => {
    await using one = await openMeeting({ proxies_per_person: 2 });
    await one.pass('Ann');
    const { Ann, Bob, Cid } = one.ids;
    await one.service.post(`${one.base}/proxies`, { giver: Bob, holder: Ann });
    const page = await one.service.get(`${one.base}/door?q=ann`, { accept: 'text/html' });
    expect(page.body).toContain('Hand out: 1 card');
    expect((await one.pass('Ann')).json()).toMatchObject({ present: 1, cards: { Members: 1 } });
    expectRefusal(await one.pass('Ann'), 409, 'in_already', { name: 'Ann' });
    expect((await one.pass('Ann', 'in', { proxies: [Cid] })).json().cards).toEqual({ Members: 1 });
    expect((await one.meeting()).cards.Members.handed_out).toBe(3);
  });

  it('are off by default', async () => {
    await using one = await openMeeting();
    expectRefusal(await one.pass('Ann', 'in', { proxies: [one.ids.Bob] }), 409, 'proxies_off');
    expect((await one.meeting()).present).toBe(0);
  });
});

describe('voting cards', () => {
  it('are valid once the door opens their pack, and void when they come back', async () => {
    await using one = await openMeeting();
    const { election_id } = (
      await one.service.post(`${one.base}/items`, { kind: 'motion', title: 'New lamps' })
    ).json();
    const [first, second] = await one.packs(2);
    expect(first!.cards).toHaveLength(10);
    expect(validFor(one, election_id)).toBe(0);
    for (const _ of [1, 2]) expect((await one.open(first!.id)).statusCode).toBe(200);
    expect(validFor(one, election_id)).toBe(10);
    const [card, other] = first!.cards;
    const shown = await one.service.get(`/e/${election_id}?t=${card!.code}.${election_id}`);
    expect(shown.statusCode).toBe(200);
    await one.pass('Ann');
    expect((await one.meeting()).cards_too_many).toBe(9);
    const answer = await one.back({ code: card!.code });
    expect(answer.json()).toMatchObject({ ok: true, returned: 1, cards: { Members: { returned: 1 } } });
    expect(answer.body).not.toContain('Ann');
    expect((await one.back({ code: card!.code })).json().returned).toBe(0);
    expect((await one.back({ code: second!.cards[0]!.code })).json().returned).toBe(0);
    expectRefusal(await one.back({ code: 'K7P4-2MQX-9TDW-5HRC' }), 404, 'card_not_found');
    expect(validFor(one, election_id)).toBe(9);

    const lost = await one.service.post(`/m/${one.id}/void`, { stub: other!.stub.toLowerCase() });
    expect(lost.json()).toEqual({ ok: true });
    expect(validFor(one, election_id)).toBe(8);
    expectRefusal(await one.service.post(`/m/${one.id}/void`, { stub: card!.code }), 404, 'stub_not_found');
    const form = await one.service.submit(`/m/${one.id}/void`, { stub: other!.stub });
    expect([form.statusCode, form.body.includes('The card is void')]).toEqual([200, true]);

    const closed = await one.service.post(`${one.base}/packs/void`);
    expect(closed.json()).toEqual({ ok: true, void: 10 });
    expectRefusal(await one.open(second!.id), 409, 'pack_void');
    const chair = async () => (await one.service.get(`${one.base}/chair`, { accept: 'text/html' })).body;
    expect(await chair()).toContain('8 valid cards not accounted for');
    const rest = first!.cards.slice(2).map(({ code }) => code);
    expect((await one.back({ codes: rest.slice(0, 7) })).json().returned).toBe(7);
    expect(await one.meeting()).toMatchObject({
      cards_too_many: 1,
      cards: { Members: { printed: 20, handed_out: 1, returned: 8, void: 11 } },
    });
  });

  it('vote only on the items of their class, also on those that are added later', async () => {
    await using one = await openMeeting({ classes: ['Members', 'Committee'] });
    const add = async (classes?: string[]) =>
      (await one.service.post(`${one.base}/items`, { kind: 'motion', title: 'Discharge', classes })).json()
        .election_id;
    const before = await add(['Members']);
    for (const name of ['Members', 'Committee']) await one.open((await one.packs(1, name))[0]!.id);
    const [later, all] = [await add(['Committee']), await add()];
    expect([before, later, all].map((election) => validFor(one, election))).toEqual([10, 10, 20]);
    const { items } = (await one.service.get(one.base)).json();
    const ask = (classes: string[] | null) =>
      send(one.service, 'PATCH', `${one.base}/items/${items[0].id}`, { classes });
    for (const [classes, codes] of [
      [['Committee'], 10],
      [null, 20],
    ] as const) {
      await ask(classes && [...classes]);
      expect(validFor(one, before)).toBe(codes);
    }
  });

  it('of members elsewhere are links, which vote on the items of their class too', async () => {
    await using club = await openElectorate();
    const eva = {
      name: 'Eva',
      groups: ['Board'],
      ...FULL_SINCE_2020,
      addresses: [{ email: 'eva@club.example' }],
    };
    await club.add(eva);
    await club.add(person('Ann', 'ann@club.example'));
    const fields = { title: 'AGM', held_at: WHEN, classes: ['Members', 'Board'], remote: true };
    const post = (url: string, payload: object) => club.service.post(url, payload, club.olga);
    const { id, paper_id } = (await post('/admin/meetings', fields)).json();
    const add = async (classes: string[]) =>
      (await post(`/admin/meetings/${id}/items`, { kind: 'motion', title: 'Discharge', classes })).json()
        .election_id;
    const all = await add([]);
    const invited = await post(`/admin/papers/${paper_id}/invite`, { roll: {} });
    expect(invited.statusCode).toBe(200);
    const members = await add(['Members']);
    expect([validFor(club, all), validFor(club, members)]).toEqual([2, 1]);
    const { meeting } = (await club.service.get(`/admin/meetings/${id}`, club.olga)).json();
    expect(meeting).toMatchObject({ remote: 2, allows_remote: true });
  });

  it('are scanned after the meeting too, when nobody is checked in any more', async () => {
    await using one = await openMeeting();
    const [pack] = await one.packs();
    await one.open(pack!.id);
    await send(one.service, 'PATCH', one.base, { state: 'closed' });
    expectRefusal(await one.pass('Ann'), 409, 'meeting_closed');
    const read = async (url: string) => (await one.service.get(url, { accept: 'text/html' })).body;
    expect(await read(one.base)).toContain(`href="${one.base}/door"`);
    const door = await read(`${one.base}/door`);
    expect([door.includes('Nobody is checked in any more'), door.includes('Check in')]).toEqual([
      true,
      false,
    ]);
    await one.back({ codes: pack!.cards.map(({ code }) => code) });
    expect((await one.meeting()).cards_too_many).toBe(0);
  });

  it('are of no person: nothing stored ties them, and the log has sums alone', async () => {
    await using one = await openMeeting();
    const [pack] = await one.packs();
    await one.open(pack!.id);
    one.service.clock.now += 1_234_567;
    const entries = recorded(one.service.ctx).length;
    await one.pass('Ann');
    await one.pass('Bob');
    await one.pass('Bob', 'out', { gave_back: true });
    await one.back({ code: pack!.cards[3]!.code });
    expect(recorded(one.service.ctx)).toHaveLength(entries);
    const stored = everythingStored(one.service);
    for (const { code, stub } of pack!.cards)
      expect([stored.includes(code), stored.includes(stub)]).toEqual([false, false]);
    expect(stored).not.toContain(String(one.service.clock.now));
    await one.service.post(`${one.base}/packs/void`);
    const last = recorded(one.service.ctx).at(-1)!;
    expect(last).toMatchObject({
      action: 'door.closed',
      metadata: { present: 1, cards: { Members: { handed_out: 2 } } },
    });
    expect(JSON.stringify(last)).not.toContain(one.ids.Ann);
    expect(verifyAudit(one.service.ctx.db).broken).toBeUndefined();
  });
});
