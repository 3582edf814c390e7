import type { FeedLinks } from '#calendar/feed/feed-links.ts';
import { type Html, html } from '#kernel/html.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import { copyField, type QrModules, qrCode } from '#views/components/codes.ts';
import { icon } from '#views/components/icons.ts';
import { notice } from '#views/components/notices.ts';
import { disclosure, pageHeader } from '#views/components/structure.ts';
import { calendarPage } from './subscribe.ts';

/** The data of the page with a subscriber's own addresses of the feed. */
export interface LinksProps {
  links: FeedLinks;
  token: string;
  /** When they expire, already formatted. */
  expires: string;
  /** Leads to this page, for the phone. */
  qr: QrModules;
}

const GOOGLE_BY_ADDRESS = 'https://calendar.google.com/calendar/u/0/r/settings/addbyurl';

/** The page with one button for each calendar program. Anyone with its address can read the calendar. */
export function linksPage({ links, token, expires, qr }: LinksProps): Html {
  const office = links.outlookWeb.replace('//outlook.live.com/', '//outlook.office.com/');
  const body = html`${pageHeader({
    title: 'Choose your calendar',
    lede: 'One press opens your calendar with the programme ready to add.',
  })}
<ul class="clients" role="list">
<li><a class="button button-large" href="${links.webcalUrl}">Apple Calendar</a>
<p class="small soft">iPhone, iPad and Mac, and most calendar programs.</p></li>
<li><a class="button button-large" href="${links.googleUrl}" rel="noreferrer">Google Calendar</a>
<p class="small soft">Also for Android. If nothing happens, copy the address below
and <a href="${GOOGLE_BY_ADDRESS}" rel="noreferrer">add it there</a>.</p></li>
<li><a class="button button-large" href="${links.outlookWeb}" rel="noreferrer">Outlook</a>
<p class="small soft">On the web. With a work or school
account, <a href="${office}" rel="noreferrer">use this one</a>.</p></li>
</ul>
<h2>Any other calendar</h2>
<p>Copy the address and add it as a calendar “from the internet” or “by URL”.</p>
${copyField({ id: 'feed-address', value: links.icsUrl, label: 'the address of the calendar' })}
<section class="phone"><h2>On your phone</h2>
<div>${qrCode(qr, 'QR code of this page')}<p>Point the phone’s camera at the code: it opens this page there. The
phone’s own button does the rest.</p></div></section>
<section class="panel"><h2>Good to know</h2>
<ul><li>The address is yours alone: anyone who has it can read the calendar. Please do not share it.</li>
<li>Calendars look for news at their own pace, Apple within the hour, Google and Outlook within a day.</li>
<li>It works until <strong>${expires}</strong>. Two weeks before that we ask by mail whether to keep it.</li>
</ul></section>
${disclosure(
  'Stop the calendar',
  html`<p>All your addresses of the programme stop working at once, on every device, and we send no more mails.
  You can sign up again at any time.</p>
<form method="post" action="/api/subs/unsubscribe"><input type="hidden" name="token" value="${token}"><button class="button button-danger-quiet">${icon('cross')}Stop my calendar</button></form>`,
)}`;
  return calendarPage({ title: 'Choose your calendar', body, scripts: ['base/copy.js'], givesAddress: true });
}

/** The page that the link in every mail opens: it asks before the calendar is stopped. */
export function unsubscribePage({ u, email }: { u: string; email: string }): Html {
  const body = html`${pageHeader({ title: 'Stop the calendar?' })}
<p>For <strong>${displayAddress(email)}</strong>, all addresses of the programme stop working at once, on every
device, and we send no more mails. You can sign up again at any time.</p>
<form class="actions" method="post" action="/api/subs/unsubscribe?u=${encodeURIComponent(u)}"><button class="button button-danger">Stop my calendar</button><a class="button button-quiet" href="/subscribe-programs">Keep it</a></form>`;
  return calendarPage({ title: 'Stop the calendar?', body });
}

/** The page after the calendar was stopped. */
export function unsubscribedPage(): Html {
  const body = html`${pageHeader({ title: 'Your calendar has stopped' })}
${notice('success', 'Your addresses no longer work, and you get no more mails about the calendar.')}
<p>Calendar programs may keep showing what they had read. Remove the calendar there.</p>
<p class="toolbar"><a class="button button-quiet" href="/subscribe-programs">Sign up again</a></p>`;
  return calendarPage({ title: 'Your calendar has stopped', body });
}
