import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type MailServer, startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, type TestApp, testApp } from '#test/support/app.ts';
import { addRanked, page } from '#test/support/factories.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { browserOf, codeMailTo } from '#test/support/people/people.ts';

const NAMES = ['Ann', 'Bob', 'Cid', 'Dee', 'Eve'];
const VOTERS = 60;
const emailOf = (voter: number) => `member${String(voter).padStart(2, '0')}@club.example`;

type Row = Record<string, unknown>;
/** Voter numbers in the order of some rows. */
type Order = number[];

interface Member {
  person: string;
  cookie: string;
}

interface Cast {
  election: string;
  token: string;
  /** The stored choice. */
  choice: string;
  code: string | undefined;
}

/** What one vote changed in the tables: new rows and removed rows. */
type Difference = Record<string, { added: Row[]; gone: Row[] }>;

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secrecy-members-'));
let mails: MailServer;
let service: TestApp;
const members: Member[] = [];
/** The votes of the first election, without inclusion codes, and of the second, with them; one ballot a second. */
const elections: Cast[][] = [];
const differences: { withCookie: boolean; difference: Difference }[] = [];

/** Sixty members sign in, open their page, and vote by their links in two elections. */
async function playElections(): Promise<void> {
  mails = await startMailServer();
  service = await testApp({
    ...mailTo(mails.url),
    DATABASE_URL: `file:${folder}/service.db`,
    RATE_LIMIT_SIGN_IN: '10000',
  });
  const olga = await appoint(service, 'olga@club.example', 'owner');
  const headers = { ...olga, 'content-type': 'application/json' };
  const lines = Array.from({ length: VOTERS }, (_, voter) => `${voter},Member ${voter},${emailOf(voter)}`);
  const csv = ['number,name,email', ...lines].join('\n');
  const send = (body: object) => service.post('/api/admin/people/import', { csv, ...body }, headers);
  const { check } = (await send({ dry_run: true })).json();
  await send({ dry_run: false, check });
  for (let voter = 0; voter < VOTERS; voter += 1) members.push(await signIn(voter));
  for (const settings of [{}, { receipts: 'content' }]) elections.push(await vote(settings));
}

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  fs.rmSync(folder, { recursive: true });
});

async function signIn(voter: number): Promise<Member> {
  service.clock.now += SECOND;
  const browser = browserOf(service);
  await browser.post('/sign-in', { email: emailOf(voter) });
  const { code } = await codeMailTo(mails, emailOf(voter), 1);
  await browser.post('/sign-in/code', { code });
  expect(await browser.isSignedIn()).toBe(true);
  const own = build.selectFrom('addresses').select('person_id').where('email', '=', emailOf(voter));
  const person = service.ctx.db.first(own)!.person_id;
  await service.ctx.write((tx) =>
    tx.run(
      build.insertInto('passkeys').values({
        id: sha256(`passkey ${voter}`),
        person_id: person,
        public_key: Buffer.alloc(8),
        counter: voter,
        transports: '[]',
        name: 'Phone',
        rp_id: 'club.example',
        backed_up: 0,
        used_at: null,
        created_at: service.clock.now,
      }),
    ),
  );
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { person, cookie };
}

async function vote(settings: object): Promise<Cast[]> {
  const { id, ids } = await addRanked(service, NAMES, { settings });
  const before = mails.mails.length;
  const emails = Array.from({ length: VOTERS }, (_, voter) => emailOf(voter));
  await service.post(`/admin/elections/${id}/invite`, { emails });
  await expect.poll(() => mails.mails.length, { timeout: 30_000 }).toBe(before + VOTERS);
  const rankings = permutations([1, 2, 3, 4, 5]);
  const casts: Cast[] = [];
  for (const [voter, { cookie }] of members.entries()) {
    const mail = mails.mails.slice(before).find(({ recipients }) => recipients.includes(emailOf(voter)));
    const [, token = ''] = /\/vote\?t=([-0-9a-f]+)/.exec(mail?.text ?? '') ?? [];
    // 37 shares no factor with 120: all rankings differ, and their order does not follow the voters.
    const numbers = rankings[(voter * 37) % rankings.length]!;
    const code = 'receipts' in settings ? sha256(`${id} ${voter}`).slice(0, 32) : undefined;
    service.clock.now += SECOND;
    // Every other voter votes while signed in; a session's last use is stored again after a quarter of an hour.
    const withCookie = voter % 2 === 0;
    const isCompared = [20, 21].includes(voter);
    if (isCompared) service.clock.now += 20 * MINUTE;
    const headers = {
      host: 'votes.club.example',
      'sec-fetch-site': 'same-origin',
      'edge-connecting-ip': `10.0.0.${voter}`,
      ...(withCookie && { cookie }),
    };
    const tables = isCompared ? readTables() : undefined;
    await page(service, `/e/${id}/vote?t=${token}`, headers);
    const ballot = {
      token,
      ranking: numbers.map((number) => ids[NAMES[number - 1]!]),
      ...(code && { inclusion_code: code }),
      submission_id: sha256(`s ${id} ${voter}`).slice(0, 32),
    };
    expect((await service.post(`/e/${id}/vote`, ballot, headers)).statusCode).toBe(200);
    if (tables) differences.push({ withCookie, difference: compare(tables, readTables()) });
    casts.push({ election: id, token, choice: JSON.stringify(numbers), code });
  }
  return casts;
}

/** Reads all rows of every table except the full-text indexes, in the order of the database. */
function readTables(): Map<string, Row[]> {
  const tables = service.ctx.db.all(
    sql<{ name: string }>`
      SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'`.compile(build),
  );
  return new Map(
    tables.map(({ name }) => [
      name,
      service.ctx.db.all(sql<Row>`SELECT * FROM ${sql.table(name)}`.compile(build)),
    ]),
  );
}

function compare(before: Map<string, Row[]>, after: Map<string, Row[]>): Difference {
  const missing = (some: Row[], others: Row[]) => {
    const known = new Set(others.map((row) => JSON.stringify(row)));
    return some.filter((row) => !known.has(JSON.stringify(row)));
  };
  const changed = [...after].map(([table, rows]) => {
    const old = before.get(table) ?? [];
    return [table, { added: missing(rows, old), gone: missing(old, rows) }] as const;
  });
  return Object.fromEntries(changed.filter(([, { added, gone }]) => added.length + gone.length > 0));
}

/** The columns in which two versions of a row differ. */
const changedColumns = ([before]: Row[], [after]: Row[]) =>
  Object.keys(after ?? {}).filter((column) => after?.[column] !== before?.[column]);

describe('a vote of a member', () => {
  // The other tests examine the data that this one creates.
  it('changes only what every vote changes, signed in or not', async () => {
    await playElections();
    expect(differences.map(({ withCookie }) => withCookie)).toEqual([true, false, true, false]);
    for (const { difference } of differences) {
      expect(Object.keys(difference).sort()).toEqual(['audit_log', 'ballots', 'invites', 'tokens']);
      const { audit_log, ballots, invites, tokens } = difference;
      for (const table of [audit_log, ballots])
        expect([table?.added.length, table?.gone.length]).toEqual([1, 0]);
      for (const table of [invites, tokens])
        expect([table?.added.length, table?.gone.length]).toEqual([1, 1]);
      expect(changedColumns(tokens!.gone, tokens!.added)).toEqual(['used_at', 'submission_hash']);
      expect(changedColumns(invites!.gone, invites!.added)).toEqual(['token_plaintext']);
      expect(invites!.added[0]).toMatchObject({ token_plaintext: null });
      expect(audit_log!.added[0]).toMatchObject({ action: 'vote.submitted', personal: null });
      expect(JSON.stringify(audit_log!.added[0])).not.toMatch(/person:|member\d/);
    }
  }, 120_000);

  it('is found only in the ballots: in no other table, mail or log line', async () => {
    for (const [cast] of elections) await service.post(`/admin/elections/${cast!.election}/close`);
    const tables = readTables();
    const others = [...tables].filter(([table]) => table !== 'ballots');
    const places: [string, string][] = [
      ...others.map(([table, rows]) => [table, JSON.stringify(rows)] as [string, string]),
      ['mails', mails.mails.map(({ text, html, headers }) => text + html + JSON.stringify(headers)).join()],
      ['log lines', service.logged.join('\n')],
    ];
    const ids = (tables.get('ballots') ?? []).map(({ id }) => String(id));
    const codes = elections.flat().flatMap(({ code }) => (code ? [code, sha256(code)] : []));
    const receipts = (tables.get('ballots') ?? []).flatMap(({ receipt }) =>
      receipt ? [String(receipt)] : [],
    );
    expect([ids.length, codes.length, receipts.length]).toEqual([2 * VOTERS, 2 * VOTERS, VOTERS]);
    const secrets = [...ids, ...codes, ...receipts, ...elections[0]!.map(({ choice }) => choice)];

    const found = places.flatMap(([place, text]) =>
      secrets.filter((secret) => text.includes(secret)).map((secret) => `${place}: ${secret}`),
    );

    expect(found).toEqual([]);
  });

  it.each([0, 1])('cannot be paired with its ballot by the order of any column (election %i)', (index) => {
    const casts = elections[index]!;
    const voterOf = new Map(casts.map(({ choice }, voter) => [choice, voter]));
    const stored = (readTables().get('ballots') ?? []).filter(
      ({ election_id }) => election_id === casts[0]?.election,
    );
    const file = fs.readFileSync(path.join(folder, 'service.db'), 'latin1');
    const orderOf = (rows: Row[]): Order => rows.map(({ choice }) => voterOf.get(String(choice))!);
    const by = (key: (row: Row) => string | number) =>
      stored.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
    const ballots: Record<string, Order> = {
      'as they come': orderOf(stored),
      'by id': orderOf(by(({ id }) => String(id))),
      'by their place in the file': orderOf(by(({ id }) => file.indexOf(String(id)))),
    };
    const orders = listVoterOrders(casts);

    // All tables in which a member's sign-in and vote leave traces are included.
    const tables = new Set(orders.map(({ what }) => what.split('.')[0]));
    for (const table of [
      ...['persons', 'addresses', 'sessions', 'passkeys', 'electors', 'tokens', 'invites', 'audit_log'],
    ])
      expect([...tables]).toContain(table);
    const telling = orders.flatMap(({ what, order }) =>
      Object.entries(ballots)
        .filter(([, some]) => isTelling(some, order) || isTelling(some.toReversed(), order))
        .map(([how]) => `${what} tells the ballots ${how}`),
    );
    expect(telling).toEqual([]);
    // The comparison finds a correlation that exists.
    expect(
      isTelling(
        casts.map((_, voter) => voter),
        orders.find(({ what }) => what === 'audit_log.seq')!.order,
      ),
    ).toBe(true);
  });
});

/** Lists the order of the voters by each column, and by row order, of each table with one row per voter. */
function listVoterOrders(casts: Cast[]): { what: string; order: Order }[] {
  return [...readTables()]
    .filter(([table, rows]) => table !== 'ballots' && rows.length >= VOTERS)
    .flatMap(([table, rows]) => {
      // The audit log has several entries per voter: one order for each kind of entry.
      const kinds = Map.groupBy(rows, ({ action, election_id }) => `${action ?? ''} ${election_id ?? ''}`);
      return [...kinds.values()].flatMap((kind) => ordersOf(table, kind, casts));
    });
}

function ordersOf(table: string, rows: Row[], casts: Cast[]): { what: string; order: Order }[] {
  const voters = votersBy(casts);
  const isVotes = rows[0]?.action === 'vote.submitted' && rows[0].election_id === casts[0]?.election;
  const known = rows.flatMap((row, place) => {
    // Votes were cast in the order of the voters' numbers.
    const voter = isVotes ? place : findVoter(row, voters);
    return voter === undefined ? [] : [{ voter, row }];
  });
  if (new Set(known.map(({ voter }) => voter)).size !== VOTERS || known.length !== VOTERS) return [];
  const columns = Object.keys(rows[0] ?? {}).filter(
    (column) => new Set(known.map(({ row }) => String(row[column]))).size > 1,
  );
  const sorted = (column: string) => {
    const key = ({ row }: { row: Row }) => row[column] as string | number;
    return known.toSorted((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0));
  };
  return [
    { what: table, order: known.map(({ voter }) => voter) },
    ...columns.map((column) => ({
      what: `${table}.${column}`,
      order: sorted(column).map(({ voter }) => voter),
    })),
  ];
}

/** Finds the voter of a row by person, address or voting code. */
function findVoter(row: Row, voters: ReadonlyMap<string, number>): number | undefined {
  const words = JSON.stringify(row).match(/[\w@.-]+/g) ?? [];
  const found = words.flatMap((word) => voters.get(word) ?? []);
  return found.length === 0 ? undefined : Math.min(...found);
}

/** What identifies a voter, in rows: the person, the address and the hash of the voting code. */
const votersBy = (casts: Cast[]): Map<string, number> =>
  new Map(
    members.flatMap(({ person }, voter) =>
      [person, emailOf(voter), sha256(casts[voter]!.token)].map((known) => [known, voter] as const),
    ),
  );

/** By chance 1 of 60 pairs is right, and the correlation is 0 with a standard deviation of 0.09. */
const isTelling = (some: Order, others: Order): boolean =>
  some.filter((voter, place) => others[place] === voter).length >= 15 ||
  Math.abs(rankCorrelation(some, others)) >= 0.55;

/** Kendall's tau: 1 for the same order, -1 for the reverse, about 0 for unrelated orders. */
function rankCorrelation(some: Order, others: Order): number {
  const places = new Map(others.map((voter, place) => [voter, place]));
  const ranks = some.map((voter) => places.get(voter)!);
  let sum = 0;
  for (let later = 1; later < ranks.length; later++)
    for (let earlier = 0; earlier < later; earlier++) sum += Math.sign(ranks[later]! - ranks[earlier]!);
  return sum / ((ranks.length * (ranks.length - 1)) / 2);
}

function permutations(items: number[]): number[][] {
  if (items.length <= 1) return [items];
  return items.flatMap((first) =>
    permutations(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
  );
}
