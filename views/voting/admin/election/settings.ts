import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { sentence } from '#kernel/messages/messages.ts';
import { type Entered, enteredText, errorAt, isTicked } from '#views/components/entered.ts';
import { openField, tickBox } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import { definitionList, plainText } from '#views/components/structure.ts';
import { table } from '#views/components/tables.ts';
import { lockedUnless, mayDo, pageSection } from '#views/voting/admin/frame.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { adminElectionPath, listsSignatures, OPTION_WORDS } from '#views/voting/words.ts';
import type { ElectionSettings, Receipts } from '#voting/election-settings.ts';
import { listedFrom } from '#voting/shared/ballot-file.ts';
import type { OptionRules } from '#voting/shared/ballot-types.ts';
import { shareOfWords } from '#voting/shared/share.ts';
import { type ElectionPageProps, problemOf } from './props.ts';
import { settingsFields } from './settings-fields.ts';

/** Title and description, which can be corrected until the first ballot. */
export function wordingSection(props: ElectionPageProps, said: Html | null): Html {
  const { election, ballots } = props;
  const { errors, entered = {} } = problemOf(props, 'wording');
  const at = (name: 'title' | 'description') => ({
    name,
    id: `wording-${name}`,
    value: enteredText(entered, name, election[name] ?? ''),
    error: errorAt(errors, name),
  });
  const fixed = html`${election.description && plainText(election.description)}
  <p class="soft">Ballots are in, so title and description are fixed: what was voted on stays what it was.</p>`;
  const form = html`<form method="post" action="${adminElectionPath(election.id)}?_method=PATCH">
${field({ ...at('title'), label: 'Title', maxlength: 500 })}
${field({
  ...at('description'),
  label: 'Description',
  hint: 'Shown with the ballot. An empty line starts a paragraph.',
  optional: true,
  rows: 4,
  maxlength: 5_000,
})}
<button class="button button-quiet">Save title and description</button></form>`;
  return pageSection({
    id: 'text',
    title: 'Title and description',
    about:
      'They can be corrected until the first ballot. Mails that went out keep the old words, and the audit ' +
      'log keeps both.',
    work: html`${said}${ballots > 0 ? fixed : lockedUnless(props, 'elections:write', form)}`,
  });
}

/** Candidates or options with their order. */
export function optionsSection(props: ElectionPageProps, rules: OptionRules, said: Html | null): Html {
  const { election, options, ballots } = props;
  const { kind, least } = rules;
  const fixed = ballots > 0 || options.some((option) => !option.editable);
  const editable = !fixed && mayDo(props, 'elections:write');
  return pageSection({
    id: `${kind}s`,
    title: OPTION_WORDS[kind].many,
    about: election.settings.randomize_order
      ? 'Each time a ballot is opened they are listed in a new random order.'
      : 'Voters see them in this order: the lowest number first.',
    work: html`${said}${
      options.length === 0
        ? html`
    <p>There are no ${kind}s yet.</p>`
        : optionTable(props, rules, editable)
    }
${
  editable
    ? html`${
        least > 0 &&
        options.length <= least &&
        html`
    <p class="soft">There must be at least ${least === 1 ? 'one' : 'two'}. To replace
    one, add the new one first.</p>`
      }${addForm(props, rules)}`
    : fixed &&
      html`<p class="soft">${
        ballots === 0 ? 'Ballots are in' : `${counted(ballots, 'ballot')} ${ballots === 1 ? 'is' : 'are'} in`
      }, so this list is fixed: what was voted on stays what it was.</p>`
}`,
  });
}

function optionTable(props: ElectionPageProps, { kind, least }: OptionRules, editable: boolean): Html {
  const { election, options } = props;
  // Until the first ballot a name is removed.
  const withdrawable = !editable && election.status !== 'closed' && mayDo(props, 'elections:certify');
  const removable = editable && options.length > least;
  const columns = [
    { label: OPTION_WORDS[kind].one },
    { label: 'Text and picture' },
    { label: 'Order', number: true },
    ...(editable ? [{ label: 'Change', quiet: true }] : []),
  ];
  return table({
    caption: OPTION_WORDS[kind].many,
    quietCaption: true,
    columns: withdrawable
      ? [...columns, { label: 'Withdraw', quiet: true }]
      : removable
        ? [...columns, { label: 'Remove', quiet: true }]
        : columns,
    rows: options.map(({ id, name, display_order, is_none_of_the_above, text, picture, withdrawn }) => [
      html`${name}${
        is_none_of_the_above &&
        name.toLowerCase() !== 'none of the above' &&
        html` ${badge('None of the above')}`
      }${withdrawn && html` ${badge('Withdrawn')}`}`,
      [text !== null && 'Text', picture !== null && 'Picture'].filter(Boolean).join(', ') || '–',
      display_order,
      ...(editable
        ? [
            html`<a class="button button-quiet button-small" href="${adminElectionPath(
              election.id,
              `${kind}s/${id}`,
            )}">Change<span class="visually-hidden"> ${name}</span></a>`,
          ]
        : []),
      ...(withdrawable
        ? [
            withdrawn || is_none_of_the_above
              ? '–'
              : html`<a class="button button-danger-quiet button-small" href="${adminElectionPath(
                  election.id,
                  `${kind}s/${id}/withdraw`,
                )}">Withdraw …<span class="visually-hidden"> ${name}</span></a>`,
          ]
        : []),
      ...(removable
        ? [
            html`<form method="post" action="${adminElectionPath(
              election.id,
              `${kind}s/${id}?_method=DELETE`,
            )}"><button class="button button-danger-quiet button-small">Remove<span class="visually-hidden"> ${name}</span></button></form>`,
          ]
        : []),
    ]),
  });
}

function addForm(props: ElectionPageProps, { kind, noneOfTheAbove }: OptionRules): Html {
  const form = `${kind}s` as const;
  const { errors, entered = {} } = problemOf(props, form);
  const at = (name: string) => ({
    name,
    id: `${form}-${name}`,
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const none = noneOfTheAbove && !props.options.some((option) => option.is_none_of_the_above);
  return html`<form class="card" method="post" action="${adminElectionPath(props.election.id, form)}">
<h3>${OPTION_WORDS[kind].add}</h3>
<div class="field-row">
${field({ ...at('name'), label: 'Name', maxlength: 300, autocomplete: 'off' })}
${openField({
  ...at('display_order'),
  label: html`Order <span class="optional">(optional)</span>`,
  type: 'number',
  short: true,
})}
</div>
${field({
  ...at('text'),
  label: 'Text',
  hint: `Voters unfold it on the ballot. At most ${props.optionTextAtMost} characters. A picture is added under “Change”.`,
  optional: true,
  rows: 3,
  maxlength: props.optionTextAtMost,
})}
${
  none &&
  html`<div class="choices choices-plain">${tickBox({
    name: 'is_none_of_the_above',
    id: `${form}-is_none_of_the_above`,
    label: 'It is “None of the above”',
    note: 'A candidate ranked below it is not acceptable to that voter.',
    checked: isTicked(entered, 'is_none_of_the_above'),
  })}</div>`
}
<p class="hint">Without an order it goes to the end.</p>
<button class="button button-quiet">Add</button></form>`;
}

/** When voting opens and closes. */
export function datesSection(props: ElectionPageProps, said: Html | null): Html {
  const { election, times, ballots } = props;
  const { errors, entered = {} } = problemOf(props, 'dates');
  const time = (name: 'open_at' | 'close_at', label: string, value: string) =>
    field({
      name,
      id: `dates-${name}`,
      label: `${label} (${times.zone})`,
      type: 'datetime-local',
      value: enteredText(entered, name, value),
      error: errorAt(errors, name),
    });
  return pageSection({
    id: 'dates',
    title: 'Dates',
    about: 'A change takes effect with the next ballot. The audit log keeps the old and the new dates.',
    work: html`${said}${
      election.status === 'closed' &&
      ballots > 0 &&
      notice(
        'attention',
        'New dates that lie in the future open it again: unused voting codes work, more ballots come in, and ' +
          'the result is made anew when it closes. That is possible once. The figures are hidden until the new ' +
          'close; if fewer than five ballots come in, they stay hidden until an owner shows them, because they ' +
          'could show how these people voted. Everybody can read on its page that it was opened again, and why.',
        'This election is closed',
      )
    }
${lockedUnless(
  props,
  'elections:write',
  html`<form method="post" action="${adminElectionPath(election.id, 'dates?_method=PATCH')}">
<div class="field-row">${time('open_at', 'Opens', times.opensInput)}${time(
    'close_at',
    'Closes',
    times.closesInput,
  )}</div>
${election.status === 'closed' && ballots > 0 && reopenFields(errors, entered)}${pauseField(props)}
<button class="button button-quiet">Save the dates</button></form>`,
)}`,
  });
}

/** Asks first when the opening of an election with ballots would move into the future. */
function pauseField(props: ElectionPageProps): Html | null {
  const { election, ballots, problem } = props;
  const asks = problem?.form === 'dates' && election.status === 'open' && ballots > 0;
  if (!asks || problem.errors.length > 0) return null;
  const { entered = {} } = problem;
  return tickBox({
    name: 'pause',
    id: 'dates-pause',
    label: 'Pause voting',
    note: `${counted(
      ballots,
      'ballot is',
      'ballots are',
    )} in and stay in. Voters read that voting is paused, and until when.`,
    checked: isTicked(entered, 'pause'),
  });
}

function reopenFields(errors: readonly FieldError[], entered: Entered): Html {
  return html`<div class="choices choices-plain">${tickBox({
    name: 'reopen',
    id: 'dates-reopen',
    label: 'Re-open voting',
    note: 'The present result no longer counts.',
    checked: isTicked(entered, 'reopen'),
  })}</div>
${field({
  name: 'reason',
  id: 'dates-reason',
  label: 'Reason',
  hint: 'Needed to open voting again. It stays on the public page.',
  optional: true,
  maxlength: 300,
  value: enteredText(entered, 'reason'),
  error: errorAt(errors, 'reason'),
})}`;
}

/** The settings that can be changed, and those that are fixed by ballots. */
export function settingsSection(props: ElectionPageProps, said: Html | null): Html {
  const { election, ballots } = props;
  const { errors, entered } = problemOf(props, 'settings');
  const { settings } = election;
  const fixed = ballots > 0;
  const listFixed = fixed && (settings.publish_ballots === false || election.status === 'closed');
  return pageSection({
    id: 'settings',
    title: 'Settings',
    work: html`${said}${
      election.status !== 'closed' &&
      listsSignatures(election, props.turnout.issued) &&
      notice('attention', `${sentence('long_rankings_listed')}.`, 'All ballots will be published')
    }${fixed && fixedSettings(props)}
${lockedUnless(
  props,
  'elections:write',
  html`<form method="post" action="${adminElectionPath(election.id, 'settings?_method=PATCH')}" data-election-form>
${settingsFields({
  prefix: 'settings-',
  entered: entered ?? { settings },
  errors,
  type: election.ballot_type,
  fixed,
  trial: election.trial,
  listFixed,
  closed: election.status === 'closed',
})}
<button class="button button-quiet">Save the settings</button></form>`,
)}`,
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
export function attachmentSection(props: ElectionPageProps, said: Html | null): Html {
  const { id, attachment_url } = props.election;
  const { errors, entered = {} } = problemOf(props, 'attachments');
  return pageSection({
    id: 'attachments',
    title: 'Document',
    about: 'Something to read before voting. Voters see where the link leads.',
    work: html`${said}${lockedUnless(
      props,
      'elections:write',
      html`<form method="post" action="${adminElectionPath(id, 'attachments?_method=PATCH')}">
${field({
  name: 'attachment_url',
  id: 'attachments-attachment_url',
  label: 'Address',
  hint: 'It begins with https://. Leave it empty to remove the document.',
  optional: true,
  type: 'url',
  maxlength: 2_000,
  value: enteredText(entered, 'attachment_url', attachment_url ?? ''),
  error: errorAt(errors, 'attachment_url'),
})}
<button class="button button-quiet">Save the document</button></form>`,
    )}`,
  });
}

/** The page of the club's workspace that follows an election; null where no workspace is set up. */
export function workspaceSection(props: ElectionPageProps, said: Html | null): Html | null {
  const { workspace, election } = props;
  const mayWrite = mayDo(props, 'elections:write');
  if (!workspace || (!election.workspace_link && !mayWrite)) return null;
  return pageSection({
    id: 'workspace',
    title: 'Workspace',
    about: 'A page of the club’s workspace can show the state of the election. It never gets a result.',
    work: html`${said}${election.workspace_link ? linked(props, workspace) : linkForm(props)}`,
  });
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
<form method="post" action="${path('link')}?_method=DELETE"><button class="button button-danger-quiet">Unlink the page</button></form></div>`
}`;
}

function linkForm(props: ElectionPageProps): Html {
  const { errors, entered = {} } = problemOf(props, 'workspace');
  const input = (name: string, label: string, hint: string) =>
    openField({
      name,
      id: `workspace-${name}`,
      label,
      hint,
      value: enteredText(entered, name),
      error: errorAt(errors, name),
    });
  return html`<form method="post" action="${adminElectionPath(props.election.id, 'workspace/link')}">
${input('database_id', 'Database', 'Its address or id. It has to be one the service may use.')}
${input('page_id', 'Page', 'The address or id of the page that follows this election.')}
${field({
  name: 'status_property_name',
  id: 'workspace-status_property_name',
  label: 'Property for the status',
  hint: 'It needs the options Scheduled, Open and Closed. Left empty: Status.',
  optional: true,
  maxlength: 200,
  value: enteredText(entered, 'status_property_name'),
  error: errorAt(errors, 'status_property_name'),
})}
<button class="button button-quiet">Link the page</button></form>`;
}
