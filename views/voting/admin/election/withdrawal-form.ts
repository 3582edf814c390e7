import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { field } from '#views/components/forms.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { adminElectionPath, OPTION_WORDS, optionCode, sectionPath } from '#views/voting/words.ts';
import type { OptionKind } from '#voting/shared/ballot-types.ts';

/** The data of the form that withdraws a candidate or an option after the opening. */
export interface WithdrawalFormProps extends FormPageProps {
  kind: OptionKind;
  election: { id: string; title: string };
  option: { id: string; name: string };
}

const WORDS = {
  note: {
    label: t('voting-admin.withdrawal_form.note'),
    hint: t('voting-admin.withdrawal_form.everybody_read_ballot_too_example'),
  },
};

/** Says what a withdrawal does, and asks for the public note. */
export function withdrawalFormPage(props: WithdrawalFormProps): Html {
  const { kind, election, option } = props;
  const back = sectionPath(election, `${kind}s`);
  return formPage(props, {
    title: t('voting-admin.withdrawal_form.withdraw_named', { name: option.name }),
    eyebrow: OPTION_WORDS[kind].one,
    lede: t('voting-admin.withdrawal_form.voting_goes_stays_page_withdrawn', { kind: optionCode(kind) }),
    crumbs: [{ href: back, label: election.title }],
    words: WORDS,
    refused: t('voting-admin.withdrawal_form.withdrawn', { kind: optionCode(kind) }),
    body: html`<form class="card" method="post" action="${adminElectionPath(election.id, `${kind}s/${option.id}/withdraw`)}">
${field({ ...inputsOf(WORDS, props).at('note'), maxlength: 300 })}
<div class="actions"><button class="button button-danger">${t('voting-admin.withdrawal_form.withdraw', { kind: optionCode(kind) })}</button>
<a class="button button-quiet" href="${back}">${t('voting-admin.withdrawal_form.back_without_change')}</a></div></form>`,
  });
}
