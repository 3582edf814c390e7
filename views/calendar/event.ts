import { lineOf, numberOf, textOf, urlOf } from '#calendar/feed/ics.ts';
import type { Program } from '#calendar/feed/programme.ts';
import { eventPath } from '#content/events/shown.ts';
import { isoTime } from '#kernel/clock.ts';
import { type Html, html } from '#kernel/html.ts';
import type { ShareNode, ShareSite } from '#kernel/images/share-image.ts';
import { t } from '#kernel/language/message.ts';
import { onPage, timeInWords, zoneName } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { localDate } from '#kernel/local-time.ts';
import { clubReader } from '#kernel/locale.ts';
import type { Site } from '#kernel/site.ts';
import { shareTags } from '#views/components/head.ts';
import { icon } from '#views/components/icons.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { badge } from '#views/components/status.ts';
import { pageHeader, plainText, sized, zoneNote } from '#views/components/structure.ts';
import { PROGRAMME_LINK } from '#views/patron-nav.ts';
import { column, PAINT, serif, sharePicture, words } from '#views/pub/share-picture.ts';
import { calendarPage } from './subscribe.ts';
import { formatLongDate, formatSpan, formatTimes } from './times.ts';

export interface EventPageProps {
  program: Program;
  /** Whether the pub shows it; the breadcrumb then leads to “What’s on”. */
  inPub: boolean;
  /** Its picture with the alternative text, and the part of it that is kept, 1 to 9 from the top left. */
  image?: { imageUrl?: string; imageAlt?: string; imageFocus?: number } | undefined;
  /** The next dates of the same series. */
  others: readonly Program[];
  /** Milliseconds. */
  now: number;
  zone: string;
  /** The public address of the service; empty where it is not known: then links are relative. */
  origin: string;
}

/** The page of one event, with buttons to share it and to add it to a calendar. */
export function eventPage(props: EventPageProps): Html {
  const { program, inPub, image, others, now, zone } = props;
  const [title, place, description] = [
    lineOf(program.title),
    lineOf(program.location),
    textOf(program.description),
  ];
  const url = urlOf(program);
  const over = program.end <= now;
  const crumb = inPub ? { href: '/events', label: t('common.nav.whats_on') } : PROGRAMME_LINK;
  const state = program.cancelled
    ? badge(t('calendar.event.cancelled'), 'danger')
    : over
      ? badge(t('calendar.event.over'))
      : program.start <= now
        ? badge(t('calendar.event.now'), 'open')
        : null;
  const datetime = program.allDay ? localDate(program.start, zone) : isoTime(program.start);
  const today = localDate(now, zone);
  const body = ({ canMail }: Site) => html`${pageHeader({
    title: program.cancelled ? html`<s>${asWritten(title)}</s>` : asWritten(title),
    eyebrow: state,
    crumbs: [crumb],
    picture:
      image?.imageUrl &&
      html`<picture><source media="(min-width: 48rem)" srcset="${sized(image.imageUrl, 960)} 960w, ${sized(image.imageUrl, 1920)} 1920w" sizes="45rem"><img class="event-image${
        image.imageFocus !== undefined && ` focus-${image.imageFocus}`
      }" src="${sized(image.imageUrl, 480)}" alt="${image.imageAlt}" width="720" height="405"></picture>`,
  })}
<p class="event-when"><time datetime="${datetime}">${whenWords(program, today, zone)}</time>${place && html` · ${asWritten(place)}`}</p>
${
  program.cancelled &&
  notice(
    'danger',
    over ? t('calendar.event.did_not_take_place') : t('calendar.event.does_not_take_place'),
    t('calendar.event.event_cancelled'),
  )
}
${description && plainText(description)}
${url && html`<p><a class="link-alone" href="${url}" rel="noreferrer">${t('calendar.event.more_about')}</a></p>`}
${
  !program.cancelled &&
  !over &&
  html`
<p class="toolbar"><a class="button" href="${eventPath(program.id)}/calendar.ics">${t('calendar.event.add_my_calendar')}</a>${
    canMail &&
    html`<a class="button button-quiet" href="/subscribe-programs">${t('calendar.event.all_events_my_calendar')}</a>`
  }</p>`
}
${
  others.length > 0 &&
  html`<section class="panel"><h2>${t('calendar.event.also')}</h2><ul class="dates" role="list">${others.map(
    (other) =>
      html`<li><a href="${eventPath(other.id)}">${whenWords(other, today, zone)}</a>${
        other.cancelled && html` ${badge(t('calendar.event.cancelled'), 'danger')}`
      }</li>`,
  )}</ul></section>`
}
${shareBar(props, title)}
${zoneNote(zoneName(zone))}`;
  return calendarPage({
    title: program.cancelled ? t('calendar.event.cancelled_what', { what: title }) : title,
    body,
    nav: crumb.href,
    scripts: ['pub/share.js'],
    head: (site) => head(props, title, site),
  });
}

/** The share picture of an event. */
export function eventPicture(program: Program, zone: string, site: ShareSite): ShareNode {
  const day = localDate(program.start, zone);
  const said = (text: Words) => text.for(clubReader());
  const label = program.cancelled ? t('calendar.event.cancelled') : t('calendar.event.club');
  return sharePicture(
    site,
    { title: said(t('common.nav.whats_on')), label: said(label), footer: lineOf(program.location) },
    column(
      { flexGrow: 1, justifyContent: 'center' },
      words(lineOf(program.title), serif(76), 3),
      words(said(formatLongDate(day, '')), { fontSize: 38, color: PAINT.green, marginTop: 26 }),
      words(said(formatTimes(program, day, zone)), { fontSize: 38, color: PAINT.soft }),
    ),
  );
}

/** `Saturday, December 5, 8:00 PM to midnight`, `Wednesday, December 2, all day`. */
function whenWords(program: Program, today: string, zone: string): Words {
  const day = localDate(program.start, zone);
  const lastDay = localDate(program.end - 1, zone);
  const date = formatLongDate(day, today);
  if (program.openEnded)
    return t('calendar.event.date_from', { date, time: onPage(timeInWords(program.start, zone)) });
  if (!program.allDay) return t('calendar.event.date_times', { date, times: formatSpan(program, day, zone) });
  return lastDay === day
    ? t('calendar.event.date_all_day', { date })
    : t('calendar.event.days', { first: date, last: formatLongDate(lastDay, today) });
}

const addressOf = ({ origin, program }: EventPageProps): string => origin + eventPath(program.id);

/** The address changes with the event, so that caches by address get the new picture. */
const pictureOf = ({ program }: EventPageProps): string =>
  `/og${eventPath(program.id)}.png?v=${numberOf(program)}`;

/** Works without script too: the picture is a link, and the browser's address bar has the address. */
function shareBar(props: EventPageProps, title: string): Html {
  const when = whenWords(props.program, '', props.zone);
  return html`<section class="share" data-share data-url="${addressOf(props)}" data-title="${title}"
  data-text="${when}">
<h2>${t('calendar.event.share')}</h2>
<div class="toolbar"><button class="button" type="button" data-share-by="native" hidden>${t('calendar.event.share')}</button>
<button class="button button-quiet" type="button" data-share-by="copy" hidden>${icon('link')}${t('calendar.event.copy_link')}</button>
<a class="button button-quiet" href="${pictureOf(props)}" download="event.png"
data-share-by="download">${t('calendar.event.save_picture')}</a></div>
<p class="small" role="status" data-share-said></p></section>`;
}

function head(props: EventPageProps, title: string, site: Site): Html {
  const { program, zone, origin } = props;
  const place = lineOf(program.location);
  const when = whenWords(program, '', zone);
  const all = place ? t('calendar.event.when_where', { when, place }) : when;
  const sentence = program.cancelled ? t('calendar.event.cancelled_what', { what: all }) : all;
  return html`${shareTags(site, {
    title: program.cancelled ? t('calendar.event.cancelled_what', { what: title }) : title,
    sentence,
    url: addressOf(props),
    picture: origin + pictureOf(props),
    alt: t('calendar.event.title_when', { title, when: sentence }),
  })}`;
}
