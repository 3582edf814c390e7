import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ItemJson } from '#meetings/items.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { CALL } from '#meetings/nominations/calls.ts';
import type { ProposalState } from '#meetings/proposals/proof.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { type Words as FieldsWords, labelsOf, recordFields } from '#views/components/record-fields.ts';
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
        opens: Words;
        closes: Words;
        /** When it was to close at first. */
        extendedFrom: Words | undefined;
        open: boolean;
        state: 'before' | 'open' | 'over';
        /** When the call was mailed; undefined before that. */
        mailed: Words | undefined;
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
  zone: Words;
  done: Words | string | undefined;
  /** Where the item is on the agenda, if it was just added and nobody stands for it. */
  added: string | undefined;
  refused: RefusedForm | undefined;
}

type Call = NonNullable<NominationsProps['call']>;

/** The words of the fields of a call, and of a decision. */
export const CALL_WORDS: FieldsWords<typeof CALL.fields, 'reason'> = {
  opens_at: { label: t('meetings-admin.nominations.from') },
  closes_at: { label: t('meetings-admin.nominations.until') },
  who: {
    label: t('meetings-admin.nominations.who_nominated'),
    options: [
      {
        value: 'members',
        label: t('meetings-admin.shared.members'),
        note: t('meetings-admin.shared.whoever_vote_day_meeting_stranger'),
      },
      { value: 'anybody', label: t('meetings-admin.shared.anybody_mail_address') },
    ],
  },
  seconders: {
    label: t('meetings-admin.shared.seconders'),
    hint: t('meetings-admin.nominations.how_many_members_second_each'),
  },
  picture: { label: t('meetings-admin.nominations.nominees_add_picture') },
  reason: {
    label: t('meetings-admin.nominations.reason'),
    hint: t('meetings-admin.nominations.nominee_reads'),
  },
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
      html`<p>${t('meetings-admin.nominations.candidates_yet_call_now_members', { link: (inside) => html`<a href="${added}">${inside}</a>` })}</p>`,
      t('meetings-admin.nominations.item_agenda'),
    )
  }
${pageHeader({
  title: t('meetings-admin.nominations.nominations', { title: item.title }),
  lede: call
    ? t('meetings-admin.shared.until', { opens: call.opens, closes: call.closes })
    : t('meetings-admin.nominations.asked_stand_yet'),
  crumbs: [
    { href: '/admin/meetings', label: t('meetings-admin.shared.meetings') },
    { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
  ],
  actions:
    call &&
    html`<a class="button button-quiet" href="/m/${meeting.id}/nominate/${item.id}">${t('meetings-admin.nominations.form_nominate')}</a>`,
})}
${besideMeeting(
  props,
  html`${call && progress(props, call, mayWrite)}${call && mayWrite && call.state !== 'over' && mailCallForm(at, call)}
${
  call &&
  pageSection({
    id: 'nominations',
    title: t('meetings-admin.shared.nominations'),
    about: t('meetings-admin.nominations.candidates_seats', { accepted: call.accepted, seats: call.seats }),
    work:
      call.nominations.length === 0
        ? html`<p class="soft">${t('meetings-admin.shared.none_yet')}</p>`
        : html`${mayWrite && acceptAllForm(at, call.nominations)}<ul class="agenda" role="list">${call.nominations.map((one) => nomination(props, one, mayWrite))}</ul>`,
  })
}
${
  mayWrite &&
  pageSection({
    id: 'call',
    title: call ? t('meetings-admin.shared.call') : t('meetings-admin.shared.call_candidates'),
    about: call
      ? t('meetings-admin.shared.all_times_later_end_extends', { zone })
      : t('meetings-admin.shared.all_times', { zone }),
    work: callForm(props),
  })
}`,
)}`;
  return officerPage({
    title: t('meetings-admin.nominations.nominations', { title: item.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets('meetings/meetings.css'),
  });
}

function progress({ meeting, item, each }: NominationsProps, call: Call, mayWrite: boolean): Html {
  const { extendedFrom, too_few, as_many_as_seats, seats, accepted } = call;
  return html`${extendedFrom && notice('info', t('meetings-admin.shared.extended_close', { extended: extendedFrom }))}
${
  too_few &&
  notice(
    'attention',
    t('meetings-admin.nominations.candidates_seats_extend_call_take', { accepted, seats }),
    t('meetings-admin.nominations.too_few_candidates'),
  )
}
${
  as_many_as_seats &&
  notice(
    'info',
    html`<p>${t('meetings-admin.nominations.chair_declare_elected_where_rules')}</p>${
      mayWrite &&
      each &&
      html`<form method="post" action="/admin/meetings/${meeting.id}/items/${item.id}?_method=PATCH">${hiddenInputs(
        {
          type: each,
          seats: String(seats),
          names: '',
        },
      )}<button class="button button-quiet">${t('meetings-admin.nominations.ask_yes_each')}</button></form>`
    }`,
    t('meetings-admin.nominations.many_candidates_seats'),
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
  return html`<li class="card"><p class="eyebrow">${proposalBadge(one.state, t('meetings-admin.nominations.candidate'))}</p><h3>${one.name}</h3>
<p class="small">${one.email}${one.proposer && html`<br>${t('meetings-admin.nominations.proposed', { proposer: one.proposer })}`}${
    one.seconders.length > 0 &&
    html`<br>${t('meetings-admin.motions.seconded_by', { n: seconded, of: one.seconders.length })}`
  }${one.picture && html`<br>${t('meetings-admin.nominations.picture')}`}</p>
${one.text && plainText(one.text)}${one.reason && html`<p class="small soft">${t('meetings-admin.shared.refused', { reason: one.reason })}</p>`}
${mayWrite && !isDecided && decisionForms(path, one, { ...CALL_WORDS.reason!, refused })}</li>`;
}

function callForm({ meeting, item, call, fields, refused }: NominationsProps): Html {
  const errors = refused?.errors ?? [];
  const entered = { ...fields, ...refused?.entered };
  return html`<form method="post" action="/admin/meetings/${meeting.id}/items/${item.id}/nominations?_method=PUT">
${recordFields(CALL, CALL_WORDS, { entered, errors })}
<div class="actions"><button class="button">${call ? t('meetings-admin.shared.save') : t('meetings-admin.shared.call_candidates')}</button></div></form>`;
}
