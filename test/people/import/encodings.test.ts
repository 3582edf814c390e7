import { describe, expect, it, test } from 'vitest';
import { plainLines, readCsv } from '#kernel/lists/read-csv.ts';
import { decodeFile } from '#kernel/shared/decode.js';
import { readColumns } from '#people/import/columns.ts';
import { guessOrder, readDay } from '#people/import/days.ts';
import { expectBadField } from '#test/support/messages.ts';
import { type Club, openClub } from '#test/support/people/roll.ts';
import { shared } from '#test/support/shared-app.ts';

const open = shared(openClub);
const FILE =
  'Mitgliedsnummer;Name;E-Mail;Mitgliedsart;Eintrittsdatum\r\n7;"Jürgen ""Jü"" Groß";jue@home.example;full;1.3.2020\r\n';
const AFTER = {
  name: 'Jürgen "Jü" Groß',
  called: null,
  number: '7',
  note: null,
  groups: [],
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
    ['UTF-16 little-endian without a mark', Buffer.from(FILE, 'utf16le')],
    ['UTF-16 big-endian without a mark', Buffer.from(FILE, 'utf16le').swap16()],
    ['DOS', Buffer.from(FILE.replaceAll('ü', '\x81').replaceAll('ß', '\xe1'), 'latin1')],
    ['Mac Roman', Buffer.from(FILE.replaceAll('ü', '\x9f').replaceAll('ß', '\xa7'), 'latin1')],
    ['a quoted line that names the separator', Buffer.from(`"sep=;"\r\n${FILE}`)],
    ['a padded line that names the separator', Buffer.from(`SEP=;;;;;\r\n${FILE}`)],
    ['a title above the headers', Buffer.from(`Mitgliederliste 2026;;;;\r\n;;;;\r\n${FILE}`)],
    [
      'headers with line breaks',
      Buffer.from(FILE.replace('Mitgliedsnummer;Name;E-Mail', '"Mitglieds-\nnummer";Name;"E-\nMail"')),
    ],
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
    expectBadField(
      await upload(club, Buffer.from(FILE), { dry_run: '1', mapping: '{' }),
      'mapping',
      'not_json',
    );
    const broken = await club.service.request({
      method: 'POST',
      url: '/api/admin/people/import',
      payload: 'no form',
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
  expect(decodeFile(Buffer.from([0x80])).text).toBe('€');
});

test.each([
  ['few zero bytes', Buffer.from('Name\n王小明趙錢孫李周吳鄭王\n'.repeat(3), 'utf16le'), 'UTF-16'],
  ['a zero byte in UTF-8', Buffer.from('Name\nÄnne\0 Groß\n'), 'UTF-8'],
  ['a zero byte in Windows-1252', Buffer.from('Name\nÄnne\0 Groß, Fürth\n', 'latin1'), 'Windows-1252'],
  ['characters that were lost before', Buffer.from('Name\nJ\ufffdrgen\n'), 'UTF-8'],
])('a list with %s is read in its encoding', (_name, bytes, encoding) => {
  expect(decodeFile(bytes).encoding).toBe(encoding);
});

test('a line that is not UTF-8 is named, and the others stay as they are', async () => {
  const club = await open();
  const bytes = Buffer.concat([
    Buffer.from('Name\nJürgen Groß\nÄnne\n'),
    Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x0a]),
  ]);

  const { encoding, warnings, rows } = (await upload(club, bytes)).json();

  expect([encoding, warnings]).toEqual(['UTF-8', ['Line 4 has a character that cannot be read']]);
  expect(rows.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['Jürgen Groß', 'new'],
    ['Änne', 'new'],
    ['M\ufffdll', 'invalid'],
  ]);
});

test('a file that was decoded wrongly before, or is a spreadsheet, is said to be', async () => {
  const club = await open();

  const doubled = (await upload(club, Buffer.from('Name\nJÃ¼rgen\n'))).json();
  const sheet = await upload(club, Buffer.from([0x50, 0x4b, 3, 4, 20, 0]));

  expect(doubled.warnings).toEqual(['Line 2 has letters that look wrongly read, such as “JÃ¼rgen”']);
  expect([sheet.statusCode, sheet.json().errors[0].message]).toEqual([
    400,
    expect.stringContaining('save it as CSV'),
  ]);
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
    ['04.03.2020 00:00:00', undefined, '2020-03-04'],
    ['3/25/2020 12:00:00 AM', 'mdy', '2020-03-25'],
    ['4. März 2020', undefined, '2020-03-04'],
    ['4 de marzo de 2020', undefined, '2020-03-04'],
    ['Mar 4th, 2020', undefined, '2020-03-04'],
    ['4-Mar-2020', undefined, '2020-03-04'],
    ['4 août 2020', undefined, '2020-08-04'],
    ['4 mrt 2020', undefined, '2020-03-04'],
    ['Wednesday, March 4, 2020', undefined, '2020-03-04'],
    ['2020/3/4', undefined, '2020-03-04'],
    ['46110.5', undefined, '2026-03-29'],
    ['31 juin 2020', undefined, null],
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
  [
    'Membership No.,First name,Surname,Email,Category,Joined',
    'number first_name last_name email kind first_day',
  ],
  ['Naam;E-mailadres;Lid sinds'.replaceAll(';', ','), 'name email first_day'],
  ['Cognome,Nome,Indirizzo e-mail,Categoria', 'last_name first_name email kind'],
  ['Name,E-mail 1 - Type,E-mail 1 - Value', 'name null email'],
  ['Name,Class,E-mail 2 Address', 'name kind email'],
  ['Name,E-mail,Email', 'name email email'],
  ['Name,E-mail 1 - Value,E-mail 2 - Value', 'name email email'],
  ['Name,Mail,Mail Partner', 'name email null'],
])('recognises the columns %s', (header, fields) => {
  expect(
    readColumns(header.split(','), {})
      .map(({ field }) => String(field))
      .join(' '),
  ).toBe(fields);
});

test('the addresses of several columns are those of one person, each once and the first one primary', async () => {
  const club = await open();
  const list =
    'Name,E-mail,Email (work),Email (home)\nAnn,ann@x.example,,ANN@home.example\nBob,,bob@x.example,bob@x.example\n';

  const { rows } = (await upload(club, Buffer.from(list))).json();

  expect(rows.map(({ after }: { after: { addresses: string[] } }) => after.addresses)).toEqual([
    ['ann@x.example', 'ann@home.example'],
    ['bob@x.example'],
  ]);
});
