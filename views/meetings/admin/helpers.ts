import { type Html, html } from '#kernel/html.ts';
import type { RefusedForm } from '#kernel/http/http.ts';
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
  helpers: readonly { field: HelperField; people: readonly { name: string; until: string | undefined }[] }[];
  /** The end that the form proposes, an ISO date. */
  proposedEnd: string;
  done: boolean;
  refused: RefusedForm | undefined;
}

const WORDS: Record<HelperField, { label: string; hint: string; rows: number }> = {
  chair: { label: 'Chair', hint: 'Opens, closes and announces, and can do all that the others do.', rows: 2 },
  door: { label: 'Door', hint: 'Checks people in, hands out cards and papers.', rows: 3 },
  tellers: { label: 'Tellers', hint: 'Enter the papers, and see no figures.', rows: 3 },
};
const LABELS = { chair: 'Chair', door: 'Door', tellers: 'Tellers', until: 'Until' };

/** Who chairs, keeps the door and counts, and the form that gives these roles. */
export function helpersPage(props: HelpersProps): Html {
  const { meeting, helpers, done, refused, viewer } = props;
  const content = html`${pageSection({
    id: 'helpers',
    title: 'Helpers',
    about: 'Whoever has these roles now, for any meeting.',
    work: html`${definitionList(
      helpers.map(({ field, people }) => [
        WORDS[field].label,
        people.length === 0
          ? html`<span class="soft">Nobody</span>`
          : people.map(
              ({ name, until }) =>
                html`<div>${name}${until !== undefined && html` <span class="small soft">until ${until}</span>`}</div>`,
            ),
      ]),
    )}${
      props.viewer?.permissions.has('roles:read') &&
      html`<p><a class="link-alone" href="/admin/pub/roles">All roles: change them, or take them away</a></p>`
    }`,
  })}${meeting.state !== 'closed' && giving(props)}`;
  const body = html`${refusedNotice(refused, LABELS)}${
    done && notice('success', 'They have their roles, and each gets a mail that says so.')
  }
${subPageHeader({ title: meeting.title, state: meetingBadge(meeting.state), first: meetingPath(meeting.id) })}
${besideMeeting(props, content, 'helpers')}`;
  return officerPage({ title: `Helpers: ${meeting.title}`, body, nav: '/admin/meetings', viewer });
}

function giving(props: HelpersProps): Html {
  const { meeting, proposedEnd, refused } = props;
  // A key or the edge grants elections, and no roles.
  if (!props.viewer?.permissions.has('roles:write'))
    return pageSection({
      id: 'give',
      title: 'Give these roles',
      work: html`<p>Only an owner gives roles. Ask an owner.</p>`,
    });
  const { entered = { until: proposedEnd }, errors = [] } = refused ?? {};
  return pageSection({
    id: 'give',
    title: 'Give these roles',
    about:
      'An address, or a name of the roll, one on each line. Each gets a mail, and signs in with that address.',
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
  hint: 'The end of that day. Empty: until they are taken away.',
})}
<div class="actions"><button class="button">Give these roles</button></div></form>`,
  });
}
