import { expect, it, onTestFinished } from 'vitest';
import { sendDueMails } from '#kernel/mail/sender.ts';
import { startMailServer } from '#test/stand-ins/mail-server.ts';
import { BASE, mailTo } from '#test/support/app.ts';
import { appoint } from '#test/support/people/patrons.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';

const CSV = `Number,Name,E-mail,Membership
1,Ann Doe,home@club.example,full
2,Bob Doe,home@club.example,full
3,Cleo,cleo@club.example,full
4,Dee,,full
`;

const importList = async (club: Club, csv = CSV) => {
  const { check } = (await club.call('POST', 'people/import', { csv, dry_run: true })).body;
  return (await club.call('POST', 'people/import', { csv, dry_run: false, check })).body.batch as number;
};
const page = (club: Club) => club.service.get('/admin/people/import', { ...club.sam, accept: 'text/html' });
const open = async (env: Record<string, string>) => {
  const club = await openClub(env);
  onTestFinished(() => club[Symbol.asyncDispose]());
  return club;
};

it('everybody with an address whom a list added can be sent a welcome, once', async () => {
  const mails = await startMailServer();
  const club = await open(mailTo(mails.url));
  const { service } = club;
  await club.add({ name: 'Zoe', number: '9', addresses: [{ email: 'zoe@club.example', primary: true }] });
  const batch = await importList(club, `${CSV}9,Zoe,zoe@club.example,full\n`);
  expect((await page(club)).body).toContain('Send a welcome to 3 people');
  await sendDueMails(service.ctx);
  expect(mails.mails).toHaveLength(0);

  const sent = await service.submit(`/admin/people/import/${batch}/welcome`, {}, club.sam);
  expect(sent.headers.location).toBe('/admin/people/import?done=welcomed');
  expect((await page(club)).body).not.toContain('Send a welcome');
  expect((await club.call('POST', `people/import/${batch}/welcome`)).body).toEqual({ ok: true, mails: 0 });
  await sendDueMails(service.ctx);
  const texts = mails.mails.map(({ recipients, text = '' }) => [recipients, text] as const);
  expect(texts).toHaveLength(3);
  for (const name of ['Ann Doe', 'Bob Doe', 'Cleo'])
    expect(
      texts.some(([, text]) => text.includes(`Welcome, ${name}`) && text.includes(`${BASE}/sign-in`)),
    ).toBe(true);

  const again = await importList(club, `${CSV}5,Eve,eve@club.example,full\n`);
  expect((await club.call('POST', `people/import/${again}/welcome`)).body.mails).toBe(1);
  const { logs } = (await club.call('GET', 'audit?action=people.welcomed')).body;
  expect(logs.map(({ metadata }: { metadata: string }) => JSON.parse(metadata).people)).toEqual([1, 3]);
});

it('the import can be undone after it; a mail that waits then is not sent', async () => {
  const mails = await startMailServer();
  const club = await open(mailTo(mails.url));
  const batch = await importList(club);
  await club.call('POST', `people/import/${batch}/welcome`);
  expect((await club.call('POST', `people/import/${batch}/undo`)).status).toBe(200);
  await sendDueMails(club.service.ctx);
  expect(mails.mails).toHaveLength(0);
});

it('needs mail, and the permission to change the roll', async () => {
  const club = await open({});
  const batch = await importList(club);
  expect((await page(club)).body).toContain('Mail has to be');
  expect((await club.call('POST', `people/import/${batch}/welcome`)).status).toBe(409);
  const { ctx } = club.service;
  const otto = await appoint(club.service, 'otto@club.example', 'officer');
  expect((await club.call('POST', `people/import/${batch}/welcome`, {}, otto)).status).toBe(403);
  expect(ctx.mailer.needed().length).toBeGreaterThan(0);
});
