import { inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { page, send } from '#test/support/factories.ts';
import { openRoom } from './a-meeting.ts';

/** The files of an archive, by name, found by its central directory. */
function unzip(archive: Buffer): Record<string, string> {
  const end = archive.lastIndexOf('PK\x05\x06');
  const files: Record<string, string> = {};
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    expect(archive.toString('latin1', at, at + 4)).toBe('PK\x01\x02');
    const [size, length, extra, note] = [20, 28, 30, 32].map((field) =>
      field === 20 ? archive.readUInt32LE(at + field) : archive.readUInt16LE(at + field),
    ) as [number, number, number, number];
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    const local = archive.readUInt32LE(at + 42);
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    files[name] = inflateRawSync(archive.subarray(start, start + size)).toString('utf8');
    at += 46 + length + extra + note;
  }
  return files;
}

/** Throws unless every element is closed, and every text has only characters and entities of XML. */
function ensureWellFormed(xml: string): void {
  const open: string[] = [];
  const body = xml.replace(/^<\?xml [^>]*\?>\n/, '');
  for (const [token] of body.matchAll(/<[^>]*>|[^<]+/g)) {
    const [, closes, name, empty] = /^<(\/?)([\w:]+)(?: [\w:]+="[^"<&]*")*(\/?)>$/.exec(token) ?? [];
    if (name === undefined) {
      expect(token).toMatch(/^(?:[^&<]|&(?:amp|lt|gt|quot|#39);)+$/);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no XML may hold them.
      expect(token).not.toMatch(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/);
      expect(token.isWellFormed()).toBe(true);
    } else if (closes) expect(open.pop()).toBe(name);
    else if (!empty) open.push(name);
  }
  expect(open).toEqual([]);
}

const HOSTILE = 'A & "b" <i>c</i> | # x [y](javascript:z) `d` \\';

it('what people wrote is text in every format', async () => {
  await using one = await openRoom({ title: `AGM ${HOSTILE}` });
  await one.arrive(['Ann']);
  const text = `${HOSTILE}\n# heading\n- list\n1. one\n> quote\n<script>alert(1)</script>\n\n\u0001\u0008\ufffe\ud800end`;
  const item = await one.add({ kind: 'motion', title: HOSTILE, text, mover: HOSTILE });
  const texts = { objections: text, items: { [item.id]: text }, seat: HOSTILE };
  expect((await send(one.service, 'PATCH', `${one.base}/minutes`, { texts })).statusCode).toBe(200);

  const word = await one.service.get(`${one.base}/minutes.docx`);
  expect([word.headers['content-type'], word.headers['content-disposition']]).toEqual([
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'attachment; filename="minutes-1.docx"',
  ]);
  const files = unzip(word.rawPayload);
  expect(Object.keys(files)).toEqual([
    '[Content_Types].xml',
    '_rels/.rels',
    'docProps/core.xml',
    'word/document.xml',
    'word/styles.xml',
    'word/settings.xml',
    'word/_rels/document.xml.rels',
  ]);
  for (const xml of Object.values(files)) ensureWellFormed(xml);
  const document = files['word/document.xml']!;
  expect(document).toContain('A &amp; &quot;b&quot; &lt;i&gt;c&lt;/i&gt;');
  expect(document).toContain('<w:br/><w:t xml:space="preserve"># heading</w:t>');
  // Each style that is named is there.
  const named = new Set([...document.matchAll(/w:(?:p|tbl)Style w:val="(\w+)"/g)].map(([, name]) => name));
  expect([...named].filter((name) => !files['word/styles.xml']!.includes(`w:styleId="${name}"`))).toEqual([]);
  // Each part has its type and is referred to, and each table its columns and a paragraph behind it.
  const valuesOf = (xml: string, name: string) =>
    [...xml.matchAll(new RegExp(` ${name}="([^"]+)"`, 'g'))].map(([, value]) => value!);
  const parts = Object.keys(files).filter((name) => !/rels$|^\[/.test(name));
  expect(valuesOf(files['[Content_Types].xml']!, 'PartName').sort()).toEqual(
    parts.map((name) => `/${name}`).sort(),
  );
  const targets = [
    ...valuesOf(files['_rels/.rels']!, 'Target'),
    ...valuesOf(files['word/_rels/document.xml.rels']!, 'Target').map((name) => `word/${name}`),
  ];
  expect(targets.sort()).toEqual(parts.sort());
  const tables = document.match(/<w:tbl>.*?<\/w:tbl>.{5}/gs) ?? [];
  expect(tables.length).toBeGreaterThan(0);
  for (const table of tables) {
    const cells = table
      .split('<w:tr>')
      .slice(1)
      .map((row) => row.split('<w:tc>').length - 1);
    expect(new Set(cells)).toEqual(new Set([valuesOf(table.split('</w:tblGrid>')[0]!, 'w:w').length - 1]));
    expect(table).toMatch(/<\/w:tbl><w:p>/);
  }

  const markdown = (await one.service.get(`${one.base}/minutes.md`)).body;
  expect(markdown).toContain('A \\& "b" \\<i\\>c\\</i\\> \\| \\# x \\[y\\](javascript:z) \\`d\\` \\\\');
  expect(markdown).toContain('> \\# heading\\\n> \\- list\\\n> 1\\. one\\\n> \\> quote\\\n> \\<script\\>');
  expect(markdown.match(/^# /gm)).toHaveLength(1);

  const read = (await page(one.service, `${one.base}/minutes`)).body;
  expect(read).not.toContain('<i>');
  expect(read).not.toContain('<script>alert');
});
