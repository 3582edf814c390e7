import { describe, expect, it } from 'vitest';
import { MINUTE } from '#kernel/clock.ts';
import { verifyAudit } from '#kernel/db/audit.ts';
import { build } from '#kernel/db/queries.ts';
import { storeTwoPeople } from '#kernel/db/settings.ts';
import { expectRefusal, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
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
    await paper.box(item, 4);
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
    expect([both.status, both.body.error]).toEqual([403, message('late_papers_need_other')]);
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

describe('a question with papers', () => {
  const asPage = { accept: 'text/html' };

  it('shows nobody its figures, and is not announced, before its papers are counted', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 2);
    const paper = await withTellers(one);
    const results = `/e/${item.election_id}/results`;
    const seen = async () => ({
      item: (await paper.call('GET', `${item.id}/papers`)).status,
      result: (await one.item(item.id)).result,
      json: (await one.service.get(results, paper.tess)).statusCode,
      preview: (await one.service.get(`/admin/elections/${item.election_id}/results-preview`, paper.tess))
        .statusCode,
      export: (await one.service.get(`/admin/elections/${item.election_id}/export`, paper.tess)).statusCode,
    });
    const hidden = { item: 200, result: undefined, json: 403, preview: 403, export: 403 };
    expect(await seen()).toEqual(hidden);
    expect((await one.item(item.id)).papers_awaited).toEqual({ out: 2, joined: 0 });
    const chair = async () => (await one.service.get(`${one.base}/chair`, { ...asPage, ...paper.tess })).body;
    await one.act(item.id, 'call');
    expect(await chair()).toContain('0 of 2 papers are counted');
    expect(await chair()).not.toContain('2 no');
    const refused = await one.act(item.id, 'declare');
    expect([refused.status, refused.body.needs]).toEqual([409, ['papers']]);
    // One of the two was handed back: as many as are in the box have to join.
    await paper.call('PUT', `${item.id}/sheet`, { in_box: 1, returned: 1 });
    expect(await seen()).toEqual(hidden);
    await paper.count(item, { valid: 1 }, all([1], yes));
    expect((await one.item(item.id)).result.results).toMatchObject({ yes: 1, no: 2 });
    // The number was wrong, and is taken back: what is in the box is not known again.
    expect((await paper.call('PUT', `${item.id}/sheet`, { in_box: null })).body.sheet.in_box).toBe(null);
    expect(await seen()).toEqual(hidden);
    await one.service.submit(`${one.base}/items/${item.id}/sheet?_method=PUT`, { in_box: '1', returned: '' });
    expect((await paper.sheet(item)).sheet).toMatchObject({ in_box: 1, returned: null });
    expect((await one.act(item.id, 'declare')).body.item.state).toBe('declared');
  });

  it('is announced by a second press once the chair has noted that no more papers come', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 2);
    const note = 'Both went home with their papers.';
    const shown = await one.act(item.id, 'declare', { note });
    expect([shown.status, shown.body.item.state]).toEqual([202, 'closed']);
    expect(shown.body.item.result.results).toMatchObject({ yes: 0, no: 2 });
    expectRefusal(await one.service.get(`/e/${item.election_id}/results`), 403, 'results_not_announced');
    const declared = (await one.act(item.id, 'declare')).body.item;
    expect(declared).toMatchObject({ state: 'declared', note });
    expect((await one.service.get(`/e/${item.election_id}/results`)).statusCode).toBe(200);
  });

  it('waits for its papers again when one comes after that note', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 2);
    const paper = await withTellers(one);
    await one.act(item.id, 'declare', { note: 'Nobody is left.' });
    await paper.count(item, { valid: 1 }, all([1], yes));
    expect((await one.act(item.id, 'declare')).body.needs).toEqual(['papers']);
    await paper.call('PUT', `${item.id}/sheet`, { in_box: 1 });
    expect((await one.act(item.id, 'declare')).status).toBe(200);
  });

  it('names papers and votes in one refusal', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 1);
    const paper = await withTellers(one);
    await paper.count(item, { valid: 7 }, all([1, 2, 3, 4, 5, 6, 7], yes));
    const refused = await one.act(item.id, 'declare');
    expect([refused.status, refused.body.needs]).toEqual([409, ['votes', 'papers']]);
  });
});

describe('certified figures of a question of a meeting', () => {
  const figures = {
    reason: 'The scrutineers counted again',
    results: { contests: [{ label: 'Lamps', items: [{ label: 'Yes', votes: 9 }] }] },
  };

  it('stand beside its announced result, by two people with a reason, and never in its place', async () => {
    await using one = await openKeyRoom();
    const item = await closedMotion(one, 0);
    const [cat, dan] = await Promise.all(
      ['cat', 'dan'].map((name) => appoint(one.service, `${name}@club.example`, 'officer')),
    );
    const put = async (who: Who | undefined, body: object = figures) => {
      const answer = await one.service.request({
        method: 'PUT',
        url: `/admin/elections/${item.election_id}/manual-results`,
        payload: body,
        headers: { accept: 'application/json', ...who },
      });
      return { status: answer.statusCode, body: answer.json() };
    };
    expect((await put(cat)).status).toBe(409);
    await one.act(item.id, 'declare');
    expect((await put(KEY)).status).toBe(403);
    const { reason: _, ...without } = figures;
    expect((await put(cat, without)).body.errors[0].path).toBe('reason');
    expect((await put(cat)).body).toMatchObject({ waiting: true });
    expect((await put(cat)).status).toBe(202);
    const others = {
      ...figures,
      results: { contests: [{ label: 'Lamps', items: [{ label: 'No', votes: 9 }] }] },
    };
    expect((await put(dan, others)).status).toBe(409);
    expect((await put(dan)).status).toBe(200);
    const json = (await one.service.get(`/e/${item.election_id}/results`)).json();
    expect(json).toMatchObject({
      results_mode: 'computed',
      results: { yes: 0, no: 2 },
      certified: { reason: figures.reason, by: expect.any(String) },
    });
    const said = 'Certified figures beside the count';
    await one.act(item.id, 'call');
    for (const url of [
      `/e/${item.election_id}`,
      `/m/${one.id}/wall`,
      `/m/${one.id}`,
      `${one.base}/minutes`,
    ]) {
      const page = (await one.service.get(url, { accept: 'text/html' })).body;
      expect([url, page.includes(said), page.includes(figures.reason)]).toEqual([url, true, true]);
      expect([url, /2\s*no|No\s*2|no 2/i.test(page)]).toEqual([url, true]);
    }
    const cleared = async (who: Who | undefined) =>
      (
        await one.service.request({
          method: 'DELETE',
          url: `/admin/elections/${item.election_id}/manual-results`,
          headers: { accept: 'application/json', ...who },
        })
      ).statusCode;
    expect([await cleared(KEY), await cleared(cat), await cleared(dan)]).toEqual([403, 202, 200]);
  });
});

it('a name is withdrawn from an open vote of a meeting by two people', async () => {
  await using one = await openKeyRoom();
  await one.arrive(['Ann']);
  const question = { ballot_type: 'POLL', options: ['Ivy', 'Lee', 'Max'], settings: { seats: 1 } };
  const board = await one.add({ kind: 'election', title: 'Board', question });
  await one.act(board.id, 'open');
  const { options } = (await one.service.get(`/e/${board.election_id}`)).json().election;
  const [cat, dan] = await Promise.all(
    ['cat', 'dan'].map((name) => appoint(one.service, `${name}@club.example`, 'officer')),
  );
  const withdraw = async (who: Who | undefined) =>
    (
      await one.service.post(
        `/admin/elections/${board.election_id}/options/${options[0].id}/withdraw`,
        { note: 'Ivy has fallen ill' },
        who,
      )
    ).statusCode;
  expect([await withdraw(KEY), await withdraw(cat), await withdraw(cat), await withdraw(dan)]).toEqual([
    403, 202, 202, 200,
  ]);
  expect(logged(one, 'option.withdrawn')).toMatchObject([{ by_two: { length: 2 } }]);
});

describe('voting cards while a question is open', () => {
  it('are printed with a fresh proof and a second person, and the result says how many were valid late', async () => {
    await using one = await openKeyRoom();
    await one.arrive(['Ann', 'Bob']);
    const printed = (await one.service.post(`${one.base}/packs`, { class: 'Members', packs: 1 })).json();
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    const stale = await signedIn(one.service, 'officer');
    one.service.clock.now += 11 * MINUTE;
    const print = (who: Who) => one.service.post(`${one.base}/packs`, { class: 'Members', packs: 1 }, who);
    const unproved = await print(stale);
    expect([unproved.statusCode, unproved.json().sudo]).toEqual([403, true]);
    await one.service.ctx.write((tx) => storeTwoPeople(tx, true, one.service.clock.now));
    await appoint(one.service, 'dan@club.example', 'officer');
    const cat = await appoint(one.service, 'cat@club.example', 'officer');
    expect((await print(KEY)).json().needs).toBe('approval');
    expect((await print(cat)).statusCode).toBe(202);
    // Printed before, it stays one tap.
    expect((await one.service.post(`${one.base}/packs/${printed.packs[0].id}/open`)).statusCode).toBe(200);
    for (const name of ['Cid', 'Dee'])
      await one.service.post(`${one.base}/door`, { person_id: one.ids[name], action: 'in' });
    await one.act(item.id, 'close');
    await one.act(item.id, 'declare');
    expect((await one.item(item.id)).late_cards).toEqual({ made_valid: 10, handed_out: 0 });
    const wall = (await one.service.get(`/m/${one.id}/wall`, { accept: 'text/html' })).body;
    const said = '10 cards were made valid after the opening, 0 of them handed out.';
    expect(wall).toContain(said);
    const at = `/e/${item.election_id}`;
    expect((await one.service.get(at, { accept: 'text/html' })).body).toContain(said);
    const late = { made_valid: 10, handed_out: 0 };
    expect((await one.service.get(at)).json().election.late_cards).toEqual(late);
    expect((await one.service.get(`${at}/results`)).json().late_cards).toEqual(late);
    expect(logged(one, 'meeting.pack_opened').map(({ pack, cards }) => [pack, cards])).toEqual([
      [1, 10],
      [2, 10],
    ]);
    expect(logged(one, 'meeting.cards_printed')).toMatchObject([{ packs: [1] }, { packs: [2] }]);
  });

  it('those beyond the cards that were valid before are counted as handed out, until the close', async () => {
    const names = Array.from({ length: 13 }, (_, at) => `Member ${at}`);
    await using one = await openRoom({}, names, ENV);
    await one.arrive(names.slice(0, 9));
    const item = await one.add({ kind: 'motion', title: 'New lamps' });
    await one.act(item.id, 'open');
    await one.arrive(names.slice(9, 12));
    expect((await one.item(item.id)).late_cards).toEqual({ made_valid: 10, handed_out: 2 });
    await one.act(item.id, 'close');
    await one.service.post(`${one.base}/door`, { person_id: one.ids[names[12]!], action: 'in' });
    expect((await one.item(item.id)).late_cards).toEqual({ made_valid: 10, handed_out: 2 });
  });
});
