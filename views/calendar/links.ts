import type { FeedLinks } from '#calendar/feed/feed-links.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { copyField, type QrModules, qrCode } from '#views/components/codes.ts';
import { icon } from '#views/components/icons.ts';
import { notice } from '#views/components/notices.ts';
import { strong } from '#views/components/slots.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { calendarPage } from './subscribe.ts';

/** The data of the page with a subscriber's own addresses of the feed. */
export interface LinksProps {
  links: FeedLinks;
  token: string;
  /** When they expire, already formatted. */
  expires: Words;
  /** Leads to this page, for the phone. */
  qr: QrModules;
}

const GOOGLE_BY_ADDRESS = 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl';

/** The page with one button for each calendar program. Anyone with its address can read the calendar. */
export function linksPage({ links, token, expires, qr }: LinksProps): Html {
  const office = links.outlookWeb.replace('//outlook.live.com/', '//outlook.office.com/');
  const body = html`${pageHeader({
    title: t('calendar.links.choose_calendar'),
    lede: t('calendar.links.press_opens_calendar_programme_ready'),
  })}
<ul class="clients" role="list">
<li><a class="button button-large" href="${links.webcalUrl}">${t('calendar.links.apple_calendar')}</a>
<p class="small soft">${t('calendar.links.iphone_ipad_mac_most_calendar')}</p></li>
<li><a class="button button-large" href="${links.googleUrl}" rel="noreferrer">${t('calendar.links.google_calendar')}</a>
<p class="small soft">${t('calendar.links.also_android_nothing_happens_copy', { link: (inside) => html`<a href="${GOOGLE_BY_ADDRESS}" rel="noreferrer">${inside}</a>` })}</p></li>
<li><a class="button button-large" href="${links.outlookWeb}" rel="noreferrer">${t('calendar.links.outlook')}</a>
<p class="small soft">${t('calendar.links.web_work_school_account_use', { link: (inside) => html`<a href="${office}" rel="noreferrer">${inside}</a>` })}</p></li>
</ul>
<h2>${t('calendar.links.any_other_calendar')}</h2>
<p>${t('calendar.links.copy_address_add_calendar_internet')}</p>
${copyField({ id: 'feed-address', value: links.icsUrl, label: t('calendar.links.address_calendar') })}
<section class="phone"><h2>${t('calendar.links.phone')}</h2>
<div>${qrCode(qr, t('calendar.links.qr_code_page'))}<p>${t('calendar.links.point_phones_camera_code_opens')}</p></div></section>
<section class="panel"><h2>${t('calendar.links.good_know')}</h2>
<ul><li>${t('calendar.links.address_yours_alone_anyone_who')}</li>
<li>${t('calendar.links.calendars_look_news_own_pace')}</li>
<li>${t('calendar.links.works_until_two_weeks_before', { expires, strong })}</li>
</ul></section>
${disclosure(
  t('calendar.links.stop_calendar'),
  html`<p>${t('calendar.links.all_addresses_programme_stop_working')}</p>
<form method="post" action="/api/subs/unsubscribe"><input type="hidden" name="token" value="${token}"><button class="button button-danger-quiet">${icon('cross')}${t('calendar.links.stop_my_calendar')}</button></form>`,
)}`;
  return calendarPage({
    title: t('calendar.links.choose_calendar'),
    body,
    scripts: ['base/copy.js'],
    givesAddress: true,
  });
}

/** The page that the link in every mail opens: it asks before the calendar is stopped. */
export function unsubscribePage({ u, email }: { u: string; email: string }): Html {
  const body = html`${pageHeader({ title: t('calendar.links.stop_calendar_question') })}
<p>${t('calendar.links.stop_for', { email: displayAddress(email), strong })}</p>
<form class="actions" method="post" action="/api/subs/unsubscribe?u=${encodeURIComponent(u)}"><button class="button button-danger">${t('calendar.links.stop_my_calendar')}</button><a class="button button-quiet" href="/subscribe-programs">${t('calendar.links.keep')}</a></form>`;
  return calendarPage({ title: t('calendar.links.stop_calendar_question'), body });
}

/** The page after the calendar was stopped. */
export function unsubscribedPage(): Html {
  const body = html`${pageHeader({ title: t('calendar.links.calendar_stopped') })}
${notice('success', t('calendar.links.addresses_longer_work_get_more'))}
<p>${t('calendar.links.calendar_programs_keep_showing_what')}</p>
<p class="toolbar"><a class="button button-quiet" href="/subscribe-programs">${t('calendar.links.sign_up_again')}</a></p>`;
  return calendarPage({ title: t('calendar.links.calendar_stopped'), body });
}
