import { type Child, type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type IconName, icon } from './icons.ts';

/** How a notice is meant; each kind has its own word and sign beside its colour. */
export type NoticeKind = 'info' | 'success' | 'attention' | 'danger';

const KINDS: Record<NoticeKind, { sign: IconName; word: string }> = {
  info: { sign: 'info', word: 'Note' },
  success: { sign: 'check', word: 'Done' },
  attention: { sign: 'warning', word: 'Please note' },
  danger: { sign: 'warning', word: 'Warning' },
};

/** A framed message. `title` is said first, in bold; the kind is spoken where there is none. */
export function notice(kind: NoticeKind, text: Child, title?: string): Html {
  const { sign, word } = KINDS[kind];
  return html`<div class="notice notice-${kind}">${icon(sign)}<div class="notice-body">
${title === undefined ? html`<p class="visually-hidden">${word}:</p>` : html`<p class="notice-title">${title}</p>`}
${isText(text) ? html`<p>${text}</p>` : text}
</div></div>`;
}

/** A problem as a sentence that names the field, unless the message is one without it. */
export function problemSentence(label: string, message: string): string {
  return /^\p{Lu}/u.test(message) ? `${message}.` : `${label} ${message}.`;
}

/**
 * The list of what to put right, at the top of a form. `idOf` names the element a problem belongs to;
 * the summary takes the focus when the page opens.
 */
export function errorSummary(
  errors: readonly FieldError[],
  idOf: (path: string) => string = (path) => path,
  title = 'Something needs your attention',
): Html | null {
  if (errors.length === 0) return null;
  return html`<div class="notice notice-danger" id="errors" role="alert" tabindex="-1">${icon('warning')}<div class="notice-body">
<h2 class="notice-title error-title">${title}</h2>
<ul class="error-links" role="list">${errors.map(({ path, message }) => html`<li><a class="error-link" href="#${idOf(path)}">${message}</a></li>`)}</ul>
</div></div>`;
}

/** What stands where a list has nothing in it yet. */
export function empty(title: string, text: Child, action?: Html): Html {
  return html`<div class="empty"><p class="said">${title}</p><p>${text}</p>${action}</div>`;
}

function isText(child: Child): child is string {
  return typeof child === 'string';
}
