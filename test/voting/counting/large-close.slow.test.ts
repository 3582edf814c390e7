import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { HOUR, isoTime } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { addElection, addRanked, addTokens, auditOf, cast, castAll, send } from '#test/support/factories.ts';
import { storeBallots } from '#test/support/full-election.ts';
import { settleClosedElections } from '#voting/counting/results.ts';
import { sealElections } from '#voting/counting/sealing.ts';

/** More than one page of everything that is read in pages, and several batches of what is rewritten. */
const MANY = 4_321;

const resultsOf = async (service: TestApp, id: string) => (await service.get(`/e/${id}/results`)).json();
const ballotsOf = (service: TestApp, id: string) =>
  service.ctx.db.all(
    build.selectFrom('ballots').select(['id', 'choice']).where('election_id', '=', id).orderBy('id'),
  );
const sha256Lines = (lines: string[]) =>
  createHash('sha256')
    .update(lines.map((line) => `${line}\n`).join(''))
    .digest('hex');
const headOf = ({
  question_sha256,
  ballot_set_salt,
}: {
  question_sha256: string;
  ballot_set_salt: string;
}) => [question_sha256, ballot_set_salt];
const isSealed = ({ ctx }: TestApp, id: string) =>
  ctx.db.first(build.selectFrom('elections').select('sealed_at').where('id', '=', id))?.sealed_at !== null;

/** Waits until the result is settled and rewriting the ballots has begun. */
async function rewriting(service: TestApp, id: string): Promise<void> {
  const settled = build.selectFrom('results').select('election_id').where('election_id', '=', id);
  while (!service.ctx.db.first(settled)) await setImmediate();
  expect(isSealed(service, id)).toBe(false);
}

describe('an election with thousands of ballots', () => {
  it('has the same result at its close as sorting, hashing and counting all ballots at once', async () => {
    await using service = await testApp();
    const names = Array.from({ length: 7 }, (_, index) => `Candidate ${index + 1}`);
    const { id } = await addRanked(service, names, { settings: { inclusion_codes: true } });
    await addTokens(service, id, 3);
    const numbers = names.map((_, index) => index + 1);
    const choices = Array.from({ length: MANY }, () =>
      JSON.stringify(numbers.toSorted(() => Math.random() - 0.5)),
    );
    const codes = await storeBallots(service.ctx, id, choices);
    await service.ctx.write((tx) => tx.run(build.updateTable('invites').set({ token_plaintext: 'a link' })));
    const before = ballotsOf(service, id);
    await service.post(`/admin/elections/${id}/close`);

    const results = await resultsOf(service, id);
    const tokens = service.ctx.db.all(
      build.selectFrom('tokens').select('token_hash').where('election_id', '=', id),
    );
    const electors = [String(tokens.length), ...tokens.map(({ token_hash }) => token_hash).sort()];
    const counts = { ballots: MANY, tokens_used: MANY, vote_entries: MANY, tokens_mailed: MANY };
    expect(results).toMatchObject({
      total_ballots: MANY,
      ballot_set_sha256: sha256Lines([...headOf(results), ...choices.toSorted()]),
      electors_sha256: createHash('sha256').update(electors.join('\n')).digest('hex'),
      books: { ...counts, tokens_made: MANY + 3, tokens_deleted: 0, balanced: true },
      result_matches: true,
      inclusion_hashes: codes.toSorted(),
    });
    expect(ballotsOf(service, id)).toEqual(before);
    expect(isSealed(service, id)).toBe(true);
    const links = build.selectFrom('invites').select('id').where('token_plaintext', 'is not', null);
    expect(service.ctx.db.all(links)).toEqual([]);
  });

  it('can be reopened while its ballots are rewritten, and is sealed only after its second close', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    const [token] = await addTokens(service, id, 1);
    const choices = Array.from({ length: MANY }, (_, index) => (index % 3 === 0 ? 'yes' : 'no'));
    await storeBallots(service.ctx, id, choices);

    const closing = service.post(`/admin/elections/${id}/close`);
    await rewriting(service, id);
    const opened = await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + HOUR),
      reopen: true,
      reason: 'Closed by mistake.',
    });
    const late = await cast(service, id, { token, choice: 'abstain' });
    await castAll(service, id, Array(4).fill({ choice: 'abstain' }));
    await closing;
    await sealElections(service.ctx);
    const whileOpen = isSealed(service, id);
    service.clock.now += 2 * HOUR;
    await settleClosedElections(service.ctx);

    expect([opened.statusCode, late.statusCode, whileOpen]).toEqual([200, 200, false]);
    const results = await resultsOf(service, id);
    expect(results).toMatchObject({
      total_ballots: MANY + 5,
      ballot_set_sha256: sha256Lines([
        ...headOf(results),
        ...[...choices, ...Array(5).fill('abstain')].sort(),
      ]),
      books: { balanced: true },
      result_matches: true,
    });
    const actions = (await auditOf(service, id)).map(({ action }) => action);
    const others = actions.filter((action) => !['tokens.generated', 'vote.submitted'].includes(action));
    expect(others.slice(-4)).toEqual([
      'election.reopened',
      'election.closed',
      'results.settled',
      'election.sealed',
    ]);
  });

  it('can be reopened and closed while its ballots are rewritten: settled twice, sealed once', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await storeBallots(service.ctx, id, Array(MANY).fill('yes'));

    const closing = service.post(`/admin/elections/${id}/close`);
    await rewriting(service, id);
    await send(service, 'PATCH', `/admin/elections/${id}/dates`, {
      open_at: isoTime(service.clock.now - HOUR),
      close_at: isoTime(service.clock.now + HOUR),
      reopen: true,
      reason: 'Closed by mistake.',
    });
    await service.post(`/admin/elections/${id}/close`);
    await closing;
    await sealElections(service.ctx);

    const actions = (await auditOf(service, id)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'results.settled')).toHaveLength(2);
    expect(actions.filter((action) => action === 'election.sealed')).toHaveLength(1);
    expect(actions.at(-1)).toBe('election.sealed');
    expect(await resultsOf(service, id)).toMatchObject({ total_ballots: MANY, result_matches: true });
  });

  it('can lose a batch of unused codes while it is counted, and the settled books include that', async () => {
    await using service = await testApp();
    const id = await addElection(service);
    await addTokens(service, id, 5, 'spare');
    await storeBallots(service.ctx, id, Array(MANY).fill('yes'));

    const closing = service.post(`/admin/elections/${id}/close`);
    const closed = build.selectFrom('elections').select('id').where('closed_at', 'is not', null);
    while (!service.ctx.db.first(closed)) await setImmediate();
    const deleted = await send(service, 'DELETE', `/admin/elections/${id}/batches`, { batch_name: 'spare' });
    await closing;
    await settleClosedElections(service.ctx);

    expect(deleted.statusCode).toBe(200);
    const tokens = service.ctx.db.all(
      build.selectFrom('tokens').select('token_hash').where('election_id', '=', id),
    );
    const electors = [String(MANY), ...tokens.map(({ token_hash }) => token_hash).sort()].join('\n');
    expect(await resultsOf(service, id)).toMatchObject({
      electors_sha256: createHash('sha256').update(electors).digest('hex'),
      books: { tokens_made: MANY + 5, tokens_deleted: 5, balanced: true },
    });
    const settled = (await auditOf(service, id)).find(({ action }) => action === 'results.settled');
    expect(settled?.metadata).toMatchObject({ books: { tokens_deleted: 5 } });
  });
});
