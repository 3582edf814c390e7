import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import type { ITEM, ItemJson } from '#meetings/items.ts';
import type { MeetingDocument, MeetingState } from '#meetings/meetings.ts';
import { asWritten, WRITTEN } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
import { pageHeader, plainText, zoneNote } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { KEEP_CODES, keptCodes } from '#views/voting/ballot-papers/kept-codes.ts';
import { disagreement } from '#views/voting/results/results.ts';
import { additionNote, itemBadge, KIND_WORDS, proposers, reasons, wording } from './words.ts';

/** An item as everybody may see it. */
export type PublicItem = Pick<ItemJson, 'id' | 'number' | 'kind' | 'state' | keyof typeof ITEM.fields> & {
  /** That it was put on the agenda after the invitation. */
  added?: true;
  nominations?: { state: 'before' | 'open' | 'over'; candidates?: readonly string[] };
  /** When nominations close, already formatted. */
  closes?: Words | undefined;
  /** Once the meeting is over: what was announced, how it was decided, and the page of the result. */
  outcome?: { said: Words; rule: Words | undefined; page: string | undefined } | undefined;
};

/** The data of the public page of a meeting. */
export interface PublicMeetingProps {
  meeting: {
    id: string;
    title: string;
    place: string | null;
    notes: string | null;
    documents: readonly MeetingDocument[];
    state: MeetingState;
    allows_remote: boolean;
  };
  items: readonly PublicItem[];
  /** The documents that were uploaded. */
  files: readonly { id: string; title: string; item: string | null; url: string }[];
  /** Whether everybody can read its minutes. */
  hasMinutes: boolean;
  /** Until when motions are taken, already formatted; undefined where none are. */
  motionsUntil?: Words | undefined;
  /** When it is held, already formatted. */
  when: Words;
  zone: Words;
  /** Once it is over, if votes had codes: their ballot paper, and the mark of the card that this phone keeps. */
  codes?: { paper_id: string; card: string | undefined } | undefined;
  /** A sentence for each thing that is not stored as the log has it. */
  differences?: readonly Note[];
}

/** The page of a meeting for its members: agenda, documents, and how to take part. */
export function publicMeetingPage({
  meeting,
  items,
  files,
  hasMinutes,
  motionsUntil,
  when,
  zone,
  codes,
  differences = [],
}: PublicMeetingProps): Html {
  const { title, place, notes, documents, state, allows_remote } = meeting;
  const ofMeeting = files.filter(({ item }) => item === null);
  const body = html`${pageHeader({ title: asWritten(title), eyebrow: t('meetings.meeting.eyebrow'), lede: place ? t('meetings.meeting.when_and_where', { when, place: asWritten(place) }) : when })}
${disagreement(differences)}
${state === 'running' && notice('info', html`<a href="/m/${meeting.id}">${t('meetings.meeting.follow')}</a>`, t('meetings.meeting.being_held'))}
${
  state === 'closed' &&
  notice(
    'info',
    hasMinutes
      ? html`<a href="/m/${meeting.id}/minutes">${t('meetings.meeting.read_minutes')}</a>`
      : t('meetings.meeting.results_below'),
    t('meetings.meeting.is_over'),
  )
}
${
  codes &&
  html`<p><a class="link-alone" href="/p/${codes.paper_id}/check">${t('meetings.meeting.check_ballots')}</a></p>
${keptCodes({ meeting: { id: meeting.id, paper_id: codes.paper_id }, card: codes.card, isOver: true })}`
}
<section aria-labelledby="agenda"><h2 id="agenda">${t('meetings.meeting.agenda')}</h2>${
    items.length === 0
      ? html`<p class="soft">${t('meetings.meeting.no_agenda')}</p>`
      : html`<ol class="agenda">${items.map((item) =>
          agendaItem(meeting.id, item, files.filter((one) => one.item === item.id).map(fileLink)),
        )}</ol>`
  }${
    motionsUntil &&
    html`<p><a class="link-alone" href="/m/${meeting.id}/motions">${t('meetings.hand_in.title')}</a>
<br><span class="small soft">${t('meetings.hand_in.until', { when: motionsUntil })}</span></p>`
  }</section>
${
  state === 'prepared' &&
  html`<p class="screen-only"><a class="link-alone" href="/m/${meeting.id}/calendar.ics">${t('meetings.meeting.into_calendar')}</a></p>`
}
${
  documents.length + ofMeeting.length > 0 &&
  html`<section aria-labelledby="documents"><h2 id="documents">${t('meetings.meeting.documents')}</h2><ul class="links">${ofMeeting.map(fileLink)}${documents.map(
    (one) => html`<li><a href="${one.url}" rel="noopener"${WRITTEN}>${one.title}</a></li>`,
  )}</ul></section>`
}
${
  state !== 'closed' &&
  html`<section aria-labelledby="part"><h2 id="part">${t('meetings.meeting.how_to_take_part')}</h2>${notes && plainText(notes)}
<p>${t('meetings.meeting.card_at_door')}</p>${
    allows_remote && html`<p>${t('meetings.meeting.remote')}</p>`
  }</section>`
}
${zoneNote(zone)}`;
  return page({ title, body, styles: 'meeting', scripts: codes ? KEEP_CODES : [] });
}

/** A document that was uploaded. */
const fileLink = ({ title, url }: PublicMeetingProps['files'][number]): Html =>
  html`<li><a href="${url}">${title}</a> <span class="small soft">${t('meetings.meeting.pdf')}</span></li>`;

function agendaItem(meetingId: string, item: PublicItem, documents: readonly Html[]): Html {
  const { id, number, kind, title, nominations, closes, outcome } = item;
  return html`<li class="card" id="item-${id}">
${kind !== 'text' && html`<p class="eyebrow">${KIND_WORDS[kind]} ${itemBadge(item)}</p>`}<h3>${number}. ${asWritten(title)}</h3>
${additionNote(item)}${wording(item)}${reasons(item)}${proposers(item)}${documents.length > 0 && html`<ul class="links">${documents}</ul>`}${
  nominations?.state === 'open' &&
  html`<p><a class="link-alone" href="/m/${meetingId}/nominate/${id}">${t('meetings.meeting.nominate', { title: asWritten(title), hidden })}</a>
<br><span class="small soft">${closes && t('meetings.hand_in.until', { when: closes })}</span></p>`
}${
  nominations?.candidates &&
  html`<p>${
    nominations.candidates.length === 0
      ? t('meetings.meeting.nobody_stands')
      : t('meetings.meeting.candidates', {
          n: nominations.candidates.length,
          names: allOf(nominations.candidates),
        })
  }</p>`
}${
  outcome &&
  html`<p class="said">${outcome.said}</p>${outcome.rule && html`<p class="small soft">${outcome.rule}</p>`}${
    outcome.page &&
    html`<p><a class="link-alone" href="${outcome.page}">${t('meetings.meeting.whole_result', { title: asWritten(title), hidden })}</a></p>`
  }`
}</li>`;
}
