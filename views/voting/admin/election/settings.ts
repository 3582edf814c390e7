import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList } from '#views/components/structure.ts';
import { lockedUnless, mayDo } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from '#views/voting/admin/sections/forms.ts';
import { settingsSections } from '#views/voting/admin/sections/settings.ts';
import { datesSection } from '#views/voting/admin/sections/texts-and-dates.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { adminElectionPath, listsSignatures } from '#views/voting/words.ts';
import { shareOfWords } from '#voting/share-words.ts';
import { listedFrom } from '#voting/shared/ballot-file.ts';
import type { ElectionSettings, Receipts } from '#voting/shared/settings.ts';
import type { ElectionPageProps } from './props.ts';

/** When voting opens and closes. */
export function electionDates(props: ElectionPageProps): Section {
  const { election, ballots } = props;
  const reopens = election.status === 'closed' && ballots > 0;
  return datesSection(props, {
    action: adminElectionPath(election.id, 'dates?_method=PATCH'),
    hasBallots: ballots > 0,
    about: t('voting-admin.settings.change_takes_effect_next_ballot'),
    above: reopens && CLOSED,
    more: reopens && reopenFields(props),
  });
}

const CLOSED = notice(
  'attention',
  t('voting-admin.settings.new_dates_lie_future_open'),
  t('voting-admin.settings.election_closed'),
);

function reopenFields(props: ElectionPageProps): Html {
  const { at, tick } = formOf(props, 'dates');
  return html`<div class="choices choices-plain">${tick('reopen')}</div>
${field({ ...at('reason'), optional: true, maxlength: 300 })}`;
}

/** The settings that can be changed, and those that are fixed by ballots. */
export function electionSettings(props: ElectionPageProps) {
  const { election, ballots } = props;
  const { settings, status } = election;
  const fixed = ballots > 0;
  return settingsSections(props, {
    title: t('voting-admin.settings.settings'),
    action: adminElectionPath(election.id, 'settings?_method=PATCH'),
    button: t('voting-admin.settings.save_settings'),
    stored: settings,
    ...(fixed && { above: fixedSettings(props) }),
    ...(status !== 'closed' &&
      listsSignatures(election, props.turnout.issued) && {
        checksAbove: notice(
          'attention',
          `${sentence('long_rankings_listed')}.`,
          t('voting-admin.settings.all_ballots_published'),
        ),
      }),
    fields: {
      type: election.ballot_type,
      fixed,
      trial: election.trial,
      listFixed: fixed && (settings.publish_ballots === false || status === 'closed'),
    },
  });
}

const CODES: Record<Receipts, Words> = {
  off: t('voting-admin.settings.fixed.code_off'),
  included: t('voting-admin.settings.fixed.code_included'),
  content: t('voting-admin.settings.fixed.code_content'),
};

function fixedSettings({ election: { settings, ballot_type, candidates } }: ElectionPageProps): Html {
  const { setting, rules } = viewOf(ballot_type);
  const fixed = [
    ...(setting ? [setting.said(settings)] : []),
    settings.hide_results_until_close
      ? t('voting-admin.settings.fixed.hidden')
      : t('voting-admin.settings.fixed.live'),
    quorumWords(settings),
    ...(settings.allow_blank ? [t('voting-admin.settings.fixed.blank')] : []),
    CODES[settings.receipts],
    listWords(settings.publish_ballots, candidates?.length ?? 0),
  ];
  return html`<p class="soft">${sentences([
    t('voting-admin.settings.ballots_fixed', { fixed: allOf(fixed) }),
    ...(rules?.(settings) ?? []),
  ])}</p>`;
}

function quorumWords({ quorum, quorum_share }: ElectionSettings): Words {
  if (quorum_share !== null)
    return t('voting-admin.settings.fixed.quorum_share', {
      share: shareOfWords({ share: quorum_share, of: 'electors' }),
    });
  return quorum === null
    ? t('voting-admin.settings.fixed.no_quorum')
    : t('voting-admin.settings.fixed.quorum', { quorum });
}

function listWords(publish: boolean | null, candidates: number): Words {
  const from = listedFrom(publish, candidates);
  return from === undefined
    ? t('voting-admin.settings.fixed.not_listed')
    : t('voting-admin.settings.fixed.listed', { many: from === 100 ? 'hundred' : 'other' });
}

/** The link to a document for voters. */
export function attachmentSection(props: ElectionPageProps): Section {
  const { id, attachment_url } = props.election;
  const { at } = formOf(props, 'attachments');
  return {
    id: 'attachments',
    title: t('voting-admin.settings.document'),
    about: t('voting-admin.settings.something_read_before_voting_voters'),
    work: lockedUnless(
      props,
      'elections:write',
      html`<form method="post" action="${adminElectionPath(id, 'attachments?_method=PATCH')}">
${field({ ...at('attachment_url', attachment_url), optional: true, type: 'url', maxlength: 2_000 })}
<button class="button button-quiet">${t('voting-admin.settings.save_document')}</button></form>`,
    ),
  };
}

/** The page of the club's workspace that follows an election; null where no workspace is set up. */
export function workspaceSection(props: ElectionPageProps): Section | null {
  const { workspace, election } = props;
  const mayWrite = mayDo(props, 'elections:write');
  if (!workspace || election.trial || (!election.workspace_link && !mayWrite)) return null;
  return {
    id: 'workspace',
    title: t('voting-admin.settings.workspace'),
    about: t('voting-admin.settings.page_clubs_workspace_show_state'),
    work: election.workspace_link ? linked(props, workspace) : linkForm(props),
  };
}

function linked(
  props: ElectionPageProps,
  { synced, failure }: NonNullable<ElectionPageProps['workspace']>,
): Html {
  const { id, workspace_link: link } = props.election;
  const path = (under: string) => adminElectionPath(id, `workspace/${under}`);
  return html`${failure && notice('attention', failure, t('voting-admin.settings.page_brought_up_date'))}
${definitionList([
  [t('voting-admin.settings.page'), html`<span class="mono">${link?.page_id}</span>`],
  [t('voting-admin.settings.status_kept'), link?.status_property_name],
  [t('voting-admin.settings.last_brought_up_date'), synced ?? t('voting-admin.settings.yet')],
])}
${
  mayDo(props, 'elections:write') &&
  html`<div class="toolbar">
  <form method="post" action="${path('sync')}"><button class="button button-quiet">${t('voting-admin.settings.bring_up_date_now')}</button></form>
<form method="post" action="${path('link')}?_method=DELETE"><button class="button button-quiet">${t('voting-admin.settings.unlink_page')}</button></form></div>`
}`;
}

function linkForm(props: ElectionPageProps): Html {
  const { at } = formOf(props, 'workspace');
  return html`<form method="post" action="${adminElectionPath(props.election.id, 'workspace/link')}">
${openField(at('database_id'))}
${openField(at('page_id'))}
${field({ ...at('status_property_name'), optional: true, maxlength: 200 })}
<button class="button button-quiet">${t('voting-admin.settings.link_page')}</button></form>`;
}
