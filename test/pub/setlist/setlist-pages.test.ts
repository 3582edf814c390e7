import sharp from 'sharp';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '#kernel/clock.ts';
import { setClubReader } from '#kernel/locale.ts';
import { accentOf } from '#kernel/settings/colours.ts';
import { refreshRollups } from '#pub/setlist/rollups/job.ts';
import { firstRollups } from '#pub/setlist/rollups/store.ts';
import { SURFACES } from '#pub/setlist/rollups/surfaces.ts';
import { addPlays, setlistOf } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { page } from '#test/support/factories.ts';
import { errorJson, expectRefusal } from '#test/support/messages.ts';
import { surfacePicture } from '#views/pub/setlist/page.ts';
import { evening, play } from './rollups/fixtures.ts';

const NAMES = SURFACES.map(({ name }) => name);

let service: TestApp;
beforeEach(async () => {
  service = await testApp({ BASE_URL: 'https://pub.example' });
  service.clock.now = evening('2026-11-20');
});
afterEach(() => service[Symbol.asyncDispose]());

const meta = (body: string, property: string) =>
  new RegExp(`<meta property="og:${property}" content="([^"]*)">`).exec(body)?.[1]?.replaceAll('&amp;', '&');

test('without any song every page says so', async () => {
  for (const name of NAMES) {
    const answer = await page(service, `/setlist/${name}`);
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '60']);
    expect(answer.body).toContain('No songs yet');
    expect((await service.get(`/og/setlist/${name}.png`)).json()).toEqual(errorJson('computing'));
  }
  expect((await page(service, '/setlist')).statusCode).toBe(200);
});

test('every page has the metadata of link previews with absolute URLs, and its picture exists', async () => {
  await addPlays(service.ctx, [
    ...setlistOf({ until: service.clock.now, evenings: 8, rows: 400, songs: 80 }),
  ]);
  await refreshRollups(service.ctx);
  for (const name of NAMES) {
    const { body, statusCode } = await page(service, `/setlist/${name}`);
    expect(statusCode).toBe(200);
    expect(meta(body, 'title')).toMatch(/^[A-Z].+: .+/);
    expect(meta(body, 'description')!.length).toBeGreaterThan(10);
    expect(meta(body, 'url')).toBe(`https://pub.example/setlist/${name}`);
    const picture = meta(body, 'image')!;
    expect(picture).toMatch(
      new RegExp(`^https://pub\\.example/og/setlist/${name}\\.png\\?range=[a-z0-9]+&v=.+`),
    );
    const drawn = await service.request({ url: picture.replace('https://pub.example', '') });
    expect(drawn.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=300',
    });
    expect(await sharp(drawn.rawPayload).metadata()).toMatchObject({
      format: 'png',
      width: 1200,
      height: 630,
    });
    const known = { 'if-none-match': String(drawn.headers.etag) };
    expect((await service.get(`/og/setlist/${name}.png`, known)).statusCode).toBe(304);
  }
});

test('an evening of one hour says from when to when, without a chart of one column', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const { body } = await page(service, '/setlist/tonight');

  expect(body).toMatch(/From (\d+) pm to (?!\1 )\d+ pm\./);
  expect(body).not.toContain('Songs an hour');
});

test.each([
  ['en-US', ['6', '7']],
  ['de-DE', ['18', '19']],
])('the hours of an evening are written as in %s', async (tag, hours) => {
  setClubReader({ language: 'en', locale: tag });
  onTestFinished(() => setClubReader({ language: 'en', locale: 'en-US' }));
  service.clock.now = Date.parse('2026-11-20T18:30-05:00');
  await play(service, 'Björk – Jóga');
  service.clock.now += HOUR;
  await play(service, 'Björk – Hunter');
  await refreshRollups(service.ctx);
  const { body } = await page(service, '/setlist/tonight');

  expect([...body.matchAll(/class="hour-name">(\d+)</g)].map(([, hour]) => hour)).toEqual(hours);
});

test('readers of another language than the club find stories in link previews, and figures as they write them', async () => {
  const songs = Array.from({ length: 1_234 }, (_, at) => `Björk – Song ${at % 1_200}`);
  await play(service, ...songs);
  service.clock.now += 20 * MINUTE;
  await play(service, ...Array.from({ length: 30 }, () => 'Kino – Gruppa krovi'));
  await refreshRollups(service.ctx);
  const { headline } = (await service.get('/api/setlist/stories')).json().data.items[0];
  const french = async (url: string) => {
    const headers = { accept: 'text/html', 'accept-language': 'fr' };
    return (await service.request({ url, headers })).body;
  };
  const stories = await french('/setlist/stories');
  expect(meta(stories, 'description')).toBe(`${headline}.`);
  expect(stories).toContain(`data-text="${headline}."`);
  expect(stories).toContain(`<h2>${headline}</h2>`);
  expect(stories).toContain('<html lang="fr"');

  const persona = await french('/setlist/persona');
  expect(persona.replaceAll(/\s+/g, ' ')).toMatch(/<dt>Passages<\/dt> <dd>1 2\d\d<\/dd>/);
});

test('a share picture has no space that its fonts lack', async () => {
  setClubReader({ language: 'fr', locale: 'fr-FR' });
  onTestFinished(() => setClubReader({ language: 'en', locale: 'en-US' }));
  await play(service, ...Array.from({ length: 1_100 }, (_, at) => `Kino – Song ${at % 40}`));
  await refreshRollups(service.ctx);
  const site = { name: 'The club', accent: accentOf(null), logo: null };
  const pictures = firstRollups(service.ctx).map((rollup) => JSON.stringify(surfacePicture(rollup, site)));
  expect(pictures.some((picture) => picture.includes('1\u00a0100 passages'))).toBe(true);
  expect(pictures.filter((picture) => picture.includes('\u202f'))).toEqual([]);
});

test('a share picture of one play names it in the singular', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const site = { name: 'The club', accent: accentOf(null), logo: null };
  const [rollup] = firstRollups(service.ctx);

  expect(JSON.stringify(surfacePicture(rollup!, site))).toContain('"1 play at the pub"');
});

test('Echo has only the sections with something in them', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const quiet = (await page(service, '/setlist/echo')).body;
  expect(quiet).toContain('Nothing old has come back this week.');
  expect(quiet).not.toMatch(/<h2>(Comebacks|On this night|Twin evenings)/);

  service.clock.now += 70 * DAY;
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  expect((await page(service, '/setlist/echo')).body).toMatch(/<h2>Comebacks<.*70 days away/s);
});

test('the card of the year has the cover of its song', async () => {
  await play(service, { artist: 'Björk', title: 'Jóga', album_art_url: 'https://art.example/joga.jpg' });
  await refreshRollups(service.ctx);
  const { body } = await page(service, '/setlist/');
  const cards = [...body.matchAll(/<li class="card surface-card">(.*?)<\/li>/gs)].map(
    ([, card = '']) => card,
  );
  const pictured = cards.filter((card) => card.includes('class="cover'));
  expect(pictured).toHaveLength(1);
  expect(pictured[0]).toContain('href="/setlist/wrapped"');
});

test('a page of another range shares that range', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  const { body } = await page(service, '/setlist/top-songs?range=term');

  expect(meta(body, 'url')).toBe('https://pub.example/setlist/top-songs?range=term');
  expect(meta(body, 'title')).toBe('Top songs: September to December 2026');
  expect(body).toContain(
    '<a class="page-link" href="/setlist/top-songs?range=term" aria-current="true">September to December</a>',
  );
  expect((await page(service, '/setlist/top-songs?range=decade')).statusCode).toBe(400);
});

test('without BASE_URL links are relative, whatever the Host header', async () => {
  await using some = await testApp();
  some.clock.now = service.clock.now;
  await play(some, 'Björk – Jóga');
  await refreshRollups(some.ctx);

  const [one, other] = await Promise.all(
    ['pub.example', 'evil.example'].map((host) => page(some, '/setlist/top-songs', { host })),
  );

  expect(other!.body).toBe(one!.body);
  expect(meta(one!.body, 'url')).toBe('/setlist/top-songs');
  expect(meta(one!.body, 'image')).toMatch(/^\/og\/setlist\/top-songs\.png\?/);
  expect(one!.body).toContain('data-url="/setlist/top-songs"');
});

test('the overview describes each surface in a sentence, and leaves out those that are switched off', async () => {
  await using some = await testApp({ SETLIST_WRAPPED_ENABLED: 'off', SETLIST_ECHO_ENABLED: 'off' });
  some.clock.now = service.clock.now;
  await play(some, 'Björk – Jóga', 'Björk – Hunter');
  await refreshRollups(some.ctx);
  const { body } = await page(some, '/setlist');

  expect(body).toContain('told in five ways.');
  expect(body).toContain('2 songs by 1 artist, and Björk most of all.');
  expect(body).toContain('href="/setlist/persona"');
  expect(body).not.toMatch(/\/setlist\/(wrapped|echo)/);
  expect((await page(some, '/setlist/tonight')).body).not.toMatch(/\/setlist\/(wrapped|echo)/);
});

test('a page or picture that is switched off is a 404, in JSON for programs and as a page for people', async () => {
  await using some = await testApp({ SETLIST_WRAPPED_ENABLED: 'off' });
  for (const address of ['/setlist/wrapped', '/setlist/wrapped?range=term', '/og/setlist/wrapped.png']) {
    const answer = await some.get(address);
    expect([address, answer.statusCode, answer.json()]).toEqual([address, 404, { enabled: false }]);
  }

  const shown = await page(some, '/setlist/wrapped');
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect((await some.get('/setlist/nothing')).json()).toEqual(errorJson('not_found'));
});

test('names are escaped, on pages and in their metadata', async () => {
  const name = '"><script>alert(1)</script>';
  await play(service, { artist: name, title: name, album_art_url: 'javascript:alert(1)' });
  service.clock.now += HOUR;
  await play(service, { artist: name, title: name, album: name });
  await refreshRollups(service.ctx);
  for (const name of NAMES) {
    const { body } = await page(service, `/setlist/${name}`);
    expect(body).not.toMatch(/<script>|javascript:/);
  }
  expect((await service.get('/og/setlist/tonight.png')).statusCode).toBe(200);
});

test('other names of pictures are a 404', async () => {
  await play(service, 'Björk – Jóga');
  await refreshRollups(service.ctx);
  for (const file of ['bottom-songs.png', 'tonight', 'tonight.jpg', 'tonight.png.png', '.png'])
    expectRefusal(await service.get(`/og/setlist/${file}`), 404, 'not_found');
});
