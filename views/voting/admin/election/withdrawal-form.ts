import { type Html, html } from '#kernel/html.ts';
import { field } from '#views/components/forms.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { adminElectionPath, OPTION_WORDS, sectionPath } from '#views/voting/words.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** The data of the form that withdraws a candidate or an option after the opening. */
export interface WithdrawalFormProps extends FormPageProps {
  kind: OptionKind;
  election: { id: string; title: string };
  option: { id: string; name: string };
}

const WORDS = {
  note: {
    label: 'Note',
    hint: 'Everybody can read it, on the ballot too. For example: “Withdrew on 3 May.”',
  },
};

/** Says what a withdrawal does, and asks for the public note. */
export function withdrawalFormPage(props: WithdrawalFormProps): Html {
  const { kind, election, option } = props;
  const back = sectionPath(election, `${kind}s`);
  return formPage(props, {
    title: `Withdraw ${option.name}`,
    eyebrow: OPTION_WORDS[kind].one,
    lede:
      `Voting goes on. The ${kind} stays on the page as withdrawn, can no longer be chosen, and is taken off all ` +
      'ballots before the count. A ballot with nothing else on it counts as blank. This cannot be undone.',
    crumbs: [{ href: back, label: election.title }],
    words: WORDS,
    refused: `The ${kind} was not withdrawn`,
    body: html`<form class="card" method="post" action="${adminElectionPath(election.id, `${kind}s/${option.id}/withdraw`)}">
${field({ ...inputsOf(WORDS, props).at('note'), maxlength: 300 })}
<div class="actions"><button class="button button-danger">Withdraw the ${kind}</button>
<a class="button button-quiet" href="${back}">Back without a change</a></div></form>`,
  });
}
