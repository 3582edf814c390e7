import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import type { Words } from '#kernel/language/words.ts';
import { graveActWords } from '#people/approvals/grave-acts.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { definitionList, disclosure, pageHeader } from '#views/components/structure.ts';
import { officerPage } from '#views/voting/admin/frame.ts';

export interface ApprovalsPageProps {
  approvals: readonly {
    id: string;
    act: Words | string;
    /** What exactly it does. */
    details: readonly { label: Words | string; value: Words | string }[];
    hash: string;
    by: string;
    until: Words | string;
    isOwn: boolean;
    mayDecide: boolean;
  }[];
  /** Whether sensitive acts need two people; `couldBeOn` says whether enough people may do them. */
  isOn: boolean;
  couldBeOn: boolean;
  maySet: boolean;
  done?: Words | string | undefined;
  viewer: Viewer | undefined;
}

const TITLE = 'Actions that need a second person';

/** The pending sensitive acts, each with its buttons, and the setting whether they need two people. */
export function approvalsPage(props: ApprovalsPageProps): Html {
  const { approvals, done, viewer } = props;
  const body = html`${done !== undefined && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: TITLE,
  lede: 'One person asks, another confirms.',
  crumbs: [{ href: '/admin', label: 'Elections' }],
})}
${
  approvals.length === 0
    ? empty('Nothing waits', 'Requests are listed here for 24 hours, until somebody else confirms them.')
    : html`<ul class="action-list" role="list">${approvals.map(
        (one) => html`<li>${approvalRow(one)}</li>\n`,
      )}</ul>`
}
${ruleForm(props)}`;
  return officerPage({ title: TITLE, body, nav: '/admin', viewer });
}

const listOf = (acts: readonly string[]): Html => html`<ul>${acts.map((act) => html`<li>${act}</li>`)}</ul>`;

function approvalRow({
  id,
  act,
  details,
  hash,
  by,
  until,
  isOwn,
  mayDecide,
}: ApprovalsPageProps['approvals'][number]): Html {
  const button = (decision: string, label: string, style: string) =>
    html`<form method="post" action="/admin/approvals/${id}">${hiddenInputs({
      hash,
      decision,
    })}<button class="button ${style}">${label}<span class="visually-hidden">: ${act}</span></button></form>`;
  return html`<p><strong>${act}</strong><br><span class="small soft">Asked for by ${isOwn ? 'you' : by}, waits until ${until}.</span></p>
${details.length > 0 && definitionList(details.map(({ label, value }) => [label, value] as const))}
${
  mayDecide &&
  html`
<div class="toolbar">${!isOwn && button('confirmed', 'Confirm and do it', '')}${button(
    'refused',
    isOwn ? 'Take it back' : 'Refuse',
    'button-quiet',
  )}</div>`
}`;
}

function ruleForm({ isOn, couldBeOn, maySet }: ApprovalsPageProps): Html {
  const says = isOn
    ? 'Two people: one asks, another confirms. Voting that opens and closes at its time never waits.'
    : 'One person is enough. The others who may do the same are told by mail at once.';
  const proposal =
    !isOn &&
    couldBeOn &&
    'Several people may do these things, so you could have two of them agree each time.';
  return html`<h2>The rule</h2><p>${says} ${proposal}</p>
${disclosure(
  'Which actions these are',
  html`<p>Where the rule is on:</p>${listOf(graveActWords(false))}<p>In any case:</p>${listOf(graveActWords(true))}`,
)}
${
  maySet &&
  html`<form method="post" action="/admin/approvals/setting">${hiddenInputs({
    two_people: String(!isOn),
  })}<button class="button button-quiet">${
    isOn ? 'Let one person be enough' : 'Require a second person for sensitive actions'
  }</button></form>`
}`;
}

/** The page after a sensitive act was requested that another person has to confirm. */
export function askedPage({ act, viewer }: { act: Words | string; viewer: Viewer | undefined }): Html {
  const title = 'Somebody else has to confirm this';
  const body = html`${pageHeader({ title, lede: 'Not done yet.', crumbs: [{ href: '/admin', label: 'Elections' }] })}
<p class="address"><strong>${act}</strong></p><p>The others who may do it were told by mail. One of them confirms it
within 24 hours; then it is done as you asked for it.</p>
<p><a class="button button-quiet" href="/admin/approvals">See what waits</a></p>`;
  return officerPage({ title, body, nav: '/admin', viewer });
}
