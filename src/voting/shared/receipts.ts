// Modules in this folder also run in browsers: they import only types and each other, and use no Node API.

/** An inclusion code as it is shown: 32 hexadecimal digits in groups of four. */
export const formatCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join(' ');

/**
 * Reads an inclusion code in any letter case and width, with any spaces, dashes and quotation marks; undefined for
 * other texts.
 */
export function parseCode(text: string): string | undefined {
  const code = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]|[\p{Lm}\u3164\u115f\u1160]/gu, '')
    .toLowerCase();
  return /^[0-9a-f]{32}$/.test(code) ? code : undefined;
}
