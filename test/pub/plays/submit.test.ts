import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR, isoTime, MINUTE, SECOND } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import { updateNowShowing } from '#pub/screen/now-showing.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { listen, MULTI, PLAYERS, playing, type Song, single, submit, TOKEN } from './players.ts';

const STAFF = { 'x-admin-token': 'a token for the staff' };
const DROP: Song = {
  artist: 'Toots & the Maytals',
  title: 'Pressure Drop',
  album: 'Funky Kingston',
  length: 200,
};
const SUN: Song = { artist: 'Nina Simone', title: 'Here Comes the Sun', length: 215 };
const NINA = { artist: 'NINA SIMONE', title: 'Here comes the sun' };
const MIX: Song = { artist: 'Lee Perry', title: 'A long mix' };

let service: TestApp;
beforeEach(async () => {
  service = await testApp({ NOW_PLAYING_INGEST_TOKEN: TOKEN, PUB_ADMIN_TOKEN: STAFF['x-admin-token'] });
});
afterEach(() => service[Symbol.asyncDispose]());

const pass = (ms: number) => {
  service.clock.now += ms;
};
const plays = () =>
  service.ctx.db.all(build.selectFrom('plays').selectAll().orderBy('started_at').orderBy('id'));
const titles = () => plays().map(({ title }) => title);
const current = async () =>
  (await service.get('/api/now-playing/snapshot')).json().track?.title as string | undefined;
const room = async () => (await service.get('/api/admin/pub', STAFF)).json();
const device = (body: object) =>
  service.post('/api/now-playing/ingest', body, { authorization: `Bearer ${TOKEN}` });
async function send(document: unknown, player = MULTI): Promise<void> {
  const answer = await submit(service, document, player);
  expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
}

describe.each(PLAYERS)('$name', (player) => {
  test('makes its song the current track at once, and its later reports of it add nothing', async () => {
    const began = service.clock.now;
    await send(playing(DROP, player), player);
    expect(await current()).toBe('Pressure Drop');
    expect(plays()).toMatchObject([
      {
        artist: DROP.artist,
        title: DROP.title,
        album: DROP.album,
        duration_ms: 200_000,
        started_at: began,
        kind: 'music',
        source: null,
        origin: 'player',
      },
    ]);

    pass(40 * SECOND);
    await send(playing(DROP, player), player);
    pass(60 * SECOND);
    // Music Assistant sends the time at which it reports the song.
    const named = player.name === 'Music Assistant' ? service.clock.now : began;
    await send(single(DROP, named, player), player);
    await send(single(DROP, named, player), player);

    expect(titles()).toEqual(['Pressure Drop']);
    pass(100 * SECOND);
    await send(playing(SUN, player), player);
    expect(await current()).toBe('Here Comes the Sun');
    expect(titles()).toEqual(['Pressure Drop', 'Here Comes the Sun']);
  });
});

describe('a single', () => {
  test('without a now playing report is stored once, at its start', async () => {
    const began = service.clock.now - 100 * SECOND;
    await send(single(DROP, began));
    await send(single(DROP, began));

    expect(plays()).toMatchObject([{ title: 'Pressure Drop', started_at: began, origin: 'player' }]);
    expect(await current()).toBe('Pressure Drop');
  });

  test('of a song that had ended is the next one, and within it the same one', async () => {
    const began = service.clock.now - 400 * SECOND;
    await send(single(DROP, began));
    await send(single(DROP, began + 190 * SECOND));
    expect(plays()).toHaveLength(1);
    await send(single(DROP, began + 200 * SECOND));
    expect(plays()).toHaveLength(2);
    // Without a length nothing says that the first one had ended.
    await send(single(MIX, began));
    await send(single(MIX, began + 300 * SECOND));
    expect(plays()).toHaveLength(3);
  });

  test('that arrives late is stored in the past, and the current track stays', async () => {
    await send(playing(SUN));
    await send(single(DROP, service.clock.now - HOUR));

    expect(titles()).toEqual(['Pressure Drop', 'Here Comes the Sun']);
    expect(await current()).toBe('Here Comes the Sun');
    expect((await room()).player.online).toBe(true);
  });

  test.each([5 * MINUTE, -5 * MINUTE])('from a clock that is %d ms off is the same play', async (off) => {
    const began = service.clock.now;
    await send(playing(DROP));
    pass(150 * SECOND);
    await send(single(DROP, began + off));
    pass(HOUR);
    await send(single(DROP, began + off));

    expect(plays()).toMatchObject([{ started_at: began }]);
  });

  test('from a clock ahead is stored at the current time', async () => {
    await send(single(DROP, service.clock.now + 59 * MINUTE));

    expect(plays()[0]?.started_at).toBe(service.clock.now);
  });

  test('of a long mix, sent half an hour after its start, adds nothing', async () => {
    const song = { ...MIX, length: 3_600 };
    await send(playing(song));
    pass(30 * MINUTE);
    await send(single(song, service.clock.now));

    expect(titles()).toEqual(['A long mix']);
  });
});

describe('a now playing report', () => {
  test('of a song after its end is another play', async () => {
    await send(playing(DROP));
    pass(200 * SECOND);
    await send(playing(DROP));

    expect(titles()).toEqual(['Pressure Drop', 'Pressure Drop']);
  });

  test('of a song after another song makes it current again', async () => {
    for (const song of [DROP, SUN, DROP]) {
      await send(playing(song));
      pass(20 * SECOND);
    }

    expect(titles()).toEqual(['Pressure Drop', 'Here Comes the Sun', 'Pressure Drop']);
    expect(await current()).toBe('Pressure Drop');
  });

  test('without a length extends the play while it is repeated', async () => {
    for (let minute = 0; minute < 40; minute += 8) {
      await send(playing(MIX));
      pass(8 * MINUTE);
    }
    expect(titles()).toEqual(['A long mix']);

    pass(2 * MINUTE);
    await send(playing(MIX));
    expect(titles()).toEqual(['A long mix', 'A long mix']);
  });

  test('of a hidden name is not shown', async () => {
    await service.post('/api/admin/hidden-names', { artist: SUN.artist }, STAFF);
    await send(playing(SUN));

    expect(plays()[0]?.hidden).toBe(1);
    expect(await current()).toBeUndefined();
  });
});

describe('the player is online', () => {
  const status = async () => {
    const { listener, player, source } = await room();
    return [listener.online, player?.online, source];
  };

  test('for as long as its track lasts, else ten minutes, and the pages say so', async () => {
    expect(await status()).toEqual([false, undefined, null]);
    await send(playing(DROP));
    expect(await status()).toEqual([false, true, 'player']);
    expect((await room()).device).toMatchObject({
      online: true,
      id: 'player',
      lastSeenAt: isoTime(service.clock.now),
    });
    expect((await service.get('/admin/pub', { accept: 'text/html', ...STAFF })).body).toContain(
      'from the player',
    );
    const page = (await service.get('/admin/pub/room', { accept: 'text/html', ...STAFF })).body;
    expect(page).toContain('All is well: the player is heard');
    expect(page).toContain('On, Spotify, heard just now');
    expect(page).not.toContain('Listener');
    pass(199 * SECOND);
    expect((await status())[1]).toBe(true);
    pass(SECOND);
    expect(await status()).toEqual([false, false, null]);
    expect((await room()).device).toMatchObject({ online: false, id: null, lastSeenAt: null });
    expect((await service.get('/admin/pub/room', { accept: 'text/html', ...STAFF })).body).not.toContain(
      'Needs a look',
    );

    await send(playing(MIX));
    pass(10 * MINUTE - 1);
    expect((await status())[1]).toBe(true);
    pass(1);
    expect((await status())[1]).toBe(false);
  });

  test('after a recent single too, but not after an old one', async () => {
    await send(single(DROP, service.clock.now - HOUR));
    expect((await status())[1]).toBeUndefined();
    await send(single(SUN, service.clock.now - 215 * SECOND));
    expect(await status()).toEqual([false, true, 'player']);
  });

  test('beside the device: the newest report wins, and the same song is stored once', async () => {
    await device({ heartbeat: true });
    await device({ artist: 'Toots and the Maytals', title: 'Pressure Drop' });
    expect(await status()).toEqual([true, undefined, 'device']);
    pass(20 * SECOND);
    await send(playing(SUN));
    expect([await current(), (await status())[2]]).toEqual(['Here Comes the Sun', 'player']);

    pass(45 * SECOND);
    await device({ heartbeat: true });
    const heard = await device(NINA);
    expect(heard.json()).toMatchObject({ ok: true, deduped: true });
    expect((await status())[2]).toBe('player');
    // The device computes when the song began: slightly before the player's report.
    const start = isoTime(service.clock.now - 48 * SECOND);
    expect((await device({ ...NINA, started_at: start })).json()).toMatchObject({ deduped: true });

    pass(5 * SECOND);
    await device({ artist: 'The Beatles', title: 'Something' });
    expect([await current(), (await status())[2]]).toEqual(['Something', 'device']);
    pass(5 * SECOND);
    await send(playing({ artist: 'The Beatles', title: 'Something', length: 180 }));
    expect(titles()).toEqual(['Pressure Drop', 'Here Comes the Sun', 'Something']);
    expect((await status())[2]).toBe('player');
  });

  test('and restores its song after silence of the device', async () => {
    await send(playing(DROP));
    pass(30 * SECOND);
    await device({ silent: true });
    expect(await current()).toBeUndefined();
    pass(10 * SECOND);
    await send(playing(DROP));

    expect(await current()).toBe('Pressure Drop');
  });
});

describe('an import', () => {
  const past = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      listen(
        { artist: 'The Band', title: `Song ${index}` },
        service.clock.now - (count - index) * 3 * MINUTE,
      ),
    );

  test('fills the past in any order, and the current track stays', async () => {
    await send(playing(SUN));
    const payload = [...past(50).reverse(), listen(DROP, service.clock.now)];
    await send({ listen_type: 'import', payload });

    expect(await current()).toBe('Here Comes the Sun');
    expect(plays().filter(({ origin }) => origin === 'import')).toHaveLength(51);
    const { items } = (await service.get('/api/now-playing/setlist?limit=500')).json();
    expect(items).toHaveLength(52);
    expect((await room()).player).toMatchObject({ online: true, name: 'Spotify' });
  });

  test('that is repeated, or has songs that were heard live, stores nothing twice', async () => {
    const began = service.clock.now;
    await send(playing(DROP));
    pass(HOUR);
    const payload = [...past(30), listen(DROP, began + 3 * SECOND)];
    await send({ listen_type: 'import', payload });
    await send({ listen_type: 'import', payload });
    for (const one of payload) await send({ listen_type: 'single', payload: [one] });

    expect(titles()).toHaveLength(31);
  });

  test('keeps a song that was played twice within ten minutes', async () => {
    const at = service.clock.now - HOUR;
    await send({ listen_type: 'import', payload: [listen(DROP, at), listen(DROP, at + 4 * MINUTE)] });

    expect(titles()).toHaveLength(2);
  });

  test('assigns songs that were played during a film to the film', async () => {
    await service[Symbol.asyncDispose]();
    const on = {
      NOW_SHOWING_ENABLED: 'on',
      SCREENINGS_ENABLED: 'on',
      PUB_ADMIN_TOKEN: STAFF['x-admin-token'],
    };
    service = await testApp({ NOW_PLAYING_INGEST_TOKEN: TOKEN, ...on });
    const start = service.clock.now;
    await service.post('/api/admin/now-showing', { mode: 'movie', label: 'Heat' }, STAFF);
    pass(HOUR);
    await service.post('/api/admin/now-showing', { mode: 'off' }, STAFF);
    await updateNowShowing(service.ctx);
    await service.post('/api/admin/now-showing', { mode: 'movie', label: 'Another' }, STAFF);
    await send({
      listen_type: 'import',
      payload: [listen(DROP, start - MINUTE), listen(SUN, start + 10 * MINUTE)],
    });

    expect(plays().map(({ kind }) => kind)).toEqual(['music', 'video']);
    expect((await service.get('/api/now-playing/setlist')).json().items).toMatchObject([
      { title: 'Pressure Drop', startedAt: isoTime(start - MINUTE) },
    ]);
  });
});

test('a song that was paused for longer than its rest is one play once the player says when it began', async () => {
  const SHORT: Song = { artist: 'Ada', title: 'Eight seconds', length: 8 };
  const began = service.clock.now;
  await send(playing(SHORT));
  pass(12 * SECOND);
  await send(playing(SHORT));
  pass(6 * SECOND);
  await send(single(SHORT, began));
  const heard = () => plays().filter(({ silent }) => silent === 0);
  expect(heard()).toHaveLength(1);
  expect(await current()).toBe('Eight seconds');
  await send(single(SHORT, began));
  expect(heard()).toHaveLength(1);

  // A repeat begins as the listen of the first is reported.
  pass(MINUTE);
  const again = service.clock.now;
  await send(playing(SHORT));
  pass(9 * SECOND);
  await send(playing(SHORT));
  await send(single(SHORT, again));
  expect(heard()).toHaveLength(3);
});
