import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { Block, Signature, SignerRole } from '#meetings/minutes/versions.ts';
import { inClubLanguage } from '#views/components/slots.ts';
import { definitionList, plainText } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';

export const ROLE_WORDS: Record<SignerRole, Words> = {
  chair: t('meetings.minutes.chair'),
  secretary: t('meetings.minutes.secretary'),
};

/** Signatures in words, and a line for each that is missing. Times are already formatted. */
export interface ShownSignature extends Pick<Signature, 'as' | 'name'> {
  when: Words;
}

/** Who has signed, in the order of the roles; a role without a signature has none. */
export const signatureLines = (signatures: readonly ShownSignature[]): [role: Words, said: Words | null][] =>
  (['chair', 'secretary'] as const).map((role) => {
    const own = signatures.find((one) => one.as === role);
    return [
      ROLE_WORDS[role],
      own ? t('meetings.minutes.signed_by', { name: own.name, when: own.when }) : null,
    ];
  });

/** The minutes as they are read and printed, in the club's language. The title is that of the page. */
export function minutesArticle(blocks: readonly Block[], signatures: readonly ShownSignature[]): Html {
  const annexes = blocks.findIndex(({ is }) => is === 'annex');
  const [own, further] = annexes < 0 ? [blocks, []] : [blocks.slice(0, annexes), blocks.slice(annexes)];
  return inClubLanguage(
    (
      lang,
    ) => html`<article class="minutes"${lang} aria-label="${t('meetings.minutes.title')}">${own.map(blockHtml)}
<div class="minutes-signatures keep-together">${signatureLines(signatures).map(
      ([role, said]) =>
        html`<p>${said ?? html`<span class="minutes-line"></span>`}<br><span class="small soft">${role}</span></p>`,
    )}</div>
${further.map(blockHtml)}</article>`,
  );
}

/** The entries of a list with their numbers: `8a. New lamps`. */
export const numbered = ({ items, numbers }: Extract<Block, { is: 'list' }>): string[] =>
  items.map((item, index) => `${numbers?.[index] ?? index + 1}. ${item}`);

function blockHtml(block: Block): Html {
  switch (block.is) {
    case 'title':
      return html`<h2 class="minutes-title">${block.text}</h2>`;
    case 'heading':
      return html`<h3>${block.text}</h3>`;
    case 'annex':
      return html`<h3 class="minutes-annex">${block.text}</h3>`;
    case 'note':
      return html`<p class="small soft minutes-note">${block.text}</p>`;
    case 'wording':
      return html`<blockquote class="wording">${plainText(block.text)}</blockquote>`;
    case 'text':
      return plainText(block.text);
    case 'facts':
      return definitionList(block.rows);
    case 'list':
      return block.numbers
        ? html`<ul class="minutes-list" role="list">${numbered(block).map((line) => html`<li>${line}</li>`)}</ul>`
        : html`<ol class="minutes-list">${block.items.map((item) => html`<li>${item}</li>`)}</ol>`;
    case 'table':
      return table({ caption: block.caption, scrolls: true, columns: block.columns, rows: block.rows });
  }
}
