import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { allOf } from '#kernel/language/times.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import type { AfterMails } from '#meetings/after.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingChange } from '#meetings/invitations.ts';
import { MEETING, type MeetingJson } from '#meetings/meetings.ts';
import {
  type Entered,
  enteredLines,
  enteredText,
  errorAt,
  refusalSentence,
} from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { labelsOf, recordFields } from '#views/components/record-fields.ts';
import { linkTo, strong } from '#views/components/slots.ts';
import {
  definitionList,
  disclosure,
  numberedPages,
  pageHeader,
  subPageHeader,
} from '#views/components/structure.ts';
import {
  ITEMS_A_PAGE,
  type MeetingPage,
  meetingBadge,
  meetingPath,
  meetingSectionPath,
} from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { disagreement } from '#views/voting/results/results.ts';
import { shareWords } from '#voting/share-words.ts';
import { afterSection } from './after.ts';
import { type AgendaItem, agendaList, itemAddress } from './agenda.ts';
import { answersAwaited } from './chair-notices.ts';
import { classSign } from './class-sign.ts';
import { DOCUMENT_LABELS, type DocumentRow, documentInputId, documentsSection } from './documents.ts';
import { MEETING_WORDS } from './meeting-fields.ts';
import { motionsWaiting } from './motions.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of each officers' page of a meeting. Times are already formatted. */
export interface MeetingPageProps extends OfficerProps {
  page: MeetingPage;
  meeting: MeetingJson & MeetingFigures;
  /** Those elected who have not said whether they accept, once the meeting is over and until its minutes are signed. */
  awaitedAnswers: readonly string[];
  /** Whether something changed a result after the minutes were signed. */
  minutesToCorrect: boolean;
  when: Words;
  /** How many people the roll gives each class; undefined where there is only one. */
  classPeople: Record<string, number> | undefined;
  done: Words | string | undefined;
  /** What those who were invited have not been told of, and how many they are. */
  untold: { change: MeetingChange; people: number } | undefined;
  /** The refused form, and what it is for. */
  refused: (RefusedForm & { at: RefusedAt }) | undefined;
  /** What each sub-page shows, only on that one. */
  agenda?: ShownAgenda | undefined;
  mails?: ShownMails | undefined;
  documents?: ShownDocuments | undefined;
  details?: ShownDetails | undefined;
  /** The titles of what was voted on and is not announced, and of what somebody has asked to make void. */
  end?: { waiting: readonly string[]; voidAsked: readonly string[] } | undefined;
}

/** The forms of these pages that can be refused. */
export type RefusedAt = 'details' | 'end' | 'delete' | 'invite' | 'event' | 'tell' | 'after' | 'documents';

/** One page of the agenda. */
interface ShownAgenda {
  items: readonly AgendaItem[];
  /** The place of the first of them, from 0, and how many items there are. */
  first: number;
  total: number;
  /** How many motions of members wait for a decision; undefined where they are not asked for any. */
  motions: { waiting: number } | undefined;
  /** A sentence for each thing that is not stored as the log has it. */
  differences?: readonly Note[] | undefined;
  /** What can be mailed once it is over, and the time zone of its times. */
  after: AfterMails | undefined;
  timeZone: string;
}

interface ShownMails {
  /** What the form holds, to be changed. */
  entered?: Entered | undefined;
  /** How many who may vote have no mail address. */
  unreached: number;
  /** The distribution lists. */
  lists: readonly { id: string; name: string; count: number }[];
  /** The page of its event in the calendar. */
  event: string | undefined;
}

interface ShownDetails {
  /** The fields of the meeting as their form has them. */
  stored: Entered;
  /** The time zone of all times, in words. */
  zone: Words;
}

interface ShownDocuments {
  documents: readonly DocumentRow[];
  /** The items that nobody voted on. */
  items: readonly { value: string; label: string }[];
}

/** A sub-page of the officers' page of a meeting. */
export function meetingPage(props: MeetingPageProps): Html {
  const { meeting, done, refused, viewer } = props;
  const isFirst = props.page === 'agenda';
  const content = html`${isFirst && figures(props)}
${props.agenda && agenda(props, props.agenda)}${props.mails && invitation(props, props.mails)}${
  props.documents && documentsSection(meeting, props.documents, refused)
}${props.details && details(props, props.details)}${props.end && ending(props, props.end)}`;
  const body = html`${refusedForm(refused)}${done && notice('success', done)}
${meeting.called_off && notice('info', `${meeting.called_off.reason}`, t('meetings-admin.meeting.meeting_called_off'))}
${props.agenda && disagreement(props.agenda.differences ?? [])}
${
  props.minutesToCorrect &&
  notice(
    'attention',
    t('meetings-admin.meeting.correct_minutes_say_result_changed', {
      link: (inside) => html`<a href="/admin/meetings/${meeting.id}/minutes">${inside}</a>`,
    }),
    t('meetings-admin.meeting.something_changed_after_signing'),
  )
}
${answersAwaited(meeting.id, props.awaitedAnswers)}${untoldForm(props)}
${isFirst ? meetingHead(props) : subPageHeader({ title: meeting.title, state: meetingBadge(meeting.state), first: meetingPath(meeting.id) })}
${besideMeeting(props, content, props.page)}`;
  return officerPage({
    title: meeting.title,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

/** The title, when and where, and the pages that it is led from. */
const meetingHead = ({ meeting, when, ...officer }: MeetingPageProps): Html =>
  pageHeader({
    title: meeting.title,
    eyebrow: meetingBadge(meeting.state),
    lede: meeting.place ? t('meetings.meeting.when_and_where', { when, place: meeting.place }) : when,
    crumbs: [{ href: '/admin/meetings', label: t('meetings-admin.shared.meetings') }],
    actions: html`<a class="button button-quiet" href="/m/${meeting.id}">${meeting.public ? t('meetings-admin.meeting.public_page') : t('meetings-admin.meeting.page_members')}</a>${
      meeting.state !== 'prepared' &&
      html`<a class="button${meeting.state !== 'closed' && ' button-quiet'}" href="/admin/meetings/${meeting.id}/minutes">${t('meetings-admin.shared.minutes')}</a>`
    }${
      // Before its end the list of its pages leads there.
      meeting.state === 'closed' &&
      meeting.cards_too_many > 0 &&
      mayDo(officer, 'meetings:door') &&
      html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/door">${t('meetings-admin.shared.door')}</a>`
    }${
      meeting.state !== 'closed' &&
      mayDo(officer, 'elections:run') &&
      html`<a class="button" href="/admin/meetings/${meeting.id}/chair">${t('meetings-admin.meeting.chair_meeting')}</a>`
    }`,
  });

/** What is wrong with a form. */
function refusedForm(refused: MeetingPageProps['refused']): Html | null {
  return refused?.at === 'documents'
    ? refusedNotice(refused, DOCUMENT_LABELS, documentInputId)
    : refusedNotice(refused, labelsOf(MEETING_WORDS), (path) => path.split('.')[0]!);
}

function agenda(
  props: MeetingPageProps,
  { items, first, total, motions, after, timeZone }: ShownAgenda,
): Html {
  const { meeting, viewer } = props;
  const mayWrite = mayDo(props, 'elections:write') && meeting.state !== 'closed';
  return html`${after && afterSection({ meetingId: meeting.id, after, timeZone, viewer })}
${pageSection({
  id: 'agenda',
  title: t('meetings-admin.shared.agenda'),
  about:
    meeting.invited > 0
      ? t('meetings-admin.meeting.items_item_voted_stays_numbers', { items: total })
      : t('meetings-admin.meeting.items_item_voted_stays', { items: total }),
  work: html`${agendaList({ meetingId: meeting.id, items, first, total, mayWrite })}${
    total > ITEMS_A_PAGE &&
    numberedPages({
      page: first / ITEMS_A_PAGE + 1,
      pageSize: ITEMS_A_PAGE,
      total,
      of: (shown) => t('meetings-admin.meeting.shown', shown),
      href: (at) => meetingSectionPath(meeting.id, 'agenda', `?page=${at}`),
    })
  }<p class="toolbar">${
    mayWrite &&
    html`<a class="button button-quiet" href="${itemAddress(meeting.id, 'new')}">${t('meetings-admin.shared.new_item')}</a>`
  }${
    (motions || (mayWrite && meeting.state === 'prepared')) &&
    html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/motions">${
      motions ? t('meetings-admin.shared.motions_members') : t('meetings-admin.shared.call_motions')
    }</a>`
  }${motions && motions.waiting > 0 && html`<strong>${motionsWaiting(motions.waiting)}</strong>`}</p>`,
})}`;
}

function figures(props: MeetingPageProps): Html {
  const { meeting, classPeople } = props;
  const { entitled, present, quorum } = meeting;
  return definitionList([
    [t('meetings-admin.meeting.vote'), t('meetings-admin.meeting.members', { n: entitled })],
    ...(present > 0
      ? [[t('meetings-admin.meeting.present'), t('meetings-admin.meeting.members', { n: present })] as const]
      : []),
    [
      t('meetings-admin.shared.quorum'),
      quorum.needed === 0
        ? t('meetings-admin.shared.none')
        : quorum.share
          ? t('meetings-admin.meeting.people_and_share', {
              n: quorum.needed,
              share: shareWords(quorum.share),
            })
          : t('meetings-admin.meeting.people', { n: quorum.needed }),
    ],
    ...(classPeople
      ? [
          [
            t('meetings-admin.shared.classes_cards'),
            html`${meeting.classes.map((name, at) => classRow(props, name, at))}`,
          ] as const,
        ]
      : []),
  ]);
}

/** Who is in a class: the first has everybody whom the roll gives none, others are groups or kinds of this name. */
function classRow(
  { meeting, classPeople = {}, viewer }: MeetingPageProps,
  name: string,
  index: number,
): Html {
  const n = classPeople[name] ?? 0;
  const of = { n, class: name };
  const said =
    index === 0
      ? t('meetings-admin.meeting.class_people_first', of)
      : n > 0
        ? t('meetings-admin.meeting.class_people', of)
        : mayDo({ viewer }, 'people:write')
          ? t('meetings-admin.meeting.class_empty_link', { class: name, link: linkTo('/admin/people/kinds') })
          : t('meetings-admin.meeting.class_empty', { class: name });
  return html`<div>${classSign(meeting.classes, name)}${said}</div>`;
}

function invitation(
  { meeting, refused, viewer }: MeetingPageProps,
  { entered: given, lists, event, unreached }: ShownMails,
): Html {
  const own = refused?.at === 'invite' ? refused : undefined;
  const entered = own?.entered ?? given ?? (meeting.invited === 0 ? { roll: 'on' } : {});
  const chosen = [entered.distribution_list_ids ?? []].flat();
  return pageSection({
    id: 'invite',
    title: t('meetings-admin.meeting.invite'),
    about:
      meeting.invited === 0
        ? t('meetings-admin.meeting.mail_to_nobody_yet')
        : t('meetings-admin.meeting.mails_so_far', { invited: meeting.invited }),
    screenOnly: true,
    work: html`${
      mayDo({ viewer }, 'elections:run') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/invite/check">
<div class="choices choices-plain">${tickBox({
        name: 'roll',
        label: t('meetings-admin.meeting.everybody_who_vote_day_members', { entitled: meeting.entitled }),
        checked: 'roll' in entered,
      })}
${lists.map(({ id, name, count }) =>
  tickBox({
    name: 'distribution_list_ids',
    id: `list-${id}`,
    label: t('meetings-admin.meeting.addresses', { name, addresses: count }),
    value: id,
    checked: chosen.includes(id),
  }),
)}</div>
${openField({
  name: 'emails',
  label: t('meetings-admin.meeting.further_addresses'),
  value: enteredLines(entered, 'emails'),
  error: own && errorAt(own.errors, 'emails'),
  hint: t('meetings-admin.meeting.each_line'),
  rows: 3,
})}
${openField({
  name: 'message',
  label: t('meetings-admin.meeting.own_words'),
  value: enteredText(entered, 'message'),
  error: own && errorAt(own.errors, 'message'),
  hint: t('meetings-admin.meeting.come_first_mail'),
  rows: 3,
})}
<div class="actions"><button class="button">${t('meetings-admin.shared.check_before_sending')}</button></div></form>`
    }${
      unreached > 0 &&
      mayDo({ viewer }, 'elections:run') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/letters"><button class="button button-quiet">${t('meetings-admin.meeting.letters_members_without_address', { unreached })}</button></form>`
    }${
      mayDo({ viewer }, 'elections:write') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/event">
<button class="button button-quiet">${event ? (meeting.public ? t('meetings-admin.meeting.give_event_day_agenda') : t('meetings-admin.meeting.give_event_day')) : t('meetings-admin.meeting.make_event_calendar')}</button>
${event && html`<a class="link-alone" href="${event}">${t('meetings-admin.meeting.event')}</a>`}
<p class="small soft">${meeting.public ? t('meetings-admin.meeting.event_with_agenda') : t('meetings-admin.meeting.event_without_agenda')}</p></form>`
    }`,
  });
}

function details({ meeting, refused }: MeetingPageProps, { stored, zone }: ShownDetails): Html {
  return pageSection({
    id: 'details',
    title: t('meetings-admin.shared.day_place_rules'),
    about: t('meetings-admin.shared.all_times', { zone }),
    work: html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH">
${recordFields(MEETING, MEETING_WORDS, { entered: { ...stored, ...refused?.entered }, errors: refused?.errors ?? [], zone })}
<div class="actions"><button class="button">${t('meetings-admin.shared.save')}</button></div></form>`,
  });
}

function ending(
  { meeting, refused, viewer }: MeetingPageProps,
  { waiting, voidAsked }: NonNullable<MeetingPageProps['end']>,
): Html {
  const mayWrite = mayDo({ viewer }, 'elections:write');
  const typed = {
    name: 'confirm',
    word: meeting.title,
    error: refused?.at === 'delete' ? refusalSentence(refused, {}) : undefined,
  };
  return pageSection({
    id: 'end',
    title: t('meetings-admin.meeting.end_meeting'),
    screenOnly: true,
    work: html`${
      meeting.state === 'running' &&
      confirmPanel({
        title: t('meetings-admin.meeting.end_meeting'),
        text: html`${waiting.length > 0 ? (voidAsked.length > 0 ? t('meetings-admin.meeting.only_minutes_afterwards_waiting_and_void', { strong, waiting: allOf(waiting), asked: allOf(voidAsked) }) : t('meetings-admin.meeting.only_minutes_afterwards_waiting', { strong, waiting: allOf(waiting) })) : voidAsked.length > 0 ? t('meetings-admin.meeting.only_minutes_afterwards_void', { strong, asked: allOf(voidAsked) }) : t('meetings-admin.meeting.only_minutes_afterwards')}`,
        action: `/admin/meetings/${meeting.id}?_method=PATCH`,
        button: t('meetings-admin.meeting.end_meeting'),
        hidden: { state: 'closed', ...(waiting.length > 0 && { confirm: 'announce' }) },
      })
    }${
      mayWrite &&
      html`${disclosure(t('meetings-admin.meeting.call_meeting_off'), callOffForm(meeting), refused?.at === 'end')}${disclosure(
        t('meetings-admin.meeting.delete_meeting'),
        confirmPanel({
          title: t('meetings-admin.meeting.delete_meeting'),
          text:
            meeting.event_id === null
              ? t('meetings-admin.meeting.agenda_goes_once_something_voted')
              : t('meetings-admin.meeting.agenda_goes_event_stays_calendar'),
          action: `/admin/meetings/${meeting.id}?_method=DELETE`,
          button: t('meetings-admin.meeting.delete_meeting'),
          typed,
        }),
        refused?.at === 'delete',
      )}`
    }`,
  });
}

/** What those who were invited have not been told, and the button that tells them. */
const NEWS: Record<MeetingChange, { news: Words; button: (n: number) => Words }> = {
  moved: {
    news: t('meetings-admin.meeting.untold_moved'),
    button: (n) => t('meetings-admin.meeting.mail_new_time_place', { n }),
  },
  called_off: {
    news: t('meetings-admin.meeting.untold_called_off'),
    button: (n) => t('meetings-admin.meeting.mail_called_off', { n }),
  },
  added: {
    news: t('meetings-admin.meeting.untold_added'),
    button: (n) => t('meetings-admin.meeting.mail_what_added', { n }),
  },
};

/** Offers a mail to those who were invited, with the new calendar file. */
function untoldForm({ meeting, untold }: MeetingPageProps): Html | undefined {
  if (untold === undefined) return undefined;
  const { news, button } = NEWS[untold.change];
  return html`<form class="card" method="post" action="/admin/meetings/${meeting.id}/tell">
<p>${news}</p>
<p><button class="button">${button(untold.people)}</button></p></form>`;
}

/** Calls the meeting off: its address says so, and its row stays. */
const callOffForm = ({ id }: Pick<MeetingJson, 'id'>): Html =>
  html`<form method="post" action="/admin/meetings/${id}?_method=PATCH"><input type="hidden" name="state" value="called_off">
${openField({ name: 'reason', id: 'call-off-reason', label: t('meetings-admin.meeting.why_called_off'), value: '', error: undefined, type: 'text' })}
<p><button class="button button-quiet">${t('meetings-admin.meeting.call_meeting_off')}</button></p></form>`;
