import { type Html, html } from '#kernel/html.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { definitionList } from '#views/components/structure.ts';
import { lockedUnless, mayDo } from '#views/voting/admin/frame.ts';
import { formOf, type Section } from '#views/voting/admin/sections/forms.ts';
import { settingsSections } from '#views/voting/admin/sections/settings.ts';
import { datesSection } from '#views/voting/admin/sections/texts-and-dates.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { adminElectionPath, listsSignatures } from '#views/voting/words.ts';
import { listedFrom } from '#voting/shared/ballot-file.ts';
import type { ElectionSettings, Receipts } from '#voting/shared/settings.ts';
import { shareOfWords } from '#voting/shared/share.ts';
import type { ElectionPageProps } from './props.ts';

/** When voting opens and closes. */
export function electionDates(props: ElectionPageProps): Section {
  const { election, ballots } = props;
  const reopens = election.status === 'closed' && ballots > 0;
  return datesSection(props, {
    action: adminElectionPath(election.id, 'dates?_method=PATCH'),
    hasBallots: ballots > 0,
    about: 'A change takes effect with the next ballot. The audit log keeps the old and the new dates.',
    above: reopens && CLOSED,
    more: reopens && reopenFields(props),
  });
}

const CLOSED = notice(
  'attention',
  'New dates that lie in the future open it again: unused voting codes work, more ballots come in, and ' +
    'the result is made anew when it closes. That is possible once. The figures are hidden until the new ' +
    'close; if fewer than five ballots come in, they stay hidden until an owner shows them, because they ' +
    'could show how these people voted. Everybody can read on its page that it was opened again, and why.',
  'This election is closed',
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
    title: 'Settings',
    action: adminElectionPath(election.id, 'settings?_method=PATCH'),
    button: 'Save the settings',
    stored: settings,
    ...(fixed && { above: fixedSettings(props) }),
    ...(status !== 'closed' &&
      listsSignatures(election, props.turnout.issued) && {
        checksAbove: notice(
          'attention',
          `${sentence('long_rankings_listed')}.`,
          'All ballots will be published',
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

const CODES: Record<Receipts, string> = {
  off: 'voters do not get a code to check the count',
  included: 'voters get a code to check the count',
  content: 'voters get a code to check the count that covers the choice',
};

function fixedSettings({ election: { settings, ballot_type, candidates } }: ElectionPageProps): Html {
  const { setting, rules } = viewOf(ballot_type);
  const fixed = [
    ...(setting ? [setting.said(settings)] : []),
    settings.hide_results_until_close
      ? 'results are hidden until voting closes'
      : 'results are shown while voting is open',
    quorumWords(settings),
    ...(settings.allow_blank ? ['ballots can be left blank'] : []),
    CODES[settings.receipts],
    listWords(settings.publish_ballots, candidates?.length ?? 0),
  ];
  return html`<p class="soft">Ballots are in, so this is fixed: ${listed(fixed)}.
${rules?.(settings).join(' ')}</p>`;
}

function quorumWords({ quorum, quorum_share }: ElectionSettings): string {
  if (quorum_share !== null) return `the quorum is ${shareOfWords({ share: quorum_share, of: 'electors' })}`;
  return quorum === null ? 'there is no quorum' : `the quorum is ${counted(quorum, 'ballot')}`;
}

function listWords(publish: boolean | null, candidates: number): string {
  const from = listedFrom(publish, candidates);
  return from === undefined
    ? 'the ballots are not published'
    : `the ballots are published after the close, if there are ${from === 100 ? 'a hundred' : 'ten'} or more`;
}

/** The link to a document for voters. */
export function attachmentSection(props: ElectionPageProps): Section {
  const { id, attachment_url } = props.election;
  const { at } = formOf(props, 'attachments');
  return {
    id: 'attachments',
    title: 'Document',
    about: 'Something to read before voting. Voters see where the link leads.',
    work: lockedUnless(
      props,
      'elections:write',
      html`<form method="post" action="${adminElectionPath(id, 'attachments?_method=PATCH')}">
${field({ ...at('attachment_url', attachment_url), optional: true, type: 'url', maxlength: 2_000 })}
<button class="button button-quiet">Save the document</button></form>`,
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
    title: 'Workspace',
    about: 'A page of the club’s workspace can show the state of the election. It never gets a result.',
    work: election.workspace_link ? linked(props, workspace) : linkForm(props),
  };
}

function linked(props: ElectionPageProps, { synced }: { synced: string | null }): Html {
  const { id, workspace_link: link } = props.election;
  const path = (under: string) => adminElectionPath(id, `workspace/${under}`);
  return html`${link?.last_error && notice('attention', link.last_error, 'The page could not be brought up to date')}
${definitionList([
  ['Page', html`<span class="mono">${link?.page_id}</span>`],
  ['Status is kept in', link?.status_property_name],
  ['Last brought up to date', synced ?? 'Not yet'],
])}
${
  mayDo(props, 'elections:write') &&
  html`<div class="toolbar">
  <form method="post" action="${path('sync')}"><button class="button button-quiet">Bring it up to date now</button></form>
<form method="post" action="${path('link')}?_method=DELETE"><button class="button button-quiet">Unlink the page</button></form></div>`
}`;
}

function linkForm(props: ElectionPageProps): Html {
  const { at } = formOf(props, 'workspace');
  return html`<form method="post" action="${adminElectionPath(props.election.id, 'workspace/link')}">
${openField(at('database_id'))}
${openField(at('page_id'))}
${field({ ...at('status_property_name'), optional: true, maxlength: 200 })}
<button class="button button-quiet">Link the page</button></form>`;
}
