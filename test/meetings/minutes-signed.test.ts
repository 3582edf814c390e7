import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { sha256 } from '#kernel/secrets.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { signedIn } from '#test/support/people/people.ts';
import { heldMeeting, session } from './held-meeting.ts';
import { type Who, withTellers } from './tellers.ts';

const BASE_URL = 'http://club.example';
const LATE = 'It was under a magazine.';

/** A meeting whose minutes are signed by Ann and Bob. */
async function signedMinutes(env: Record<string, string> = { BASE_URL }) {
  const held = await heldMeeting({}, { env });
  const { one, patch, sign, end } = held;
  expect((await end()).statusCode).toBe(200);
  expect((await patch({ chair: one.ids.Ann, secretary: one.ids.Bob })).statusCode).toBe(200);
  const [ann, bob] = [await session(one, 'Ann'), await session(one, 'Bob')];
  for (const [as, who] of [
    ['chair', ann],
    ['secretary', bob],
  ] as const)
    expect((await sign(as, who)).statusCode).toBe(200);
  const [cat, dan] = await Promise.all(
    ['cat', 'dan'].map((name) => appoint(one.service, `${name}@club.example`, 'officer')),
  );
  return {
    ...held,
    ann,
    bob,
    byTwo: async (request: (who: Who) => Promise<{ statusCode: number; body: string }>) => {
      const answers = [await request(cat!), await request(dan!)];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([202, 200]);
    },
    read: async (who: Who = {}) => (await one.service.get(`${one.base}/minutes`, who)).json(),
    page: async (url: string, who: Who = {}) =>
      (await one.service.get(url, { accept: 'text/html', ...who })).body,
    /** Changes rows as somebody does who edits the file: nothing of it reaches the log. */
    edit: (statement: ReturnType<typeof sql>) =>
      one.service.ctx.write((tx) => {
        tx.run(statement.compile(build));
        tx.run(sql`DELETE FROM changed_facts`.compile(build));
      }),
  };
}

describe('signed minutes', () => {
  it('hold the head of the log at the closing, which is an entry of the chain', async () => {
    const { one, markdown, read } = await signedMinutes();
    await using _ = one.service;
    const closed = build
      .selectFrom('audit_log')
      .select(['seq', 'hash'])
      .where('action', '=', 'meeting.closed');
    const { seq, hash } = one.service.ctx.db.first(closed)!;
    expect((await read()).minutes.log).toEqual({ head: hash, entry: seq });
    expect(await markdown()).toContain(
      `Head of the audit log when the meeting was closed: ${hash} (entry ${seq}).`,
    );
  });

  it('print their own check number, which is of their content without that line', async () => {
    const { one, markdown, read, page } = await signedMinutes();
    await using _ = one.service;
    const { minutes, content, signatures } = await read();
    expect(sha256(content)).toBe(minutes.sha256);
    expect(content).not.toContain(minutes.sha256);
    expect(signatures).toHaveLength(2);
    const line = `SHA-256 of these minutes as they were signed, without this line: ${minutes.sha256}`;
    expect(await markdown()).toContain(line);
    expect(await page(`${one.base}/minutes`)).toContain(line);
    // What is read is what was signed, the frame aside.
    for (const { is, text } of JSON.parse(content).blocks)
      if (is === 'heading') expect(await page(`${one.base}/minutes`)).toContain(text);
  });

  it('name pages with the address of the service, on paper too', async () => {
    const { one, items, markdown } = await signedMinutes();
    await using _ = one.service;
    const text = await markdown();
    expect(text).toContain(`${BASE_URL}/e/${items.rules.election_id}/results`);
    expect(text.match(/[^e]\/e\//g)).toBeNull();
    expect(text).not.toContain('below the address at which members reach');
  });

  it('say where their pages are where the service has no address, and the draft asks for one', async () => {
    const { one, end, markdown, items } = await heldMeeting();
    await using _ = one.service;
    await end();
    const text = await markdown();
    expect(text).toContain(
      'the page with the receipts, below the address at which members reach this service.',
    );
    expect(text).toContain(`/e/${items.rules.election_id}/results`);
    const owner = await appoint(one.service, 'owner@club.example', 'owner');
    const page = await one.service.get(`${one.base}/minutes`, { accept: 'text/html', ...owner });
    expect(page.body).toContain('On paper nobody can follow the pages of the results');
    expect(page.body).toMatch(/<a href="\/admin\/settings\/address">Enter it<\/a>/);
  });
});

describe('what changes a result after the signing', () => {
  it('is said on the minutes with its reason, and is a task for chair and secretary until it is signed anew', async () => {
    const signed = await signedMinutes();
    const { one, items, ann, bob, byTwo, read, page, markdown } = signed;
    await using _ = one.service;
    const { service, base } = one;
    const tasks = async (who: Who) => [
      (await service.get('/me', who)).json().minutes,
      (await page('/me', who)).includes('Correct the minutes: AGM'),
    ];
    expect([await tasks(ann), await tasks(bob)]).toEqual([
      [[], false],
      [[], false],
    ]);
    const before = (await read()).minutes.sha256;

    const certified = `/admin/elections/${items.lamps.election_id}/manual-results`;
    const figures = { contests: [{ label: 'Lamps', items: [{ label: 'Yes', votes: 9 }] }] };
    await byTwo((who) =>
      service.request({
        method: 'PUT',
        url: certified,
        payload: { reason: 'The scrutineers counted again.', results: figures },
        headers: { accept: 'application/json', ...who },
      }),
    );
    service.clock.now += 61 * SECOND;
    const voided = `${base}/items/${items.board.id}/void`;
    await byTwo((who) => service.post(voided, { reason: 'Two cards were lost.' }, who));
    const paper = await withTellers(one);
    await paper.count(items.rules, { valid: 1 }, [{ number: 1, choice: 'no' }], { reason: LATE });

    expect((await read()).minutes).toMatchObject({
      state: 'signed',
      sha256: before,
      corrected_after_signing: [
        { item: 'New lamps', what: 'figures were certified', reason: 'The scrutineers counted again.' },
        { item: 'Treasurer', what: 'the vote is void', reason: 'Two cards were lost.' },
        { item: 'Fees', what: 'ballots on paper joined', reason: LATE },
      ],
    });
    expect((await read()).minutes).not.toHaveProperty('differences');
    for (const text of [await markdown(), await page(`${base}/minutes`)])
      for (const reason of ['The scrutineers counted again.', 'Two cards were lost.', LATE])
        expect(text).toMatch(new RegExp(`Corrected after signing on [^\\n]*: ${reason.replace('.', '\\.')}`));
    const task = [[{ meeting: one.id, title: 'AGM', to_correct: true }], true];
    expect([await tasks(ann), await tasks(bob)]).toEqual([task, task]);
    const asked = async () => (await page(base)).includes('Something changed after the signing');
    expect(await asked()).toBe(true);
    // Nobody else has it.
    expect(await tasks(await session(one, 'Cid'))).toEqual([[], false]);

    const reason = 'Figures, a void vote and a late paper.';
    expect((await service.post(`${base}/minutes/correct`, { reason }, ann)).statusCode).toBe(200);
    expect((await tasks(bob))[0]).toEqual([{ meeting: one.id, title: 'AGM' }]);
    expect(await asked()).toBe(false);
    expect((await signed.sign('chair', ann)).statusCode).toBe(200);
    expect((await signed.sign('secretary', bob)).statusCode).toBe(200);
    expect([await tasks(ann), await tasks(bob)]).toEqual([
      [[], false],
      [[], false],
    ]);
    expect((await read()).minutes).not.toHaveProperty('corrected_after_signing');
    expect(await markdown('?version=1')).toContain(`: ${LATE}`);
  });
});

describe('minutes that are not as the log has them', () => {
  it.each([
    [
      'another text',
      sql`UPDATE meeting_minutes SET content = replace(content, 'Fees', 'Gifts')`,
      'the content of the minutes is not what was signed',
    ],
    [
      'another text and check number',
      sql`UPDATE meeting_minutes SET content = replace(content, 'Fees', 'Gifts'), sha256 = ${'0'.repeat(64)}`,
      'the log has another check number of the minutes',
    ],
    ['no signature', sql`DELETE FROM minutes_signatures`, 'the signatures are not under this content'],
    [
      'one signature',
      sql`DELETE FROM minutes_signatures WHERE role = 'chair'`,
      'the signatures are not under this content',
    ],
    [
      'a signature that the log does not know',
      sql`UPDATE audit_log SET action = 'meeting.minutes_changed' WHERE action = 'meeting.minutes_signed'`,
      'the log has no signature of these minutes',
    ],
  ])('%s is named on the page, in the file and in JSON', async (_name, statement, said) => {
    const { one, edit, read, page, markdown } = await signedMinutes();
    await using _ = one.service;
    await edit(sql`DROP TRIGGER audit_log_no_update`);
    await edit(statement);
    expect((await read()).minutes.differences).toContain(said);
    for (const text of [await markdown(), await page(`${one.base}/minutes`)])
      expect([said, text.includes('Something does not agree: '), text.includes(said)]).toEqual([
        said,
        true,
        true,
      ]);
  });

  it('a fact of the meeting is named on a draft too', async () => {
    const { one, end, minutes, markdown } = await heldMeeting();
    await using _ = one.service;
    await end();
    await one.service.ctx.write((tx) => {
      tx.run(sql`UPDATE meeting_items SET counted = replace(counted, '3', '4')`.compile(build));
      tx.run(sql`DELETE FROM changed_facts`.compile(build));
    });
    // Facts are compared again after ten seconds.
    one.service.clock.now += 11 * SECOND;
    expect((await minutes()).minutes.differences).toEqual([
      'the log has recorded otherwise: the number of hands',
    ]);
    expect(await markdown()).toContain('the log has recorded otherwise: the number of hands');
  });
});

it('the only chair and whoever is at the page are proposed as signers', async () => {
  const { one, end } = await heldMeeting({});
  await end();
  await appoint(one.service, 'led@club.example', 'chair');
  const writer = await signedIn(one.service, 'officer');
  const { body } = await one.service.get(`${one.base}/minutes`, { accept: 'text/html', ...writer });
  const field = (name: string) => new RegExp(`name="${name}"[^>]*`).exec(body)?.[0];
  expect([field('chair'), field('secretary')]).toEqual([
    expect.stringContaining('value="led@club.example"'),
    expect.stringContaining('value="officer@club.example"'),
  ]);
});
