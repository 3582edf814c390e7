import { expect, it } from 'vitest';
import { DAY, isoTime } from '#kernel/clock.ts';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { mailTo, testApp } from '#test/support/app.ts';
import { send } from '#test/support/factories.ts';
import { expectRefusal } from '#test/support/messages.ts';

const MEETING = { title: 'AGM 2026', held_at: '2026-12-04T19:00', place: 'The hall', agenda_of: 'usual' };
const INVITED = ['ann@club.example', 'bob@club.example'];

/** A meeting to which two people were invited, with its event in the calendar. */
async function called() {
  const server = await startMailServer();
  const service = await testApp(mailTo(server.url), { delays: [] });
  const { id } = (await service.post('/admin/meetings', MEETING)).json();
  await service.post(`/admin/meetings/${id}/invite`, { emails: INVITED });
  await sendDueMails(service.ctx);
  const { event_id } = (await service.post(`/admin/meetings/${id}/event`)).json();
  const change = (body: object) => send(service, 'PATCH', `/admin/meetings/${id}`, body);
  const file = async (url = `/m/${id}/calendar.ics`) => (await service.get(url)).body;
  const mails = async () => {
    await sendDueMails(service.ctx);
    return server.mails.slice(INVITED.length);
  };
  return Object.assign(service, { id, event_id, change, file, mails });
}

const line = (text: string, name: string) => new RegExp(`^${name}[^:]*:(.*)$`, 'm').exec(text)?.[1]?.trim();
const sequence = (text: string) => Number(line(text, 'SEQUENCE'));

it('a file with one event has nothing of a feed, and a meeting and its event are one entry', async () => {
  await using service = await called();
  const [meeting, event] = [
    await service.file(),
    await service.file(`/events/${service.event_id}/calendar.ics`),
  ];
  for (const text of [meeting, event])
    expect(text).not.toMatch(
      /^(NAME|X-WR-CALNAME|COLOR|X-APPLE-CALENDAR-COLOR|REFRESH-INTERVAL|X-PUBLISHED-TTL)/m,
    );
  for (const name of ['UID', 'SEQUENCE', 'LAST-MODIFIED']) {
    expect(line(event, name)).toBe(line(meeting, name));
    expect(line(meeting, name)).toBeDefined();
  }
  expect(line(meeting, 'UID')).toBe(`${service.id}@publichouse`);
});

it('the number of changes grows with each, also with two in one second and of the agenda', async () => {
  await using service = await called();
  const numbers = [sequence(await service.file())];
  const next = async () => numbers.push(sequence(await service.file()));
  await service.change({ held_at: '2026-12-05T19:00' });
  await next();
  await service.change({ place: 'The barn' });
  await next();
  await service.post(`/admin/meetings/${service.id}/items`, { kind: 'text', title: 'Any other business' });
  await next();
  await service.change({ place: 'The barn' });
  expect(sequence(await service.file())).toBe(numbers.at(-1));
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
});

it('another time and place: the event follows, and everybody who was invited is told once', async () => {
  await using service = await called();
  await service.change({ held_at: '2026-12-05T18:00', place: 'The barn' });
  expect(await service.file(`/events/${service.event_id}/calendar.ics`)).toMatch(
    /DTSTART;TZID=America\/New_York:20261205T180000[\s\S]*LOCATION:The barn/,
  );
  const page = await service.get(`/admin/meetings/${service.id}`, { accept: 'text/html' });
  expect(page.body).toContain('Mail 2 people the new time and place');

  expect((await service.post(`/admin/meetings/${service.id}/tell`)).json()).toEqual({ queued: 2 });
  expectRefusal(await service.post(`/admin/meetings/${service.id}/tell`), 409, 'nothing_to_tell');

  const mails = await service.mails();
  expect(mails.flatMap(({ recipients }) => recipients).toSorted()).toEqual(INVITED);
  expect(mails[0]?.headers.subject).toMatch(/^New time or place: AGM 2026/);
  expect(mails[0]?.calendar).toContain('20261205T180000');
});

it('called off: its address says so with the reason, its file and event are cancelled, and people are told', async () => {
  await using service = await called();
  const before = sequence(await service.file());
  expect((await service.change({ state: 'called_off' })).json().errors[0].path).toBe('reason');

  expect((await service.change({ state: 'called_off', reason: 'The hall is flooded' })).statusCode).toBe(200);

  const gone = await service.get(`/m/${service.id}`);
  expect([gone.statusCode, gone.json().error]).toEqual([410, expect.stringContaining('The hall is flooded')]);
  const page = await service.get(`/m/${service.id}`, { accept: 'text/html' });
  expect([page.statusCode, page.body]).toEqual([410, expect.stringContaining('The hall is flooded')]);
  const text = await service.file();
  expect([line(text, 'STATUS'), sequence(text) > before]).toEqual(['CANCELLED', true]);
  expect(line(await service.file(`/events/${service.event_id}/calendar.ics`), 'STATUS')).toBe('CANCELLED');
  const { meeting } = (await service.get(`/admin/meetings/${service.id}`)).json();
  expect(meeting.called_off).toMatchObject({ reason: 'The hall is flooded' });
  expectRefusal(
    await service.post(`/admin/meetings/${service.id}/invite`, { emails: INVITED }),
    409,
    'meeting_closed',
  );

  expect((await service.post(`/admin/meetings/${service.id}/tell`)).json()).toEqual({ queued: 2 });
  const [mail] = await service.mails();
  expect(mail?.headers.subject).toMatch(/^Called off: AGM 2026/);
  expect(mail?.text).toContain('The hall is flooded');
  expect(line(mail?.calendar ?? '', 'STATUS')).toBe('CANCELLED');
});

it('deleting a meeting that people were invited to calls it off first', async () => {
  await using service = await called();
  const remove = () => send(service, 'DELETE', `/admin/meetings/${service.id}`, { reason: 'Wrong year' });

  expect((await remove()).json()).toEqual({ success: true, called_off: true });
  expectRefusal(await service.get(`/m/${service.id}`), 410, 'meeting_called_off', {
    title: 'AGM 2026',
    when: 'Fri, Dec 4, 2026, 7:00 PM New York time',
    reason: 'Wrong year',
  });
  expect((await remove()).json()).toEqual({ success: true });
  expectRefusal(await service.get(`/m/${service.id}`), 404, 'meeting_not_found');
});

it('each address of a meeting that is called off says so: wall, stream, nominations, speakers, card and door', async () => {
  await using service = await called();
  const { id } = service;
  const item = (
    await service.post(`/admin/meetings/${id}/items`, { kind: 'election', title: 'Treasurer' })
  ).json();
  const period = { opens_at: isoTime(service.clock.now), closes_at: isoTime(service.clock.now + DAY) };
  const call = { ...period, who: 'anybody', seconders: 0 };
  const called_for = await send(service, 'PUT', `/admin/meetings/${id}/items/${item.id}/nominations`, call);
  expect(called_for.statusCode).toBe(200);
  const form = `/m/${id}/nominate/${item.id}`;
  expect((await service.get(form, { accept: 'text/html' })).statusCode).toBe(200);
  await service.change({ members_ask: true });
  await service.change({ state: 'called_off', reason: 'The hall is flooded' });

  const pages = ['', '/card', '/wall', '/stream', `/nominate/${item.id}`, '/void?s=x', '/door/1234-5678'];
  for (const page of pages) {
    const shown = await service.get(`/m/${id}${page}`, { accept: 'text/html' });
    expect([page, shown.statusCode]).toEqual([page, 410]);
    expect(shown.body, page).toContain('The hall is flooded');
  }
  const nominee = { name: 'Ann', email: 'ann@club.example', text: '' };
  const sent = {
    nominate: await service.post(form, nominee),
    speakers: await service.post(`/m/${id}/speakers`, { name: 'Ann' }),
    here: await service.post(`/m/${id}/card/here`),
    void: await service.post(`/m/${id}/void`, { stub: 'x' }),
  };
  for (const [name, answer] of Object.entries(sent))
    expect([name, answer.statusCode, answer.json().error]).toEqual([
      name,
      410,
      expect.stringContaining('The hall is flooded'),
    ]);
  const inside = {
    door: await service.post(`/admin/meetings/${id}/door`, {
      person_id: '01a1ff0c-ee80-7370-acdc-a2d19cec4f55',
      action: 'in',
    }),
    packs: await service.post(`/admin/meetings/${id}/packs`, { class: 'Members', packs: 1 }),
    item: await service.post(`/admin/meetings/${id}/items`, { kind: 'text', title: 'More' }),
  };
  for (const [name, { statusCode }] of Object.entries(inside))
    expect([name, statusCode]).toEqual([name, 409]);
});

it('a changed agenda and title reach the event at once', async () => {
  await using service = await called();
  const event = () => service.file(`/events/${service.event_id}/calendar.ics`);
  const items = `/admin/meetings/${service.id}/items`;
  const { id } = (await service.post(items, { kind: 'text', title: 'The new cellar' })).json();
  expect(await event()).toContain('The new cellar');
  await send(service, 'PATCH', `${items}/${id}`, { title: 'The old cellar' });
  expect(await event()).toContain('The old cellar');
  const order = (await service.get(`/admin/meetings/${service.id}`))
    .json()
    .items.map((one: { id: string }) => one.id);
  await send(service, 'PUT', `/admin/meetings/${service.id}/order`, { items: order.toReversed() });
  expect(await event()).toContain('7. Any other business\\n6a. The old cellar');
  await send(service, 'DELETE', `${items}/${id}`);
  expect(await event()).not.toContain('cellar');
  await service.change({ title: 'EGM' });
  expect(await event()).toContain('SUMMARY:EGM');
});
