/** Without the characters that no XML may hold, and halves of pairs. Tabs and ends of lines stay. */
export const withoutControls = (text: string): string =>
  text
    .replaceAll('\r\n', '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
    .replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\ufffe\uffff]/g, '')
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');
