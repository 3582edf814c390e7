import type { Viewer } from '#kernel/access/permissions.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { graveActWords } from '#people/approvals/grave-acts.ts';
import { hiddenInputs } from '#views/components/forms.ts';
import { empty, notice } from '#views/components/notices.ts';
import { hidden } from '#views/components/slots.ts';
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

const TITLE = t('people-admin.approvals.title');

/** The pending sensitive acts, each with its buttons, and the setting whether they need two people. */
export function approvalsPage(props: ApprovalsPageProps): Html {
  const { approvals, done, viewer } = props;
  const body = html`${done !== undefined && html`<div role="status">${notice('success', done)}</div>`}
${pageHeader({
  title: TITLE,
  lede: t('people-admin.approvals.lede'),
  crumbs: [{ href: '/admin', label: t('people-admin.approvals.elections') }],
})}
${
  approvals.length === 0
    ? empty(t('people-admin.approvals.nothing_waits'), t('people-admin.approvals.nothing_waits_text'))
    : html`<ul class="action-list" role="list">${approvals.map(
        (one) => html`<li>${approvalRow(one)}</li>\n`,
      )}</ul>`
}
${ruleForm(props)}`;
  return officerPage({ title: TITLE, body, nav: '/admin', viewer });
}

const listOf = (acts: readonly Words[]): Html => html`<ul>${acts.map((act) => html`<li>${act}</li>`)}</ul>`;

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
  const button = (decision: string, label: Words, style: string) =>
    html`<form method="post" action="/admin/approvals/${id}">${hiddenInputs({
      hash,
      decision,
    })}<button class="button ${style}">${label}</button></form>`;
  return html`<p><strong>${act}</strong><br><span class="small soft">${isOwn ? t('people-admin.approvals.asked_by_you', { until }) : t('people-admin.approvals.asked_by', { by, until })}</span></p>
${details.length > 0 && definitionList(details.map(({ label, value }) => [label, value] as const))}
${
  mayDecide &&
  html`
<div class="toolbar">${!isOwn && button('confirmed', t('people-admin.approvals.confirm', { act, hidden }), '')}${button(
    'refused',
    isOwn
      ? t('people-admin.approvals.take_back', { act, hidden })
      : t('people-admin.approvals.refuse', { act, hidden }),
    'button-quiet',
  )}</div>`
}`;
}

function ruleForm({ isOn, couldBeOn, maySet }: ApprovalsPageProps): Html {
  const says = isOn ? t('people-admin.approvals.rule_on') : t('people-admin.approvals.rule_off');
  const proposal = !isOn && couldBeOn && t('people-admin.approvals.proposal');
  return html`<h2>${t('people-admin.approvals.rule')}</h2><p>${sentences([says, proposal])}</p>
${disclosure(
  t('people-admin.approvals.which_actions_these'),
  html`<p>${t('people-admin.approvals.where_rule')}</p>${listOf(graveActWords(false))}<p>${t('people-admin.approvals.any_case')}</p>${listOf(graveActWords(true))}`,
)}
${
  maySet &&
  html`<form method="post" action="/admin/approvals/setting">${hiddenInputs({
    two_people: String(!isOn),
  })}<button class="button button-quiet">${
    isOn ? t('people-admin.approvals.switch_off') : t('people-admin.approvals.switch_on')
  }</button></form>`
}`;
}

/** The page after a sensitive act was requested that another person has to confirm. */
export function askedPage({ act, viewer }: { act: Words | string; viewer: Viewer | undefined }): Html {
  const title = t('people-admin.approvals.asked_title');
  const body = html`${pageHeader({ title, lede: t('people-admin.approvals.done_yet'), crumbs: [{ href: '/admin', label: t('people-admin.approvals.elections') }] })}
<p class="address"><strong>${act}</strong></p><p>${t('people-admin.approvals.asked_text')}</p>
<p><a class="button button-quiet" href="/admin/approvals">${t('people-admin.approvals.see_what_waits')}</a></p>`;
  return officerPage({ title, body, nav: '/admin', viewer });
}
