import { expect, test } from 'vitest';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { multipart, smallPicture } from '#test/support/pictures.ts';

// The tests' clock is at noon on Sat, Nov 21, 2026, in New York.
const HTML = { accept: 'text/html' };
/** Three months ahead. */
const PARTY = {
  title: 'Winter party',
  place: 'Yard',
  date: '2027-02-20',
  time: '20:00',
  end_time: '23:00',
  announce_from: '2026-12-01',
};
const QUIZ = { title: 'Quiz', date: '2026-11-24', time: '20:00', end_time: '22:00', rule: 'FREQ=WEEKLY' };

const at = (service: TestApp, local: string) => {
  const time = Temporal.PlainDateTime.from(local).toZonedDateTime('America/New_York');
  service.clock.now = time.epochMilliseconds;
};
const feedOf = async (service: TestApp): Promise<EventsFeed> => (await service.get('/api/events')).json();
const slides = async (service: TestApp) =>
  (await feedOf(service)).slides.map((slide) => ('body' in slide ? `${slide.title}: ${slide.body}` : ''));
const line = async (service: TestApp) =>
  /<p class="named-line"><strong>Coming up<\/strong>(.*?)<\/p>/s
    .exec((await service.get('/events', HTML)).body)?.[1]
    ?.replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .trim();

test('an event is announced from a day on until it is over, on screens and in a line that leads to its page', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('event', PARTY);
  for (const [local, slide, ahead] of [
    ['2026-11-30T23:59', [], undefined],
    ['2026-12-01T00:00', ['Winter party: Sat, Feb 20, 8:00 PM – 11:00 PM'], 'Winter party, Sat, Feb 20'],
    ['2027-02-19T23:59', ['Winter party: Sat, Feb 20, 8:00 PM – 11:00 PM'], 'Winter party, Sat, Feb 20'],
    ['2027-02-20T22:59', ['Winter party: 8:00 PM – 11:00 PM'], undefined],
    ['2027-02-20T23:00', [], undefined],
  ] as const) {
    at(service, local);
    expect([local, await slides(service), await line(service)]).toEqual([local, slide, ahead]);
  }

  // Screens know it in advance, for days without a network.
  at(service, '2026-11-29T12:00');
  expect((await feedOf(service)).laterSlides).toMatchObject([
    { title: 'Winter party', windows: [['2026-12-01T05:00:00.000Z', '2027-02-21T04:00:00.000Z']] },
  ]);
  at(service, '2026-12-01T12:00');
  const [, path = ''] =
    /Coming up<\/strong> <span><a href="([^"]+)"/.exec((await service.get('/events', HTML)).body) ?? [];
  expect((await service.get(path, HTML)).body).toContain('Winter party');
});

test('the page of an announced event that no calendar shows is public from that day on', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  await eve.publish('event', { ...PARTY, in_calendar: false });
  at(service, '2026-12-01T12:00');
  const [, path = ''] =
    /Coming up<\/strong> <span><a href="([^"]+)"/.exec((await service.get('/events', HTML)).body) ?? [];
  expect((await service.get(path, HTML)).statusCode).toBe(200);
  at(service, '2026-11-30T12:00');
  expect((await service.get(path, HTML)).statusCode).toBe(404);
});

test('of a series the next date is announced, one after the other; cancelled and skipped dates are not', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const changes = { '2026-12-01': { as: 'cancelled' }, '2026-12-08': { as: 'skipped' } };
  const id = await eve.publish('event', { ...QUIZ, announce_from: '2026-11-20', changes });
  expect(await slides(service)).toEqual(['Quiz: Tue, Nov 24, 8:00 PM – 10:00 PM']);
  at(service, '2026-11-24T21:59');
  expect(await slides(service)).toEqual(['Quiz: 8:00 PM – 10:00 PM']);
  expect((await feedOf(service)).laterSlides).toMatchObject([{ body: 'Tue, Dec 15, 8:00 PM – 10:00 PM' }]);
  at(service, '2026-11-24T22:00');
  expect(await slides(service)).toEqual(['Quiz: Tue, Dec 15, 8:00 PM – 10:00 PM']);

  // Both parts of a split series are one series.
  const split = { version: 1, scope: 'following', as: 'changed', time: '21:00', publish: true };
  expect((await eve.post(`event/${id}/dates/2026-12-22`, split)).json()).toMatchObject({ ok: true });
  expect(await slides(service)).toEqual(['Quiz: Tue, Dec 15, 8:00 PM – 10:00 PM']);
  at(service, '2026-12-15T22:00');
  expect(await slides(service)).toEqual([expect.stringMatching(/^Quiz: Tue, Dec 22, 9:00 PM/)]);
});

test('it is drafted and published like every field, and changes nothing in calendars', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const id = await eve.publish('event', { ...QUIZ, rule: null });
  const file = async () => (await service.get(`/events/${await uidOf(service)}/calendar.ics`)).body;
  const before = await file();
  await eve.patch(`event/${id}`, { version: 1, body: { announce_from: '2026-11-21' } });
  expect(await slides(service)).toEqual([]);
  await eve.post(`event/${id}/publish`, { version: 2 });
  expect(await slides(service)).toHaveLength(1);
  expect(await file()).toBe(before);
  await eve.patch(`event/${id}`, { version: 2, body: { in_pub: false }, publish: true });
  expect(await slides(service)).toEqual([]);
});

test.each([
  ['2026-11-25', /body.announce_from: must not be after the event, 2026-11-24/],
  ['soon', /body.announce_from: /],
])('a day such as %s is refused', async (announce_from, error) => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const answer = await eve.post('event', { body: { ...QUIZ, rule: null, announce_from } });
  expect([answer.statusCode, answer.json().error]).toEqual([400, expect.stringMatching(error)]);
});

test('the form takes the day beside the picture; the preview has both; on its day there is one slide', async () => {
  await using service = await testApp();
  const eve = await editorAt(service);
  const form = await multipart(
    {
      ...{ title: 'Quiz', date: '2026-11-24', time: '8pm', end_time: '10pm', in_pub: 'true', repeat: 'none' },
      ...{ announce_from: '2026-11-21', 'picture.id': '', 'picture.focus': '5', 'picture.alt': 'A cup' },
      publish: 'true',
    },
    { picture: { bytes: await smallPicture() } },
  );
  const sent = await service.request({
    method: 'POST',
    url: '/admin/content/event',
    payload: form.payload,
    headers: { ...HTML, ...form.headers, ...eve.headers },
  });
  const editor = await service.get(String(sent.headers.location), { ...HTML, ...eve.headers });
  expect(editor.body).toMatch(/name="announce_from"[^>]* value="2026-11-21"/);
  const [preview = ''] = /\/admin\/content\/preview\/[^"]+/.exec(editor.body) ?? [];
  const shown = (await service.get(preview, { ...HTML, ...eve.headers })).body;
  expect(shown).toMatch(/Tue, Nov 24, 8:00 PM – 10:00 PM/);
  expect(shown).toMatch(/\/api\/admin\/pictures\/\w+\/file/);
  const { slides: early } = await feedOf(service);
  expect(early).toMatchObject([
    { type: 'announcement', imageAlt: 'A cup', body: 'Tue, Nov 24, 8:00 PM – 10:00 PM' },
  ]);
  at(service, '2026-11-24T12:00');
  expect((await feedOf(service)).slides).toMatchObject([{ id: early[0]?.id, body: '8:00 PM – 10:00 PM' }]);
});

async function uidOf(service: TestApp): Promise<string> {
  const [, id = ''] = /href="\/events\/([^"/]+)"/.exec((await service.get('/events', HTML)).body) ?? [];
  return id;
}
