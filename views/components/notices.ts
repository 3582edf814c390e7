import { type Child, Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { Words } from '#kernel/language/words.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { namedErrors, type ShownError } from './entered.ts';
import { type IconName, icon } from './icons.ts';
import { listed } from './numbers.ts';

/** The kind of a notice; each has its own word and icon beside its colour. */
export type NoticeKind = 'info' | 'success' | 'attention' | 'danger';

const KINDS: Record<NoticeKind, { sign: IconName; word: string }> = {
  info: { sign: 'info', word: 'Note' },
  success: { sign: 'check', word: 'Done' },
  attention: { sign: 'warning', word: 'Please note' },
  danger: { sign: 'warning', word: 'Warning' },
};

/** A framed message. `title` comes first, in bold; without one, screen readers hear the word of the kind. */
export function notice(kind: NoticeKind, text: Child, title?: Words | string): Html {
  const { sign, word } = KINDS[kind];
  return html`<div class="notice notice-${kind}">${icon(sign)}<div class="notice-body">
${title === undefined ? html`<p class="visually-hidden">${word}:</p>` : html`<p class="notice-title">${title}</p>`}
${isText(text) ? html`<p>${text}</p>` : text}
</div></div>`;
}

/**
 * The list of what to correct, at the top of a form. `idOf` names the element that a problem belongs to;
 * the summary gets the focus when the page opens.
 */
export function errorSummary(
  errors: readonly ShownError[],
  idOf: (path: string) => string = (path) => path,
  title: Words | string = 'Something needs your attention',
): Html | null {
  if (errors.length === 0) return null;
  return html`<div class="notice notice-danger" id="errors" role="alert" tabindex="-1" autofocus>${icon('warning')}
  <div class="notice-body">
<h2 class="notice-title error-title">${title}</h2>
<ul class="error-links" role="list">${errors.map(
    ({ path, message }) => html`
<li><a class="error-link" href="#${idOf(path)}">${message}</a></li>`,
  )}</ul>
</div></div>`;
}

/** The problems of a refused form: a link to each field that has one, or one sentence. */
export function refusedNotice(
  refused: Pick<RefusedForm, 'errors' | 'message'> | undefined,
  labels: Readonly<Record<string, Words | string>>,
  idOf?: (path: string) => string,
  what: 'changed' | 'saved' | 'sent' = 'changed',
): Html | null {
  if (!refused) return null;
  const { errors, message } = refused;
  if (errors.length > 0) return errorSummary(namedErrors(errors, labels), idOf, `Nothing was ${what} yet`);
  return html`<div id="errors" role="alert" tabindex="-1" autofocus>${notice('danger', message, `Nothing was ${what}`)}</div>`;
}

/** The placeholder of an empty list. */
export function empty(title: Words | string, text: Child, action?: Html): Html {
  return html`<div class="empty"><p class="said">${title}</p><p>${text}</p>${action}</div>`;
}

const isText = (child: Child): boolean =>
  typeof child === 'string' || (child instanceof Words && !(child instanceof Html));

const MAIL_SETTINGS = groupPath('mail');

/**
 * Says what is entered in the settings before mail can be sent.
 * @param needed of the mailer
 * @param mayEnter whether the reader may change the settings; others are told who may
 */
export function enterMail(needed: readonly string[], mayEnter: boolean): Html {
  const what = listed(neededInWords(needed));
  return mayEnter
    ? html`Enter ${what} in <a href="${MAIL_SETTINGS}">the settings of mail</a>.`
    : html`An owner enters ${what} in the settings.`;
}

/** Shown wherever mail is otherwise said to work: in production nobody looks into a folder. */
export const folderNotice = (mayEnter: boolean): Html =>
  notice(
    'danger',
    html`<p>The folder is on the server. ${
      mayEnter
        ? html`<a href="${MAIL_SETTINGS}">The settings of mail</a> say what to do.`
        : 'An owner enters a mail server in the settings.'
    }</p>`,
    'Mails are written into a folder: nobody gets them',
  );
