import { afterEach, beforeEach, expect, test } from 'vitest';
import { refreshFeed } from '#calendar/feed/feed.ts';
import { DAY } from '#kernel/clock.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { message } from '#test/support/messages.ts';
import { mintFeed } from './fixtures.ts';

const HTML = { accept: 'text/html' };
const QUIZ = {
  title: 'Quiz & <b>chips</b>',
  place: 'The pub',
  description: 'Teams of six.\n\nBring a pencil.',
  url: 'https://quiz.example/rules',
  date: '2026-11-24',
  time: '20:00',
  end_time: '00:00',
  end_days: 1,
  rule: 'FREQ=WEEKLY',
};

let service: TestApp;
let eve: Awaited<ReturnType<typeof editorAt>>;
beforeEach(async () => {
  service = await testApp({ BASE_URL: 'https://pub.example' });
  eve = await editorAt(service);
});
afterEach(() => service[Symbol.asyncDispose]());

async function words(path: string, status = 200): Promise<string> {
  const { body, statusCode } = await service.get(path, HTML);
  expect([path, statusCode]).toEqual([path, status]);
  const main = body.slice(body.indexOf('<main'), body.indexOf('</main>'));
  return main
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1');
}

/** The paths of the event pages that a list links to. */
async function linked(path: string): Promise<string[]> {
  const { body } = await service.get(path, HTML);
  return [...new Set([...body.matchAll(/href="(\/events\/[^"#]+?)"/g)].map(([, href = '']) => href))].filter(
    (href) => !href.endsWith('.ics'),
  );
}

const lines = (ics: string) => ics.replace(/\r\n[ \t]/g, '').split('\r\n');
const eventLines = (ics: string, uid: string): string[] => {
  const all = lines(ics);
  const at = all.indexOf(`UID:${uid}`);
  return all.slice(all.lastIndexOf('BEGIN:VEVENT', at), all.indexOf('END:VEVENT', at));
};

test('each date of an event has a page with all its details, linked from both lists', async () => {
  await eve.publish('event', QUIZ);
  const [first = '', second = ''] = await linked('/events');

  expect((await linked('/programme')).slice(0, 2)).toEqual([first, second]);
  expect(await words('/events')).toContain(
    '8 PM – midnight Quiz &amp; &lt;b&gt;chips&lt;/b&gt; Teams of six. Bring a pencil.',
  );
  const page = await words(first);
  expect(page).toMatch(
    /Tuesday, November 24, 8 PM – midnight · The pub Teams of six\. Bring a pencil\. More about it Add to my calendar/,
  );
  expect(page).toMatch(/More dates Tuesday, December 1, 8 PM – midnight/);
  const { body } = await service.get(second, HTML);
  expect(body).toContain(`<meta property="og:url" content="https://pub.example${second}">`);
  expect(body).toContain('content="Tuesday, December 1, 2026, 8 PM – midnight, The pub"');
  expect(body).toContain('<a class="link-alone" href="https://quiz.example/rules" rel="noreferrer">');
  const [, picture = ''] = /og:image" content="https:\/\/pub\.example([^"]+)"/.exec(body) ?? [];
  const drawn = await service.get(picture);
  expect([drawn.statusCode, drawn.headers['content-type']]).toEqual([200, 'image/png']);
});

test('an event that lasts all day says so once', async () => {
  await eve.publish('event', { title: 'Market', date: '2026-11-25', place: 'The yard' });
  const [path = ''] = await linked('/events');
  const page = await words(path);
  expect(page).toContain('Market Wednesday, November 25, all day · The yard Add to my calendar');
  expect(page.match(/all day/gi)).toHaveLength(1);
});

test('the calendar file of one event is the same as its entry in the feed', async () => {
  await eve.publish('event', QUIZ);
  await refreshFeed(service.calendarContext);
  const feed = await service.get(await mintFeed(service, 'jane@club.example'));
  const [path = ''] = await linked('/events');
  const file = await service.get(`${path}/calendar.ics`);

  expect(file.headers['content-type']).toBe('text/calendar; charset=utf-8');
  expect(file.headers['content-disposition']).toBe('attachment; filename="event.ics"');
  const uid = `${path.slice('/events/'.length)}@publichouse`;
  expect(lines(file.body).filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(1);
  expect(eventLines(file.body, uid)).toEqual(eventLines(feed.body, uid));
  expect(eventLines(file.body, uid).join()).toMatch(/SEQUENCE:\d+.*SUMMARY:Quiz/);
});

test('a cancelled date is marked everywhere, and its calendar file says so', async () => {
  await eve.publish('event', { ...QUIZ, changes: { '2026-11-24': { as: 'cancelled' } } });
  const [path = ''] = await linked('/events');

  expect(await words('/events')).toContain('Quiz &amp; &lt;b&gt;chips&lt;/b&gt; Cancelled');
  const page = await words(path);
  expect(page).toContain('This event is cancelled It does not take place.');
  expect(page).not.toContain('Add to my calendar');
  expect((await service.get(path, HTML)).body).toContain('<title>Cancelled: Quiz &amp;');
  expect((await service.get(`${path}/calendar.ics`)).body).toContain('STATUS:CANCELLED');
});

test('only listed events have a page: no drafts, no events ticked for neither list, no dates far ahead', async () => {
  const draft = await eve.create('event', QUIZ);
  const hidden = await eve.publish('event', { ...QUIZ, rule: null, in_pub: false, in_calendar: false });
  for (const id of [draft.replace('event/', ''), hidden, 'unknown'])
    for (const path of [`/events/${id}`, `/events/${id}/calendar.ics`, `/og/events/${id}.png`])
      expect([path, (await service.get(path, HTML)).statusCode]).toEqual([path, 404]);

  await eve.publish('event', { ...QUIZ, place: 'Library', rule: 'FREQ=DAILY' });
  const shown = await linked('/programme');
  expect(shown).toHaveLength(4);
  const series = shown[0]?.slice(0, -8);
  expect((await service.get(`${series}20270303`, HTML)).statusCode).toBe(200);
  expect((await service.get(`${series}20270304`, HTML)).statusCode).toBe(404);
  expect(await words(`${series}20270304`, 404)).toContain(message('no_such_event'));
});

test.each<[string, object, RegExp, number]>([
  ['weekly', { rule: 'FREQ=WEEKLY' }, /Next: Tue, Dec 1 · Tue, Dec 8 · Tue, Dec 15 and \d+ more/, 4],
  [
    'twice',
    { rule: 'FREQ=YEARLY', date: '2026-12-01', until: '2027-12-01' },
    /December 1 .*Next: Wed, Dec 1, 2027 (?!and)/,
    2,
  ],
  [
    'of four dates',
    { rule: 'FREQ=MONTHLY;BYMONTHDAY=1', date: '2027-03-01', until: '2027-06-30' },
    /Next: Thu, Apr 1, 2027 · Sat, May 1, 2027 · Tue, Jun 1, 2027 (?!and)/,
    4,
  ],
  [
    'with a date that was moved',
    { until: '2026-12-08', changes: { '2026-12-01': { as: 'changed', date: '2026-12-02' } } },
    /Next: Wed, Dec 2 · Tue, Dec 8 (?!and)/,
    3,
  ],
  ['single, months ahead', { rule: null, date: '2027-04-24' }, /Saturday, April 24, 2027 (?!.*Next:)/, 1],
])(
  'the programme lists a series once, with its next three dates, each of which has a page: %s',
  async (_what, more, line, links) => {
    await eve.publish('event', { ...QUIZ, ...more });
    const text = await words('/programme');
    expect(text).toMatch(line);
    expect(text.match(/Quiz &amp; &lt;b&gt;chips&lt;\/b&gt; The pub/g)).toHaveLength(1);
    const paths = await linked('/programme');
    expect(paths).toHaveLength(links);
    for (const path of paths) await words(path);
  },
);

test('a series with one date elsewhere is listed for both places', async () => {
  const elsewhere = { as: 'changed', place: 'Library' };
  await eve.publish('event', { ...QUIZ, changes: { '2026-11-24': elsewhere } });
  await eve.publish('event', { ...QUIZ, rule: null, title: 'Chess', place: 'The pub' });
  expect(await words('/programme?place=Library')).not.toContain('Chess');
  const pub = await words('/programme?place=The+pub');
  expect([pub.includes('Chess'), pub.includes('chips')]).toEqual([true, true]);
});

test('an event shown only in the pub has a page and a file too, until days after its end', async () => {
  await eve.publish('event', { ...QUIZ, rule: null, in_calendar: false });
  const [path = ''] = await linked('/events');

  expect(await linked('/programme')).toEqual([]);
  expect(await words(path)).toContain('What’s on');
  expect((await service.get(`${path}/calendar.ics`)).body).toContain('SUMMARY:Quiz');
  service.clock.now += 5 * DAY;
  expect(await words(path)).toContain('Over');
  expect(await words(path)).not.toContain('Add to my calendar');
  service.clock.now += 5 * DAY;
  expect((await service.get(path, HTML)).statusCode).toBe(404);
});

test('the programme can be limited to one place', async () => {
  await eve.publish('event', { ...QUIZ, rule: null });
  await eve.publish('event', { ...QUIZ, rule: null, time: '21:00', title: 'Chess', place: 'Library' });
  const { body } = await service.get('/programme', HTML);

  expect(body).toContain('<a href="/programme?place=Library">Library</a>');
  expect(await words('/programme')).toMatch(/Quiz.*Chess/);
  const library = await words('/programme?place=Library');
  expect(library).toContain('Chess');
  expect(library).not.toContain('chips');
  expect(await words('/programme?place=Moon')).toMatch(/Quiz.*Chess/);
});

test('announcements can be read in full on a phone, except those limited to some screens', async () => {
  const text = `${'Read me to the end. '.repeat(20)}The end.`;
  await eve.publish('announcement', { title: 'The roof is done', text, priority: 'high' });
  await eve.publish('announcement', { title: 'Cellar only', text: 'Crates', screens: ['cellar'] });
  await eve.publish('announcement', { title: 'Next week', text: 'Later', from: '2026-11-28' });

  for (const path of ['/events', '/now']) {
    const page = await words(path);
    expect(page).toMatch(/The roof is done Read me.*The end\./);
    expect(page).not.toMatch(/Cellar only|Next week/);
  }
});
