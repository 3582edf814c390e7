import { expect, test } from 'vitest';
import { readDueSources } from '#content/ical/sources/reading.ts';
import { listSources } from '#content/ical/sources/sources.ts';
import { DAY, MINUTE } from '#kernel/clock.ts';
import { calendarHost, calendarText, eventLines } from '#test/stand-ins/calendar-host.ts';
import { testApp } from '#test/support/app.ts';
import { expectForbidden, message } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';

const PAGE = '/admin/content/ical';
const FORM = {
  name: 'Band',
  goes_to: 'screens calendar',
  filter_field: '',
  filter_contains: '',
  place: '',
  prefix: '',
};

test('the page adds, changes, reads and removes a calendar without script', async () => {
  await using host = await calendarHost(() => ({
    body: calendarText([eventLines('Quiz', '20261121T200000')]),
  }));
  await using service = await testApp();
  const headers = await appoint(service, 'eve@club.example', 'events');
  const submit = (path: string, fields: Record<string, string>) =>
    service.submit(PAGE + path, fields, headers);
  const page = async () => (await service.get(PAGE, headers)).body;

  const added = await submit('', { ...FORM, address: host.url, form: 'new' });
  expect([added.statusCode, added.headers.location]).toEqual([303, `${PAGE}?done=added`]);
  await readDueSources(service.ctx);
  const [source] = listSources(service.ctx);
  expect(await page()).toContain('1 date');

  const change = {
    ...FORM,
    name: 'Choir',
    address: '',
    place: 'Hall',
    filter_field: 'place',
    filter_contains: 'hall',
  };
  expect((await submit(`/${source?.id}?_method=PATCH`, change)).headers.location).toBe(`${PAGE}?done=saved`);
  expect(listSources(service.ctx)).toMatchObject([
    { name: 'Choir', place: 'Hall', prefix: null, filter: { field: 'place', contains: 'hall' }, events: 1 },
  ]);
  expect((await submit(`/${source?.id}/read`, {})).statusCode).toBe(429);
  service.clock.now += MINUTE;
  expect((await submit(`/${source?.id}/read`, {})).headers.location).toBe(`${PAGE}?done=read`);
  expect(await page()).toContain('1 date whose place contains “hall”');
  expect((await submit(`/${source?.id}?_method=DELETE`, {})).headers.location).toBe(`${PAGE}?done=removed`);
  expect(await page()).toContain('No calendars yet');
});

test('times on the page are in the time zone of the settings, also after it was changed', async () => {
  await using host = await calendarHost(() => ({
    body: calendarText([eventLines('Quiz', '20261121T200000')]),
  }));
  await using service = await testApp();
  const headers = await appoint(service, 'olga@club.example', 'owner');
  // The space before AM and PM is a special one.
  const page = async () => (await service.get(PAGE, headers)).body.replace(/\s/g, ' ');
  await service.submit(PAGE, { ...FORM, address: host.url, form: 'new' }, headers);
  await readDueSources(service.ctx);
  expect(await page()).toContain('Sat, Nov 21, 2026, 12:00 PM');

  service.ctx.config.TIME_ZONE = 'Europe/Berlin';
  expect(await page()).toContain('Sat, Nov 21, 2026, 6:00 PM');
});

test('a refused form keeps the input except the address, and names the field', async () => {
  await using service = await testApp();
  const headers = await appoint(service, 'eve@club.example', 'events');

  const fields = {
    ...FORM,
    address: 'https://user:word@x.example/canary',
    filter_field: 'title',
    form: 'new',
  };
  const answer = await service.submit(PAGE, fields, headers);

  expect(answer.statusCode).toBe(400);
  expect(answer.body).toContain(message('user_in_address'));
  expect(answer.body).toContain('value="Band"');
  expect(answer.body).not.toContain('canary');
});

test.each([
  'https://calendar.google.com/calendar/u/0?cid=abc',
  'https://calendar.google.com/calendar/embed?src=abc%40group.calendar.google.com',
  'calendar.google.com/calendar/r/settings',
])('a page of Google Calendar is refused with the address to use: %s', async (address) => {
  await using service = await testApp();
  const headers = await appoint(service, 'eve@club.example', 'events');
  const { statusCode, body } = await service.submit(PAGE, { ...FORM, address, form: 'new' }, headers);
  expect(statusCode).toBe(400);
  expect(body).toContain(message('google_page'));
  expect(listSources(service.ctx)).toEqual([]);
});

test('the address of a feed of Google Calendar is accepted', async () => {
  await using service = await testApp();
  const headers = await appoint(service, 'eve@club.example', 'events');
  const address = 'https://calendar.google.com/calendar/ical/abc/private-1/basic.ics';
  expect((await service.submit(PAGE, { ...FORM, address, form: 'new' }, headers)).statusCode).toBe(303);
});

test('what needs doing names the calendars that cannot be read, until they can', async () => {
  let body = '<html>Sign in</html>';
  await using host = await calendarHost(() => ({ body }));
  await using service = await testApp();
  const headers = await appoint(service, 'eve@club.example', 'events');
  const overview = async () => (await service.get('/admin/content', headers)).body;
  expect(await overview()).not.toContain('To the calendars');

  await service.submit(PAGE, { ...FORM, address: host.url, form: 'new' }, headers);
  await readDueSources(service.ctx);
  expect(await overview()).toMatch(
    /Band: It is not a calendar.*href="\/admin\/content\/ical"[^>]*>To the calendars/s,
  );

  body = calendarText([eventLines('Quiz', '20261121T200000')]);
  service.clock.now += DAY;
  await readDueSources(service.ctx);
  expect(await overview()).not.toContain('To the calendars');
});

test('users who may only look see no form', async () => {
  await using service = await testApp();
  const headers = await appoint(service, 'bob@club.example', 'tender');

  expect((await service.get(PAGE, headers)).body).not.toContain('<form method="post" action="/admin/content');
  expect((await service.submit(PAGE, { ...FORM, address: 'https://x.example' }, headers)).statusCode).toBe(
    403,
  );
  expectForbidden(await service.post('/api/admin/ical', {}, headers), 'content:write');
});
