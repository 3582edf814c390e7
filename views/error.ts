import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { adminHome } from './admin-nav.ts';
import { definitionList, pageHeader } from './components/structure.ts';
import { type PageProps, page } from './layout.ts';

/** The error that the page explains to the user. */
export interface ErrorPageProps {
  status: number;
  /** One or two plain sentences; the usual ones of the status when absent. */
  message?: Words | undefined;
  requestId?: string | undefined;
  /** Seconds until it makes sense to try again. */
  retryAfter?: number | undefined;
  /** The same moment as a time of day, for browsers in which no script counts down. */
  retryAt?: Words | undefined;
  backHref?: string | undefined;
  area?: PageProps['area'];
  /** On pages of officers and staff. */
  viewer?: Viewer | undefined;
}

const USUAL_TEXTS = {
  400: [t('errors.status.bad_request.title'), t('errors.status.bad_request.message')],
  403: [t('errors.status.forbidden.title'), t('errors.status.forbidden.message')],
  404: [t('errors.status.not_found.title'), t('errors.status.not_found.message')],
  410: [t('errors.status.gone.title'), t('errors.status.gone.message')],
  413: [t('errors.status.too_large.title'), t('errors.status.too_large.message')],
  415: [t('errors.status.other_type.title'), t('errors.status.other_type.message')],
  429: [t('errors.status.too_many.title'), t('errors.status.too_many.message')],
  500: [t('errors.status.failed.title'), t('errors.status.failed.message')],
  503: [t('errors.status.busy.title'), t('errors.status.busy.message')],
} as const satisfies Record<number, readonly [title: Words, message: Words]>;

const usualTexts = (status: number): readonly [title: Words, message: Words] =>
  USUAL_TEXTS[status as keyof typeof USUAL_TEXTS] ?? USUAL_TEXTS[status < 500 ? 400 : 500];

/** What pages say about a status where the error has no words of its own for them. */
export const usualMessage = (status: number): Words => usualTexts(status)[1];

/** The page that is sent when a request fails. */
export function errorPage(props: ErrorPageProps): Html {
  const { status, requestId, retryAfter, retryAt, backHref, area, viewer } = props;
  const home = adminHome(viewer);
  const [title, usual] = usualTexts(status);
  const { message = usual } = props;
  const body = html`${pageHeader({
    title,
    eyebrow: status < 500 ? null : t('errors.page.number', { status: String(status) }),
    lede: html`<span data-what-to-do>${message}</span>`,
  })}
${
  retryAfter !== undefined &&
  html`
<p data-retry-after="${retryAfter}">${retrySentence(retryAfter, retryAt)}</p>`
}
<p class="toolbar">${
    backHref !== undefined && html`<a class="button" href="${backHref}">${t('errors.page.back')}</a>`
  }<a class="button button-quiet" href="${home?.href ?? '/'}">${
    home ? t('errors.page.to_page', { page: home.label }) : t('errors.page.to_front_page')
  }</a></p>
${requestId !== undefined && definitionList([[t('errors.page.request'), html`<code>${requestId}</code>`]])}`;
  const scripts = retryAfter === undefined ? [] : ['base/retry-after.js'];
  return page({ title, body, area, viewer, scripts });
}

function retrySentence(seconds: number, at: Words | undefined): Words {
  const wait =
    seconds < 90
      ? t('errors.page.wait_seconds', { seconds: Math.max(1, Math.ceil(seconds)) })
      : t('errors.page.wait_minutes', { minutes: Math.ceil(seconds / 60) });
  const values = { wait, strong: (inside: Words) => html`<strong>${inside}</strong>` };
  return at === undefined
    ? t('errors.page.retry', values)
    : t('errors.page.retry_at', { ...values, time: at });
}
