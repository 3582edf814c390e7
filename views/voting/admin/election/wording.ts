import { type Html, html } from '#kernel/html.ts';
import { enteredText, errorAt } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { plainText } from '#views/components/structure.ts';
import { lockedUnless, pageSection } from '#views/voting/admin/frame.ts';
import { adminElectionPath } from '#views/voting/words.ts';
import { type ElectionPageProps, problemOf } from './props.ts';

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
  const fixed = html`${election.description && plainText(election.description)}<p class="soft">Ballots are in, so title and description are fixed: what was voted on stays what it was.</p>`;
  const form = html`<form method="post" action="${adminElectionPath(election.id)}?_method=PATCH">
${field({ ...at('title'), label: 'Title', maxlength: 500 })}
${field({ ...at('description'), label: 'Description', hint: 'Shown with the ballot. An empty line starts a paragraph.', optional: true, rows: 4, maxlength: 5_000 })}
<button class="button button-quiet">Save title and description</button></form>`;
  return pageSection({
    id: 'text',
    title: 'Title and description',
    about:
      'They can be corrected until the first ballot. Mails that went out keep the old words, and the audit log keeps both.',
    work: html`${said}${ballots > 0 ? fixed : lockedUnless(props, 'elections:write', form)}`,
  });
}
