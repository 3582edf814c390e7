import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { AfterMails } from '#meetings/after.ts';
import type { MeetingFigures } from '#meetings/figures.ts';
import { MEETING, type MeetingJson } from '#meetings/meetings.ts';
import { type Entered, enteredLines, errorAt } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { confirmPanel } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { labelsOf, recordFields } from '#views/components/record-fields.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { meetingBadge } from '#views/meetings/words.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { differenceText, disagreement } from '#views/voting/results/results.ts';
import { sectionPath } from '#views/voting/words.ts';
import { shareWords } from '#voting/shared/share.ts';
import { afterSection } from './after.ts';
import {
  type AgendaItem,
  agendaList,
  errorsByInput,
  ITEM_LABELS,
  itemInputId,
  joinForm,
  newItemForm,
  type RefusedItem,
} from './agenda.ts';
import { MEETING_WORDS } from './meeting-fields.ts';

/** The data of the officers' page of a meeting. Times are already formatted. */
export interface MeetingPageProps extends OfficerProps {
  meeting: MeetingJson & MeetingFigures;
  items: readonly AgendaItem[];
  /** A sentence for each thing that is not stored as the log has it. */
  differences?: readonly string[] | undefined;
  /** Whether something changed a result after the minutes were signed. */
  minutesToCorrect: boolean;
  when: string;
  /** Its fields as their form has them. */
  stored: Entered;
  /** The time zone of all times, and its name in words. */
  timeZone: string;
  zone: string;
  /** What can be mailed once it is over. */
  after: AfterMails | undefined;
  done: string | undefined;
  /** What those who were invited have not been told of, and how many they are. */
  untold: { change: 'moved' | 'called_off'; people: number } | undefined;
  /** The distribution lists. */
  lists: readonly { id: string; name: string; count: number }[];
  /** Elections that were prepared and could be put on the agenda. */
  joinable: readonly { value: string; label: string }[];
  /** The page of its event in the calendar. */
  event: string | undefined;
  /** The refused form, and the section that it is in. */
  refused: (RefusedForm & { at: string }) | undefined;
}

/** The officers' page of a meeting. */
export function meetingPage(props: MeetingPageProps): Html {
  const { meeting, items, when, done, viewer } = props;
  const item = itemOf(props.refused?.at);
  const refused = props.refused && {
    ...props.refused,
    ...(item !== undefined && { errors: errorsByInput(props.refused.errors) }),
  };
  const mayWrite = mayDo(props, 'elections:write') && meeting.state !== 'closed';
  const ofItem = refused && item !== undefined ? { ...refused, item } : undefined;
  const summary =
    item === undefined
      ? refusedNotice(refused, labelsOf(MEETING_WORDS), (path) => path.split('.')[0]!)
      : refusedNotice(refused, ITEM_LABELS, (name) => itemInputId(name, item));
  const body = html`${summary}${done && notice('success', done)}
${meeting.called_off && notice('info', `${meeting.called_off.reason}`, 'This meeting is called off')}
${disagreement((props.differences ?? []).map(differenceText))}
${
  props.minutesToCorrect &&
  notice(
    'attention',
    html`<a href="/admin/meetings/${meeting.id}/minutes">Correct the minutes</a>: they say a result that changed.`,
    'Something changed after the signing',
  )
}
${untoldForm(props)}
${pageHeader({
  title: meeting.title,
  eyebrow: meetingBadge(meeting.state),
  lede: `${when}${meeting.place ? `, ${meeting.place}` : ''}`,
  crumbs: [{ href: '/admin/meetings', label: 'Meetings' }],
  actions: html`<a class="button button-quiet" href="/m/${meeting.id}">Its public page</a>${
    meeting.state !== 'prepared' &&
    html`<a class="button${meeting.state !== 'closed' && ' button-quiet'}" href="/admin/meetings/${meeting.id}/minutes">Minutes</a>`
  }${
    (meeting.state !== 'closed' || meeting.cards_too_many > 0) &&
    mayDo(props, 'elections:run') &&
    html`<a class="button button-quiet" href="/admin/meetings/${meeting.id}/door">The door</a>`
  }${
    meeting.state !== 'closed' &&
    mayDo(props, 'elections:run') &&
    html`<a class="button" href="/admin/meetings/${meeting.id}/chair">Chair the meeting</a>`
  }`,
})}
${figures(meeting)}
${props.after && afterSection({ meetingId: meeting.id, after: props.after, timeZone: props.timeZone, viewer })}
${pageSection({
  id: 'agenda',
  title: 'Agenda',
  about: `${counted(items.length, 'item')}. An item that was voted on stays as it is.`,
  work: html`${agendaList({
    meetingId: meeting.id,
    classes: meeting.classes,
    items,
    mayWrite,
    refused: ofItem,
  })}${
    mayWrite &&
    disclosure(
      'Add an item',
      newItemForm(meeting.id, meeting.classes, refused?.at === 'add' ? refused : NOTHING),
      items.length === 0 || refused?.at === 'add',
    )
  }${
    mayWrite &&
    props.joinable.length > 0 &&
    disclosure('Add an election that is prepared', joinForm(meeting.id, meeting.classes, props.joinable))
  }`,
})}
${meeting.state !== 'closed' && invitation(props)}
${mayWrite && details(props)}
${mayWrite && ending(props)}`;
  return officerPage({
    title: meeting.title,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
    scripts: ['admin/election-form.js'],
  });
}

/** The item whose form was refused, `new` for another one. */
const itemOf = (at: string | undefined): string | undefined =>
  at === 'add' ? 'new' : at?.startsWith('item-') ? at.slice(5) : undefined;

const NOTHING: RefusedItem = { entered: {}, errors: [] };

function figures({ entitled, present, quorum, classes }: MeetingPageProps['meeting']): Html {
  return definitionList([
    ['May vote', counted(entitled, 'member')],
    ...(present > 0 ? [['Present', counted(present, 'member')] as const] : []),
    [
      'Quorum',
      quorum.needed === 0
        ? 'None'
        : `${counted(quorum.needed, 'person', 'people')}${quorum.share ? `: ${shareWords(quorum.share)}` : ''}`,
    ],
    ...(classes.length > 1 ? [['Classes of cards', classes.join(', ')] as const] : []),
  ]);
}

function invitation({ meeting, lists, event, refused, viewer }: MeetingPageProps): Html {
  const own = refused?.at === 'invite' ? refused : undefined;
  const entered = own?.entered ?? (meeting.invited === 0 ? { roll: 'on' } : {});
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
      html`<form method="post" action="/admin/meetings/${meeting.id}/invite">
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
<div class="actions"><button class="button">Send the invitation</button></div></form>`
    }${
      meeting.allows_remote &&
      meeting.paper_id !== null &&
      html`<p><a class="link-alone" href="${sectionPath({ id: meeting.paper_id, isPaper: true }, 'invitations')}">Links for members elsewhere</a></p>`
    }${
      mayDo({ viewer }, 'elections:write') &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/event">
<button class="button button-quiet">${event ? 'Give its event this day and agenda' : 'Make it an event of the calendar'}</button>
${event && html`<a class="link-alone" href="${event}">The event</a>`}</form>`
    }`,
  });
}

function details({ meeting, stored, zone, refused }: MeetingPageProps): Html {
  const own = refused?.at === 'details' ? refused : undefined;
  return pageSection({
    id: 'details',
    title: 'The meeting',
    about: `All times are ${zone}.`,
    work: disclosure(
      'Change day, place and rules',
      html`<form method="post" action="/admin/meetings/${meeting.id}?_method=PATCH">
${recordFields(MEETING, MEETING_WORDS, { entered: { ...stored, ...own?.entered }, errors: own?.errors ?? [], zone })}
<div class="actions"><button class="button">Save</button></div></form>`,
      own !== undefined,
    ),
  });
}

function ending({ meeting, items, refused }: MeetingPageProps): Html {
  const waiting = items.filter(({ state }) => state === 'closed').map(({ title }) => title);
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
        }`,
        action: `/admin/meetings/${meeting.id}?_method=PATCH`,
        button: 'Close the meeting',
        hidden: { state: 'closed', ...(waiting.length > 0 && { confirm: 'announce' }) },
      })
    }${meeting.state !== 'closed' && disclosure('Call the meeting off', callOffForm(meeting))}${disclosure(
      'Delete the meeting',
      confirmPanel({
        title: 'Delete the meeting',
        text: `Its agenda goes with it${meeting.event_id === null ? '' : '; its event stays in the calendar until you remove it there'}. Once something was voted on, it cannot be deleted.`,
        action: `/admin/meetings/${meeting.id}?_method=DELETE`,
        button: 'Delete the meeting',
        typed,
      }),
      refused?.at === 'delete',
    )}`,
  });
}

/** Offers a mail to those who were invited, with the new calendar file. */
function untoldForm({ meeting, untold }: MeetingPageProps): Html | undefined {
  if (untold === undefined) return undefined;
  const news = untold.change === 'moved' ? 'the new time and place' : 'that it is called off';
  return html`<form class="card" method="post" action="/admin/meetings/${meeting.id}/tell">
<p>The invitation went out. Those who got it have not been told ${news}.</p>
<p><button class="button">Mail ${counted(untold.people, 'person', 'people')} ${news}</button></p></form>`;
}

/** Calls the meeting off: its address says so, and its row stays. */
const callOffForm = ({ id }: Pick<MeetingJson, 'id'>): Html =>
  html`<form method="post" action="/admin/meetings/${id}?_method=PATCH"><input type="hidden" name="state" value="called_off">
${openField({ name: 'reason', id: 'call-off-reason', label: 'Why it is called off', value: '', error: undefined, type: 'text' })}
<p><button class="button button-quiet">Call the meeting off</button></p></form>`;
