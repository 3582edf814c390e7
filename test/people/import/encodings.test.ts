import { describe, expect, it, test } from 'vitest';
import { readColumns } from '#people/import/columns.ts';
import { guessOrder, readDay } from '#people/import/days.ts';
import { decodeText, plainLines, readCsv } from '#people/import/read-csv.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';
import { shared } from '#test/support/shared-app.ts';

const open = shared(openClub);
const FILE =
  'Mitgliedsnummer;Name;E-Mail;Mitgliedsart;Eintrittsdatum\r\n7;"Jürgen ""Jü"" Groß";jue@home.example;full;1.3.2020\r\n';
const AFTER = {
  ...{ name: 'Jürgen "Jü" Groß', called: null, number: '7', note: null, groups: [] },
  addresses: ['jue@home.example'],
  standings: [{ kind: 'full', first_day: '2020-03-01', last_day: null }],
};

/** Uploads a file as a form in a browser does. */
async function upload(club: Club, bytes: Uint8Array, fields: Record<string, string> = { dry_run: 'true' }) {
  const form = new FormData();
  form.append('csv', new File([new Uint8Array(bytes)], 'members.csv', { type: 'text/csv' }));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  const request = new Response(form);
  return club.service.request({
    method: 'POST',
    url: '/api/admin/people/import',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      accept: 'application/json',
      ...club.sam,
    },
  });
}

const utf16 = (text: string, swap: boolean) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return swap ? bytes.swap16() : bytes;
};

describe('a file', () => {
  test.each<[string, Uint8Array]>([
    ['UTF-8', Buffer.from(FILE)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${FILE}`)],
    ['UTF-16 little-endian', utf16(FILE, false)],
    ['UTF-16 big-endian', utf16(FILE, true)],
    ['Windows-1252', Buffer.from(FILE, 'latin1')],
    ['lines that end in CR alone', Buffer.from(FILE.replaceAll('\r\n', '\r'))],
    ['a line that names the separator', Buffer.from(`sep=;\r\n${FILE}`)],
    ['tabs', Buffer.from(FILE.replaceAll(';', '\t'))],
    ['vertical bars', Buffer.from(FILE.replaceAll(';', '|'))],
    ['commas', Buffer.from(FILE.replaceAll(';', ','))],
  ])('in %s gives the same roll', async (_name, bytes) => {
    const club = await open();
    const answer = await upload(club, bytes);
    expect([answer.statusCode, answer.json().rows[0].after]).toEqual([200, AFTER]);
  });

  it('is imported with the fields of a form', async () => {
    await using club = await openClub();
    const { check } = (await upload(club, Buffer.from(FILE))).json();
    const done = await upload(club, Buffer.from(FILE), {
      dry_run: 'false',
      check,
      mapping: '{}',
      end_missing: '',
    });
    expect(done.json().counts.new).toBe(1);
    const options = { dry_run: '1', mapping: '{"E-Mail":""}', 'decisions.2': 'new', 'decisions.3': '' };
    expect((await upload(club, Buffer.from(FILE), options)).json().rows[0].state).toBe('invalid');
    expect((await upload(club, Buffer.from(FILE), { dry_run: '1', mapping: '{' })).statusCode).toBe(400);
    const broken = await club.service.request({
      ...{ method: 'POST', url: '/api/admin/people/import', payload: 'no form' },
      headers: { 'content-type': 'multipart/form-data; boundary=x', accept: 'application/json', ...club.sam },
    });
    expect(broken.statusCode).toBe(400);
  });
});

test('records may contain quotes and line breaks, and have the numbers of their first lines', () => {
  const text = plainLines('a,b\r\n"1, ""x""\r\ny",2\r\n\r\n,\r\n"3"x,"4"\r\n5"6,7');
  expect([...readCsv(text)]).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1, "x"\ny', '2'] },
    { line: 6, cells: ['3x', '4'] },
    { line: 7, cells: ['5"6', '7'] },
  ]);
  expect(decodeText(Buffer.from([0x80]))).toBe('€');
});

describe('a day', () => {
  test.each([
    ['2026-03-29', undefined, '2026-03-29'],
    ['2026-03-29T00:00:00', undefined, '2026-03-29'],
    ['2026-03-29 00:00:00', undefined, '2026-03-29'],
    ['1.3.2026', undefined, '2026-03-01'],
    ['29.02.2024', undefined, '2024-02-29'],
    ['29.02.2023', undefined, null],
    ['3/4/2026', 'dmy', '2026-04-03'],
    ['3/4/2026', 'mdy', '2026-03-04'],
    ['3/4/2026', undefined, null],
    ['4/4/2026', undefined, '2026-04-04'],
    ['46110', undefined, '2026-03-29'],
    ['1.3.26', undefined, null],
    ['3/4/26', 'dmy', null],
    ['soon', undefined, null],
  ] as const)('%s (%s) is read as %s', (text, order, day) => {
    const read = readDay(text, order);
    expect(read.ok ? read.day : null).toBe(day);
  });

  it('above 12 in a list shows the order of days and months', () => {
    expect(
      [['1/2/2020', '13/2/2020'], ['1/13/2020'], ['1/2/2020'], []].map((days) => guessOrder(days)),
    ).toEqual(['dmy', 'mdy', undefined, undefined]);
  });
});

test.each([
  [
    'Member No.,Full name,E-mail address,Membership type,Member since,Expires',
    'number name email kind first_day last_day',
  ],
  [
    'Mitglieds-Nr.,Vorname,Nachname,E-Mail-Adresse,Mitgliedsart,Eintritt,Austritt',
    'number first_name last_name email kind first_day last_day',
  ],
  ['Nr,Name,Vorname,Gruppe', 'number last_name first_name groups'],
  ['N° adhérent,Nom,Prénom,Courriel,Date d’adhésion', 'number last_name first_name email first_day'],
  [
    'Número de socio,Nombre,Apellidos,Correo electrónico,Fecha de alta',
    'number first_name last_name email first_day',
  ],
  ['Nom,Adresse e-mail', 'name email'],
  ['Nombre,Colour', 'name null'],
  ['Name,E-mail,Email', 'name email null'],
])('recognises the columns %s', (header, fields) => {
  expect(
    readColumns(header.split(','), {})
      .map(({ field }) => String(field))
      .join(' '),
  ).toBe(fields);
});
