import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { deleteSenderData } from '#pub/feedback/feedback.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { expectBadField, expectRefusal, message, onPage } from '#test/support/messages.ts';
import { appoint, type Phone, phone } from '#test/support/people/patrons.ts';

const TOKEN = 'a long token of the pub';
const STAFF = { 'x-admin-token': TOKEN };
const open = () => testApp({ FEEDBACK_ENABLED: 'on', PUB_ADMIN_TOKEN: TOKEN });

const say = (who: Phone, words: object) => who.post('/api/feedback', words);
const read = async (service: TestApp, query = '') =>
  (await service.get(`/api/admin/feedback${query}`, STAFF)).json();

/** A phone that has opened the page before, and so has its cookie. */
async function known(service: TestApp): Promise<Phone> {
  const one = phone(service);
  await one.get('/feedback');
  return one;
}

function triage(service: TestApp, id: string, change: object) {
  const headers = { accept: 'application/json', ...STAFF };
  return service.request({ method: 'PATCH', url: `/api/admin/feedback/${id}`, payload: change, headers });
}

/** Sends one message and returns its id. */
async function said(
  service: TestApp,
  words: object = { message: 'More dark beer, please' },
): Promise<string> {
  service.clock.now += 1;
  expect((await say(await known(service), words)).statusCode).toBe(200);
  return (await read(service)).items[0].id;
}

describe('the feedback box', () => {
  it('answers 404 while it is closed', async () => {
    await using service = await testApp();
    const answer = await service.post('/api/feedback', { message: 'x' });
    expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false }]);
    for (const url of ['/feedback', '/feedback/']) {
      const page = await service.get(url, { accept: 'text/html' });
      expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining(message('feedback_off'))]);
    }
  });

  it('takes a message, with an optional rating, name and contact', async () => {
    await using service = await open();
    const words = { message: 'Lovely', rating: 5, name: 'Ann', contact: 'ann@club.example', page: 'tv' };
    const answer = await say(await known(service), words);
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    await say(await known(service), { message: '  Too loud \n at the bar ' });

    const now = isoTime(service.clock.now);
    const blank = { id: expect.any(String), assignee: null, tags: [], note: null, resolvedAt: null };
    const { items } = await read(service);
    expect(items).toHaveLength(2);
    expect(items).toContainEqual({ ...blank, ...words, state: 'new', createdAt: now, updatedAt: now });
    expect(items).toContainEqual(
      expect.objectContaining({ message: 'Too loud \n at the bar', rating: null, name: null, contact: null }),
    );
  });

  it('names the field that it refuses', async () => {
    await using service = await open();
    const refused: [object, string][] = [
      [{}, 'message'],
      [{ message: '   ' }, 'message'],
      [{ message: 'x'.repeat(2001) }, 'message'],
      [{ message: 'x', rating: 0 }, 'rating'],
      [{ message: 'x', rating: 6 }, 'rating'],
      [{ message: 'x', rating: 4.5 }, 'rating'],
      [{ message: 'x', rating: 'good' }, 'rating'],
      [{ message: 'x', name: 'x'.repeat(81) }, 'name'],
      [{ message: 'x', contact: 'x'.repeat(121) }, 'contact'],
      [{ message: 'x', page: 'x'.repeat(65) }, 'page'],
      [{ message: { a: 1 } }, 'message'],
    ];
    for (const [words, field] of refused) {
      const answer = await say(phone(service), words);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors.map(({ path }: { path: string }) => path)).toEqual([field]);
    }
  });

  it('takes at most 32 KB, room for the longest message in any encoding', async () => {
    await using service = await open();
    expect((await say(phone(service), { message: 'x', rest: 'x'.repeat(32 * 1024) })).statusCode).toBe(413);
  });

  it('drops a message with the honeypot field filled in, but answers as usual', async () => {
    await using service = await open();
    const answer = await say(phone(service), { message: 'Buy this', website: 'https://spam.example' });
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
    expect((await read(service)).items).toEqual([]);
    await say(phone(service), { message: 'A person', website: '' });
    expect((await read(service)).items).toHaveLength(1);
  });
});

describe('the limit of six an hour', () => {
  it('applies to each browser separately while the whole pub shares one address', async () => {
    await using service = await open();
    const phones = await Promise.all(Array.from({ length: 4 }, () => known(service)));
    for (const one of phones) {
      for (let times = 0; times < 6; times += 1)
        expect((await say(one, { message: 'x' })).statusCode).toBe(200);
      const seventh = await say(one, { message: 'x' });
      expect([seventh.statusCode, seventh.headers['retry-after'], seventh.json()]).toMatchObject([
        429,
        '3600',
        { error: 'rate_limited', message: expect.any(String), retryAfter: 3600 },
      ]);
    }
  });

  it('is a sliding window: a message that is an hour old allows a new one', async () => {
    await using service = await open();
    const ann = await known(service);
    for (let times = 0; times < 6; times += 1) {
      await say(ann, { message: 'x' });
      service.clock.now += MINUTE;
    }
    expect((await say(ann, { message: 'x' })).json().retryAfter).toBe(54 * 60);
    service.clock.now += 54 * MINUTE;
    expect((await say(ann, { message: 'x' })).statusCode).toBe(200);
    expect((await say(ann, { message: 'x' })).json().retryAfter).toBe(60);
  });

  it('counts by address if there is no cookie', async () => {
    await using service = await open();
    const bare = (address: string) =>
      service.post('/api/feedback', { message: 'x' }, { 'edge-connecting-ip': address });
    for (let times = 0; times < 6; times += 1) expect((await bare('203.0.113.7')).statusCode).toBe(200);
    expectRefusal(await bare('203.0.113.7'), 429, 'feedback_limit');
    expect((await bare('203.0.113.8')).statusCode).toBe(200);
    expect((await say(await known(service), { message: 'x' })).statusCode).toBe(200);
  });

  it('includes the message whose answer set the cookie', async () => {
    await using service = await open();
    const ann = phone(service);
    for (let times = 0; times < 6; times += 1)
      expect((await say(ann, { message: 'x' })).statusCode).toBe(200);
    expectRefusal(await say(ann, { message: 'x' }), 429, 'feedback_limit');
  });

  it('holds for concurrent messages', async () => {
    await using service = await open();
    const ann = await known(service);
    const answers = await Promise.all(Array.from({ length: 9 }, () => say(ann, { message: 'x' })));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(6);
  });
});

describe('the limits for everybody together', () => {
  let address = 0;
  const stranger = (service: TestApp) => phone(service, `10.3.${++address >> 8}.${address & 255}`);
  const statuses = async (service: TestApp, count: number) =>
    (await Promise.all(Array.from({ length: count }, () => say(stranger(service), { message: 'x' })))).map(
      ({ statusCode }) => statusCode,
    );
  const taken = (all: number[]) => all.filter((status) => status === 200).length;

  it('allow thirty messages a minute and 200 an hour, from any number of addresses, and beyond it some every ten seconds', async () => {
    await using service = await open();

    expect(taken(await statuses(service, 40))).toBe(30 + 5);
    const refused = await say(stranger(service), { message: 'x' });
    expect([refused.statusCode, refused.headers['retry-after'], refused.json()]).toMatchObject([
      429,
      '10',
      {
        error: 'rate_limited',
        message: expect.stringContaining(onPage('too_much_feedback')),
        retryAfter: 10,
      },
    ]);
    const page = await stranger(service).submit('/feedback', { message: 'x' });
    expect([page.statusCode, page.body]).toEqual([429, expect.stringContaining(onPage('too_much_feedback'))]);

    const later = [];
    for (let minute = 1; minute < 8; minute += 1) {
      service.clock.now += MINUTE;
      later.push(taken(await statuses(service, 30)));
    }
    expect(later).toEqual([30, 30, 30, 30, 30, 15 + 1, 1]);
    service.clock.now += 10 * SECOND;
    expect(taken(await statuses(service, 2))).toBe(1);
    service.clock.now += 53 * MINUTE;
    expect(taken(await statuses(service, 2))).toBe(2);
  });

  it('leave room for others: one address may send sixty an hour, whatever cookies it invents', async () => {
    await using service = await open();
    const cookies = Array.from({ length: 70 }, (_, at) => String(at).padStart(32, '0'));
    const sent = [];
    for (const cookie of cookies) {
      service.clock.now += 2 * SECOND;
      const made = { cookie: `house_browser=${cookie}`, 'edge-connecting-ip': '203.0.113.7' };
      sent.push((await service.post('/api/feedback', { message: 'x' }, made)).statusCode);
    }

    expect(taken(sent)).toBe(60);
    service.clock.now += MINUTE;
    expect(taken(await statuses(service, 1))).toBe(1);
  });
});

describe('staff', () => {
  it('read the newest first, by state, in pages', async () => {
    await using service = await open();
    for (let number = 1; number <= 5; number += 1) {
      await say(phone(service), { message: `Message ${number}` });
      service.clock.now += MINUTE;
    }
    const first = await read(service, '?limit=2');
    expect(first.items.map(({ message }: { message: string }) => message)).toEqual([
      'Message 5',
      'Message 4',
    ]);
    const second = await read(service, `?limit=3&before=${first.nextBefore}`);
    expect(second.items.map(({ message }: { message: string }) => message)).toEqual([
      'Message 3',
      'Message 2',
      'Message 1',
    ]);
    expect(second.nextBefore).toBeNull();
    const early = await read(service, `?before=${isoTime(service.clock.now - 4 * MINUTE)}`);
    expect(early.items.map(({ message }: { message: string }) => message)).toEqual(['Message 1']);

    await triage(service, first.items[0].id, { state: 'spam' });
    expect((await read(service, '?state=spam')).items).toHaveLength(1);
    expect((await read(service, '?state=new')).items).toHaveLength(4);
    expect((await read(service)).counts).toEqual({
      new: 4,
      seen: 0,
      in_progress: 0,
      done: 0,
      declined: 0,
      duplicate: 0,
      spam: 1,
    });
    for (const query of ['?state=lost', '?before=yesterday', '?limit=0', '?format=pdf'])
      expect((await service.get(`/api/admin/feedback${query}`, STAFF)).statusCode).toBe(400);
  });

  it('see the average rating week by week, without spam', async () => {
    await using service = await open();
    for (const rating of [5, 4, 4]) await say(phone(service, `10.0.0.${rating}`), { message: 'x', rating });
    const bad = await said(service, { message: 'x', rating: 1 });
    await triage(service, bad, { state: 'spam' });
    service.clock.now += 7 * DAY;
    await say(phone(service), { message: 'x', rating: 2 });
    expect((await read(service)).ratings).toEqual([
      { week: '2026-11-23', average: 2, count: 1 },
      { week: '2026-11-16', average: 4.33, count: 3 },
    ]);
  });

  it('change the state of a message, and reopen it; an impossible change is refused', async () => {
    await using service = await open();
    const id = await said(service);
    for (const state of ['seen', 'in_progress', 'done', 'new', 'duplicate', 'new', 'declined'])
      expect((await triage(service, id, { state })).json().feedback.state).toBe(state);
    const refused = await triage(service, id, { state: 'seen' });
    expect([refused.statusCode, refused.json().error]).toEqual([409, 'not_possible']);
    expectBadField(await triage(service, id, { state: 'lost' }), 'state', 'not_one_of', {
      values: ['new', 'seen', 'in_progress', 'done', 'declined', 'duplicate', 'spam'],
    });
    expectRefusal(await triage(service, 'nothing', { state: 'seen' }), 404, 'message_not_found');
    expectRefusal(await send(service, 'PATCH', `/api/admin/feedback/${id}`, {}), 401, 'staff_key_required');
  });

  it('set an assignee, tags and a note; each change is audited without the message', async () => {
    await using service = await open();
    const id = await said(service, { message: 'The secret of the cellar', name: 'Ann' });
    const change = { assignee: 'bob@club.example', tags: ['cellar', 'cellar', 'beer'], note: 'Ask Bob' };
    expect((await triage(service, id, change)).json().feedback).toMatchObject({
      state: 'new',
      assignee: 'bob@club.example',
      tags: ['cellar', 'beer'],
      note: 'Ask Bob',
    });
    await triage(service, id, { state: 'seen', note: '' });
    // Without a change there is no audit entry.
    await triage(service, id, { state: 'seen' });

    const { logs } = (await service.get('/api/admin/audit?action=feedback.triaged', STAFF)).json();
    expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata))).toMatchObject([
      {
        feedback_id: id,
        from: 'new',
        to: 'seen',
        changed: ['state', 'internal_note'],
        by: 'token:pub_admin',
      },
      { from: 'new', to: 'new', changed: ['assignee', 'tags', 'internal_note'] },
    ]);
    expect(JSON.stringify(logs)).not.toMatch(/secret|Ann/);
  });

  it('export a CSV file in which no spreadsheet finds a formula', async () => {
    await using service = await open();
    await said(service, { message: '=1+1 "quoted",\nand more', rating: 3, name: '@ann' });
    const answer = await service.get('/api/admin/feedback?format=csv', STAFF);
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('attachment; filename="feedback-2026-11-21.csv"');
    expect(answer.body).toBe(
      '\ufefftime,state,rating,message,name,contact,page,assignee,tags,note\r\n' +
        '2026-11-21T17:00:00.001Z,new,3,"\'=1+1 ""quoted"",\nand more",\'@ann,,,,,\r\n',
    );
  });

  it('need one permission to read and one to write', async () => {
    await using service = await open();
    const id = await said(service);
    const vic = await appoint(service, 'vic@club.example', 'viewer');
    expect((await service.get('/api/admin/feedback', vic)).statusCode).toBe(200);
    const refused = await service.request({
      method: 'PATCH',
      url: `/api/admin/feedback/${id}`,
      payload: { state: 'seen' },
      headers: { accept: 'application/json', ...vic },
    });
    expect([refused.statusCode, refused.json().permission]).toEqual([403, 'feedback:write']);
  });
});

describe('the deletion of sender data', () => {
  it('removes name and contact 90 days after a message was settled, and keeps those of an open one', async () => {
    await using service = await open();
    const words = { message: 'x', name: 'Ann', contact: 'ann@club.example' };
    const done = await said(service, words);
    await triage(service, done, { state: 'done' });
    service.clock.now += HOUR;
    const waiting = await said(service, words);
    const names = async () =>
      Object.fromEntries(
        (await read(service)).items.map((one: { id: string; name: string; contact: string }) => [
          one.id,
          [one.name, one.contact],
        ]),
      );

    service.clock.now += 90 * DAY - HOUR - 2;
    await deleteSenderData(service.ctx);
    expect((await names())[done]).toEqual(['Ann', 'ann@club.example']);
    service.clock.now += 1;
    await deleteSenderData(service.ctx);
    expect(await names()).toEqual({ [done]: [null, null], [waiting]: ['Ann', 'ann@club.example'] });
  });

  it('counts from the last time a message was settled', async () => {
    await using service = await open();
    const id = await said(service, { message: 'x', name: 'Ann' });
    await triage(service, id, { state: 'done' });
    service.clock.now += 60 * DAY;
    await triage(service, id, { state: 'new' });
    await triage(service, id, { state: 'spam' });
    service.clock.now += 60 * DAY;
    await deleteSenderData(service.ctx);
    expect((await read(service)).items[0].name).toBe('Ann');
  });

  it('removes the hash of the browser after a day', async () => {
    await using service = await open();
    await said(service);
    const hash = async () =>
      service.ctx.db.first(build.selectFrom('feedback').select('browser_hash'))!.browser_hash;
    expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
    service.clock.now += DAY;
    await deleteSenderData(service.ctx);
    expect(await hash()).toBe('');
  });
});

it('takes 20,000 messages in all: then a new one replaces the oldest settled one, or the oldest if none is', async () => {
  await using service = await open();
  const { now } = service.clock;
  await service.ctx.write((tx) => {
    for (let from = 0; from < 20_000; from += 1_000) {
      const rows = Array.from({ length: 1_000 }, (_, index) => ({
        id: `m${from + index}`,
        created_at: now - DAY,
        updated_at: now,
        message: 'x',
        browser_hash: '',
        client_hash: '',
        rating: null,
        name: null,
        contact: null,
        page: null,
        assignee: null,
        internal_note: null,
        resolved_at: from + index === 700 ? now - HOUR : null,
      }));
      tx.run(build.insertInto('feedback').values(rows));
    }
  });
  const one = await known(service);
  expect((await say(one, { message: 'First' })).statusCode).toBe(200);
  expect((await say(one, { message: 'Second' })).statusCode).toBe(200);
  const ids = service.ctx.db.all(build.selectFrom('feedback').select('id')).map(({ id }) => id);
  expect(ids).toHaveLength(20_000);
  expect(ids).not.toContain('m700');
  expect(ids).not.toContain('m0');
});
