import { domainToASCII, domainToUnicode } from 'node:url';
import { isEmailHeader } from '#kernel/lists/headers.ts';
import { type CsvRecord, LONGEST_CELL, namedSeparator, plainLines, readCsv } from '#kernel/lists/read-csv.ts';
import { type Args, type Code, type Message, say } from '#kernel/messages/messages.ts';
import { cleanName, hasInvisible } from '#kernel/names.ts';

const LONGEST = 254;
const LONGEST_LOCAL_PART = 64;
const LONGEST_NAME = 200;

/** The part before the @ without quotes (RFC 5322 atext), and letters and digits of any script. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const DOMAIN = /^[\p{L}\p{M}\p{N}-]+(\.[\p{L}\p{M}\p{N}-]+)+$/u;
const ASCII_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Everything that can be wrong with one address. */
export const ADDRESS_FAULTS: readonly Message[] = [
  say('no_address'),
  say('no_address_in_row'),
  say('address_with_control_character'),
  say('address_with_invisible_character'),
  say('address_too_long', { max: LONGEST }),
  say('several_addresses'),
  say('not_address'),
];

/** `name` is the text before the address, as in `Ada Lovelace <ada@club.example>`. */
export type ReadAddress = { ok: true; email: string; name?: string } | { ok: false; reason: Message };

/**
 * Reads one e-mail address as it is compared and stored: trimmed, in lower case, an international domain in its ASCII
 * form. From `Name <a@b.c>` it reads both. Text around an address in pasted lists is left out: `mailto:`, a final
 * dot.
 */
export function normalizeAddress(text: string): ReadAddress {
  const trimmed = text.trim();
  if (trimmed === '') return refused('no_address');
  if (/[\p{Cc}\u2028\u2029]/u.test(trimmed))
    return refused(
      // A row of a table, such as its header.
      trimmed.includes('@') ? 'address_with_control_character' : 'no_address_in_row',
    );
  const [, before = '', inner] = /^([^<>]*)<([^<>]*)>\.?$/.exec(trimmed) ?? [];
  const address = withoutWrapping((inner ?? trimmed).trim());
  if (hasInvisible(address)) return refused('address_with_invisible_character');
  if (address.length > LONGEST) return refused('address_too_long', { max: LONGEST });
  if ((address.match(/@/g)?.length ?? 0) > 1) return refused('several_addresses');

  const [name = '', domain = ''] = address.split('@');
  const local = folded(name, 'NFC');
  const host = folded(domain, 'NFKC').replace(/\.$/, '');
  if (!isLocalPart(local) || !isDomain(host)) return refused('not_address');
  const email = `${local}@${domainToASCII(host)}`;
  return email.length > LONGEST
    ? refused('address_too_long', { max: LONGEST })
    : { ok: true, email, ...namedBefore(before) };
}

/** Removes `mailto:` and what a mail program writes after the address in such a link. */
function withoutWrapping(text: string): string {
  const [, linked] = /^mailto:\s*([^?]*)/i.exec(text) ?? [];
  return linked?.replace(/%40/, '@') ?? text;
}

/** A stored address as it is shown: its domain in Unicode. */
export function displayAddress(email: string): string {
  const at = email.lastIndexOf('@');
  return email.includes('xn--', at) ? email.slice(0, at + 1) + domainToUnicode(email.slice(at + 1)) : email;
}

/** The spellings in which an address may be stored: until version 064 an international domain was kept as written. */
export const spellingsOf = (email: string): string[] => [...new Set([email, displayAddress(email)])];

/** Part of an address, as somebody types it to search for it, in the form in which it is stored. */
export function addressPart(text: string): string {
  const at = text.lastIndexOf('@') + 1;
  const domain = folded(text.slice(at), 'NFKC');
  return folded(text.slice(0, at), 'NFC') + (domainToASCII(domain) || domain);
}

function namedBefore(text: string): { name?: string } {
  const name = cleanName(unquote(text.trim()).replaceAll(/\s+/g, ' ')).slice(0, LONGEST_NAME);
  return name === '' || name.includes('@') ? {} : { name };
}

/** Formats `Name <address>`, from which `normalizeAddress` reads both. */
export const namedAddress = (email: string, name: string | null | undefined): string =>
  name ? `${name.replaceAll(/[<>"]/g, '')} <${email}>` : email;

/** One spelling for equivalent texts; normalized again because lower case can decompose letters. */
function folded(text: string, form: 'NFC' | 'NFKC'): string {
  return text.normalize(form).toLowerCase().normalize(form);
}

/** Whether a stored address contains a text, in either spelling of its domain. */
export const hasAddressPart = (email: string, text: string): boolean =>
  spellingsOf(email).some((spelling) => spelling.includes(text));

/** The mailbox of a normalized address: without a `+tag`, which is delivered to the same mailbox. */
export function mailboxOf(email: string): string {
  const [name = '', domain = ''] = email.split('@');
  const plus = name.indexOf('+', 1);
  return `${plus === -1 ? name : name.slice(0, plus)}@${domain}`;
}

/** One entry of a pasted list or a CSV file. */
export interface AddressRow {
  /** The line it begins on, from 1. */
  row: number;
  input: string;
  /** Set for valid addresses, also for repeated ones. */
  email?: string;
  name?: string;
  status: 'added' | 'repeated' | 'invalid';
  reason?: Message;
}

/** Most lines of a quoted field; past that the quote counts as a stray character. */
const LONGEST_FIELD = 10;

/**
 * Reads addresses from pasted or uploaded text: a table (CSV with a header row, or with a first line `sep=;`), or one
 * address per line, or separated by commas, semicolons or tabs, with names, in quotes. Each row of a table is a person:
 * only e-mail columns are read, if the header names them, and a row with several addresses is a question. Otherwise a
 * line with a single address is a record whose other fields are ignored; in a line with several each entry is reported,
 * so that a mistyped address is never silently lost.
 */
export function readAddressList(text: string): AddressRow[] {
  const plain = plainLines(text);
  const seen = new Set<string>();
  const records = [...readCsv(plain, { longestCell: LONGEST_FIELD })];
  const header = headerOf(records) ?? (namedSeparator(plain) && { at: -1, width: 0, columns: [] });
  if (!header)
    return linesOf(plain).flatMap((line) => entriesOf(line.text).map((one) => rowOf(line.row, one, seen)));
  const isRead = (index: number) =>
    header.columns.length === 0 || header.columns.includes(index) || index >= header.width;
  return records.slice(header.at + 1).map(({ line, cells, long }): AddressRow => {
    if (long !== undefined)
      return {
        row: line,
        input: cells[long]!.slice(0, LONGEST),
        status: 'invalid',
        reason: say('cell_too_long', { column: long + 1, max: LONGEST_CELL }),
      };
    const read = cells.filter((_, index) => isRead(index)).map((cell) => cell.trim());
    return rowOfPerson(line, read, seen);
  });
}

/** The only address of a person's row. */
function rowOfPerson(row: number, cells: readonly string[], seen: Set<string>): AddressRow {
  const filled = cells.filter((cell) => cell !== '');
  const addresses = filled.filter((cell) => cell.includes('@')).flatMap(addressesOf);
  const different = new Set(
    addresses.map((address) => {
      const read = normalizeAddress(address);
      return read.ok ? read.email : address;
    }),
  );
  if (different.size <= 1) return rowOf(row, addresses[0] ?? filled[0] ?? '', seen);
  const input = [...different].join(', ').slice(0, LONGEST);
  return { row, input, status: 'invalid', reason: say('several_addresses_in_row') };
}

/** The addresses of a cell: Google writes several as `ann@x.example ::: ann@y.example`. */
function addressesOf(cell: string): string[] {
  if (normalizeAddress(cell).ok) return [cell];
  const entries = cell.split(/[,;\n]|:::/).map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

function rowOf(row: number, entry: string, seen: Set<string>): AddressRow {
  const input = entry.slice(0, LONGEST);
  const address = normalizeAddress(entry);
  if (!address.ok) return { row, input, status: 'invalid', reason: address.reason };
  const { ok: _, ...read } = address;
  if (seen.has(read.email)) return { row, input, ...read, status: 'repeated' };
  seen.add(read.email);
  return { row, input, ...read, status: 'added' };
}

/** The lines that are not empty; lines within an open quote are one. */
function linesOf(text: string): { row: number; text: string }[] {
  const lines = text.split('\n');
  const joined: { row: number; text: string }[] = [];
  for (let at = 0; at < lines.length; ) {
    let length = 1;
    if (hasOpenQuote(lines[at]!)) {
      const closes = lines.slice(at + 1, at + LONGEST_FIELD).findIndex(hasOpenQuote);
      length = closes === -1 ? 1 : closes + 2;
    }
    const line = lines.slice(at, at + length).join('\n');
    if (/[^\s,;]/.test(line)) joined.push({ row: at + 1, text: line });
    at += length;
  }
  return joined;
}

/** Records among which a header is looked for: a title may precede it. */
const HEADER_WITHIN = 10;

interface Header {
  /** Its index among the records; -1 for a table without one. */
  at: number;
  /** Number of its columns: cells to the right of them in a row are read too. */
  width: number;
  /** The columns with addresses; none if no header names one. */
  columns: number[];
}

function headerOf(records: readonly CsvRecord[]): Header | undefined {
  const first = records.findIndex(({ cells }) => cells.some((cell) => cell.includes('@')));
  const top = records.slice(0, Math.min(HEADER_WITHIN, first === -1 ? HEADER_WITHIN : first));
  for (const [at, { cells }] of top.entries()) {
    const columns = cells.flatMap((cell, index) => (isEmailHeader(cell) ? [index] : []));
    if (columns.length > 0) return { at, width: cells.length, columns };
  }
  // A row without addresses above rows of the same width: a header with words that are not known.
  const width = records[0]?.cells.length ?? 0;
  return first === 1 && width > 1 && records[1]?.cells.length === width
    ? { at: 0, width, columns: [] }
    : undefined;
}

/** `Doe, Jane <jane@club.example>; …` has commas within entries: they separate only if no tab or semicolon does. */
function separatorOf(record: string): RegExp {
  if (record.includes('\t')) return /\t/;
  return record.includes(';') ? /;/ : /,/;
}

function entriesOf(record: string): string[] {
  const fields = fieldsOf(record, separatorOf(record)).flatMap((field) =>
    addressesIn(field) > 1 ? fieldsOf(field, /[,;\n]/) : [field],
  );
  const filled = fields.filter((field) => field !== '');
  const addresses = filled.filter((field) => field.includes('@'));
  if (addresses.length === 0) return [record.trim()];
  return addresses.length === 1 ? addresses : filled;
}

function fieldsOf(record: string, separator: RegExp): string[] {
  const fields = [''];
  // In a record with a stray quote, quotes are plain characters.
  const quotes = !hasOpenQuote(record);
  let quoted = false;
  for (const char of record) {
    if (quotes && char === '"') quoted = !quoted;
    if (!quoted && separator.test(char)) fields.push('');
    else fields[fields.length - 1] += char;
  }
  return fields.map((field) => unquote(field.trim()));
}

function unquote(field: string): string {
  const [, inner] = /^"([\s\S]*)"$/.exec(field) ?? [];
  return inner === undefined ? field : inner.replaceAll('""', '"').trim();
}

const hasOpenQuote = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1;
const addressesIn = (text: string): number => text.match(/@/g)?.length ?? 0;

function isLocalPart(text: string): boolean {
  return text.length <= LONGEST_LOCAL_PART && LOCAL_PART.test(text);
}

/** Whether this is a valid DNS name of two labels or more; one whose last label is a number is an IP address. */
function isDomain(text: string): boolean {
  if (!DOMAIN.test(text)) return false;
  const labels = domainToASCII(text).split('.');
  return labels.every((label) => ASCII_LABEL.test(label)) && !/^\d+$/.test(labels.at(-1) ?? '');
}

function refused<C extends Code>(code: C, ...params: Args<C>): ReadAddress {
  return { ok: false, reason: say(code, ...params) };
}
