import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { trackKey } from '#pub/now-playing/track-key.ts';
import { closeRequestDay } from '#pub/requests/moderation.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { expectBadField, expectRefusal, message, refusal } from '#test/support/messages.ts';
import { heard, type Phone, phone } from '#test/support/people/patrons.ts';

const TOKEN = 'a long token of the pub';
const open = () => testApp({ SETLIST_REQUESTS_ENABLED: 'on', PUB_ADMIN_TOKEN: TOKEN });
const song = (number: number) => ({ artist: `Artist ${number}`, title: `Song ${number}` });

const ask = (who: Phone, input: object) => who.post('/api/setlist/request', input);
const vote = (who: Phone, id: string, value: number) =>
  who.post(`/api/setlist/request/${id}/vote`, { value });
const queue = async (who: Phone) => (await who.get('/api/setlist/requests')).json();
const titles = async (who: Phone) => (await queue(who)).items.map((item: { title: string }) => item.title);

/** Requests a song, and expects it to be accepted. */
async function asked(who: Phone, input: object): Promise<string> {
  const answer = await ask(who, input);
  expect(`${answer.statusCode} ${answer.body}`).toMatch(/^200 /);
  return answer.json().request.id;
}

/** The capture device reports a song. @returns the request that it fulfilled */
async function play(
  service: TestApp,
  { at, ...song }: { artist: string; title: string; isrc?: string; at?: number },
): Promise<string | null> {
  const started = at === undefined ? {} : { started_at: isoTime(at) };
  const { id } = (await service.post('/api/now-playing/ingest', { ...song, ...started })).json();
  const plays = build.selectFrom('plays').select('request_id').where('id', '=', id);
  return service.ctx.db.first(plays)!.request_id;
}

const staff = (service: TestApp, id: string, decision: object) =>
  service.post(`/api/admin/requests/${id}`, decision, { 'x-admin-token': TOKEN });

describe('song requests', () => {
  it('answer 404 while they are switched off', async () => {
    await using service = await testApp();
    const answers = [
      await service.get('/api/setlist/requests'),
      await service.get('/api/setlist/track-suggest?q=abba'),
      await service.post('/api/setlist/request', song(1)),
      await service.post('/api/setlist/request/x/vote', { value: 1 }),
    ];
    for (const answer of answers)
      expect([answer.statusCode, answer.json()]).toEqual([404, { enabled: false }]);
    const page = await service.get('/requests', { accept: 'text/html' });
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining(message('requests_off'))]);
  });

  it('are stored with a first vote, and shown to everyone, marked for the requester', async () => {
    await using service = await open();
    const [ann, bob] = [phone(service), phone(service)];
    const answer = await ask(ann, { ...song(1), note: 'for Bea' });

    const mine = {
      id: expect.any(String),
      ...song(1),
      albumArtUrl: '',
      votes: 1,
      status: 'pending',
      createdAt: isoTime(service.clock.now),
      playedAt: null,
      mine: true,
      voted: true,
    };
    expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true, request: mine }]);
    expect((await queue(ann)).items).toEqual([mine]);
    expect((await queue(bob)).items).toEqual([{ ...mine, mine: false, voted: false }]);
    expect((await queue(bob)).open).toBe(true);
  });

  it('identify a browser by a random cookie that scripts cannot read', async () => {
    await using service = await open();
    const [first, second] = [
      await service.get('/api/setlist/requests'),
      await service.get('/api/setlist/requests'),
    ];
    expect(first.headers['set-cookie']).toMatch(
      /^house_browser=[0-9a-f]{32}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
    );
    expect(first.headers['cache-control']).toBe('no-store');
    expect(second.cookies[0]?.value).not.toBe(first.cookies[0]?.value);
    const again = await service.get('/api/setlist/requests', {
      cookie: `a=b; house_browser=${'ab'.repeat(16)}`,
    });
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  it('name the field that they refuse', async () => {
    await using service = await open();
    const refused: [object, string[]][] = [
      [{}, ['artist', 'title']],
      [{ artist: 'ABBA' }, ['title']],
      [{ artist: 'ABBA', title: '  ' }, ['title']],
      [{ artist: 'x'.repeat(121), title: 'x' }, ['artist']],
      [{ artist: 'x', title: 'x'.repeat(161) }, ['title']],
      [{ artist: 'x', title: 'x', note: 'x'.repeat(81) }, ['note']],
      [{ artist: 1, title: ['x'] }, ['artist', 'title']],
      [{ key: 'nothing like it' }, ['key']],
    ];
    for (const [input, fields] of refused) {
      const answer = await ask(phone(service), input);
      expect(answer.statusCode).toBe(400);
      expect(answer.json().errors.map(({ path }: { path: string }) => path)).toEqual(fields);
    }
  });

  it('for a song of the setlist’s history take names and cover from there', async () => {
    await using service = await open();
    await heard(service, {
      artist: 'Björk',
      title: 'Hyperballad',
      isrc: 'GBAAA9500123',
      at: service.clock.now - DAY,
    });
    const answer = await ask(phone(service), { key: 'GBAAA9500123', artist: 'ignored' });
    expect(answer.json().request).toMatchObject({ artist: 'Björk', title: 'Hyperballad' });
  });

  it('for a pending song become a vote, whoever asks and however it is spelled', async () => {
    await using service = await open();
    const [ann, bob] = [phone(service), phone(service)];
    const id = await asked(ann, { artist: 'Beyoncé', title: 'Halo' });
    const merged = await ask(bob, { artist: 'beyonce', title: 'Halo (feat. Nobody)' });
    const again = await ask(ann, { artist: 'BEYONCE', title: 'halo' });

    expect(merged.json()).toMatchObject({
      ok: true,
      merged: true,
      request: { id, votes: 2, mine: false, voted: true },
    });
    expect(again.json()).toMatchObject({ merged: true, request: { id, votes: 2, mine: true } });
    expect(await titles(bob)).toEqual(['Halo']);
  });
});

describe('repeats', () => {
  it('of a song are refused for 90 minutes after it was heard', async () => {
    await using service = await open();
    await heard(service, song(1));
    const free = isoTime(service.clock.now + 90 * MINUTE);
    service.clock.now += 90 * MINUTE - 1;
    const refused = await ask(phone(service), song(1));
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { error: 'recently_played', message: expect.any(String), availableAt: free },
    ]);
    service.clock.now += 1;
    await asked(phone(service), song(1));
  });

  it('of an artist are refused for 30 minutes, and while another song by the artist is pending', async () => {
    await using service = await open();
    await heard(service, { artist: 'ABBA', title: 'Waterloo' });
    const free = isoTime(service.clock.now + 30 * MINUTE);
    service.clock.now += 30 * MINUTE - 1;
    const refused = await ask(phone(service), { artist: 'Abba', title: 'SOS' });
    expect(refused.json()).toMatchObject({ error: 'artist_recently_played', availableAt: free });
    service.clock.now += 1;
    await asked(phone(service), { artist: 'Abba', title: 'SOS' });
    const second = await ask(phone(service), { artist: 'ABBA', title: 'Fernando' });
    expect([second.statusCode, second.json().error]).toEqual([409, 'artist_waiting']);
  });

  it('are recognised by name even if the history has the recording code', async () => {
    await using service = await open();
    await heard(service, { ...song(1), isrc: 'USRC17607839' });
    expect((await ask(phone(service), song(1))).json().error).toBe('recently_played');
  });
});

describe('limits of a browser', () => {
  it('let it ask again after ten minutes, or once the first was played, and three times an evening', async () => {
    await using service = await open();
    const ann = phone(service);
    await asked(ann, song(1));
    service.clock.now += 4 * MINUTE;
    const early = await ask(ann, song(2));
    expect([early.statusCode, early.headers['retry-after'], early.json()]).toMatchObject([
      429,
      '360',
      {
        error: 'rate_limited',
        message: expect.any(String),
        retryAfter: 360,
        availableAt: isoTime(service.clock.now + 6 * MINUTE),
      },
    ]);
    expect(await queue(ann)).toMatchObject({ left: 2, nextAt: isoTime(service.clock.now + 6 * MINUTE) });

    await play(service, song(1));
    expect((await queue(ann)).nextAt).toBeNull();
    await asked(ann, song(2));
    service.clock.now += 10 * MINUTE;
    await asked(ann, song(3));
    service.clock.now += 2 * HOUR;
    const fourth = await ask(ann, song(4));
    // The evening of Nov 21 is over at five in the morning.
    expect([fourth.statusCode, fourth.json().availableAt]).toEqual([429, '2026-11-22T10:00:00.000Z']);
    expect(await queue(ann)).toMatchObject({ left: 0, nextAt: '2026-11-22T10:00:00.000Z' });

    service.clock.now = Date.parse('2026-11-22T10:00:00.000Z');
    await asked(ann, song(4));
  });

  it('apply to each browser separately while the whole pub shares one address', async () => {
    await using service = await open();
    const phones = Array.from({ length: 40 }, () => phone(service));
    for (const [index, one] of phones.entries()) await asked(one, song(index));
    for (const [index, one] of phones.entries())
      expectRefusal(await ask(one, song(100 + index)), 429, 'request_limit_of_evening');
    expect((await queue(phones[0]!)).items).toHaveLength(40);
  });

  it('are backed by one of 60 requests an hour per address, without effect on others', async () => {
    await using service = await open();
    for (let index = 0; index < 60; index += 1) await asked(phone(service), song(index));
    const refused = await ask(phone(service), song(60));
    expect([refused.statusCode, refused.json().retryAfter]).toEqual([429, 3600]);
    await asked(phone(service, '198.51.100.4'), song(60));
    service.clock.now += HOUR;
    await asked(phone(service), song(61));
  });

  it('are backed by limits for everybody together: 100 songs a minute and 300 an hour, then one every ten seconds', async () => {
    await using service = await open();
    const statuses = async (from: number) => {
      const phones = Array.from({ length: 120 }, (_, at) => phone(service, `10.5.${from}.${at}`));
      const answers = await Promise.all(phones.map((one, at) => ask(one, song(1000 * (from + 1) + at))));
      return answers.filter(({ statusCode }) => statusCode === 200).length;
    };

    const taken = [];
    for (let minute = 0; minute < 4; minute += 1) {
      taken.push(await statuses(minute));
      service.clock.now += MINUTE;
    }
    // Beyond a hundred in a minute its sixth every ten seconds: 17.
    expect(taken).toEqual([117, 117, 66 + 1, 1]);
    await asked(phone(service, '10.5.9.8'), song(9_998));
    const refused = await ask(phone(service, '10.5.9.9'), song(9_999));
    expect([refused.statusCode, refused.json()]).toMatchObject([
      429,
      { error: 'rate_limited', retryAfter: 10 },
    ]);
    expect((await ask(phone(service, '10.5.9.9'), song(1000))).json()).toMatchObject({
      ok: true,
      merged: true,
    });
    service.clock.now += 10 * SECOND;
    await asked(phone(service, '10.5.9.9'), song(9_999));
  });

  it('are backed by a table of 50,000: the oldest evening gives way, and votes go on', async () => {
    await using service = await open();
    await service.ctx.write((tx) =>
      tx.run(
        sql`WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 50000)
          INSERT INTO song_requests (id, track_key, name_key, artist, title, status, pub_day, browser_hash,
            client_hash, created_at)
          SELECT 'old' || n, n, n, 'Artist', 'Song ' || n, 'expired', '2020-01-' || (10 + n % 2), '', '', n
          FROM number`.compile(build),
      ),
    );
    const kept = () =>
      service.ctx.db.all(
        sql`SELECT pub_day, count(*) AS n, min(created_at) AS oldest
          FROM song_requests GROUP BY pub_day ORDER BY pub_day`.compile(build),
      );
    await asked(phone(service), song(1));
    await asked(phone(service), song(2));
    expect(kept()).toMatchObject([{ n: 24_998, oldest: 6 }, { n: 25_000, oldest: 1 }, { n: 2 }]);
  });

  it('hold for concurrent requests of one browser', async () => {
    await using service = await open();
    const ann = phone(service);
    await queue(ann);
    const answers = await Promise.all([1, 2, 3, 4].map((number) => ask(ann, song(number))));
    const refused = answers.filter(({ statusCode }) => statusCode !== 200).map(refusal);
    expect(refused).toEqual([1, 2, 3].map(() => [429, message('request_limit_of_evening')]));
  });

  it('do not stop concurrent requests for the same song from being merged', async () => {
    await using service = await open();
    const answers = await Promise.all([1, 2, 3].map(() => ask(phone(service), song(1))));
    expect(answers.map((answer) => answer.json().request.votes).sort()).toEqual([1, 2, 3]);
    expect((await queue(phone(service))).items).toMatchObject([{ votes: 3 }]);
  });
});

describe('the order', () => {
  it('is by votes, then by age, and a browser’s second request comes after all first requests', async () => {
    await using service = await open();
    const [ann, bob, cleo, dan] = [phone(service), phone(service), phone(service), phone(service)];
    await asked(ann, song(1));
    service.clock.now += 10 * MINUTE;
    const second = await asked(ann, song(2));
    service.clock.now += MINUTE;
    await asked(bob, song(3));
    service.clock.now += MINUTE;
    const fourth = await asked(cleo, song(4));
    for (const fan of [bob, cleo, dan]) await vote(fan, second, 1);
    await vote(dan, fourth, 1);

    expect(await titles(dan)).toEqual(['Song 4', 'Song 1', 'Song 3', 'Song 2']);
    // Once the first request was played, the second counts as a first one.
    await play(service, song(1));
    expect(await titles(dan)).toEqual(['Song 2', 'Song 4', 'Song 3', 'Song 1']);
  });
});

describe('votes', () => {
  it('count once per browser, can be taken back, and reveal nothing of others', async () => {
    await using service = await open();
    const [ann, bob] = [phone(service), phone(service)];
    const id = await asked(ann, song(1));
    const answers = [
      await vote(bob, id, 1),
      await vote(bob, id, 1),
      await vote(bob, id, 0),
      await vote(bob, id, 0),
    ];
    expect(answers.map((answer) => answer.json())).toEqual([
      { ok: true, votes: 2, voted: true },
      { ok: true, votes: 2, voted: true },
      { ok: true, votes: 1, voted: false },
      { ok: true, votes: 1, voted: false },
    ]);
  });

  it('need a pending request, and the value 0 or 1', async () => {
    await using service = await open();
    const ann = phone(service);
    const id = await asked(ann, song(1));
    for (const value of [2, -1, 0.5, 'yes', null]) {
      const answer = await ann.post(`/api/setlist/request/${id}/vote`, { value });
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'value']);
    }
    expectRefusal(await vote(ann, 'nothing', 1), 404, 'request_not_found');
    await play(service, song(1));
    expect((await vote(phone(service), id, 1)).json()).toMatchObject({ error: 'not_waiting' });
  });
});

describe('a request is played', () => {
  it('when its song is heard, under its recording code or its names', async () => {
    await using service = await open();
    const id = await asked(phone(service), { artist: 'Toto', title: 'Africa' });
    service.clock.now += 3 * MINUTE;
    expect(
      await play(service, { artist: 'TOTO', title: 'Africa - Remastered 2018', isrc: 'USSM19801941' }),
    ).toBe(id);
    expect((await queue(phone(service))).items).toMatchObject([
      { id, status: 'played', playedAt: isoTime(service.clock.now) },
    ]);
    expect(await play(service, { artist: 'Toto', title: 'Africa' })).toBeNull();
    const { items } = (await service.get('/api/now-playing/setlist')).json();
    expect(items).toMatchObject([
      { title: 'Africa' },
      { title: 'Africa - Remastered 2018', requested: true },
    ]);
  });

  it('but not by another song, or by a play before the request', async () => {
    await using service = await open();
    await asked(phone(service), song(1));
    expect(await play(service, song(2))).toBeNull();
    expect(await play(service, { ...song(1), at: service.clock.now - HOUR })).toBeNull();
    expect((await queue(phone(service))).items[0].status).toBe('pending');
  });

  it('or expires when the evening is over; the requester’s hashes are deleted, the vote count is kept', async () => {
    await using service = await open();
    const ann = phone(service);
    const id = await asked(ann, { ...song(1), note: 'for Bea' });
    await vote(phone(service), id, 1);
    // Half past four the next morning still belongs to the evening.
    service.clock.now = Date.parse('2026-11-22T09:30:00Z');
    await closeRequestDay(service.ctx);
    expect((await queue(ann)).items).toMatchObject([{ id, status: 'pending' }]);

    service.clock.now = Date.parse('2026-11-22T10:00:00Z');
    expectRefusal(await vote(phone(service), id, 1), 409, 'request_expired');
    expect(await queue(ann)).toMatchObject({ items: [], left: 3, nextAt: null });
    await closeRequestDay(service.ctx);
    const row = service.ctx.db.first(build.selectFrom('song_requests').selectAll())!;
    expect(row).toMatchObject({ status: 'expired', votes: 2, browser_hash: '', client_hash: '', note: null });
    expect(service.ctx.db.all(build.selectFrom('song_request_votes').selectAll())).toEqual([]);
    await asked(ann, song(1));
  });
});

describe('while the pub is closed', () => {
  /** A service that knows one opening: from five in the afternoon to midnight. */
  async function withHours(): Promise<TestApp> {
    const database = 'f'.repeat(32);
    const service = await testApp({
      SETLIST_REQUESTS_ENABLED: 'on',
      WORKSPACE_API_KEY: 'key',
      WORKSPACE_API_URL: 'http://127.0.0.1:9',
      WORKSPACE_SHIFTS_DATABASE_ID: database,
    });
    const [opens, closes] = [Date.parse('2026-11-21T22:00:00Z'), Date.parse('2026-11-22T05:00:00Z')];
    const content = { database, content: [{ start: opens, end: closes, opens, closes, tenders: [] }] };
    await service.ctx.write((tx) =>
      tx.run(
        build
          .insertInto('workspace_content')
          .values({ source: 'shifts', content: JSON.stringify(content), read_at: service.clock.now }),
      ),
    );
    return service;
  }

  it('requests and votes are refused; the page says when it opens and closes', async () => {
    await using service = await withHours();
    const ann = phone(service);
    expect(await queue(ann)).toMatchObject({ open: false, closesAt: null });
    const early = await ask(ann, song(1));
    expect([early.statusCode, early.json()]).toMatchObject([
      409,
      { error: 'closed', message: expect.stringContaining('5:00 PM') },
    ]);

    const page = await service.get('/requests', { accept: 'text/html' });
    expect(page.body).toContain('Songs can be asked for while the pub is open. It opens at 5:00\u00a0PM.');
    expect(page.body).not.toContain('action="/requests"');

    service.clock.now = Date.parse('2026-11-21T22:00:00Z');
    const id = await asked(ann, song(1));
    expect(await queue(ann)).toMatchObject({ open: true, closesAt: '2026-11-22T05:00:00.000Z' });
    const open = await service.get('/requests', { accept: 'text/html' });
    expect(open.body).toContain('You can ask for 3 songs tonight. Requests close at midnight.');
    service.clock.now = Date.parse('2026-11-22T05:00:00Z');
    expect((await vote(phone(service), id, 1)).json().error).toBe('closed');
  });
});

describe('staff', () => {
  it('see the evening’s requests with their notes, and nobody else does', async () => {
    await using service = await open();
    await asked(phone(service), { ...song(1), note: 'for Bea, who is 40' });
    const list = await service.get('/api/admin/requests', { 'x-admin-token': TOKEN });
    expect(list.json()).toMatchObject({
      requests: [{ ...song(1), note: 'for Bea, who is 40', status: 'pending', decidedBy: null }],
      open: true,
      closesAt: null,
    });
    expect((await phone(service).get('/api/setlist/requests')).body).not.toContain('Bea');
    expectRefusal(await service.get('/api/admin/requests'), 401, 'staff_key_required');
  });

  it('approve, decline with a reason for the requester only, put back and mark as played; all is audited', async () => {
    await using service = await open();
    const [ann, bob] = [phone(service), phone(service)];
    const id = await asked(ann, song(1));
    expect((await staff(service, id, { status: 'approved' })).json()).toMatchObject({
      ok: true,
      request: { status: 'approved', decidedBy: 'token:pub_admin' },
    });
    expect((await queue(bob)).items).toMatchObject([{ status: 'approved' }]);

    await staff(service, id, { status: 'declined', reason: 'Not with children here' });
    expect((await queue(ann)).items).toMatchObject([
      { status: 'declined', reason: 'Not with children here' },
    ]);
    expect((await queue(bob)).items).toEqual([]);
    await staff(service, id, { status: 'pending' });
    expect((await queue(ann)).items[0]).toMatchObject({ status: 'pending' });
    await staff(service, id, { status: 'played' });
    expect((await staff(service, id, { status: 'declined' })).json()).toMatchObject({ error: 'not_waiting' });

    const audit = await service.get('/api/admin/audit?action=request.moderated', { 'x-admin-token': TOKEN });
    const { logs, total } = audit.json();
    expect(total).toBe(4);
    expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata)).toReversed()).toMatchObject(
      [
        { request_id: id, ...song(1), from: 'pending', to: 'approved', by: 'token:pub_admin' },
        { from: 'approved', to: 'declined', reason: 'Not with children here' },
        { from: 'declined', to: 'pending' },
        { from: 'pending', to: 'played' },
      ],
    );
  });

  it('cannot make an invalid decision', async () => {
    await using service = await open();
    const id = await asked(phone(service), song(1));
    const cases: [string, object, number][] = [
      [id, { status: 'expired' }, 400],
      [id, {}, 400],
      [id, { status: 'declined', reason: 'x'.repeat(121) }, 400],
      ['nothing', { status: 'approved' }, 404],
    ];
    for (const [target, decision, status] of cases)
      expect((await staff(service, target, decision)).statusCode).toBe(status);

    await staff(service, id, { status: 'declined' });
    await asked(phone(service), song(1));
    expect((await staff(service, id, { status: 'pending' })).json()).toMatchObject({
      error: 'waiting_again',
    });
  });
});

describe('suggestions', () => {
  const suggest = async (service: TestApp, q: string) =>
    (await service.get(`/api/setlist/track-suggest?q=${encodeURIComponent(q)}`)).json().items;

  it('come from the setlist’s own history: by parts of words, without accents, the most played first', async () => {
    await using service = await open();
    const long = service.clock.now - DAY;
    const halo = { artist: 'Beyoncé', title: 'Halo' };
    await heard(
      service,
      { ...halo, at: long - HOUR },
      { ...halo, at: long },
      { ...halo, at: long - 2 * HOUR },
    );
    await heard(service, { artist: 'Depeche Mode', title: 'Halo', at: long }, { ...song(1), at: long });

    expect(await suggest(service, 'hal')).toMatchObject([
      { artist: 'Beyoncé', plays: 3, lastPlayedAt: isoTime(long), blocked: null, albumArtUrl: '' },
      { artist: 'Depeche Mode', plays: 1 },
    ]);
    expect(await suggest(service, 'HALO bey')).toMatchObject([{ key: trackKey(halo) }]);
    for (const odd of ['""', '"*"', '%%', '--', 'NEAR(', 'halo AND', "'; --", '((('])
      expect(Array.isArray(await suggest(service, odd))).toBe(true);
  });

  it('find any part of a word, and put words that begin with it first', async () => {
    await using service = await open();
    const at = service.clock.now - DAY;
    const regular = { artist: 'Motörhead', title: 'Regular Ünfall' };
    const gull = { artist: 'Seagull', title: 'One' };
    const egon = { artist: 'Egon', title: 'Rare' };
    const shibuya = { artist: '東京事変', title: '渋谷系の夜' };
    await heard(service, { ...regular, at: at - HOUR }, { ...regular, at }, { ...gull, at }, { ...egon, at });
    await heard(service, { ...shibuya, at }, { artist: 'Percent', title: '100% under_score', at });
    const keys = async (q: string) => (await suggest(service, q)).map(({ key }: { key: string }) => key);

    expect(await keys('egul')).toEqual([trackKey(regular)]);
    expect(await keys('GUL')).toEqual([trackKey(regular), trackKey(gull)]);
    expect(await keys('eg')).toEqual([trackKey(egon), trackKey(regular)]);
    expect(await keys('orhe nfal')).toEqual([trackKey(regular)]);
    expect(await keys('谷系')).toEqual([trackKey(shibuya)]);
    expect(await keys('ul one')).toEqual([trackKey(gull)]);
    for (const none of ['%%', '__', 'regularun']) expect(await keys(none)).toEqual([]);
  });

  it('do not find a hidden song by a part of its name', async () => {
    await using service = await open();
    const at = service.clock.now - DAY;
    await heard(service, { artist: 'Unwanted', title: 'Noise', at }, { artist: 'Wanted', title: 'Song', at });
    const staff = { 'x-admin-token': TOKEN };
    const hidden = await service.post('/api/admin/hidden-names', { artist: 'Unwanted' }, staff);
    expect(hidden.statusCode).toBe(200);

    expect(await suggest(service, 'anted')).toMatchObject([{ artist: 'Wanted' }]);
  });

  it('say why a song cannot be asked for now', async () => {
    await using service = await open();
    const long = service.clock.now - DAY;
    await heard(
      service,
      { artist: 'ABBA', title: 'Waterloo', at: service.clock.now - 40 * MINUTE },
      { artist: 'ABBA', title: 'Fernando', at: long },
      { artist: 'Air', title: 'All I Need', at: service.clock.now - 10 * MINUTE },
      { artist: 'Air', title: 'Alpha Beta Gaga', at: long },
      { artist: 'a-ha', title: 'Take On Me', at: long },
      { artist: 'Adele', title: 'Hello', at: long },
    );
    await asked(phone(service), { artist: 'a-ha', title: 'Take On Me' });
    const blocked = async (q: string) => (await suggest(service, q))[0].blocked;
    expect(await blocked('waterloo')).toBe('recent');
    expect(await blocked('fernando')).toBeNull();
    expect(await blocked('gaga')).toBe('artist');
    expect(await blocked('take on me')).toBe('pending');
    expect(await blocked('hello')).toBeNull();
  });

  it('are at most eight, without songs that were hidden or heard in a film', async () => {
    await using service = await open();
    const at = service.clock.now - DAY;
    for (let number = 10; number < 22; number += 1) await heard(service, { ...song(number), at });
    await heard(service, { artist: 'Artist hidden', title: 'x', at, hidden: 1 });
    await heard(service, { artist: 'Artist of a film', title: 'x', at, kind: 'video' });
    expect(await suggest(service, 'artist')).toHaveLength(8);
    expect(await suggest(service, 'artist hidden')).toEqual([]);
    expect(await suggest(service, 'artist film')).toEqual([]);
    const [hidden] = service.ctx.db.all(
      build.selectFrom('plays').select('track_key').where('hidden', '=', 1),
    );
    expectBadField(await ask(phone(service), { key: hidden!.track_key }), 'key', 'song_never_played');
  });

  it('follow a song that was corrected', async () => {
    await using service = await open();
    const [id = 0] = await heard(service, { artist: 'Wrong', title: 'Name', at: service.clock.now - DAY });
    const right = { artist: 'Right', title: 'Naming' };
    await service.ctx.write((tx) =>
      tx.run(
        build
          .updateTable('plays')
          .set({ ...right, track_key: trackKey(right) })
          .where('id', '=', id),
      ),
    );
    expect(await suggest(service, 'wrong')).toEqual([]);
    expect(await suggest(service, 'naming')).toMatchObject([right]);
  });

  it('take two to eighty characters', async () => {
    await using service = await open();
    for (const q of ['', 'a', 'x'.repeat(81)]) {
      const answer = await service.get(`/api/setlist/track-suggest?q=${q}`);
      expect([answer.statusCode, answer.json().errors[0].path]).toEqual([400, 'q']);
    }
  });

  it('are named on the right TV once staff approved them, or at once if the song was heard here before', async () => {
    await using service = await open();
    const next = async () => {
      const answer = await service.get('/api/setlist/requests/next');
      expect(answer.headers['set-cookie']).toBeUndefined();
      return answer.json();
    };
    expect(await next()).toEqual({ open: true, next: null });
    const first = await asked(phone(service), song(1));
    expect(await next()).toEqual({ open: true, next: null });

    await play(service, { ...song(2), at: service.clock.now - 3 * HOUR });
    service.clock.now += SECOND;
    await asked(phone(service), song(2));
    expect((await next()).next).toEqual(song(2));

    // In the order of the queue, not of the decisions.
    await staff(service, first, { status: 'approved' });
    expect((await next()).next).toEqual(song(1));
    await play(service, song(1));
    expect((await next()).next).toEqual(song(2));
  });

  it('have their code on the right TV only where they are switched on', async () => {
    for (const [state, shown] of [
      ['on', true],
      ['off', false],
    ] as const) {
      await using service = await testApp({ SETLIST_REQUESTS_ENABLED: state });
      const { body } = await service.get('/tv/bar-right', { accept: 'text/html' });
      expect([state, body.includes('Ask for a song')]).toEqual([state, shown]);
      const { statusCode } = await service.get('/api/setlist/requests/next');
      expect(statusCode).toBe(shown ? 200 : 404);
    }
  });
});

it.each(['\u200b', '\u202e', ' \u200d ', '\u2800', '\u3164'])(
  'a song whose name nobody can see (%j) is refused, and nothing turns a name around',
  async (unseen) => {
    await using service = await open();
    const ann = phone(service);

    expectBadField(await ask(ann, { artist: unseen, title: 'Song' }), 'artist', 'required');
    expectBadField(await ask(ann, { artist: 'Artist', title: unseen }), 'title', 'required');
    await asked(ann, { artist: `Art${unseen}ist\u202e`, title: '\u202eSong', note: unseen });
    expect(await titles(ann)).toEqual(['Song']);
  },
);

it('songs in Hindi that differ in a vowel sign are two requests', async () => {
  await using service = await open();
  await asked(phone(service), { artist: 'गायक', title: 'राना' });
  await asked(phone(service), { artist: 'दूसरा', title: 'रीना' });
  expect((await queue(phone(service))).items).toHaveLength(2);
});
