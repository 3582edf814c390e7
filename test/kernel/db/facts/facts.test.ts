import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { listAllFactDifferences } from '#kernel/db/facts/compare.ts';
import { build } from '#kernel/db/queries.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { heldMeeting } from '#test/meetings/held-meeting.ts';
import type { TestApp } from '#test/support/app.ts';

/** Changes rows as somebody does who edits the file of a stopped service: nothing of it reaches the log. */
const edit = (service: TestApp, statement: ReturnType<typeof sql>) =>
  service.ctx.write((tx) => {
    tx.run(statement.compile(build));
    tx.run(sql`DELETE FROM changed_facts`.compile(build));
  });

const names = (service: TestApp) =>
  listAllFactDifferences(service.ctx.db).map(({ name }) => name.for(ENGLISH));

it('an honest meeting agrees with its log, and an edit of a fact is named', async () => {
  const { service } = (await heldMeeting()).one;
  expect(listAllFactDifferences(service.ctx.db)).toEqual([]);
  await edit(
    service,
    sql`UPDATE meeting_items SET counted = replace(counted, '3', '4') WHERE counted IS NOT NULL`,
  );
  expect(names(service)).toEqual(['the number of hands']);
  await edit(service, sql`UPDATE elections SET attachment_url = 'https://club.example/other.pdf'`);
  expect(new Set(names(service))).toEqual(new Set(['the number of hands', 'the document']));
});
