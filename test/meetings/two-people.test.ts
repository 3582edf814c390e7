import { describe, expect, it } from 'vitest';
import { verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { openRoom } from './a-meeting.ts';
import { type Item, type Who, withTellers } from './tellers.ts';

type Room = Awaited<ReturnType<typeof openRoom>>;

const KEY = { authorization: 'the key of a script' };
const ENV = {
  RATE_LIMIT_GENERAL: '100000',
  RATE_LIMIT_VOTE: '100000',
  ADMIN_API_KEY: KEY.authorization,
};
const yes = { choice: 'yes' };
const no = { choice: 'no' };
const all = (numbers: number[], choice: object) => numbers.map((number) => ({ number, ...choice }));

const openKeyRoom = (fields: object = {}) => openRoom(fields, undefined, ENV);

/** A motion that is closed: two votes by card, and papers for the others. */
async function closedMotion(one: Room, papers: number): Promise<Item> {
  await one.arrive(['Ann', 'Bob', 'Cid', 'Dee', 'Eve', 'Fay']);
  const item = await one.add({ kind: 'motion', title: 'New lamps' });
  await one.act(item.id, 'open');
  for (const code of one.codes.slice(0, 2)) expect(await one.vote(code, item.election_id, no)).toBe(200);
  for (const code of one.codes.slice(2, 2 + papers))
    expect((await one.act(item.id, 'paper', { code })).status).toBe(200);
  await one.act(item.id, 'close');
  return item;
}

const logged = (one: Room, action: string): Record<string, unknown>[] =>
  one.service.ctx.db
    .all(build.selectFrom('audit_log').select('metadata').where('action', '=', action).orderBy('seq'))
    .map(({ metadata }) => JSON.parse(metadata ?? '{}'));

describe('two tellers', () => {
  it('change nothing on which they agree, and each the own entry alone', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 4);
    const paper = await withTellers(one);
    const third = await appoint(one.service, 'uma@club.example', 'chair');
    const id = await paper.batch(item, { valid: 4 });
    await paper.enter(item, id, 1, all([1, 2, 3, 4], no));
    await paper.enter(item, id, 2, [...all([1, 2, 3], no), ...all([4], yes)]);
    const settle = await paper.call('POST', `${item.id}/batches/${id}/settle`, {
      papers: all([1, 2, 3, 4], yes),
    });
    expect(settle.status).toBe(404);
    const agreed = await paper.correct(item, id, all([4, 1], yes));
    expect([agreed.status, agreed.body.errors[0].path]).toEqual([400, 'papers.1.number']);
    const strange = await paper.correct(item, id, all([9], yes));
    expect([strange.status, strange.body.errors[0].path]).toEqual([400, 'papers.0.number']);
    for (const who of [third, KEY])
      expect((await paper.correct(item, id, all([4], no), who)).status).toBe(403);
    for (const [teller, who] of [
      [1, paper.tess],
      [2, paper.tom],
      [2, third],
    ] as const)
      expect((await paper.enter(item, id, teller, all([1, 2, 3, 4], yes), who)).status).toBe(409);
    // Until they agree: the first change is wrong too.
    expect((await paper.correct(item, id, all([4], { invalid: true }), paper.tom)).body).toMatchObject({
      settled: 0,
      differences: [{ number: 4, teller_1: 'no', teller_2: 'invalid' }],
    });
    expect((await paper.correct(item, id, all([4], no), paper.tom)).body).toMatchObject({ settled: 1 });
    expect((await paper.correct(item, id, all([4], yes))).status).toBe(400);
    expect((await paper.join(item, id)).body.item.result.results).toMatchObject({ yes: 0, no: 6 });
    expect(logged(one, 'paper.entry_corrected')).toMatchObject([
      { teller: 2, numbers: [4], settled: 0 },
      { teller: 2, numbers: [4], settled: 1 },
    ]);
    expect(verifyAudit(one.service.ctx.db).broken).toBeUndefined();
  });

  it('are people: a key enters, joins and agrees to nothing', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 1);
    const paper = await withTellers(one);
    const id = await paper.batch(item, { valid: 1 });
    await paper.enter(item, id, 1, all([1], yes));
    const keyed = await paper.enter(item, id, 2, all([1], yes), KEY);
    expect([keyed.status, keyed.body.needs]).toEqual([403, 'person']);
    const unknown = await paper.enter(item, id, 2, all([1], yes), {
      'edge-access-authenticated-user-email': 'nobody@club.example',
    });
    expect(unknown.status).toBe(403);
    await paper.enter(item, id, 2, all([1], yes));
    expect((await paper.call('POST', `${item.id}/batches/${id}/join`, {}, KEY)).status).toBe(403);
    expect((await paper.join(item, id)).status).toBe(200);
  });

  it('drop a batch with a reason, which the log keeps, and any two enter its papers anew', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 1);
    const paper = await withTellers(one);
    const id = await paper.batch(item, { valid: 1 });
    await paper.enter(item, id, 1, all([1], yes));
    const refused = await paper.call('DELETE', `${item.id}/batches/${id}`, {});
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'reason']);
    const reason = 'Tess went home';
    expect((await paper.call('DELETE', `${item.id}/batches/${id}`, { reason })).status).toBe(200);
    expect(logged(one, 'paper.batch_removed')).toMatchObject([
      { batch: id, entered: 1, control: { valid: 1, blank: 0, invalid: 0 } },
    ]);
    const { logs } = (await one.service.get('/admin/audit-logs?limit=200')).json();
    expect(JSON.stringify(logs)).toContain(reason);
    await paper.count(item, { valid: 1 }, all([1], no));
  });

  it('agree to another control total: the log has both numbers', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 2);
    const paper = await withTellers(one);
    const third = await appoint(one.service, 'uma@club.example', 'chair');
    const id = await paper.batch(item, { valid: 1 });
    const change = (valid: number, who: Who) =>
      paper.call('PATCH', `${item.id}/batches/${id}`, { control: { valid } }, who);
    expect((await change(3, paper.tess)).status).toBe(200);
    await paper.enter(item, id, 1, all([1, 2], no));
    expect((await change(2, paper.tess)).status).toBe(202);
    expect((await change(2, KEY)).status).toBe(403);
    await paper.enter(item, id, 2, all([1, 2], no));
    // Now the other teller is there, and nobody else agrees in their place.
    expect((await change(2, third)).status).toBe(202);
    expect((await paper.join(item, id)).status).toBe(409);
    expect((await change(2, paper.tom)).status).toBe(200);
    expect((await paper.join(item, id)).status).toBe(200);
    expect(logged(one, 'paper.control_changed')).toMatchObject([
      { from: { valid: 1 }, to: { valid: 3 } },
      { from: { valid: 3 }, to: { valid: 2 }, by_two: { length: 2 } },
    ]);
  });
});

describe('papers that come after the announcement', () => {
  /** A batch of papers that two tellers have entered after the declaration. */
  async function lateBatch(one: Room, papers: number, choice: object = yes) {
    const item = await closedMotion(one, papers);
    const paper = await withTellers(one);
    await paper.call('PUT', `${item.id}/sheet`, { in_box: 0 });
    expect((await one.act(item.id, 'declare')).status).toBe(200);
    const numbers = Array.from({ length: papers }, (_, at) => at + 1);
    return { item, paper, numbers, make: (more: number) => enterLate(more) };

    async function enterLate(more: number) {
      const every = [...numbers, ...Array.from({ length: more }, (_, at) => 100 + at)];
      const id = await paper.batch(item, { valid: every.length }, { reason: 'It was under a magazine' });
      for (const teller of [1, 2] as const) await paper.enter(item, id, teller, all(every, choice));
      return id;
    }
  }

  it('join by two people, of whom one has not entered them, and both are named', async () => {
    await using one = await openKeyRoom();
    const { item, paper, make } = await lateBatch(one, 2);
    const third = await appoint(one.service, 'uma@club.example', 'chair');
    const id = await make(0);
    const join = (who: Who) => paper.call('POST', `${item.id}/batches/${id}/join`, {}, who);
    expect((await join(KEY)).status).toBe(403);
    expect((await join(paper.tess)).body).toMatchObject({ waiting: true, what: expect.any(String) });
    expect((await join(paper.tess)).status).toBe(202);
    const both = await join(paper.tom);
    expect([both.status, both.body.error]).toEqual([
      403,
      'You both entered these papers: somebody who did not confirms that they join now',
    ]);
    const page = await one.service.get(`${one.base}/items/${item.id}/batches/${id}`, {
      accept: 'text/html',
      ...third,
    });
    expect(page.body).toContain('everybody sees how the people voted who took them');
    expect((await join(third)).status).toBe(200);
    const history = (await one.service.get(`/e/${item.election_id}`, { accept: 'text/html' })).body;
    // An address is never shown in public, so these two are officers.
    expect(history).toContain('It was under a magazine');
    expect(logged(one, 'paper.joined').at(-1)).toMatchObject({ late: true, by_two: { length: 2 } });
    expect((await one.item(item.id)).result.results).toMatchObject({ yes: 2, no: 2 });
  });

  it('need a note where there are more of them than were handed out', async () => {
    await using one = await openKeyRoom();
    const { item, paper, make } = await lateBatch(one, 4);
    const id = await make(4);
    const third = await appoint(one.service, 'uma@club.example', 'chair');
    const join = (payload: object, who: Who) =>
      paper.call('POST', `${item.id}/batches/${id}/join`, payload, who);
    const refused = await join({}, paper.tess);
    expect([refused.status, refused.body.needs]).toEqual([409, ['votes', 'papers']]);
    expect((await join({ note: 'Four were copied twice.' }, paper.tess)).status).toBe(202);
    expect((await join({}, third)).status).toBe(200);
    expect((await one.item(item.id)).corrections).toMatchObject([
      { reason: 'It was under a magazine', ballots: 8, note: 'Four were copied twice.' },
    ]);
  });
});
