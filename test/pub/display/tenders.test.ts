import { expect, test } from 'vitest';
import type { TendersFeed } from '#pub/display/feeds.ts';
import { file, record, relation, TENDERS_DB, text, tick, url, when } from '#test/stand-ins/pub-workspace.ts';
import { dashed, id } from '#test/stand-ins/workspace-server.ts';
import { testApp } from '#test/support/app.ts';
import { type Pub, startPub } from '#test/support/pub-service.ts';

const ANN = id(0xaa1);
const active = { Active: tick() };

test('the directory lists the active tenders by first name, then full name', async () => {
  await using pub = await startPub({
    tenders: [
      record('zoe Adams', active),
      record('Ann Young', active),
      record('Ann  Lee', active),
      record('Émile Zola', active),
      record('Gone Away', { Active: tick(false) }),
      record('', active),
    ],
  });

  const { tenders, source } = await directoryOf(pub);

  expect(tenders.map(({ fullName, firstName }) => [firstName, fullName])).toEqual([
    ['Ann', 'Ann  Lee'],
    ['Ann', 'Ann Young'],
    ['Émile', 'Émile Zola'],
    ['zoe', 'zoe Adams'],
  ]);
  expect(source).toBe('workspace');
});

test('an entry has the fields of its page, whatever the types of its properties', async () => {
  await using pub = await startPub({
    tenders: [
      record(
        'Ann Lee',
        {
          ...active,
          Bio: text('Pours slowly.'),
          'Payment A': { type: 'email', email: 'ann@club.example' },
          'Payment B': url('https://pay.example/ann'),
          Photo: file('https://files.example/ann.jpg'),
          Site: url('https://ann.example'),
        },
        { id: ANN, last_edited_time: '2026-11-21T08:15:00.000Z' },
      ),
    ],
  });

  expect((await directoryOf(pub)).tenders).toEqual([
    {
      id: ANN,
      notionPageId: dashed(ANN),
      firstName: 'Ann',
      fullName: 'Ann Lee',
      payment_a: 'ann@club.example',
      payment_b: 'https://pay.example/ann',
      bio: 'Pours slowly.',
      imageUrl: `/api/image/tender/${ANN}?v=20261121t081500000z`,
      pageUrl: 'https://ann.example/',
      profileUrl: `/tenders/?tender=${ANN}`,
    },
  ]);
});

test.each([
  ['assignments', { Assignments: relation(id(0x800), id(0x801)) }],
  ['the shifts themselves', { Tenders: relation(ANN) }],
])('the database of tenders is found through the newest shifts, by %s', async (_way, link) => {
  const shift = (day: string, more: object) =>
    record('Shift', { Shift: when(`${day}T17:00:00.000-05:00`, `${day}T23:00:00.000-05:00`), ...more });
  await using pub = await startPub(
    {
      // The nearest shift names nobody yet, and the first assignment is gone.
      shifts: [shift('2026-11-21', {}), shift('2026-10-30', link), shift('2026-11-25', {})],
      assignments: [record('A', { Tender: relation(ANN) }, { id: id(0x801) })],
      tenders: [record('Ann Lee', active, { id: ANN }), record('Bob', active)],
    },
    { WORKSPACE_PUB_TENDERS_DATABASE_ID: '' },
  );

  const { tenders, source } = await directoryOf(pub);

  expect([tenders.map(({ firstName }) => firstName), source]).toEqual([['Ann', 'Bob'], 'workspace']);
  expect(pub.workspace.requests.some(({ path }) => path.includes(TENDERS_DB))).toBe(true);
});

test('while no shift names anybody the directory is empty', async () => {
  await using pub = await startPub({}, { WORKSPACE_PUB_TENDERS_DATABASE_ID: '' });

  expect(await directoryOf(pub)).toMatchObject({ tenders: [], source: 'workspace' });
});

test('a link to a tender redirects to the directory, whatever it contains', async () => {
  await using pub = await startPub();
  const leadsTo = async (path: string) => {
    const { statusCode, headers } = await pub.service.get(path, { accept: 'text/html' });
    return `${statusCode} ${headers.location}`;
  };

  expect(await leadsTo(`/tender/${dashed(ANN).toUpperCase()}`)).toBe(`302 /tenders/?tender=${ANN}`);
  expect(await leadsTo('/tender/Bob-7')).toBe('302 /tenders/?tender=bob7');
  expect(await leadsTo('/tender/%2F%2Fevil.example')).toBe('302 /tenders/?tender=evilexample');
  expect(await leadsTo('/tender/%0d%0aset-cookie:a')).toBe('302 /tenders/?tender=setcookiea');
  expect(await leadsTo('/tender/---')).toBe('302 /tenders/');
  expect(await leadsTo('/tender/')).toBe('302 /tenders/');
  expect(await leadsTo(`/tender/${'a/b'.repeat(200)}`)).toBe(`302 /tenders/?tender=${'ab'.repeat(200)}`);
  expect(await leadsTo('/tender/%E2%9C%93')).toBe('302 /tenders/');
});

test('the directory’s address without its last slash redirects to it and keeps the query', async () => {
  await using service = await testApp();
  const leadsTo = async (path: string) => (await service.get(path, { accept: 'text/html' })).headers.location;

  expect(await leadsTo('/tenders')).toBe('/tenders/');
  expect(await leadsTo('/tenders?tender=abc&from=a%20mail')).toBe('/tenders/?tender=abc&from=a%20mail');
});

async function directoryOf(pub: Pub): Promise<TendersFeed> {
  return (await pub.service.get('/api/tenders')).json();
}
