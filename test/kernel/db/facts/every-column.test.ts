import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { factSentence, listAllFactDifferences } from '#kernel/db/facts/compare.ts';
import { listLost, lostText } from '#kernel/db/facts/lost.ts';
import type { FactTable, Place } from '#kernel/db/facts/places.ts';
import { FACTS } from '#kernel/db/facts/tables.ts';
import { build, createReader, type Reader, Statements, type Tx } from '#kernel/db/queries.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { WorkQueue } from '#kernel/work-queue.ts';
import { listMeetingDifferences } from '#meetings/recorded.ts';
import { heldMeeting, session } from '#test/meetings/held-meeting.ts';
import { addElection, addPoll, castAll, send } from '#test/support/factories.ts';
import { listDifferences } from '#voting/counting/recheck.ts';

/** A database with votes in every state, as the service has left it. */
let stored: Sqlite.Database;
let statements: Statements;

beforeAll(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'facts-'));
  const file = path.join(folder, 'service.db');
  const { one, items, patch, sign } = await heldMeeting(
    { proxies_per_person: 1, remote: true },
    { env: { DATABASE_URL: `file:${file}` } },
  );
  const { service, base, ids } = one;
  const run = (statement: ReturnType<typeof sql>) =>
    service.ctx.write((tx: Tx) => tx.run(statement.compile(build)));
  const papers = await one.add({ kind: 'motion', title: 'On paper' });
  await one.act(papers.id, 'open');
  await one.act(papers.id, 'paper', { code: one.codes[5] });
  await one.act(papers.id, 'close');
  await one.act(papers.id, 'declare');
  const stopped = await one.act((await one.add({ kind: 'motion', title: 'Stopped' })).id, 'open');
  await service.post(`${base}/items/${stopped.body.item?.id}/void`, { reason: 'The wrong text.' });
  await service.post(`${base}/door`, { person_id: ids.Eve, action: 'in', proxies: [ids.Fay] });
  // What takes many requests to come to be: the service's own connection states it as any other change.
  const item = items.board.id;
  await run(sql`INSERT INTO nomination_calls VALUES (${item}, 1, 2, 2, 'members', 0, 0, NULL)`);
  await run(sql`INSERT INTO nominations (id, item_id, code_hash, name, email, text, created_at, reason, decision,
    decided_by, decided_at) VALUES ('n', ${item}, 'h', 'Ivy', 'ivy@club.example', '', 1, 'Late', 'refused', 'x', 2)`);
  await run(sql`INSERT INTO nomination_seconders (id, nomination_id, code_hash, email, seconded_at)
    VALUES ('s', 'n', 'h', 'bob@club.example', 3)`);
  await run(sql`INSERT INTO motion_calls VALUES (${one.id}, 1, 2, 2, 'members', 0, NULL)`);
  await run(sql`INSERT INTO motions (id, meeting_id, code_hash, name, email, title, text, created_at, decision,
    decision_reason, decided_by, decided_at, item_id) VALUES ('m', ${one.id}, 'h', 'Ivy', 'ivy@club.example', 'Lamps',
    'New ones.', 1, 'refused', 'Late', 'x', 2, ${item})`);
  await run(sql`INSERT INTO motion_seconders (id, motion_id, code_hash, email, name, seconded_at)
    VALUES ('ms', 'm', 'h', 'bob@club.example', 'Bob', 3)`);
  await run(sql`INSERT INTO meeting_documents VALUES ('d', ${one.id}, ${item}, 'Accounts', 3,
    '039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81', 1, 'x')`);
  await run(sql`INSERT INTO meeting_document_files VALUES ('d', x'010203')`);
  await run(sql`INSERT INTO paper_batches (id, item_id, number, valid, blank, invalid, reason, state, teller_1_by,
    teller_2_by, settled, late) VALUES ('b', ${papers.id}, 1, 1, 0, 0, 'Found', 'joined', 'person:a', 'person:b', 0, 1)`);
  await run(sql`INSERT INTO paper_batch_questions VALUES ('b', ${papers.id}, 1, 1, 0, 0)`);
  await run(sql`INSERT INTO remote_presence VALUES (${one.id}, 'code')`);
  await service.post(`${base}/door/return`, { code: one.codes[9] });
  await run(sql`UPDATE voting_cards SET replaced = 1, state = 'lost' WHERE code_hash = (
    SELECT code_hash FROM voting_cards WHERE state = 'valid' ORDER BY code_hash LIMIT 1)`);
  // The papers of one item are not counted: its result is not announced.
  await send(service, 'PATCH', base, { state: 'closed', confirm: ['announce'] });
  await patch({ chair: ids.Ann, secretary: ids.Bob, texts: { kind: 'Annual general meeting' } });
  for (const [as, name] of Object.entries({ chair: 'Ann', secretary: 'Bob' }))
    expect((await sign(as, await session(one, name))).statusCode).toBe(200);

  const certified = await addElection(service, { settings: { receipts: 'content' } });
  await castAll(service, certified, [{ choice: 'yes' }, { choice: 'no' }]);
  await service.post(`/admin/elections/${certified}/close`);
  await service.get(`/e/${certified}/results`);
  const figures = { results: { contests: [{ label: 'Piano', items: [{ label: 'Yes', votes: 8 }] }] } };
  await send(service, 'PUT', `/admin/elections/${certified}/manual-results`, figures);
  const poll = await addPoll(service, ['Red', 'Blue']);
  await castAll(service, poll.id, [{ selected_option: poll.ids.Red }], 'vote/poll');
  await service.post(`/admin/elections/${poll.id}/void`, { reason: 'Wrong names', repeat: true });
  const tied = await addPoll(service, ['Ivy', 'Hugh'], { settings: { seats: 1 } });
  const both = Object.values(tied.ids).map((selected_option) => ({ selected_option }));
  await castAll(service, tied.id, both, 'vote/poll');
  await service.post(`/admin/elections/${tied.id}/close`);
  const order = Object.values(tied.ids);
  const lot = await service.post(`/admin/elections/${tied.id}/lot`, {
    order,
    drawn_by: 'Ada',
    witnesses: ['Bo'],
  });
  expect(lot.statusCode).toBe(200);
  await run(sql`INSERT INTO electors (election_id, person_id, name, standing, as_of, added_at, added_by)
    VALUES (${poll.id}, ${ids.Ann}, 'Ann', 'full', '2026-11-21', 5, 'x')`);
  await run(sql`INSERT INTO invites (id, election_id, person_id, email, status, created_at)
    VALUES ('i', ${poll.id}, ${ids.Ann}, 'ann@club.example', 'SENT', 5)`);
  await run(sql`INSERT INTO invites (id, election_id, person_id, email, status, created_at)
    SELECT 'p', id, ${ids.Bob}, 'bob@club.example', 'SENT', 5 FROM papers LIMIT 1`);
  const rows = service.ctx.db.all(sql<{ id: string }>`SELECT id FROM elections`.compile(build));
  for (const { id } of rows) await service.get(`/e/${id}/results`);
  await one[Symbol.asyncDispose]();
  const sqlite = new Sqlite(file);
  sqlite.pragma('journal_mode = DELETE');
  stored = new Sqlite(sqlite.serialize());
  sqlite.close();
  stored.pragma('foreign_keys = OFF');
  stored.pragma('ignore_check_constraints = ON');
  statements = new Statements(stored);
  fs.rmSync(folder, { recursive: true });
});

afterAll(() => stored.close());

/** What does not agree in the database after an edit, which is undone. @param whether ballots are counted again too */
async function differencesAfter(edit: (sqlite: Sqlite.Database) => void, counts = true): Promise<string> {
  stored.exec('BEGIN');
  try {
    edit(stored);
    const db = createReader(statements);
    if (!counts) return factSentence(listAllFactDifferences(db))?.english ?? '';
    return [
      ...(await listElections(db)),
      ...listMeetingDifferences(db).map(({ differences }) => differences),
      ...listLost(db).map(lostText),
    ].join('. ');
  } finally {
    stored.exec('ROLLBACK');
  }
}

const listElections = async (db: Reader): Promise<string[]> =>
  (
    await Promise.all(
      db
        .all(build.selectFrom('elections').selectAll())
        .map((election) => listDifferences({ db, queue: new WorkQueue() }, election)),
    )
  ).flat();

/** Rows whose columns the log has as sums or hashes. */
const SUMMED_ROWS: Record<string, string> = {
  tokens: `election_id IN (SELECT election_id FROM audit_log WHERE action = 'results.settled')`,
  withdrawn_codes: `election_id IN (SELECT election_id FROM audit_log WHERE action = 'results.settled')`,
  meeting_items: 'closed_at IS NOT NULL',
  ballots: 'receipt IS NOT NULL',
  elections: 'closed_at IS NOT NULL',
};

/** Edits one value: a number grows, a JSON object or text gets more, and what was empty is filled. */
function editColumn(sqlite: Sqlite.Database, table: string, column: string, summed: boolean): void {
  const where = ((summed || column.endsWith('present')) && SUMMED_ROWS[table]) || '1';
  const key = sqlite
    .prepare('SELECT name FROM pragma_table_info(?) WHERE pk > 0')
    .pluck()
    .all(table) as string[];
  const row = sqlite
    .prepare(
      `SELECT *, typeof(${column}) AS "type of" FROM ${table} WHERE ${where} ORDER BY ${column} IS NULL LIMIT 1`,
    )
    .get() as Record<string, unknown> | undefined;
  if (!row) throw new Error(`The database has no row of ${table}`);
  const declared = sqlite
    .prepare('SELECT type FROM pragma_table_info(?) WHERE name = ?')
    .pluck()
    .get(table, column);
  const value = row[column];
  const edited =
    table === 'results' && column === 'result'
      ? JSON.stringify({ ...JSON.parse(String(value)), total_ballots: 99 })
      : column === 'used_at'
        ? null
        : declared === 'INTEGER'
          ? ((value as number | null) ?? 0) + 7
          : editedText(value as string | null);
  const keys = key.map((name) => `${name} = @${name}`).join(' AND ');
  sqlite.prepare(`UPDATE ${table} SET ${column} = @edited WHERE ${keys}`).run({ ...row, edited });
}

function editedText(value: string | null): string {
  if (value?.startsWith('{')) return JSON.stringify({ ...JSON.parse(value), edited: true });
  if (value?.startsWith('[')) return JSON.stringify([...JSON.parse(value), 'edited']);
  return `${value ?? ''}x`;
}

it('the untouched database agrees with its log', async () => {
  expect(await differencesAfter(() => {})).toBe('');
});

const columns = Object.entries(FACTS as unknown as Record<string, FactTable>).flatMap(([table, facts]) =>
  Object.entries(facts.columns).map(([column, place]) => [`${table}.${column}`, place as Place] as const),
);

describe('every column of voting and meetings has its place', () => {
  it.each(columns)('%s', async (name, place) => {
    const [table, column] = name.split('.') as [string, string];
    if (place.is === 'none') return expect(place.why).toMatch(/\w{3}/);
    if (place.is === 'derived') return expect(place.from).toMatch(/\w{3}/);
    if (place.is === 'personal') return;
    const isSummed = place.is === 'summed';
    const said = await differencesAfter((sqlite) => editColumn(sqlite, table, column, isSummed), isSummed);
    if (isSummed) expect(said).not.toBe('');
    else expect(said).toContain(place.name.for(ENGLISH));
  });

  it('and every table of the schema', () => {
    for (const table of Object.keys(FACTS)) {
      const known = Object.keys((FACTS as unknown as Record<string, FactTable>)[table]!.columns).sort();
      const found = stored.prepare('SELECT name FROM pragma_table_info(?) ORDER BY name').pluck().all(table);
      expect([table, found]).toEqual([table, known]);
    }
  });

  it.each(
    Object.entries(FACTS as unknown as Record<string, FactTable>).filter(([, { columns: all }]) =>
      Object.values(all).some((place) => (place as Place).is === 'fact'),
    ),
  )('a row of %s that was deleted in the file is named', async (table, { row, together }) => {
    const said = await differencesAfter((sqlite) => sqlite.exec(`DELETE FROM ${table}`), false);
    expect(said).toContain(together ? 'the log has recorded otherwise' : row!.for(ENGLISH));
  });

  it.each([
    [
      'an invitation of a ballot paper',
      `UPDATE invites SET id = 'x' || id WHERE election_id IN (SELECT id FROM papers)`,
      'the invitations',
    ],
    [
      'an elector of a ballot paper',
      `INSERT INTO electors (election_id, person_id, name, standing, as_of, added_at, added_by)
        SELECT id, 'forged', 'Eve', 'full', '2026-11-21', 5, 'x' FROM papers LIMIT 1`,
      'an elector',
    ],
    [
      'a meeting with the id of an election',
      `CREATE TEMP TABLE forged AS SELECT * FROM meetings LIMIT 1;
        UPDATE forged SET id = (SELECT id FROM elections LIMIT 1), paper_id = NULL;
        INSERT INTO meetings SELECT * FROM forged`,
      'the meeting',
    ],
  ])('%s that was forged in the file is named', async (_what, edit, name) => {
    expect(await differencesAfter((sqlite) => sqlite.exec(edit), false)).toContain(name);
  });
});
