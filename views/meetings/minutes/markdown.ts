import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import type { Block } from '#meetings/minutes/versions.ts';
import { numbered, type ShownSignature, signatureLines } from './article.ts';
import { withoutControls } from './characters.ts';

/** The minutes as Markdown. What people wrote is text: it makes no heading, link, table or HTML. */
export function minutesMarkdown(blocks: readonly Block[], signatures: readonly ShownSignature[]): string {
  const signed = signatureLines(signatures).map(
    ([role, said]) => `- ${named(role, said ? inline(said.for(clubReader())) : '\\_'.repeat(20))}`,
  );
  const annexes = blocks.findIndex(({ is }) => is === 'annex');
  const at = annexes < 0 ? blocks.length : annexes;
  const parts = blocks
    .map(blockText)
    .toSpliced(at, 0, `## ${t('meetings.minutes.signatures').for(clubReader())}\n\n${signed.join('\n')}`);
  return `${parts.join('\n\n')}\n`;
}

const named = (name: Words | string, value: string): string =>
  t('common.named', { name, value }).for(clubReader());

function blockText(block: Block): string {
  switch (block.is) {
    case 'title':
      return `# ${inline(block.text)}`;
    case 'heading':
    case 'annex':
      return `## ${inline(block.text)}`;
    case 'note':
      return lines(block.text).join('\\\n');
    case 'text':
      return lines(block.text).join('\\\n');
    case 'wording':
      return lines(block.text)
        .map((line) => `> ${line}`)
        .join('\\\n');
    case 'facts':
      return block.rows.map(([term, value]) => `- ${named(inline(term), inline(value))}`).join('\n');
    case 'list':
      // “8a.” begins no list.
      return block.numbers
        ? numbered(block)
            .map((line) => `- ${inline(line)}`)
            .join('\n')
        : block.items.map((item, index) => `${index + 1}. ${inline(item)}`).join('\n');
    case 'table':
      return [
        row(block.columns.map(({ label }) => label)),
        `|${block.columns.map(({ number }) => (number ? '---:' : '---')).join('|')}|`,
        ...block.rows.map(row),
      ].join('\n');
  }
}

const row = (cells: readonly string[]): string => `| ${cells.map(inline).join(' | ')} |`;

/** Lines that are not empty: an empty one would end the paragraph. */
const lines = (text: string): string[] =>
  text
    .split('\n')
    .map(inline)
    .filter((line) => line !== '');

/** A text in one line, with every character escaped that Markdown or HTML would read. */
function inline(text: string): string {
  return withoutControls(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]{}<>|~&#$^!]/g, '\\$&')
    .replace(/^([-+=]|\d+(?=[.)]))/, (start) => (/\d/.test(start) ? start : `\\${start}`))
    .replace(/^(\d+)([.)])/, '$1\\$2');
}
