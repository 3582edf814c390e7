import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displayAddress, mailboxOf, normalizeAddress, readAddressList } from '#kernel/mail-addresses.ts';
import { say } from '#kernel/messages/messages.ts';
import { decodeFile } from '#kernel/shared/decode.js';

test.each<[text: string, email: string, name?: string]>([
  ['  Jane.Doe@Club.Example ', 'jane.doe@club.example'],
  ['o’hara@club.example'.replace('’', "'"), "o'hara@club.example"],
  ['jane+votes@mail.club.example', 'jane+votes@mail.club.example'],
  ['JÖRG@Bücher.example', 'jörg@xn--bcher-kva.example'],
  ['jane@BU\u0308CHER.example', 'jane@xn--bcher-kva.example'],
  ['jane@XN--BCHER-KVA.example', 'jane@xn--bcher-kva.example'],
  ['mailto:jane@club.example?subject=Vote', 'jane@club.example'],
  ['Jane <mailto:jane%40club.example>', 'jane@club.example', 'Jane'],
  ['jane@club.example.', 'jane@club.example'],
  ['Jane <jane@club.example>.', 'jane@club.example', 'Jane'],
  ['Ja\u200bne \u202eDoe <jane@club.example>', 'jane@club.example', 'Jane Doe'],
  ['jane@xn--bcher-kva.example', 'jane@xn--bcher-kva.example'],
  ['Jane Doe <Jane@club.example>', 'jane@club.example', 'Jane Doe'],
  ['"Doe, Jane" <jane@club.example>', 'jane@club.example', 'Doe, Jane'],
  ['jane@club.example <jane@club.example>', 'jane@club.example'],
  ['<jane@club.example>', 'jane@club.example'],
  [`${'a'.repeat(64)}@club.example`, `${'a'.repeat(64)}@club.example`],
])('%s is read as the address %s', (text, email, name) => {
  expect(normalizeAddress(text)).toEqual({ ok: true, email, ...(name && { name }) });
});

test.each([
  ['', 'no_address'],
  ['   ', 'no_address'],
  ['jane', 'not_address'],
  ['jane@', 'not_address'],
  ['@club.example', 'not_address'],
  ['jane@club', 'not_address'],
  ['jane@127.0.0.1', 'not_address'],
  ['jane@[127.0.0.1]', 'not_address'],
  ['jane@-club.example', 'not_address'],
  ['jane@club..example', 'not_address'],
  ['jane@club.example..', 'not_address'],
  ['jane@club。example', 'not_address'],
  ['.jane@club.example', 'not_address'],
  ['ja..ne@club.example', 'not_address'],
  ['ja ne@club.example', 'not_address'],
  ['jane@club.example,', 'not_address'],
  ['jane(home)@club.example', 'not_address'],
  ['"ja ne"@club.example', 'not_address'],
  ['jane@club.example evil', 'not_address'],
  ['Jane <jane@club.example> evil', 'not_address'],
  [`${'a'.repeat(65)}@club.example`, 'not_address'],
  [`jane@${'a'.repeat(64)}.example`, 'not_address'],
  ['jane@club.example,evil@x.example', 'several_addresses'],
  ['jane@club.example evil@x.example', 'several_addresses'],
  ['jane@club.example\r\nBcc: evil', 'address_with_control_character'],
  ['Name\tE-mail', 'no_address_in_row'],
  ['ja\u0000ne@club.example', 'address_with_control_character'],
  ...[
    'ja\u200bne@club.example',
    'jane@club.example\u200e',
    'jane@cl\u00adub.example',
    '\u202ajane@club.example\u202c',
    'jane@club\u2060.example',
  ].map((text) => [text, 'address_with_invisible_character']),
  [`jane@${'ü.'.repeat(40)}example`, 'address_too_long'],
  [`jane@${'a.'.repeat(125)}example`, 'address_too_long'],
])('%j is refused as an address: %s', (text, code) => {
  expect(normalizeAddress(text)).toMatchObject({ ok: false, reason: { code } });
});

test('an address is shown with its domain in Unicode', () => {
  expect(displayAddress('jörg@xn--bcher-kva.example')).toBe('jörg@bücher.example');
  expect(displayAddress('xn--a@club.example')).toBe('xn--a@club.example');
});

test('a character that is invalid in an address is also invalid when composed of two', () => {
  expect(normalizeAddress('=\u0338@club.example')).toEqual(normalizeAddress('\u2260@club.example'));
});

test('normalizing a normalized address again does not change it', () => {
  const address = fc
    .tuple(fc.string({ minLength: 1, unit: 'grapheme' }), fc.constantFrom('club.example', 'BÜCHER.example'))
    .map((parts) => parts.join('@'));

  fc.assert(
    fc.property(address, (text) => {
      const read = normalizeAddress(text);
      if (read.ok) expect(normalizeAddress(read.email)).toEqual(read);
    }),
  );
});

/** `row status email-or-input` of each entry. */
function rowsOf(text: string): string[] {
  return readAddressList(text).map(({ row, status, email, input }) => `${row} ${status} ${email ?? input}`);
}

test('a pasted list may use any common separator, and each entry has a status', () => {
  expect(
    rowsOf('a@x.example, b@x.example;c@x.example\n\nA@X.example\r\nno address\td@x.example\te@x.example'),
  ).toEqual([
    '1 added a@x.example',
    '1 added b@x.example',
    '1 added c@x.example',
    '3 repeated a@x.example',
    '4 invalid no address',
    '4 added d@x.example',
    '4 added e@x.example',
  ]);
  expect(rowsOf('a@x.example, typo.x.example, b@x.example')[1]).toBe('1 invalid typo.x.example');
});

test('lists copied from a mail program may have commas in names', () => {
  expect(rowsOf('Doe, Jane <jane@x.example>; Roe, Rick <rick@x.example>')).toEqual([
    '1 added jane@x.example',
    '1 added rick@x.example',
  ]);
  expect(rowsOf('"Doe, Jane" <jane@x.example>, Rick <rick@x.example>\nDoe, Joe <joe@x.example>')).toEqual([
    '1 added jane@x.example',
    '1 added rick@x.example',
    '2 added joe@x.example',
  ]);
});

test('under a header row only the e-mail column is read, with or without quotes and line breaks', () => {
  const csv =
    '\uFEFFName,E-Mail,Note\r\n"Doe, Jane",jane@x.example,"has a ""note"",\r\nwith rick@x.example"\r\nRoe,,none\r\n"Poe"," POE@x.example ",\r\nbroken\r\n';

  expect(readAddressList(csv)).toEqual([
    { row: 2, input: 'jane@x.example', email: 'jane@x.example', status: 'added' },
    { row: 4, input: '', status: 'invalid', reason: say('no_address') },
    { row: 5, input: 'POE@x.example', email: 'poe@x.example', status: 'added' },
    { row: 6, input: '', status: 'invalid', reason: say('no_address') },
  ]);
  expect(rowsOf('Vorname;E-Mail-Adresse\nJane;jane@x.example')).toEqual(['2 added jane@x.example']);
  expect(rowsOf('email\njane@x.example\njane')).toEqual(['2 added jane@x.example', '3 invalid jane']);
});

test.each([
  [
    'First Name,Last Name,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value\nAnn,Lee,Home,ann@x.example,Work,ann.lee@x.example\nBob,Roe,Home,bob@x.example,,',
  ],
  ['Name;Email (home);Email (work)\nAnn;ann@x.example;ann.lee@x.example\nBob;;bob@x.example'],
  ['Name;Mail;Mail Partner\nAnn;ann@x.example;ann.lee@x.example\nBob;bob@x.example;'],
  ['Wer;Wohin;Sonst\nAnn;ann@x.example;ann.lee@x.example\nBob;bob@x.example;BOB@x.example'],
  [
    '"sep=;"\nMitglieder 2026;;\nName;E-Mail;Courriel\nAnn;ann@x.example;ann.lee@x.example\nBob;;bob@x.example',
  ],
])('a row of a table is one person, and two addresses are a question: %j', (text) => {
  expect(readAddressList(text).map(({ email, reason }) => email ?? reason?.code)).toEqual([
    'several_addresses_in_row',
    'bob@x.example',
  ]);
});

test.each<[what: string, text: string, rows: string[]]>([
  [
    'a line break in a quoted cell',
    'Name;E-Mail\n"Ann\nLee";"\nann@x.example\n"\nBob;bob@x.example',
    ['2 added ann@x.example', '6 added bob@x.example'],
  ],
  ['a line break in a header', 'Name,"E-Mail\n(privat)"\nAnn,ann@x.example', ['3 added ann@x.example']],
  [
    'the separator in a quoted name, also after a blank',
    'E-Mail,Name\nann@x.example, "Lee, Ann"\nbob@x.example,"Roe, Bob, bob@y.example"',
    ['2 added ann@x.example', '3 added bob@x.example'],
  ],
  [
    'escaped quotes',
    'Name,E-Mail\n"Ann ""A, B"" Lee","""Lee, Ann"" <ann@x.example>"',
    ['2 added ann@x.example'],
  ],
  [
    'a separator that names have too, under a title',
    'Members, 2026\nName;E-Mail\nLee, Ann;ann@x.example\nRoe, Bob;bob@x.example',
    ['3 added ann@x.example', '4 added bob@x.example'],
  ],
  [
    'a quotation mark that is never closed',
    'Name,E-Mail\n"Ann,ann@x.example\nBob,bob@x.example',
    ['2 added ann@x.example', '3 added bob@x.example'],
  ],
  [
    'a quotation mark that another one closes many lines later',
    `Name,E-Mail\n"Ann,ann@x.example\n${'Bob,bob@x.example\n'.repeat(12)}"Carl",carl@x.example`,
    [
      '2 added ann@x.example',
      '3 added bob@x.example',
      ...Array.from({ length: 11 }, (_, at) => `${at + 4} repeated bob@x.example`),
      '15 added carl@x.example',
    ],
  ],
  [
    'a name and an address in one cell, and what stands after the last address',
    'E-Mail\n"Lee, Ann <ann@x.example>"\nbob@x.example;\nLee, Carl <carl@x.example>',
    ['2 added ann@x.example', '3 added bob@x.example', '4 added carl@x.example'],
  ],
  [
    'a separator named by the first line, without a header',
    'sep=|\nLee, Ann|ann@x.example\nBob|bob@x.example',
    ['2 added ann@x.example', '3 added bob@x.example'],
  ],
  [
    'contacts of Google',
    'Name,Given Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Value\r\n"Lee, Ann",Ann,* myContacts ::: Club,* Home,ann@x.example ::: ANN@x.example,+49 1 ::: +49 2\r\nBob,Bob,Club,,,\r\n',
    ['2 added ann@x.example', '3 invalid '],
  ],
  [
    'contacts of Outlook',
    '"First Name","Last Name","Notes","E-mail Address","E-mail Type","E-mail Display Name","E-mail 2 Address"\r\n"Ann","Lee","met at\r\nbob@x.example, ""Bar""","ann@x.example","SMTP","Ann Lee (ann@x.example)",""\r\n',
    ['2 added ann@x.example'],
  ],
])('a table may have %s', (_, text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

test.each(['E-Mail;Name', 'E-Mail'])(
  'an address outside the columns of the header %s is never lost',
  (header) => {
    expect(rowsOf(`${header}\nann@x.example;Ann;bob@x.example`)).toEqual([
      '2 invalid ann@x.example, bob@x.example',
    ]);
  },
);

test.each<BufferEncoding>(['utf8', 'utf16le', 'latin1'])('a spreadsheet in %s is read', (encoding) => {
  const mark = encoding === 'latin1' ? '' : '\uFEFF';
  const file = Buffer.from(`${mark}sep=;\r\nName;Adresse électronique\r\nJörg;jörg@bücher.example`, encoding);
  const files = encoding === 'utf16le' ? [file, Buffer.from(file).swap16()] : [file];
  for (const bytes of files)
    expect(rowsOf(decodeFile(bytes).text)).toEqual(['3 added jörg@xn--bcher-kva.example']);
});

test.each([
  'Email address',
  'Dirección de correo electrónico',
  'Posta elettronica',
  'Courriel',
  'Adresse e-mail',
  'Correo electrónico',
  'E-mailadres',
  'Indirizzo e-mail',
  'E-mail 1 - Value',
  'E-Mail-Adresse',
])('a column %s holds addresses', (header) => {
  expect(readAddressList(`Naam;${header}\nAnn;ann@x.example`).map(({ email }) => email)).toEqual([
    'ann@x.example',
  ]);
});

test('a record without a header row gives its only address', () => {
  expect(rowsOf('Jane Doe,jane@x.example,member since 1999\n5" Joe,joe@x.example')).toEqual([
    '1 added jane@x.example',
    '2 added joe@x.example',
  ]);
});

test('a stray quote does not hide the entries after it', () => {
  const lines = Array.from({ length: 40 }, (_, at) => `m${at}@x.example`);

  expect(
    readAddressList(['"a@x.example', ...lines].join('\n')).filter(({ status }) => status === 'added'),
  ).toHaveLength(40);
});

test('an empty text has no entries', () => {
  for (const text of ['', '\uFEFF', ' \n\r\n\t', ',;,\n']) expect(readAddressList(text)).toEqual([]);
});

test('ten thousand addresses in one line or in many are read', () => {
  const people = Array.from({ length: 10_000 }, (_, at) => `member${at}@club.example`);

  for (const separator of [', ', ';', '\t', '\n'])
    expect(readAddressList(people.join(separator)).filter(({ status }) => status === 'added')).toHaveLength(
      10_000,
    );
});

test.each([
  ['jane@club.example', 'jane@club.example'],
  ['jane+1@club.example', 'jane@club.example'],
  ['jane+a+b@club.example', 'jane@club.example'],
  ['+jane@club.example', '+jane@club.example'],
])('mails to %s reach the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox);
});
