import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminElectionPath, OPTION_WORDS } from '#views/voting/words.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** The data of the form that withdraws a candidate or an option after the opening. */
export interface WithdrawalFormProps extends OfficerProps {
  kind: OptionKind;
  election: { id: string; title: string };
  option: { id: string; name: string };
  entered: Entered;
  /** Why it was refused, where no field is wrong. */
  message: string | undefined;
  errors: readonly FieldError[];
}

/** Says what a withdrawal does, and asks for the public note. */
export function withdrawalFormPage(props: WithdrawalFormProps): Html {
  const { kind, election, option, entered, message, errors, viewer } = props;
  const listed =
    errors.length > 0 || message === undefined
      ? namedErrors(errors, { note: 'Note' })
      : [{ path: 'note', message }];
  const body = html`${errorSummary(listed, (path) => path, `The ${kind} was not withdrawn`)}
${pageHeader({
  title: `Withdraw ${option.name}`,
  eyebrow: OPTION_WORDS[kind].one,
  lede:
    `Voting goes on. The ${kind} stays on the page as withdrawn, can no longer be chosen, and is taken off all ` +
    'ballots before the count. A ballot with nothing else on it counts as blank. This cannot be undone.',
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: `${adminElectionPath(election.id)}#${kind}s`, label: election.title },
  ],
})}
<form class="card" method="post" action="${adminElectionPath(election.id, `${kind}s/${option.id}/withdraw`)}">
${field({
  name: 'note',
  label: 'Note',
  hint: 'Everybody can read it, on the ballot too. For example: “Withdrew on 3 May.”',
  maxlength: 300,
  value: enteredText(entered, 'note'),
  error: errorAt(errors, 'note'),
})}
<div class="actions"><button class="button button-danger">Withdraw the ${kind}</button>
<a class="button button-quiet" href="${adminElectionPath(election.id)}#${kind}s">Back without a change</a></div></form>`;
  const title = `${listed.length > 0 ? 'Please check: ' : ''}Withdraw ${option.name}`;
  return officerPage({ title, body, nav: '/admin', viewer });
}
