import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { adminHome } from './admin-nav.ts';
import { definitionList, pageHeader } from './components/structure.ts';
import { type PageProps, page } from './layout.ts';

/** The error that the page explains to the user. */
export interface ErrorPageProps {
  status: number;
  /** Replaces the usual heading of this status. */
  title?: string | undefined;
  /** One or two plain sentences; the usual ones of the status when absent. */
  message?: string | undefined;
  requestId?: string | undefined;
  /** Seconds until it makes sense to try again. */
  retryAfter?: number | undefined;
  /** The same moment as a time of day, for browsers in which no script counts down. */
  retryAt?: string | undefined;
  backHref?: string | undefined;
  area?: PageProps['area'];
  /** On pages of officers and staff. */
  viewer?: Viewer | undefined;
}

const USUAL_TEXTS: Record<number, readonly [title: string, message: string]> = {
  400: [
    'That could not be understood',
    'Something in the form or address was not right. Go back, check it, and send it again.',
  ],
  403: [
    'That is not allowed here',
    'You cannot do this here. If you think that you should be able to, ask an officer.',
  ],
  404: [
    'There is nothing at this address',
    'The link may be incomplete, or what it pointed to was removed. Check that the whole link was copied.',
  ],
  410: ['This page is gone', 'It was retired and will not come back.'],
  413: ['That is too large', 'What you sent is larger than what can be taken. Send less at once.'],
  415: ['That kind of content is not taken here', 'Send it with the form on the page.'],
  429: ['Too many requests at once', 'Nothing is lost.'],
  500: [
    'Something went wrong on our side',
    'It has been noted. Try again in a moment; if it happens again, tell an officer the number below.',
  ],
  503: ['Back in a moment', 'This website is starting, or very busy. Try again shortly.'],
};

/** The page that is sent when a request fails. */
export function errorPage(props: ErrorPageProps): Html {
  const { status, requestId, retryAfter, retryAt, backHref, area, viewer } = props;
  const home = adminHome(viewer);
  const [usualTitle, usualMessage] = USUAL_TEXTS[status] ??
    USUAL_TEXTS[status < 500 ? 400 : 500] ?? ['Something went wrong', ''];
  const title = props.title ?? usualTitle;
  const { message = usualMessage } = props;
  const body = html`${pageHeader({
    title,
    eyebrow: status < 500 ? null : `Error ${status}`,
    lede: html`<span data-what-to-do>${message}</span>`,
  })}
${
  retryAfter !== undefined &&
  html`
<p data-retry-after="${retryAfter}">You can try again in <strong>${waitingTime(
    retryAfter,
  )}</strong>. Load this page again then${
    retryAt && `, at ${retryAt}`
  }; if your browser asks whether to send the form again, say yes.</p>`
}
<p class="toolbar">${
    backHref !== undefined && html`<a class="button" href="${backHref}">Go back</a>`
  }<a class="button button-quiet" href="${home?.href ?? '/'}">${
    home ? `To the page “${home.label}”` : 'To the front page'
  }</a></p>
${requestId !== undefined && definitionList([['Number of this request', html`<code>${requestId}</code>`]])}`;
  const scripts = retryAfter === undefined ? [] : ['base/retry-after.js'];
  return page({ title, body, area, viewer, scripts });
}

/** A waiting time in words. */
function waitingTime(seconds: number): string {
  if (seconds < 2) return 'a second';
  if (seconds < 90) return `${Math.ceil(seconds)} seconds`;
  return `${Math.ceil(seconds / 60)} minutes`;
}
