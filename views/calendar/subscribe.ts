import { type Child, type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type PageProps, page } from '#views/layout.ts';
import { CALENDAR_LINK, PROGRAMME_LINK } from '#views/patron-nav.ts';

/** Why a request was refused, by the value of `?error=`. */
export const SIGN_UP_ERRORS = {
  name: 'Please give a name of at most 100 characters.',
  email: 'That does not look like an e-mail address. Please check it.',
  challenge: 'Please answer the small challenge above the button, then send the form again.',
  closed: 'The calendar is switched off at the moment. Please come back later.',
  input: 'Something in the form was not right. Please fill it in again.',
} as const;

/** For visitors; the officers' page names the missing settings. */
const NO_MAIL = html`<p>Nobody can subscribe yet, as the club sends no mails from here.
Until then, look at <a href="${PROGRAMME_LINK.href}">all events of the season</a>.</p>`;

export type SignUpError = keyof typeof SIGN_UP_ERRORS;

/** The data of the form that requests a link. */
export interface SignUpProps {
  error?: SignUpError | undefined;
  enabled: boolean;
  /** False where no mail, and so no link, can be sent. */
  canMail: boolean;
  /** Set where the form has a challenge against bots. */
  challenge?: { siteKey: string; script: string } | undefined;
}

/** The page to get the programme in a calendar. */
export function subscribePage(props: SignUpProps): Html {
  const body = html`${pageHeader({
    title: CALENDAR_LINK.label,
    lede: 'Everything the club plans, in the calendar you already use. It keeps itself up to date.',
  })}
${signUp(props)}
${
  props.enabled &&
  props.canMail &&
  html`<section class="panel"><h2>How it works</h2>
<ol><li>You give your address, and we send you a mail.</li><li>You press the button in it.</li>
<li>You choose your calendar: Apple, Google, Outlook or any other.</li></ol>
<p>There is nothing to install and no account. You can stop at any time, with one click
in every mail. <a href="${PROGRAMME_LINK.href}">${PROGRAMME_LINK.label}</a></p></section>`
}`;
  return calendarPage({ title: CALENDAR_LINK.label, body, ...formHead(props) });
}

/** The page after the form was sent: it says what to do next. */
export function sentPage(): Html {
  const body = html`${pageHeader({
    title: 'Check your mail',
    lede: 'A mail with a link is on its way to you.',
  })}
<ol><li>Open the mail on any device and press <strong>Confirm</strong>. The link works for 30 minutes.</li>
<li>Choose your calendar on the page that opens.</li></ol>
<p>If no mail comes within a few minutes, look in the spam folder,
or <a href="/subscribe-programs">ask again</a>. For one address that is possible once a minute.</p>`;
  return calendarPage({ title: 'Check your mail', body });
}

/** The page that the mail links to. Opening it changes nothing, because programs that scan mails open it too. */
export function confirmPage({ code }: { code: string }): Html {
  const body = html`${pageHeader({
    title: 'Confirm your subscription',
    lede: 'One click, and you get the addresses for your calendar.',
  })}
<form class="actions" method="get" action="/api/subs/verify"><input type="hidden" name="calendar_id" value="programs"><input type="hidden" name="v" value="${code}">
<button class="button button-large">Confirm</button></form>
<p class="small soft">The link in your mail works once. If it was not you who asked for it, close this page; nothing
happens.</p>`;
  return calendarPage({ title: 'Confirm your subscription', body });
}

/** A page that says why something did not work, with the form to request a new link. */
export function refusedPage({ title, text, ...form }: SignUpProps & { title: string; text: Child }): Html {
  const body = html`${pageHeader({ title, lede: text })}${
    form.enabled &&
    form.canMail &&
    html`
  <section class="panel"><h2>Ask for a new link</h2>${signUp(form)}</section>`
  }`;
  return calendarPage({ title, body, ...formHead(form) });
}

type CalendarPageHead = Pick<PageProps, 'scripts' | 'head'>;

/** A page of the calendar. */
export function calendarPage(
  props: Pick<PageProps, 'title' | 'body' | 'nav' | 'givesAddress'> & CalendarPageHead,
): Html {
  return page({
    nav: CALENDAR_LINK.href,
    ...props,
    styles: 'guests',
    head: (site) =>
      html`<meta name="robots" content="noindex">\n${
        typeof props.head === 'function' ? props.head(site) : props.head
      }`,
  });
}

function formHead({ challenge, enabled, canMail }: SignUpProps): CalendarPageHead {
  if (!enabled || !canMail) return {};
  return {
    scripts: ['calendar/subscribe.js'],
    head: challenge && html`<script src="${challenge.script}" async defer></script>`,
  };
}

function signUp({ error, enabled, canMail, challenge }: SignUpProps): Html {
  if (!enabled) return notice('info', SIGN_UP_ERRORS.closed);
  if (!canMail) return notice('info', NO_MAIL);
  const own = error === 'name' || error === 'email' ? error : undefined;
  return html`<form method="post" action="/api/subs/new?calendar_id=programs" data-subscribe>
<div role="alert" data-refusal>${error && !own && notice('danger', SIGN_UP_ERRORS[error])}</div>
${field({
  name: 'name',
  label: 'Your name',
  maxlength: 100,
  autocomplete: 'name',
  error: own === 'name' ? SIGN_UP_ERRORS.name : undefined,
})}
${field({
  name: 'email',
  label: 'Your e-mail address',
  type: 'email',
  maxlength: 254,
  autocomplete: 'email',
  hint: 'We use it for this calendar and nothing else.',
  error: own === 'email' ? SIGN_UP_ERRORS.email : undefined,
})}
${
  challenge &&
  html`
<div class="challenge cf-turnstile" data-sitekey="${challenge.siteKey}"
data-response-field-name="turnstile_token"></div>
<noscript>${notice(
    'attention',
    'The small challenge that keeps robots out needs JavaScript. Please switch it on for this page.',
  )}</noscript>`
}
<div class="actions"><button class="button button-large">Send me the link</button></div></form>`;
}
