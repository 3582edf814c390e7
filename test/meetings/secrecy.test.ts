import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { hashToken } from '#voting/ballots/tokens.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';
import { openRoom } from './a-meeting.ts';

/** Whoever has one number holds the card with this number, and votes with it in this order. */
const MEMBERS = 20;
const LEAVERS = [3, 8, 13];
const NAMES = Array.from({ length: MEMBERS }, (_, at) => `Member ${String.fromCharCode(65 + at)}`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secrecy-meeting-'));
const file = path.join(folder, 'service.db');

type Row = Record<string, unknown>;

let one: Awaited<ReturnType<typeof openRoom>>;
let people: string[];
let cards: string[];
let stubs: string[];
let tables: Map<string, Row[]>;
/** What stands for one member or one card wherever it is stored. */
let ofMember: string[][];
let ofCard: string[][];

/** Twenty members, one a second: checked in, handed a card, scanning it, voting; three leave and one loses a card. */
beforeAll(async () => {
  one = await openRoom({}, NAMES, { DATABASE_URL: `file:${file}`, RATE_LIMIT_GENERAL: '100000' });
  const { service, base, id } = one;
  people = NAMES.map((name) => one.ids[name]!);
  const { packs } = (await service.post(`${base}/packs`, { class: 'Members', packs: 3 })).json();
  for (const pack of packs) await service.post(`${base}/packs/${pack.id}/open`);
  const pile: { code: string; stub: string }[] = packs.flatMap((pack: { cards: object[] }) => pack.cards);
  cards = pile.map(({ code }) => code);
  stubs = pile.map(({ stub }) => stub);
  const motions = [
    await one.add({ kind: 'motion', title: 'New lamps' }),
    await one.add({ kind: 'motion', title: 'New chairs' }),
  ];
  for (const [at, person_id] of people.entries()) {
    service.clock.now += SECOND;
    await service.post(`${base}/door`, { person_id, action: 'in' });
    await service.get(`/m/${id}?t=${cards[at]}`, { accept: 'text/html' });
  }
  for (const motion of motions) {
    await one.act(motion.id, 'open');
    for (const [at, code] of cards.slice(0, MEMBERS).entries()) {
      service.clock.now += SECOND;
      const page = await service.get(`/m/${id}/card`, { accept: 'text/html', cookie: `house_card=${code}` });
      if (!page.body.includes('vote/review') && motion === motions[0]) throw new Error(page.body);
      if (motion === motions[0] || !LEAVERS.includes(at))
        await one.vote(code, motion.election_id, { choice: at % 3 === 0 ? 'yes' : 'no' });
    }
    await one.act(motion.id, 'close');
    await one.act(motion.id, 'declare');
    if (motion !== motions[0]) continue;
    for (const at of LEAVERS) {
      service.clock.now += SECOND;
      await service.post(`${base}/door`, { person_id: people[at], action: 'out' });
      await service.post(`${base}/door/return`, { code: cards[at] });
    }
    await service.post(`/m/${id}/void`, { stub: stubs[5] });
  }
  await service.post(`${base}/packs/void`);
  await service.request({ method: 'PATCH', url: base, payload: { state: 'closed' } });
  const { all } = service.ctx.db;
  const names = all({
    sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'",
    parameters: [],
  } as never);
  tables = new Map(
    (names as { name: string }[]).map(({ name }) => [
      name,
      all({ sql: `SELECT * FROM "${name}"`, parameters: [] } as never) as Row[],
    ]),
  );
  ofMember = people.map((person, at) => {
    const row = tables.get('attendance')!.find(({ person_id }) => person_id === person);
    return [person, NAMES[at]!, String(row?.id)];
  });
  const hashes = cards.map((code) => hashToken(code));
  ofCard = cards.map((code, at) => {
    const row = tables.get('voting_cards')!.find(({ code_hash }) => code_hash === hashes[at]);
    return [code, stubs[at]!, hashes[at]!, String(row?.stub_hash)];
  });
});
afterAll(async () => {
  await one[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

const holds = (text: string, values: readonly string[]) => values.some((value) => text.includes(value));
/** The members or cards that a text names. */
const named = (text: string, all: readonly string[][]) =>
  all.flatMap((values, at) => (holds(text, values) ? [at] : []));

test('the whole database and the log hold no code, and no row or line names a member and a card', () => {
  const rows = [...tables.values()].flat().map((row) => JSON.stringify(row));
  expect(rows.length).toBeGreaterThan(100);
  expect(one.service.logged.length).toBeGreaterThan(100);
  for (const text of [...rows, ...one.service.logged]) {
    expect([...cards, ...stubs].filter((code) => text.includes(code))).toEqual([]);
    expect(named(text, ofMember).length > 0 && named(text, ofCard).length > 0, text).toBe(false);
  }
  // The log of requests has times: none of them says who passed the door or which card was scanned.
  for (const line of one.service.logged)
    expect([...named(line, ofMember), ...named(line, ofCard)], line).toEqual([]);
});

test('nothing that is stored of a member or a card has a time of its own', () => {
  for (const name of ['attendance', 'voting_cards', 'card_packs', 'remote_presence'])
    for (const row of tables.get(name)!)
      expect(Object.keys(row).filter((column) => column.endsWith('_at'))).toEqual([]);
  const cast = tables.get('tokens')!.map(({ created_at }) => created_at);
  expect(new Set(cast).size).toBe(1);
  for (const { used_at } of tables.get('tokens')!) expect(Number(used_at) % 3_600_000).toBe(0);
  // Entries of the log are in order: none is about one check-in or one card.
  for (const row of tables.get('audit_log')!) {
    expect(String(row.action)).not.toMatch(/^(door|meeting)\.(in|out|undo|returned|lost)/);
    const text = `${row.metadata} ${row.personal ?? ''}`;
    const isOfMeeting = !/^(person|people|role|kind|group)\./.test(String(row.action));
    if (isOfMeeting) expect([...named(text, ofMember), ...named(text, ofCard)], text).toEqual([]);
  }
});

/** How much an order is that in which members came and cards were handed out: 1 or -1 the same, about 0 none. */
function correlation(order: readonly number[]): number {
  const mean = (order.length - 1) / 2;
  const ranks = order.map((value) => order.filter((other) => other < value).length);
  const sum = (of: (rank: number, at: number) => number) =>
    ranks.reduce((all, rank, at) => all + of(rank, at), 0);
  return sum((rank, at) => (rank - mean) * (at - mean)) / sum((_, at) => (at - mean) ** 2);
}

/** Where values stand in the file or in the rows of a table, first to last. */
function ordersOf(
  all: readonly string[][],
  table: string,
  columns: readonly string[],
): Map<string, number[]> {
  const rows = tables.get(table)!;
  const bytes = fs.readFileSync(file, 'latin1') + fs.readFileSync(`${file}-wal`, 'latin1');
  const members = all.slice(0, MEMBERS);
  const seen = new Map<string, number[]>();
  const orderBy = (keys: (string | number)[]) =>
    keys.map((_, at) => at).toSorted((a, b) => (keys[a]! < keys[b]! ? -1 : 1));
  const stored = rows.flatMap((row) => named(JSON.stringify(row), members));
  seen.set(`${table} as stored`, [...new Set(stored)]);
  for (const column of columns) {
    const keys = members.map((values) => {
      const row = rows.find((each) => holds(JSON.stringify(each), values));
      return String(row?.[column]);
    });
    seen.set(`${table} by ${column}`, orderBy(keys));
    seen.set(`${table} by place of ${column}`, orderBy(keys.map((key) => bytes.lastIndexOf(key))));
  }
  return seen;
}

test('no order of rows tells who came when, or which card was handed out or used when', () => {
  const orders = [
    ...ordersOf(ofMember, 'attendance', ['id']),
    ...ordersOf(ofCard, 'voting_cards', ['code_hash', 'stub_hash']),
    ...ordersOf(ofCard, 'tokens', ['token_hash']),
  ];
  for (const [what, order] of orders) {
    expect(new Set(order).size, what).toBe(MEMBERS);
    // By chance it is 0 with a standard deviation of 0.23.
    expect(Math.abs(correlation(order)), what).toBeLessThan(0.95);
  }
});

test('a vote that its timer closes leaves no order in the file either', async () => {
  const other = path.join(folder, 'timer.db');
  await using room = await openRoom({}, NAMES, {
    DATABASE_URL: `file:${other}`,
    RATE_LIMIT_GENERAL: '100000',
  });
  const { service, base } = room;
  for (const name of NAMES) await service.post(`${base}/door`, { person_id: room.ids[name], action: 'in' });
  const motion = await room.add({ kind: 'motion', title: 'New lamps' });
  await room.act(motion.id, 'open', { seconds: 30 });
  service.clock.now += 31 * SECOND;
  expect((await room.item(motion.id)).state).toBe('closed');
  await settleClosedElections(service.ctx);
  await sealElections(service.ctx);
  const { all } = service.ctx.db;
  const rows = all(build.selectFrom('attendance').select(['id', 'person_id']));
  const bytes = fs.readFileSync(other, 'latin1');
  const places = NAMES.map((name) => {
    const { id = '' } = rows.find(({ person_id }) => person_id === room.ids[name]) ?? {};
    return bytes.lastIndexOf(id);
  });
  expect(Math.min(...places)).toBeGreaterThan(0);
  expect(Math.abs(correlation(places))).toBeLessThan(0.95);
});
