import { decodeText, wideEncoding } from '#kernel/shared/decode.js';

const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

/**
 * Returns the unfolded lines of a calendar file. Joins the bytes before decoding them, because a program may fold in
 * the middle of a character. Lines may end with LF alone; empty lines, spaces before the first line and a byte order
 * mark are dropped.
 * @param charset of the Content-Type, for a file that is not in UTF-8
 */
export function unfoldBytes(bytes: Uint8Array, charset?: string): string[] {
  const wide = wideEncoding(bytes);
  const source = wide
    ? Buffer.from(new TextDecoder(wide).decode(bytes))
    : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const joined = Buffer.allocUnsafe(source.length + 1);
  let size = 0;
  for (let at = 0; at < source.length; ) {
    const found = source.indexOf(LF, at);
    const end = found === -1 ? source.length : found;
    let last = end;
    while (last > at && source[last - 1] === CR) last -= 1;
    // A line that begins with a space or a tab continues the previous one.
    const folded = at > 0 && (source[at] === SPACE || source[at] === TAB);
    if (folded && size > 0 && last > at) size -= 1;
    const from = folded && last > at ? at + 1 : at;
    size += source.copy(joined, size, from, last);
    joined[size] = LF;
    size += 1;
    at = end + 1;
  }
  const text = decodeText(joined.subarray(0, size), charset).text.trimStart();
  return text.split('\n').filter((line) => line !== '');
}
