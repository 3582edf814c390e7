import { expect, test } from 'vitest';
import { HOUR } from '#kernel/clock.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { expectForbidden } from '#test/support/messages.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { mailTo, testApp } from '../../support/app.ts';

test('the health page shows what does not work and what to do about it', async () => {
  await using service = await testApp();
  const owner = await appoint(service, 'olga@club.example', 'owner');
  await service.post('/api/now-playing/ingest', { heartbeat: true });
  service.clock.now += HOUR;

  const page = await service.get('/admin/health', { accept: 'text/html', ...owner });
  const words = textOf(page.body);

  expect(page.statusCode).toBe(200);
  expect(words).toContain(
    'Mail Not working No mail can be sent. Enter the mail server and the address of this service in the settings.',
  );
  expect(words).toContain('Music Look at it The capture device is silent. Last heard: noon.');
  expect(words).toContain('Clock Fine');
  expect(words).toContain('Workspace Not used');
  expect(words.search('Mail Not working')).toBeLessThan(words.search('Music Look at it'));
  expect(words.search('Music Look at it')).toBeLessThan(words.search('Clock Fine'));
  expect(words).toContain('2 things need somebody: Mail, Music.');
});

test('events that had to be left out of the members’ calendar are reported', async () => {
  await using service = await testApp();
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const words = async () =>
    textOf((await service.get('/admin/health', { accept: 'text/html', ...owner })).body);

  expect(await words()).toContain('Members’ calendar Fine It has all events.');
  service.calendarContext.programmeFeed.leftOut = 2;
  expect(await words()).toContain('Members’ calendar Look at it 2 events are left out');
});

test('failed mails are reported until one is sent again, without their addresses', async () => {
  const mails = await startMailServer({
    answer: (address) =>
      address.startsWith('dan') ? 'take' : { code: 550, text: `${address} is unknown here` },
  });
  await using service = await testApp(mailTo(mails.url));
  const owner = await appoint(service, 'olga@club.example', 'owner');
  const mailLine = async () => {
    const { body } = await service.get('/admin/health', { accept: 'text/html', ...owner });
    const [row = ''] = body.match(/<tr role="row"><th scope="row" role="rowheader">Mail<.*?<\/tr>/s) ?? [];
    return textOf(`<main>${row}`).trim();
  };
  const send = (to: string) =>
    service.ctx.mailer.send({ to, id: to, subject: 'Hello', text: 'Hello', html: '' });

  expect(await mailLine()).toMatch(/^Mail Fine None was sent/);
  for (const name of ['ann', 'bob', 'cyd']) await send(`${name}@club.example`);
  expect(await mailLine()).toMatch(/^Mail Not working Not sent, noon: .*550 … is unknown here/);
  await send('dan@club.example');
  expect(await mailLine()).toMatch(/^Mail Fine Last sent: noon\./);
});

test('the health page is refused to officers, who may not change the settings', async () => {
  await using service = await testApp();
  const officer = await appoint(service, 'otto@club.example', 'officer');

  expectForbidden(await service.get('/admin/health', officer), 'settings:write');
});

const textOf = (page: string) =>
  page
    .slice(page.indexOf('<main'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('in production mails in a folder are no working mail: every page that speaks of mail says so', async () => {
  const key = { authorization: `Bearer ${'k'.repeat(30)}` };
  const files = { MAILER_URL: 'file:./data/never-written', NODE_ENV: 'production' };
  await using service = await testApp({
    ...files,
    BASE_URL: 'https://votes.club.example',
    LOCAL_BYPASS: '',
    ADMIN_API_KEY: 'k'.repeat(30),
  });
  expect(service.ctx.mailer.missing()).toEqual([]);
  const { id } = (
    await service.post(
      '/admin/elections',
      {
        title: 'Piano',
        ballot_type: 'SIMPLE_TRIPLE',
        open_at: '2026-11-21T12:00:00Z',
        close_at: '2099-01-01T00:00:00Z',
      },
      key,
    )
  ).json();
  for (const url of ['/admin', `/admin/elections/${id}/mails`, `/admin/elections/${id}/invitations`]) {
    const { body } = await service.get(url, { accept: 'text/html', ...key });
    expect(textOf(body)).toContain('Mails are written into a folder: nobody gets them');
  }
});
