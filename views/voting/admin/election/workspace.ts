import { type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList } from '#views/components/structure.ts';
import { enteredText, errorAt } from '#views/voting/admin/entered.ts';
import { openField } from '#views/voting/admin/fields.ts';
import { deskSection } from '#views/voting/admin/frame.ts';
import { deskPath } from '#views/voting/admin/words.ts';
import { type ElectionDesk, problemOf } from './desk.ts';

/** The page of the club's workspace that follows an election; nothing where no workspace is set up. */
export function workspaceSection(desk: ElectionDesk, said: Html | null): Html | null {
  const { workspace, election } = desk;
  if (!workspace) return null;
  return deskSection({
    id: 'workspace',
    title: 'Workspace',
    about: 'A page of the club’s workspace can show how the election stands. It never gets a result.',
    work: html`${said}${election.workspace_link ? linked(desk, workspace) : linkForm(desk)}`,
  });
}

function linked(
  { election: { id, workspace_link: link } }: ElectionDesk,
  { synced }: { synced: string | null },
): Html {
  const path = (under: string) => deskPath(id, `workspace/${under}`);
  return html`${link?.last_error && notice('attention', link.last_error, 'The page could not be brought up to date')}
${definitionList([
  ['Page', html`<span class="mono">${link?.page_id}</span>`],
  ['Status is kept in', link?.status_property_name],
  ['Last brought up to date', synced ?? 'Not yet'],
])}
<div class="toolbar"><form method="post" action="${path('sync')}"><button class="button button-quiet">Bring it up to date now</button></form>
<form method="post" action="${path('link')}?_method=DELETE"><button class="button button-danger-quiet">Unlink the page</button></form></div>`;
}

function linkForm(desk: ElectionDesk): Html {
  const { errors, entered = {} } = problemOf(desk, 'workspace');
  const input = (name: string, label: string, hint: string) =>
    openField({
      name,
      id: `workspace-${name}`,
      label,
      hint,
      value: enteredText(entered, name),
      error: errorAt(errors, name),
    });
  return html`<form method="post" action="${deskPath(desk.election.id, 'workspace/link')}">
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
