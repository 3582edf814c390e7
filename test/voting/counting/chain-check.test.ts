import { sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { build, type Tx } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addPoll, addTokens, castAll, page, send } from '#test/support/factories.ts';
import { recheckRecentResults } from '#voting/counting/recheck.ts';

let service: TestApp;
let id: string;
let ids: Record<string, string>;

beforeEach(async () => {
  service = await testApp();
  ({ id, ids } = await addPoll(service, ['Red', 'Blue']));
  const ballot = (name: string) => ({ selected_option: ids[name] });
  await castAll(
    service,
    id,
    [...Array(7).fill(ballot('Red')), ...Array(3).fill(ballot('Blue'))],
    'vote/poll',
  );
  return () => service[Symbol.asyncDispose]();
});

const close = () => service.post(`/admin/elections/${id}/close`);
const results = async () => (await service.get(`/e/${id}/results`)).json();
const shown = async () => (await page(service, `/e/${id}`)).body.replaceAll(/<[^>]*>/g, '');
const run = (tx: Tx, statement: ReturnType<typeof sql>) => tx.run(statement.compile(build));

/** Changes rows as somebody with access to the file would; the next visitor comes after ten seconds. */
async function tamper(...statements: ReturnType<typeof sql>[]): Promise<void> {
  await service.ctx.write((tx) => {
    for (const statement of statements) run(tx, statement);
  });
  service.clock.now += 10_000;
}

const swapOptions = () => [
  sql`UPDATE options SET number = 9 WHERE id = ${ids.Red}`,
  sql`UPDATE options SET number = 1 WHERE id = ${ids.Blue}`,
  sql`UPDATE options SET number = 2 WHERE id = ${ids.Red}`,
];

/** Statements that replace fields of the stored result. */
const setResult = (fields: object) =>
  sql`UPDATE results SET result = json_patch(result, ${JSON.stringify(fields)}) WHERE election_id = ${id}`;

const QUESTION = 'The question, its options or its rules are not those that the log has recorded.';

describe('what is stored of a closed election is compared with the audit log', () => {
  it('and agrees, also after it was opened and closed again', async () => {
    await close();
    expect(await results()).toMatchObject({ result_matches: true });
    const dates = { open_at: '2026-01-01T00:00:00Z', close_at: '2099-01-01T00:00:00Z' };
    await send(service, 'PATCH', `/admin/elections/${id}/dates`, { ...dates, reopen: true, reason: 'Late.' });
    await castAll(service, id, Array(5).fill({ selected_option: ids.Blue }), 'vote/poll');
    await close();
    service.clock.now += 10_000;
    expect(await results()).toMatchObject({ result_matches: true, total_ballots: 15 });
    expect(await results()).not.toHaveProperty('differences');
    await recheckRecentResults(service.ctx);
    expect(await results()).toMatchObject({ result_matches: true });
  });

  it.each([
    [
      'options exchanged, with counts that fit',
      async () => {
        const { results: tally } = await results();
        const counts = (name: string, count: number) => ({ id: ids[name], name, count, share: count / 10 });
        const options = [counts('Red', 3), counts('Blue', 7)];
        return [...swapOptions(), setResult({ results: { ...tally, options, winners: [ids.Blue] } })];
      },
      [QUESTION, 'The stored result differs from the log: the figures.'],
    ],
    [
      'an option renamed',
      async () => [sql`UPDATE options SET name = 'Green' WHERE id = ${ids.Red}`],
      [QUESTION],
    ],
    [
      'the title changed, with the stored text of the question',
      async () => [
        sql`UPDATE elections SET title = 'Another', question = json_set(question, '$.title', 'Another')`,
      ],
      [QUESTION],
    ],
    ['another quorum', async () => [sql`UPDATE elections SET settings = '{"quorum":99}'`], [QUESTION]],
    [
      'choices and all hashes that the file has',
      async () => {
        const { question_sha256, ballot_set_salt, results: tally } = await results();
        const text = `${question_sha256}\n${ballot_set_salt}\n${'[2]\n'.repeat(10)}`;
        const options = tally.options.map((option: { name: string }) => ({
          ...option,
          ...(option.name === 'Blue' ? { count: 10, share: 1 } : { count: 0, share: 0 }),
        }));
        return [
          sql`UPDATE ballots SET choice = '[2]'`,
          setResult({
            results: { ...tally, options, winners: [ids.Blue] },
            ballot_set_sha256: sha256(text),
          }),
        ];
      },
      ['The stored result differs from the log: the check number of the ballots, the figures.'],
    ],
    ['a choice', async () => [sql`UPDATE ballots SET choice = '[2]'`], ['no longer give the result']],
    [
      'the number of ballots in the row',
      async () => [setResult({ total_ballots: 11 })],
      ['The stored result differs from the log: the number of ballots.'],
    ],
    [
      'the anchor',
      async () => [setResult({ anchor: { entries: 1 } })],
      ['The log lacks the entry that the result was stored with.'],
    ],
    [
      'the row deleted with other choices: it is settled again',
      async () => [sql`UPDATE ballots SET choice = '[2]'`, sql`DELETE FROM results`],
      ['The log has several results, and voting was not opened again between them.'],
    ],
    [
      'the end of the log cut off',
      async () => [
        sql`DROP TRIGGER audit_log_no_delete`,
        sql`DELETE FROM audit_log WHERE seq >= (SELECT seq FROM audit_log WHERE action = 'results.settled')`,
      ],
      ['The log has no entry of this result.'],
    ],
  ])('%s', async (_name, changes, sentences) => {
    await close();
    expect(await results()).toMatchObject({ result_matches: true });

    await tamper(...(await changes()));

    expect(await results()).toMatchObject({ result_matches: false });
    const text = await shown();
    expect(text).toContain('Something does not agree');
    for (const sentence of sentences) expect(text).toContain(sentence);
    const file = (await service.get(`/e/${id}/ballots.json`)).json();
    expect(file.result_matches).toBe(false);
  });

  it('voting codes too, at each start', async () => {
    await close();
    await tamper(
      sql`UPDATE tokens SET token_hash = ${sha256('another')} WHERE token_hash = (SELECT min(token_hash) FROM tokens)`,
    );
    await recheckRecentResults(service.ctx);
    expect(await results()).toMatchObject({ result_matches: false });
  });
});

describe('the question of an open election is compared with the audit log', () => {
  it('on its page', async () => {
    expect(await shown()).not.toContain('Something does not agree');
    await tamper(...swapOptions());
    expect(await shown()).toContain(QUESTION);
  });

  it('a correction by an officer before the first ballot is no difference, also after the close', async () => {
    id = await addElection(service, { title: 'Piano' });
    await addTokens(service, id, 1);
    const rename = (title: string) => send(service, 'PATCH', `/admin/elections/${id}`, { title });
    expect((await rename('A piano')).statusCode).toBe(200);
    expect(await shown()).not.toContain('Something does not agree');
    await close();
    expect(await results()).toMatchObject({ result_matches: true });
    expect((await rename('A grand piano')).statusCode).toBe(200);
    service.clock.now += 10_000;
    expect(await results()).toMatchObject({ result_matches: true });
  });

  it('that an earlier version opened, from the next start on', async () => {
    await service.ctx.write((tx) => run(tx, sql`UPDATE elections SET question = NULL`));
    await service.ctx.write((tx) => {
      run(tx, sql`DROP TRIGGER audit_log_no_update`);
      run(tx, sql`UPDATE audit_log SET metadata = json_remove(metadata, '$.question_sha256')`);
    });
    await recheckRecentResults(service.ctx);
    service.clock.now += 10_000;
    expect(await shown()).not.toContain('Something does not agree');
    await tamper(...swapOptions());
    expect(await shown()).toContain(QUESTION);
  });
});
