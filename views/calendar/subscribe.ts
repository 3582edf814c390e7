import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { linkTo, strong } from '#views/components/slots.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type PageProps, page } from '#views/layout.ts';
import { CALENDAR_LINK, PROGRAMME_LINK } from '#views/patron-nav.ts';

/** Why a request was refused, by the value of `?error=`. */
export const SIGN_UP_ERRORS = {
  name: t('calendar.subscribe.name_too_long'),
  email: t('calendar.subscribe.look_like_e_mail_address'),
  challenge: t('calendar.subscribe.please_answer_small_challenge_above'),
  closed: t('calendar.subscribe.calendar_switched_off_moment_please'),
  input: t('calendar.subscribe.something_form_right_please_fill'),
} as const;

/** For visitors; the officers' page names the missing settings. */
const NO_MAIL = html`<p>${t('calendar.subscribe.subscribe_yet_club_sends_mails', { link: linkTo(PROGRAMME_LINK.href) })}</p>`;

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
    lede: t('calendar.subscribe.everything_club_plans_calendar_already'),
  })}
${signUp(props)}
${
  props.enabled &&
  props.canMail &&
  html`<section class="panel"><h2>${t('calendar.subscribe.how_works')}</h2>
<ol><li>${t('calendar.subscribe.give_address_send_mail')}</li><li>${t('calendar.subscribe.press_button')}</li>
<li>${t('calendar.subscribe.choose_calendar_apple_google_outlook')}</li></ol>
<p>${t('calendar.subscribe.nothing_to_install')} <a href="${PROGRAMME_LINK.href}">${PROGRAMME_LINK.label}</a></p></section>`
}`;
  return calendarPage({ title: CALENDAR_LINK.label, body, ...formHead(props) });
}

/** The page after the form was sent: it says what to do next. */
export function sentPage(): Html {
  const body = html`${pageHeader({
    title: t('calendar.subscribe.check_mail'),
    lede: t('calendar.subscribe.mail_link_way'),
  })}
<ol><li>${t('calendar.subscribe.open_mail_any_device_press', { strong })}</li>
<li>${t('calendar.subscribe.choose_calendar_page_opens')}</li></ol>
<p>${t('calendar.subscribe.mail_comes_within_few_minutes', { link: linkTo('/subscribe-programs') })}</p>`;
  return calendarPage({ title: t('calendar.subscribe.check_mail'), body });
}

/** The page that the mail links to. Opening it changes nothing, because programs that scan mails open it too. */
export function confirmPage({ code }: { code: string }): Html {
  const body = html`${pageHeader({
    title: t('calendar.subscribe.confirm_subscription'),
    lede: t('calendar.subscribe.click_get_addresses_calendar'),
  })}
<form class="actions" method="get" action="/api/subs/verify"><input type="hidden" name="calendar_id" value="programs"><input type="hidden" name="v" value="${code}">
<button class="button button-large">${t('calendar.subscribe.confirm')}</button></form>
<p class="small soft">${t('calendar.subscribe.link_mail_works_once_who')}</p>`;
  return calendarPage({ title: t('calendar.subscribe.confirm_subscription'), body });
}

/** A page that says why something did not work, with the form to request a new link. */
export function refusedPage({ title, text, ...form }: SignUpProps & { title: Words; text: Child }): Html {
  const body = html`${pageHeader({ title, lede: text })}${
    form.enabled &&
    form.canMail &&
    html`
  <section class="panel"><h2>${t('calendar.subscribe.ask_new_link')}</h2>${signUp(form)}</section>`
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
  label: t('calendar.subscribe.name'),
  maxlength: 100,
  autocomplete: 'name',
  error: own === 'name' ? SIGN_UP_ERRORS.name : undefined,
})}
${field({
  name: 'email',
  label: t('calendar.subscribe.e_mail_address'),
  type: 'email',
  maxlength: 254,
  autocomplete: 'email',
  hint: t('calendar.subscribe.use_calendar_nothing_else'),
  error: own === 'email' ? SIGN_UP_ERRORS.email : undefined,
})}
${
  challenge &&
  html`
<div class="challenge cf-turnstile" data-sitekey="${challenge.siteKey}"
data-response-field-name="turnstile_token"></div>
<noscript>${notice('attention', t('calendar.subscribe.small_challenge_keeps_robots_out'))}</noscript>`
}
<div class="actions"><button class="button button-large">${t('calendar.subscribe.send_me_link')}</button></div></form>`;
}
