import { type Html, html } from '#kernel/html.ts';
import type { DayAhead } from '#pub/display/ahead.ts';
import type { EventsFeed, TendersFeed } from '#pub/display/feeds.ts';
import type { TenderDirectoryEntry } from '#pub/display/tenders.ts';
import { empty, notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { hoursAhead } from './hours.ts';
import { type Payment, readPayment, safeLink } from './payments.ts';
import { portrait } from './pictures.ts';

/** The data of the page of the tenders. */
export interface TendersPageProps {
  feed: TendersFeed;
  /** Has the opening hours and who works now. */
  events: EventsFeed;
  /** The hours of the next seven days. */
  days: readonly DayAhead[];
  /** The normalized id from the link; empty for none. */
  chosen: string;
}

const WAYS: Record<Payment['kind'], { way: string; act: string }> = {
  mail: { way: 'Pay by e-mail address', act: 'Copy address' },
  phone: { way: 'Pay by phone number', act: 'Copy number' },
  link: { way: 'Pay online', act: 'Tip' },
  name: { way: 'Pay to this name', act: 'Copy name' },
};

/** The directory of tenders: the one that a link names, those who are behind the bar now, then all others. */
export function tendersPage({ feed, events, days, chosen }: TendersPageProps): Html {
  const { noteState, activeTenders } = events.pubTender;
  const serving = new Set(
    ['setup', 'active', 'last-call'].includes(noteState) ? activeTenders.map(({ id }) => id) : [],
  );
  const first = feed.tenders.find(({ id }) => id === chosen);
  const takesTips = feed.tenders.some(
    ({ payment_a, payment_b }) => readPayment(payment_a) ?? readPayment(payment_b),
  );
  const others = feed.tenders
    .filter((tender) => tender !== first)
    .toSorted((a, b) => Number(serving.has(b.id)) - Number(serving.has(a.id)));
  const card = (tender: TenderDirectoryEntry) => {
    const level = tender === first ? 'first' : first ? 'h3' : 'h2';
    return tenderCard(tender, serving.has(tender.id), level);
  };
  const body = html`${pageHeader({
    title: first ? first.fullName : 'Behind the bar',
    eyebrow: first && 'Behind the bar',
    lede: first ? null : `The people who pour: say hello${takesTips ? ', and leave a tip if you like' : ''}.`,
  })}
${
  chosen !== '' &&
  !first &&
  notice('info', 'That person is not listed any more. These are the people behind the bar now.')
}
${first && card(first)}
${first && others.length > 0 && html`<h2>Everyone else</h2>`}
${
  others.length > 0 &&
  html`
<ul class="tenders" role="list">${others.map((tender) => html`<li>${card(tender)}</li>\n`)}</ul>`
}
${
  feed.tenders.length === 0 &&
  empty('Nobody is listed yet', 'The people behind the bar appear here as soon as they are entered.')
}
${hoursAhead(days, events)}`;
  return page({
    title: first ? first.fullName : 'Behind the bar',
    body,
    nav: '/tenders/',
    styles: 'guests',
    scripts: ['base/copy.js'],
  });
}

/** `level` is the level of the heading with the name; `first` is the tender whose name is the title of the page. */
function tenderCard(tender: TenderDirectoryEntry, serving: boolean, level: 'first' | 'h2' | 'h3'): Html {
  const { id, fullName, firstName, bio, imageUrl, imageFocus, pageUrl, profileUrl } = tender;
  const payments = [tender.payment_a, tender.payment_b].flatMap((value) => readPayment(value) ?? []);
  const more = safeLink(pageUrl);
  const known = payments.some(({ href }) => href !== undefined && href === more?.href);
  const name = html`<a href="${profileUrl}">${fullName}</a>`;
  const heading = {
    first: html`<h2 class="visually-hidden">About ${firstName}</h2>`,
    h2: html`<h2>${name}</h2>`,
    h3: html`<h3>${name}</h3>`,
  };
  return html`<article class="card${level === 'first' && ' tender-first'}" id="tender-${id}">
<div class="tender-head">${portrait({ name: fullName, imageUrl, imageFocus, size: 'small' })}
<div>${heading[level]}${serving && badge('Behind the bar now', 'open')}</div></div>
${bio && plainText(bio)}${payments.map((payment, index) => paymentRow(payment, `pay-${id}-${index}`, firstName))}
${
  more &&
  !known &&
  html`
<p><a class="link-alone" href="${more.href ?? ''}" rel="noopener noreferrer">More about ${firstName}<span class="visually-hidden"> at ${more.text}</span></a></p>`
}</article>`;
}

/** How to pay somebody, and one button for it. The value can be selected where a script cannot copy it. */
function paymentRow({ kind, text, href }: Payment, id: string, firstName: string): Html {
  const { way, act } = WAYS[kind];
  const isLink = kind === 'link';
  const value = isLink || href === undefined ? text : html`<a href="${href}">${text}</a>`;
  return html`<div class="pay"><p><span class="small soft">${way}</span> <span id="${id}">${value}</span></p>
${
  isLink
    ? html`<a class="button button-small" href="${href ?? ''}" rel="noopener noreferrer">${act} ${firstName}<span class="visually-hidden"> at ${text}</span></a>`
    : html`<button class="button button-quiet button-small" type="button" data-copy="${id}" hidden>${act}<span class="visually-hidden"> of ${firstName}</span></button>`
}</div>`;
}
