import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { CALL } from '#meetings/nominations/calls.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { labelsOf, recordFields, type Words } from '#views/components/record-fields.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { mayDo, type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { acceptAllForm, decisionForms, isOver, mailCallForm, proposalBadge } from './proposals.ts';
import { besideMeeting } from './sub-pages.ts';

/** A nomination as officers see it. */
export interface NominationRow {
  id: string;
  name: string;
  email: string;
  text: string;
  proposer: string | null;
  picture: string | null;
  state: ProposalState;
  reason: string | null;
  seconders: readonly { email: string; seconded: boolean }[];
}

/** The data of the officers' page of a call for candidates. Times are already formatted. */
export interface NominationsProps extends OfficerProps {
  meeting: MeetingPlace;
  item: { id: string; title: string; state: ItemJson['state'] };
  /** Undefined until candidates are called for. */
  call:
    | {
        opens: string;
        closes: string;
        /** When it was to close at first. */
        extendedFrom: string | undefined;
        open: boolean;
        state: 'before' | 'open' | 'over';
        /** When the call was mailed; undefined before that. */
        mailed: string | undefined;
        /** How many addresses of members the mail goes to. */
        called: number;
        who: 'members' | 'anybody';
        seconders: number;
        seats: number;
        accepted: number;
        too_few: boolean;
        as_many_as_seats: boolean;
        nominations: readonly NominationRow[];
      }
    | undefined;
  /** The values of the form. */
  fields: Record<string, string>;
  /** The type of ballot that asks yes or no for each candidate. */
  each: string | undefined;
  zone: string;
  done: string | undefined;
  /** Where the item is on the agenda, if it was just added and nobody stands for it. */
  added: string | undefined;
  refused: RefusedForm | undefined;
}

type Call = NonNullable<NominationsProps['call']>;

/** The words of the fields of a call, and of a decision. */
export const CALL_WORDS: Words<typeof CALL.fields, 'reason'> = {
  opens_at: { label: 'From' },
  closes_at: { label: 'Until' },
  who: {
    label: 'Who can be nominated?',
    options: [
      {
        value: 'members',
        label: 'Members',
        note: 'Whoever may vote on the day of the meeting. A stranger gets the same answer and no mail.',
      },
      { value: 'anybody', label: 'Anybody with a mail address' },
    ],
  },
  seconders: { label: 'Seconders', hint: 'How many members have to second each nomination: 0 to 5.' },
  picture: { label: 'Nominees can add a picture' },
  reason: { label: 'Reason', hint: 'The nominee reads it.' },
};

/** The officers' page of a call for candidates: its rules, what came in, and the decisions. */
export function nominationsPage(props: NominationsProps): Html {
  const { meeting, item, call, zone, done, added, refused, viewer } = props;
  const mayWrite = mayDo(props, 'elections:write') && item.state === 'prepared';
  const at = `/admin/meetings/${meeting.id}/items/${item.id}/nominations`;
  const body = html`${refusedNotice(refused, labelsOf(CALL_WORDS))}${done && notice('success', done)}${
    added !== undefined &&
    notice(
      'success',
      html`<p>It has no candidates yet. Call for them now, and members can nominate each other before the meeting. <a href="${added}">Back to the agenda without a call</a></p>`,
      'The item is on the agenda',
    )
  }
${pageHeader({
  title: `Nominations: ${item.title}`,
  lede: call ? `From ${call.opens} until ${call.closes}.` : 'Nobody is asked to stand yet.',
  crumbs: [
    { href: '/admin/meetings', label: 'Meetings' },
    { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  ],
  actions:
    call &&
    html`<a class="button button-quiet" href="/m/${meeting.id}/nominate/${item.id}">The form to nominate</a>`,
})}
${besideMeeting(
  props,
  html`${call && progress(props, call, mayWrite)}${call && mayWrite && call.state !== 'over' && mailCallForm(at, call)}
${
  call &&
  pageSection({
    id: 'nominations',
    title: 'Nominations',
    about: `${counted(call.accepted, 'candidate')} for ${counted(call.seats, 'seat')}.`,
    work:
      call.nominations.length === 0
        ? html`<p class="soft">None yet.</p>`
        : html`${mayWrite && acceptAllForm(at, call.nominations)}<ul class="agenda" role="list">${call.nominations.map((one) => nomination(props, one, mayWrite))}</ul>`,
  })
}
${
  mayWrite &&
  pageSection({
    id: 'call',
    title: call ? 'The call' : 'Call for candidates',
    about: `All times are ${zone}.${call ? ' A later end extends it for everybody.' : ''}`,
    work: callForm(props),
  })
}`,
)}`;
  return officerPage({
    title: `Nominations: ${item.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

function progress({ meeting, item, each }: NominationsProps, call: Call, mayWrite: boolean): Html {
  const { extendedFrom, too_few, as_many_as_seats, seats, accepted } = call;
  return html`${extendedFrom && notice('info', `Extended: it was to close on ${extendedFrom}.`)}
${
  too_few &&
  notice(
    'attention',
    `${counted(accepted, 'candidate')} for ${counted(seats, 'seat')}. Extend the call, or take nominations on the day.`,
    'Too few candidates',
  )
}
${
  as_many_as_seats &&
  notice(
    'info',
    html`<p>The chair may declare them elected where your rules say so. Otherwise ask yes or no for each of them.</p>${
      mayWrite &&
      each &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/items/${item.id}?_method=PATCH">${hiddenInputs(
        {
          type: each,
          seats: String(seats),
          names: '',
        },
      )}<button class="button button-quiet">Ask yes or no for each</button></form>`
    }`,
    'As many candidates as seats',
  )
}`;
}

function nomination(
  { meeting, item, refused }: NominationsProps,
  one: NominationRow,
  mayWrite: boolean,
): Html {
  const path = `/admin/meetings/${meeting.id}/items/${item.id}/nominations/${one.id}`;
  const isDecided = isOver(one.state);
  const seconded = one.seconders.filter((seconder) => seconder.seconded).length;
  return html`<li class="card"><p class="eyebrow">${proposalBadge(one.state, 'Candidate')}</p><h3>${one.name}</h3>
<p class="small">${one.email}${one.proposer && html`<br>Proposed by ${one.proposer}`}${
    one.seconders.length > 0 && html`<br>Seconded by ${seconded} of ${one.seconders.length} who were asked`
  }${one.picture && html`<br>With a picture`}</p>
${one.text && plainText(one.text)}${one.reason && html`<p class="small soft">Refused: ${one.reason}</p>`}
${mayWrite && !isDecided && decisionForms(path, one, { ...CALL_WORDS.reason!, refused })}</li>`;
}

function callForm({ meeting, item, call, fields, refused }: NominationsProps): Html {
  const errors = refused?.errors ?? [];
  const entered = { ...fields, ...refused?.entered };
  return html`<form method="post" action="/admin/meetings/${meeting.id}/items/${item.id}/nominations?_method=PUT">
${recordFields(CALL, CALL_WORDS, { entered, errors })}
<div class="actions"><button class="button">${call ? 'Save' : 'Call for candidates'}</button></div></form>`;
}
