import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { HelperField } from '#meetings/helpers.ts';
import type { MeetingPlace } from '#meetings/meetings.ts';
import { enteredLines, enteredText, errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { notice, refusedNotice } from '#views/components/notices.ts';
import { definitionList, subPageHeader } from '#views/components/structure.ts';
import { meetingBadge, meetingPath } from '#views/meetings/words.ts';
import { type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { besideMeeting } from './sub-pages.ts';

/** The data of the page of those who help at a meeting. */
export interface HelpersProps extends OfficerProps {
  meeting: MeetingPlace;
  /** Who has each role now, and until when, already formatted. */
  helpers: readonly {
    field: HelperField;
    people: readonly { name: Words | string; until: Words | string | undefined }[];
  }[];
  /** The end that the form proposes, an ISO date. */
  proposedEnd: string;
  done: boolean;
  refused: RefusedForm | undefined;
}

const WORDS: Record<HelperField, { label: Words; hint: Words; rows: number }> = {
  chair: {
    label: t('meetings-admin.shared.chair'),
    hint: t('meetings-admin.helpers.opens_closes_announces_all_others'),
    rows: 2,
  },
  door: {
    label: t('meetings-admin.helpers.door'),
    hint: t('meetings-admin.helpers.checks_people_hands_out_cards'),
    rows: 3,
  },
  tellers: {
    label: t('meetings-admin.shared.tellers'),
    hint: t('meetings-admin.helpers.enter_papers_see_figures'),
    rows: 3,
  },
};
const LABELS = {
  chair: t('meetings-admin.shared.chair'),
  door: t('meetings-admin.helpers.door'),
  tellers: t('meetings-admin.shared.tellers'),
  until: t('meetings-admin.helpers.until'),
};

/** Who chairs, keeps the door and counts, and the form that gives these roles. */
export function helpersPage(props: HelpersProps): Html {
  const { meeting, helpers, done, refused, viewer } = props;
  const content = html`${pageSection({
    id: 'helpers',
    title: t('meetings-admin.shared.helpers'),
    about: t('meetings-admin.helpers.whoever_these_roles_now_any'),
    work: html`${definitionList(
      helpers.map(({ field, people }) => [
        WORDS[field].label,
        people.length === 0
          ? html`<span class="soft">${t('meetings-admin.helpers.nobody')}</span>`
          : people.map(
              ({ name, until }) =>
                html`<div>${name}${until !== undefined && html` <span class="small soft">${t('meetings-admin.helpers.until_when', { when: until })}</span>`}</div>`,
            ),
      ]),
    )}${
      props.viewer?.permissions.has('roles:read') &&
      html`<p><a class="link-alone" href="/admin/pub/roles">${t('meetings-admin.helpers.all_roles_change_take_away')}</a></p>`
    }`,
  })}${meeting.state !== 'closed' && giving(props)}`;
  const body = html`${refusedNotice(refused, LABELS)}${
    done && notice('success', t('meetings-admin.helpers.roles_each_gets_mail_says'))
  }
${subPageHeader({ title: meeting.title, state: meetingBadge(meeting.state), first: meetingPath(meeting.id) })}
${besideMeeting(props, content, 'helpers')}`;
  return officerPage({
    title: t('meetings-admin.helpers.document_title', { title: meeting.title }),
    body,
    nav: '/admin/meetings',
    viewer,
  });
}

function giving(props: HelpersProps): Html {
  const { meeting, proposedEnd, refused } = props;
  // A key or the edge grants elections, and no roles.
  if (!props.viewer?.permissions.has('roles:write'))
    return pageSection({
      id: 'give',
      title: t('meetings-admin.helpers.give_these_roles'),
      work: html`<p>${t('meetings-admin.helpers.only_owner_gives_roles_ask')}</p>`,
    });
  const { entered = { until: proposedEnd }, errors = [] } = refused ?? {};
  return pageSection({
    id: 'give',
    title: t('meetings-admin.helpers.give_these_roles'),
    about: t('meetings-admin.helpers.address_name_roll_each_line'),
    screenOnly: true,
    work: html`<form method="post" action="${meetingPath(meeting.id)}/helpers">
${(Object.keys(WORDS) as HelperField[]).map((field) =>
  openField({
    ...WORDS[field],
    name: field,
    value: enteredLines(entered, field),
    error: errorAt(errors, field),
  }),
)}
${openField({
  name: 'until',
  label: LABELS.until,
  type: 'date',
  value: enteredText(entered, 'until'),
  error: errorAt(errors, 'until'),
  hint: t('meetings-admin.helpers.end_day_empty_until_taken'),
})}
<div class="actions"><button class="button">${t('meetings-admin.helpers.give_these_roles')}</button></div></form>`,
  });
}
