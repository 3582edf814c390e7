import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Tag, Words } from '#kernel/language/words.ts';
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

const WAYS: Record<Exclude<Payment['kind'], 'link'>, { way: Words; copy: (of: Of) => Words }> = {
  mail: { way: t('pub.tenders.pay_e_mail_address'), copy: (of) => t('pub.tenders.copy_address', of) },
  phone: { way: t('pub.tenders.pay_phone_number'), copy: (of) => t('pub.tenders.copy_number', of) },
  name: { way: t('pub.tenders.pay_name'), copy: (of) => t('pub.tenders.copy_name', of) },
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
    title: first ? first.fullName : t('pub.tenders.behind_bar'),
    eyebrow: first && t('pub.tenders.behind_bar'),
    lede: first
      ? null
      : takesTips
        ? t('pub.tenders.people_who_pour_and_tips')
        : t('pub.tenders.people_who_pour'),
  })}
${chosen !== '' && !first && notice('info', t('pub.tenders.person_listed_any_more_these'))}
${first && card(first)}
${first && others.length > 0 && html`<h2>${t('pub.tenders.everyone_else')}</h2>`}
${
  others.length > 0 &&
  html`
<ul class="tenders" role="list">${others.map((tender) => html`<li>${card(tender)}</li>\n`)}</ul>`
}
${
  feed.tenders.length === 0 &&
  empty(t('pub.tenders.listed_yet'), t('pub.tenders.people_behind_bar_appear_here'))
}
${hoursAhead(days, events)}`;
  return page({
    title: first ? first.fullName : t('pub.tenders.behind_bar'),
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
    first: html`<h2 class="visually-hidden">${t('pub.tenders.about', { name: firstName })}</h2>`,
    h2: html`<h2>${name}</h2>`,
    h3: html`<h3>${name}</h3>`,
  };
  return html`<article class="card${level === 'first' && ' tender-first'}" id="tender-${id}">
<div class="tender-head">${portrait({ name: fullName, imageUrl, imageFocus, size: 'small' })}
<div>${heading[level]}${serving && badge(t('pub.tenders.behind_bar_now'), 'open')}</div></div>
${bio && plainText(bio)}${payments.map((payment, index) => paymentRow(payment, `pay-${id}-${index}`, firstName))}
${
  more &&
  !known &&
  html`
<p><a class="link-alone" href="${more.href ?? ''}" rel="noopener noreferrer">${t('pub.tenders.more_about', { name: firstName, hidden, place: more.text })}</a></p>`
}</article>`;
}

/** Whose payment it is; the tag is for those who only hear the page. */
interface Of {
  name: string;
  hidden: Tag;
}

const hidden: Tag = (inside) => html`<span class="visually-hidden">${inside}</span>`;

/** How to pay somebody, and one button for it. The value can be selected where a script cannot copy it. */
function paymentRow({ kind, text, href }: Payment, id: string, name: string): Html {
  const row = (way: Words, value: Child, act: Html) =>
    html`<div class="pay"><p><span class="small soft">${way}</span> <span id="${id}">${value}</span></p>
${act}</div>`;
  if (kind === 'link')
    return row(
      t('pub.tenders.pay_online'),
      text,
      html`<a class="button button-small" href="${href ?? ''}" rel="noopener noreferrer">${t('pub.tenders.tip', { name, hidden, place: text })}</a>`,
    );
  const { way, copy } = WAYS[kind];
  return row(
    way,
    href === undefined ? text : html`<a href="${href}">${text}</a>`,
    html`<button class="button button-quiet button-small" type="button" data-copy="${id}" hidden>${copy({ name, hidden })}</button>`,
  );
}
