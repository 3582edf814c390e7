import { afterEach, beforeEach, expect, test } from 'vitest';
import { HOUR, MINUTE } from '#kernel/clock.ts';
import { addPlays, silenceAt } from '#test/stand-ins/plays.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { onPage } from '#test/support/messages.ts';

const HTML = { accept: 'text/html' };
let service: TestApp;

beforeEach(async () => {
  service = await testApp();
});
afterEach(() => service[Symbol.asyncDispose]());

/** The text of the page, one line per element. */
async function page(url = '/now'): Promise<string> {
  const answer = await service.get(url, HTML);
  expect(answer.statusCode).toBe(200);
  const [, main = ''] = /<main[^>]*>([\s\S]*)<\/main>/.exec(answer.body) ?? [];
  return main
    .replace(/<(\w+)[^>]*\shidden>[\s\S]*?<\/\1>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('\u00a0', ' ')
    .replace(/\s*\n\s*/g, '\n');
}

test('without plays the page says so, and has no link to earlier songs', async () => {
  const words = await page();

  expect(words).toContain('Nothing is playing');
  expect(words).toContain('No song yet');
  expect(words).not.toContain('Show earlier');
});

test('while the first song of all plays, the history is empty', async () => {
  await addPlays(service.ctx, [{ artist: 'E', title: 'Playing', started_at: service.clock.now - MINUTE }]);
  const words = await page();

  expect(words).toContain('Nothing before this one');
  expect(words).not.toContain('No song yet');
});

test('names are escaped', async () => {
  const artist = 'Bobby "Tables" <b>& Sons</b>';
  await addPlays(service.ctx, [
    { artist, title: '<script>alert(1)</script>', started_at: service.clock.now },
  ]);
  const { body } = await service.get('/now', HTML);

  expect(body).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(body).toContain('Bobby &quot;Tables&quot; &lt;b&gt;&amp; Sons&lt;/b&gt;');
});

test('the history lists public music, without the song that is playing', async () => {
  const at = (minutes: number) => service.clock.now - minutes * MINUTE;
  await addPlays(service.ctx, [
    { artist: 'A', title: 'Music', started_at: at(50) },
    { artist: 'B', title: 'From the film', kind: 'video', started_at: at(40) },
    { artist: 'C', title: 'Taken out', hidden: 1, started_at: at(30) },
    { artist: 'D', title: 'Asked for', request_id: 'r1', started_at: at(20) },
    silenceAt(at(15)),
    { artist: 'E', title: 'Playing', album: 'The record', started_at: at(2) },
  ]);
  const words = await page();

  expect(words).toContain('\nPlaying\nE\nThe record\n');
  expect(words).toContain(
    '\nPlayed in the pub\nTonight\n11:40 AM\nAsked for\nD\nRequested\n11:10 AM\nMusic\nA\n',
  );
  for (const gone of ['From the film', 'Taken out']) expect(words).not.toContain(gone);
});

test('the last song moves to the history after silence, and when it is stale', async () => {
  await addPlays(service.ctx, [{ artist: 'A', title: 'The last', started_at: service.clock.now }]);
  expect(await page()).not.toContain('Nothing is playing');

  service.clock.now += 10 * MINUTE + 1;
  expect(await page()).toMatch(/Nothing is playing[\s\S]*Tonight\n12:00 PM\nThe last/);

  await addPlays(service.ctx, [
    { artist: 'A', title: 'Another', started_at: service.clock.now - MINUTE },
    silenceAt(service.clock.now),
  ]);
  expect(await page()).toMatch(/Nothing is playing[\s\S]*Tonight\n12:09 PM\nAnother/);
});

test('an evening ends at five in the morning', async () => {
  const night = (time: string) => Temporal.ZonedDateTime.from(`${time}[America/New_York]`).epochMilliseconds;
  service.clock.now = night('2026-11-15T12:00');
  await addPlays(service.ctx, [
    { artist: 'A', title: 'Late', started_at: night('2026-11-14T23:30') },
    { artist: 'A', title: 'Later', started_at: night('2026-11-15T04:59') },
    { artist: 'A', title: 'Breakfast', started_at: night('2026-11-15T06:10') },
  ]);

  expect(await page()).toMatch(
    /Tonight\n6:10 AM\nBreakfast\nA\nSat, Nov 14\n4:59 AM\nLater\nA\n11:30 PM\nLate\nA\n/,
  );
});

test('the next page of the history begins where the one before ended', async () => {
  const rows = Array.from({ length: 45 }, (_, index) => ({
    artist: 'A',
    title: `Song ${index + 1}.`,
    started_at: service.clock.now - HOUR - (45 - index) * MINUTE,
  }));
  await addPlays(service.ctx, rows);
  const { body } = await service.get('/now', HTML);
  const [, earlier = ''] = /href="(\/now\?before=[^"]+)"/.exec(body) ?? [];
  const words = await page(earlier.replaceAll('&amp;', '&'));

  expect(body).toContain('Song 16.');
  expect(body).not.toContain('Song 15.');
  expect(words).toContain('Song 15.');
  expect(words).toContain('Song 1.');
  expect(words).not.toContain('Song 16.');
  expect(words).not.toContain('Show earlier');
  expect(await page('/now?before=2000-01-01T00:00:00Z')).toContain('Nothing further back');
});

test('an invalid position in the history is refused', async () => {
  for (const before of ['yesterday', '%00', '2026-13-01T00:00:00Z']) {
    const answer = await service.get(`/now?before=${before}`, HTML);
    expect([before, answer.statusCode]).toEqual([before, 400]);
  }
  expect((await service.get('/now?before=a&before=b', HTML)).statusCode).toBe(400);
});

test('with the setlist switched off the page is a 404', async () => {
  await service[Symbol.asyncDispose]();
  service = await testApp({ SETLIST_DB: 'off' });
  const answer = await service.get('/now', HTML);

  expect([answer.statusCode, answer.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(answer.body).toContain(onPage('page_switched_off'));
});

test('the page links to song requests if they are enabled', async () => {
  expect(await page()).not.toContain('Ask for a song');
  await service[Symbol.asyncDispose]();
  service = await testApp({ SETLIST_REQUESTS_ENABLED: 'on' });
  expect(await page()).toContain('Ask for a song');
});

test('below the song is how to ask for one, then its lyrics, then the history, then what is announced', async () => {
  await using pub = await testApp({ SETLIST_REQUESTS_ENABLED: 'on' });
  await (await editorAt(pub)).publish('announcement', { title: 'New mugs' });
  const { body } = await pub.get('/now', HTML);

  const parts = [
    'data-part="song"',
    'href="/requests">Ask',
    'data-part="lyrics"',
    'id="played-title"',
    'New mugs',
  ];
  const main = body.slice(body.indexOf('<main'));
  expect(parts.toSorted((a, b) => main.indexOf(a) - main.indexOf(b))).toEqual(parts);
  expect(parts.filter((part) => !main.includes(part))).toEqual([]);
});
