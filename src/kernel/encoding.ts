const SAMPLE = 512;
/** Bytes of UTF-8 beyond ASCII, and bytes that are not part of any. */
const SEQUENCE = /[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}|([\x80-\xff])/g;

/**
 * Decodes the bytes of a file that people or other programs made: by its byte order mark, as UTF-16 if every second
 * byte is zero, else as UTF-8. Bytes that are not UTF-8 are read in the named charset, else as Windows-1252; if most of
 * them are UTF-8, the few others become U+FFFD. The byte order mark is removed.
 * @param charset of the Content-Type; unknown names are ignored
 */
export function decodeBytes(bytes: Uint8Array, charset?: string): string {
  const wide = wideEncoding(bytes);
  if (wide) return new TextDecoder(wide).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const named = charset === undefined ? undefined : decoderOf(charset);
    return (named ?? new TextDecoder(isMostlyUtf8(bytes) ? 'utf-8' : 'windows-1252')).decode(bytes);
  }
}

/** Returns the encoding of a file in UTF-16, with or without a byte order mark; undefined for any other file. */
export function wideEncoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLE);
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd <= sample.length / 4) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}

function isMostlyUtf8(bytes: Uint8Array): boolean {
  let balance = 0;
  for (const [, other] of Buffer.from(bytes).toString('latin1').matchAll(SEQUENCE))
    balance += other === undefined ? 1 : -1;
  return balance > 0;
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset.trim());
  } catch {
    return undefined;
  }
}
