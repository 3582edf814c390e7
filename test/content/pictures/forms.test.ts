import { expect, test } from 'vitest';
import { deleteUnusedPictures } from '#content/pictures/retention.ts';
import { FIELDS_AT_MOST } from '#content/pictures/uploads.ts';
import { DAY } from '#kernel/clock.ts';
import { build } from '#kernel/db/queries.ts';
import type { EventsFeed } from '#pub/display/feeds.ts';
import { type TestApp, testApp } from '#test/support/app.ts';
import { editorAt } from '#test/support/content.ts';
import { atField, onPage } from '#test/support/messages.ts';
import { type FormFile, heicHeader, multipart, smallPicture } from '#test/support/pictures.ts';

const feedOf = async (service: TestApp): Promise<EventsFeed> => (await service.get('/api/events')).json();

async function openService() {
  const service = await testApp();
  const eve = await editorAt(service);
  return Object.assign(service, {
    eve,
    page: (url: string) => service.get(url, { ...eve.headers, accept: 'text/html' }),
    /** Submits the form as a browser does: with an empty file if none is chosen. */
    async send(
      url: string,
      fields: Record<string, string>,
      file: FormFile = { bytes: Buffer.alloc(0), name: '' },
    ) {
      const form = await multipart(fields, { picture: file });
      return service.request({
        method: 'POST',
        url,
        payload: form.payload,
        headers: { accept: 'text/html', ...form.headers, ...eve.headers },
      });
    },
    pictures: () => service.ctx.db.all(build.selectFrom('pictures').selectAll()),
  });
}

const QUIZ = { title: 'Quiz', text: 'At eight.', priority: 'normal', 'picture.id': '', 'picture.focus': '5' };
const pathOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers.location).split('?')[0] ?? '';

test('a slide is entered with its picture in one form without script, and shown with its description', async () => {
  await using service = await openService();
  const blank = await service.page('/admin/content/announcement/new');
  expect(blank.body).toContain('enctype="multipart/form-data"');
  expect(blank.body).toContain('accept="image/jpeg,image/png,image/webp"');

  const bytes = await smallPicture();
  const sent = await service.send(
    '/admin/content/announcement',
    { ...QUIZ, 'picture.alt': ' A full   house ', 'picture.focus': '3', publish: 'true' },
    { bytes },
  );

  expect(sent.statusCode).toBe(303);
  const [{ id } = { id: '' }] = service.pictures();
  const { announcements, slides } = await feedOf(service);
  expect(announcements).toMatchObject([{ title: 'Quiz', imageAlt: 'A full house' }]);
  expect(slides).toMatchObject([{ type: 'announcement', imageAlt: 'A full house', imageFocus: 3 }]);
  expect(announcements[0]?.imageUrl).toMatch(new RegExp(`\\?v=${id}$`));
  const shown = await service.get(announcements[0]?.imageUrl ?? '');
  expect([shown.statusCode, shown.headers['content-type']]).toEqual([200, 'image/webp']);
  const page = await service.page(pathOf(sent));
  expect(page.body).toContain(`src="/api/admin/pictures/${id}/file?size=480"`);
  expect(page.body).toContain('value="A full house"');
});

test('the form changes description and focus of a picture, and removes it with a checkbox', async () => {
  await using service = await openService();
  const tender = { full_name: 'Ann Doe', active: 'true', 'picture.id': '', 'picture.focus': '2' };
  const file = { bytes: await smallPicture() };
  const made = await service.send(
    '/admin/content/tender',
    { ...tender, 'picture.alt': 'Ann', publish: 'true' },
    file,
  );
  const path = pathOf(made);
  const [{ id } = { id: '' }] = service.pictures();
  const fields = { ...tender, 'picture.id': id, publish: 'true' };

  expect((await service.page('/tenders/')).body).toContain('portrait-small focus-2');
  await service.send(path, { ...fields, version: '1', 'picture.alt': 'Ann at work', 'picture.focus': '9' });
  expect(service.pictures()).toMatchObject([{ id, alt: 'Ann at work', focus: 9 }]);
  expect((await service.page('/tenders/')).body).toContain('portrait-small focus-9');
  await service.send(path, {
    ...fields,
    version: '1',
    'picture.decorative': 'true',
    'picture.alt': 'Ann at work',
  });
  expect(service.pictures()).toMatchObject([{ id, alt: '', decorative: 1 }]);
  const removed = await service.send(path, {
    ...fields,
    version: '1',
    'picture.alt': '',
    'picture.remove': 'true',
  });
  expect(removed.statusCode).toBe(303);
  expect((await service.page('/tenders/')).body).not.toContain('<img class="portrait');
});

test.each([
  ['', 'Ann Byrne'],
  ['  ', 'Ann Byrne'],
  ['Ann pulls a pint', 'Ann pulls a pint'],
])('a photo of a person is described by “%s”, else by the name', async (given, alt) => {
  await using service = await openService();
  const person = { full_name: ' Ann  Byrne ', active: 'true', 'picture.alt': given, publish: 'true' };
  const sent = await service.send('/admin/content/tender', person, { bytes: await smallPicture() });
  expect([sent.statusCode, service.pictures()[0]?.alt]).toEqual([303, alt]);
});

test('the form of a person keeps what it has no field for', async () => {
  await using service = await openService();
  const id = await service.eve.publish('tender', { full_name: 'Ann Byrne', show_profile: true });
  const body = async () =>
    (await service.get(`/api/admin/content/tender/${id}`, service.eve.headers)).json().body;
  const fields = { full_name: 'Ann B.', active: 'true', version: '1', publish: 'true' };
  expect((await service.send(`/admin/content/tender/${id}`, fields)).statusCode).toBe(303);
  expect(await body()).toMatchObject({ full_name: 'Ann B.', show_profile: true });
});

test('a refused form keeps the uploaded picture', async () => {
  await using service = await openService();
  const bytes = await smallPicture();

  const refused = await service.send(
    '/admin/content/announcement',
    { ...QUIZ, title: '', 'picture.alt': 'A cat' },
    { bytes },
  );
  const wordless = await service.send(
    '/admin/content/announcement',
    { ...QUIZ, 'picture.alt': '' },
    { bytes },
  );

  expect([refused.statusCode, wordless.statusCode]).toEqual([400, 400]);
  const [{ id } = { id: '' }] = service.pictures();
  for (const { body } of [refused, wordless]) {
    expect(body).toContain(`name="picture.id" value="${id}"`);
    expect(body).toContain(`src="/api/admin/pictures/${id}/file?size=480"`);
  }
  expect(refused.body).toContain('value="A cat"');
  expect(wordless.body).toContain(atField('picture_undescribed'));
  const again = await service.send('/admin/content/announcement', {
    ...QUIZ,
    'picture.id': id,
    'picture.alt': 'A cat',
  });
  expect(again.statusCode).toBe(303);
  expect((await service.eve.read('announcement')).items).toMatchObject([{ body: { picture: id } }]);
});

test('a refused file is reported at its field, and the other fields are kept', async () => {
  await using service = await openService();
  const fields = { ...QUIZ, 'picture.alt': 'A cat' };
  const heic = await service.send('/admin/content/announcement', fields, {
    bytes: heicHeader(),
    name: 'IMG_1.HEIC',
  });
  const large = await service.send('/admin/content/announcement', fields, {
    bytes: Buffer.alloc(10_485_761, 1),
  });

  expect([heic.statusCode, large.statusCode]).toEqual([400, 413]);
  expect(heic.body).toContain(onPage('picture_of_iphone'));
  expect(large.body).toContain(atField('file_too_large'));
  for (const { body } of [heic, large]) {
    expect(body).toContain('value="Quiz"');
    expect(body).toContain('href="#picture"');
  }
  expect((await service.eve.read('announcement')).total).toBe(0);
});

test('a form without a file, or sent without files at all, saves the rest', async () => {
  await using service = await openService();

  const empty = await service.send('/admin/content/announcement', QUIZ);
  const plain = await service.submit('/admin/content/announcement', QUIZ, service.eve.headers);

  expect([empty.statusCode, plain.statusCode]).toEqual([303, 303]);
  expect((await service.eve.read('announcement')).total).toBe(2);
  expect(service.pictures()).toEqual([]);
});

test('the list of pictures shows where each is used, and deletes unused ones', async () => {
  await using service = await openService();
  const send = async (words: string, colour: string) =>
    service.send(
      '/admin/content/announcement',
      { ...QUIZ, 'picture.alt': words },
      { bytes: await smallPicture(colour) },
    );
  await send('A cat', '#111111');
  const other = pathOf(await send('A dog', '#222222'));
  const dog = service.pictures().find(({ alt }) => alt === 'A dog')?.id;
  const fields = { ...QUIZ, version: '1', 'picture.id': dog ?? '', 'picture.alt': 'A dog' };
  const remove = () => service.submit(`/admin/content/pictures/${dog}/remove`, {}, service.eve.headers);

  const refused = await remove();
  expect([refused.statusCode, refused.body.includes(onPage('picture_in_use', { titles: 'Quiz' }))]).toEqual([
    409,
    true,
  ]);
  await service.send(other, { ...fields, 'picture.remove': 'true' });
  const list = await service.page('/admin/content/pictures');
  expect(list.body.match(/pictures\/[0-9a-f]+\/remove/g)).toEqual([`pictures/${dog}/remove`]);
  expect(list.body).toContain('A cat');
  expect((await remove()).headers.location).toBe('/admin/content/pictures?done=removed');
  expect(service.pictures()).toMatchObject([{ alt: 'A cat' }]);
});

test('when two people chose different pictures, both are shown with their descriptions', async () => {
  await using service = await openService();
  const send = async (fields: Record<string, string>, colour: string) =>
    service.send(
      fields.version ? path : '/admin/content/announcement',
      { ...QUIZ, ...fields },
      {
        bytes: await smallPicture(colour),
      },
    );
  let path = '';
  path = pathOf(await send({ 'picture.alt': 'A cat' }, '#111111'));
  await send({ version: '1', 'picture.alt': 'A dog' }, '#222222');

  const both = await send({ version: '1', 'picture.alt': 'A bird' }, '#333333');

  expect(both.statusCode).toBe(409);
  expect(both.body).toContain('A dog');
  expect(both.body).toContain('A bird');
});

const EVENT = {
  title: 'Big quiz',
  date: '2026-11-21',
  time: '8pm',
  end_time: '',
  place: 'Pub',
  in_pub: 'true',
  repeat: 'weekly',
  every: '1',
  ends: 'never',
  'picture.id': '',
  'picture.focus': '5',
};

test('an event has a picture in its form; feed, page and screens show it until the event is over', async () => {
  await using service = await openService();
  const before = await feedOf(service);
  const sent = await service.send(
    '/admin/content/event',
    { ...EVENT, 'picture.alt': 'Six people at a table', publish: 'true' },
    { bytes: await smallPicture() },
  );
  expect(sent.statusCode).toBe(303);

  const [{ id } = { id: '' }] = service.pictures();
  const { todayEvents, weekEvents, slides } = await feedOf(service);
  const words = {
    imageUrl: expect.stringMatching(new RegExp(`^/api/image/event/[0-9a-f]{32}\\?v=${id}$`)),
    imageAlt: 'Six people at a table',
  };
  expect(before.slides).toEqual([]);
  expect([...todayEvents, ...weekEvents]).toMatchObject([words, words]);
  expect(slides).toMatchObject([{ ...words, type: 'announcement', title: 'Big quiz', body: 'From 8:00 PM' }]);
  expect((await service.get(todayEvents[0]?.imageUrl ?? '')).headers['content-type']).toBe('image/webp');
  const events = (await service.page('/events')).body;
  expect(events).toContain('alt="Six people at a table"');
  const [, own = ''] = /href="(\/events\/[^"]+)"/.exec(events) ?? [];
  // Above the title, cut so that the chosen part stays.
  expect((await service.page(own)).body).toMatch(/<img class="event-image focus-5"[^>]*>.*<h1/s);
  const page = await service.page(pathOf(sent));
  expect(page.body).toContain('title="The slide as the main screen shows it"');
  const [preview = ''] = /\/admin\/content\/preview\/[^"]+/.exec(page.body) ?? [];
  expect((await service.page(preview)).body).toContain(`/api/admin/pictures/${id}/file`);

  service.clock.now = Date.parse('2026-11-22T05:00:00Z');
  expect((await feedOf(service)).slides).toEqual([]);
});

test('the picture of an event is in use, and is served only while the event is published', async () => {
  await using service = await openService();
  const file = { bytes: await smallPicture() };
  const path = pathOf(await service.send('/admin/content/event', { ...EVENT, 'picture.alt': 'A cup' }, file));
  const [{ id } = { id: '' }] = service.pictures();
  const record = path.split('/').at(-1);
  const serve = async () => (await service.get(`/api/image/event/${record}`)).statusCode;

  expect(await serve()).toBe(404);
  expect((await service.page('/admin/content/pictures')).body).toContain('Big quiz');
  expect(
    (await service.submit(`/admin/content/pictures/${id}/remove`, {}, service.eve.headers)).statusCode,
  ).toBe(409);
  await service.eve.post(`event/${record}/publish`, { version: 1 });
  expect(await serve()).toBe(200);
  service.clock.now += 31 * DAY;
  await deleteUnusedPictures(service.ctx);
  expect(service.pictures()).toHaveLength(1);
});

test('the complete form of an event stays within the maximum number of fields', async () => {
  await using service = await openService();
  const { body } = await service.page('/admin/content/event/new');
  const names = [...body.matchAll(/<(?:input|select|textarea|button)[^>]* name="([^"]+)"/g)];

  expect(names.length).toBeGreaterThan(40);
  // Only the form of a stored record has the version and the checkbox to remove a picture.
  expect(names.length + 2).toBeLessThanOrEqual(FIELDS_AT_MOST);
});
