import { type Child, Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import { Words } from '#kernel/language/words.ts';
import { neededInWords } from '#kernel/mail/message.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { namedErrors, type ShownError } from './entered.ts';
import { type IconName, icon } from './icons.ts';
import { linkTo } from './slots.ts';

/** The kind of a notice; each has its own word and icon beside its colour. */
export type NoticeKind = 'info' | 'success' | 'attention' | 'danger';

const KINDS: Record<NoticeKind, { sign: IconName; word: Words }> = {
  info: { sign: 'info', word: t('common.notices.note') },
  success: { sign: 'check', word: t('common.notices.done') },
  attention: { sign: 'warning', word: t('common.notices.please_note') },
  danger: { sign: 'warning', word: t('common.notices.warning') },
};

/** A framed message. `title` comes first, in bold; without one, screen readers hear the word of the kind. */
export function notice(kind: NoticeKind, text: Child, title?: Words | string): Html {
  const { sign, word } = KINDS[kind];
  return html`<div class="notice notice-${kind}">${icon(sign)}<div class="notice-body">
${title === undefined ? html`<p class="visually-hidden">${word}</p>` : html`<p class="notice-title">${title}</p>`}
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
  title: Words | string = t('common.notices.look_again'),
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

/** What a refused form did not do; above the problems of its fields, that it has not done it yet. */
const NOTHING_WAS = {
  changed: {
    title: t('common.notices.not_changed'),
    titleOfFields: t('common.notices.not_changed_yet'),
  },
  saved: { title: t('common.notices.not_saved'), titleOfFields: t('common.notices.not_saved_yet') },
  sent: { title: t('common.notices.not_sent'), titleOfFields: t('common.notices.not_sent_yet') },
};

/** The problems of a refused form: a link to each field that has one, or one sentence. */
export function refusedNotice(
  refused: (Pick<RefusedForm, 'errors'> & { message: Words | string }) | undefined,
  labels: Readonly<Record<string, Words | string>>,
  idOf?: (path: string) => string,
  what: keyof typeof NOTHING_WAS = 'changed',
): Html | null {
  if (!refused) return null;
  const { errors, message } = refused;
  const { title, titleOfFields } = NOTHING_WAS[what];
  if (errors.length > 0) return errorSummary(namedErrors(errors, labels), idOf, titleOfFields);
  return html`<div id="errors" role="alert" tabindex="-1" autofocus>${notice('danger', message, title)}</div>`;
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
  const what = allOf(neededInWords(needed));
  return mayEnter
    ? html`${t('settings.mail_notice.enter', { what, link: linkTo(MAIL_SETTINGS) })}`
    : html`${t('settings.mail_notice.ask_owner', { what })}`;
}

/** Shown wherever mail is otherwise said to work: in production nobody looks into a folder. */
export const folderNotice = (mayEnter: boolean): Html =>
  notice(
    'danger',
    mayEnter
      ? t('settings.mail_notice.folder_settings', { link: linkTo(MAIL_SETTINGS) })
      : t('settings.mail_notice.folder_ask'),
    t('settings.mail_notice.folder_title'),
  );
