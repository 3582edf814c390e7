export interface ParsedMail {
  /** By lower-case name, unfolded; the values of a repeated header are joined by line breaks. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** An attached calendar file. */
  calendar: string;
  /** The content types of its parts. */
  types: string[];
}

/** Parses the kinds of message that we send: headers, a text part, an HTML part, and inline pictures. */
export function parseMail(source: string): ParsedMail {
  const { headers, body } = splitMessage(source);
  const parts = leavesOf({ headers, body });
  const partOf = (type: string) =>
    parts.filter((part) => part.headers['content-type']?.startsWith(type)).map(decodeBody);
  return {
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, decodeWords(value)])),
    text: partOf('text/plain').join(''),
    html: partOf('text/html').join(''),
    calendar: partOf('text/calendar').join(''),
    types: parts.map((part) => part.headers['content-type'] ?? ''),
  };
}

interface Part {
  headers: Record<string, string>;
  body: string;
}

/** Returns the leaf parts, however deeply nested. */
function leavesOf({ headers, body }: Part): Part[] {
  const [, boundary] = /boundary="([^"]+)"/.exec(headers['content-type'] ?? '') ?? [];
  return boundary === undefined ? [{ headers, body }] : partsOf(body, boundary).flatMap(leavesOf);
}

function partsOf(body: string, boundary: string): Part[] {
  return body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => splitMessage(part.replace(/^\r\n/, '')));
}

function splitMessage(source: string): Part {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const headers: Record<string, string> = {};
  for (const line of head.replace(/\r\n[ \t]+/g, ' ').split('\r\n')) {
    const [, name = '', value = ''] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value : `${headers[key]}\n${value}`;
  }
  return { headers, body: rest.join('\r\n\r\n') };
}

function decodeBody({ headers, body }: Part): string {
  const encoding = headers['content-transfer-encoding'];
  const text = body.replace(/\r\n$/, '');
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text.replaceAll('\r\n', '\n');
  return decodeHex(text.replace(/=\r\n/g, '')).replaceAll('\r\n', '\n');
}

/** RFC 2047: `=?UTF-8?Q?Caf=C3=A9?=`. */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_word, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeHex(text.replaceAll('_', ' ')),
    );
}

function decodeHex(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const decoded = bytes.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1').toString('utf8');
}
