// Modules in this folder run in browsers too: they import each other alone and use nothing of Node.

/** An inclusion code as it is shown: 32 hexadecimal digits in groups of four. */
export const formatCode = (code: string): string => (code.match(/.{1,4}/g) ?? []).join(' ');

/** Reads an inclusion code in any spelling: letter case, spaces and dashes do not matter. Undefined when it is none. */
export function parseCode(text: string): string | undefined {
  const code = text.replace(/[\s\-–—_.]/g, '').toLowerCase();
  return /^[0-9a-f]{32}$/.test(code) ? code : undefined;
}
