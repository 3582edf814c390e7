import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { AfterMails } from '#meetings/after.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import type { MeetingChange } from '#meetings/invitations.ts';
import { MEETING, type MeetingJson } from '#meetings/meetings.ts';
import { type Entered, enteredLines, enteredText, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { labelsOf, recordFields } from '#views/components/record-fields.ts';
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
import { differenceText, disagreement } from '#views/voting/results/results.ts';
import { shareWords } from '#voting/shared/share.ts';
import { afterSection } from './after.ts';
import { type AgendaItem, agendaList, itemAddress } from './agenda.ts';
import { classSign } from './class-sign.ts';
import { DOCUMENT_LABELS, type DocumentRow, documentInputId, documentsSection } from './documents.ts';
import { MEETING_WORDS } from './meeting-fields.ts';
import { motionsWaiting } from './motions.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of each officers' page of a meeting. Times are already formatted. */
export interface MeetingPageProps extends OfficerProps {
  page: MeetingPage;
  meeting: MeetingJson & MeetingFigures;
  /** Whether something changed a result after the minutes were signed. */
  minutesToCorrect: boolean;
  when: string;
  /** How many people the roll gives each class; undefined where there is only one. */
  classPeople: Record<string, number> | undefined;
  done: string | undefined;
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
  differences?: readonly string[] | undefined;
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
  zone: string;
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
${meeting.called_off && notice('info', `${meeting.called_off.reason}`, 'This meeting is called off')}
${props.agenda && disagreement((props.agenda.differences ?? []).map(differenceText))}
${
  props.minutesToCorrect &&
  notice(
    'attention',
    html`<a href="/admin/meetings/${meeting.id}/minutes">Correct the minutes</a>: they say a result that changed.`,
    'Something changed after the signing',
  )
}
${untoldForm(props)}
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
    lede: `${when}${meeting.place ? `, ${meeting.place}` : ''}`,
    crumbs: [{ href: '/admin/meetings', label: 'Meetings' }],
    actions: html`<a class="button button-quiet" href="/m/${meeting.id}">${meeting.public ? 'Its public page' : 'Its page for members'}</a>${
      meeting.state !== 'prepared' &&
      html`<a class="button${meeting.state !== 'closed' && ' button-quiet'}" href="/admin/meetings/${meeting.id}/minutes">Minutes</a>`
    }${
      // Before its end the list of its pages leads there.
      meeting.state === 'closed' &&
      meeting.cards_too_many > 0 &&
      mayDo(officer, 'meetings:door') &&
      html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/door">The door</a>`
    }${
      meeting.state !== 'closed' &&
      mayDo(officer, 'elections:run') &&
      html`<a class="button" href="/admin/meetings/${meeting.id}/chair">Chair the meeting</a>`
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
  title: 'Agenda',
  about: `${counted(total, 'item')}. An item that was voted on stays as it is.${
    meeting.invited > 0 ? ' Numbers stay as they went out.' : ''
  }`,
  work: html`${agendaList({ meetingId: meeting.id, items, first, total, mayWrite })}${
    total > ITEMS_A_PAGE &&
    numberedPages({
      page: first / ITEMS_A_PAGE + 1,
      pageSize: ITEMS_A_PAGE,
      total,
      of: 'items',
      href: (at) => meetingSectionPath(meeting.id, 'agenda', `?page=${at}`),
    })
  }<p class="toolbar">${
    mayWrite && html`<a class="button button-quiet" href="${itemAddress(meeting.id, 'new')}">New item</a>`
  }${
    (motions || (mayWrite && meeting.state === 'prepared')) &&
    html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/motions">${
      motions ? 'Motions of members' : 'Call for motions'
    }</a>`
  }${motions && motions.waiting > 0 && html`<strong>${motionsWaiting(motions.waiting)}</strong>`}</p>`,
})}`;
}

function figures(props: MeetingPageProps): Html {
  const { meeting, classPeople } = props;
  const { entitled, present, quorum } = meeting;
  return definitionList([
    ['May vote', counted(entitled, 'member')],
    ...(present > 0 ? [['Present', counted(present, 'member')] as const] : []),
    [
      'Quorum',
      quorum.needed === 0
        ? 'None'
        : `${counted(quorum.needed, 'person', 'people')}${quorum.share ? `: ${shareWords(quorum.share)}` : ''}`,
    ],
    ...(classPeople
      ? [['Classes of cards', html`${meeting.classes.map((name, at) => classRow(props, name, at))}`] as const]
      : []),
  ]);
}

/** Who is in a class: the first has everybody whom the roll gives none, others are groups or kinds of this name. */
function classRow(
  { meeting, classPeople = {}, viewer }: MeetingPageProps,
  name: string,
  index: number,
): Html {
  const people = classPeople[name] ?? 0;
  const make = 'make a group of this name';
  return html`<div>${classSign(meeting.classes, name)}${name}: ${counted(people, 'person', 'people')}${
    people === 0 && index > 0
      ? html`: ${mayDo({ viewer }, 'people:write') ? html`<a href="/admin/people/kinds">${make}</a>` : make}, or choose the class at the door`
      : index === 0 && ', and whoever is in no other'
  }</div>`;
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
    title: 'Invite',
    about: `A mail with the agenda, a calendar file and a number for the door. It has no voting code. ${
      meeting.invited === 0 ? 'Nobody is invited yet.' : `${counted(meeting.invited, 'mail')} so far.`
    }`,
    screenOnly: true,
    work: html`${
      mayDo({ viewer }, 'elections:run') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/invite/check">
<div class="choices choices-plain">${tickBox({
        name: 'roll',
        label: `Everybody who may vote on that day: ${counted(meeting.entitled, 'member')}`,
        checked: 'roll' in entered,
      })}
${lists.map(({ id, name, count }) =>
  tickBox({
    name: 'distribution_list_ids',
    id: `list-${id}`,
    label: `${name}: ${counted(count, 'address', 'addresses')}`,
    value: id,
    checked: chosen.includes(id),
  }),
)}</div>
${openField({
  name: 'emails',
  label: 'Further addresses',
  value: enteredLines(entered, 'emails'),
  error: own && errorAt(own.errors, 'emails'),
  hint: 'One on each line.',
  rows: 3,
})}
${openField({
  name: 'message',
  label: 'Own words',
  value: enteredText(entered, 'message'),
  error: own && errorAt(own.errors, 'message'),
  hint: 'They come first in the mail.',
  rows: 3,
})}
<div class="actions"><button class="button">Check before sending</button></div></form>`
    }${
      unreached > 0 &&
      mayDo({ viewer }, 'elections:run') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/letters"><button class="button button-quiet">Letters for ${counted(
        unreached,
        'member',
      )} without an address</button></form>`
    }${
      mayDo({ viewer }, 'elections:write') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/event">
<button class="button button-quiet">${event ? `Give its event this day${meeting.public ? ' and agenda' : ''}` : 'Make it an event of the calendar'}</button>
${event && html`<a class="link-alone" href="${event}">The event</a>`}
<p class="small soft">Everybody can read the calendar: the event has title, day and place${meeting.public ? ', and the agenda' : ', but not the agenda'}.</p></form>`
    }`,
  });
}

function details({ meeting, refused }: MeetingPageProps, { stored, zone }: ShownDetails): Html {
  return pageSection({
    id: 'details',
    title: 'Day, place and rules',
    about: `All times are ${zone}.`,
    work: html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH">
${recordFields(MEETING, MEETING_WORDS, { entered: { ...stored, ...refused?.entered }, errors: refused?.errors ?? [], zone })}
<div class="actions"><button class="button">Save</button></div></form>`,
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
    error: refused?.at === 'delete' ? refused.message : undefined,
  };
  return pageSection({
    id: 'end',
    title: 'End it',
    screenOnly: true,
    work: html`${
      meeting.state === 'running' &&
      confirmPanel({
        title: 'Close the meeting',
        text: html`Afterwards only its minutes can be written and corrected.${
          waiting.length > 0 &&
          html` <strong>Not announced yet: ${listed(waiting)}.</strong> The chair’s page can still announce it then.`
        }${
          voidAsked.length > 0 &&
          html` <strong>Somebody asked to make void: ${listed(voidAsked)}.</strong> A second person can still confirm it then.`
        }`,
        action: `/admin/meetings/${meeting.id}?_method=PATCH`,
        button: 'Close the meeting',
        hidden: { state: 'closed', ...(waiting.length > 0 && { confirm: 'announce' }) },
      })
    }${
      mayWrite &&
      html`${disclosure('Call the meeting off', callOffForm(meeting), refused?.at === 'end')}${disclosure(
        'Delete the meeting',
        confirmPanel({
          title: 'Delete the meeting',
          text: `Its agenda goes with it${meeting.event_id === null ? '' : '; its event stays in the calendar until you remove it there'}. Once something was voted on, it cannot be deleted.`,
          action: `/admin/meetings/${meeting.id}?_method=DELETE`,
          button: 'Delete the meeting',
          typed,
        }),
        refused?.at === 'delete',
      )}`
    }`,
  });
}

const NEWS: Record<MeetingChange, { news: string; button: (people: string) => string }> = {
  moved: { news: 'the new time and place', button: (people) => `Mail ${people} the new time and place` },
  called_off: { news: 'that it is called off', button: (people) => `Mail ${people} that it is called off` },
  added: { news: 'what was added', button: (people) => `Mail what was added to ${people}` },
};

/** Offers a mail to those who were invited, with the new calendar file. */
function untoldForm({ meeting, untold }: MeetingPageProps): Html | undefined {
  if (untold === undefined) return undefined;
  const { news, button } = NEWS[untold.change];
  return html`<form class="card" method="post" action="/admin/meetings/${meeting.id}/tell">
<p>The invitation went out. Those who got it have not been told ${news}.</p>
<p><button class="button">${button(counted(untold.people, 'person', 'people'))}</button></p></form>`;
}

/** Calls the meeting off: its address says so, and its row stays. */
const callOffForm = ({ id }: Pick<MeetingJson, 'id'>): Html =>
  html`<form method="post" action="/admin/meetings/${id}?_method=PATCH"><input type="hidden" name="state" value="called_off">
${openField({ name: 'reason', id: 'call-off-reason', label: 'Why it is called off', value: '', error: undefined, type: 'text' })}
<p><button class="button button-quiet">Call the meeting off</button></p></form>`;
