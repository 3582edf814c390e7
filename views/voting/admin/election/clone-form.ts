import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredText } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage, periodFields } from '#views/voting/admin/form-page.ts';
import { PERIOD_WORDS } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath } from '#views/voting/words.ts';

/** The data of the form that copies an election. */
export interface CloneFormProps extends FormPageProps {
  /** The election to copy. */
  election: { id: string; title: string };
  zone: Words | string;
  /** Closed as void and repeated with its electors: how many get a mail, and how many codes are on slips. */
  repeats?: { mails: number; slips: number } | undefined;
}

const WORDS = {
  reason: { label: t('voting-admin.clone_form.reason'), hint: t('voting-admin.clone_form.everybody_read') },
  title: {
    label: t('voting-admin.clone_form.title'),
    hint: t('voting-admin.clone_form.members_see_still_right_new'),
  },
  ...PERIOD_WORDS,
};

/** Whether a void election is repeated. */
const repeatChoice = (entered: string, { mails, slips }: { mails: number; slips: number }): Html =>
  choiceGroup({
    name: 'repeat',
    label: t('voting-admin.clone_form.what_comes'),
    plain: true,
    rows: [
      {
        value: 'true',
        label: t('voting-admin.clone_form.repeat_same_electors'),
        note: t('voting-admin.clone_form.title_dates_below_people_get', { mails, slips }),
      },
      { value: 'false', label: t('voting-admin.clone_form.nothing') },
    ].map((row) =>
      choice({
        ...row,
        type: 'radio',
        name: 'repeat',
        id: `repeat-${row.value}`,
        checked: row.value === (entered || 'true'),
      }),
    ),
  });

/** The form for what a copy does not take over: its title and its dates. */
export function cloneFormPage(props: CloneFormProps): Html {
  const { election, entered, repeats } = props;
  const { at } = inputsOf(WORDS, props);
  return formPage(props, {
    title: repeats ? t('voting-admin.clone_form.declare_void') : t('voting-admin.clone_form.copy_election'),
    lede: repeats
      ? t('voting-admin.clone_form.voting_ends_once_result_counts')
      : t('voting-admin.clone_form.settings_candidates_options_come_along'),
    crumbs: [{ href: adminElectionPath(election.id), label: election.title }],
    words: WORDS,
    refused: repeats
      ? t('voting-admin.clone_form.nothing_changed')
      : t('voting-admin.clone_form.election_copied'),
    body: html`<form class="card" method="post" action="${adminElectionPath(election.id, repeats ? 'void' : 'clone')}">
${repeats && field({ ...at('reason'), maxlength: 300 })}
${repeats && repeatChoice(enteredText(entered, 'repeat'), repeats)}
${field({ ...at('title'), maxlength: 500 })}
${periodFields(props)}
<div class="actions">${
      repeats
        ? html`<button class="button button-danger">${t('voting-admin.clone_form.declare_void')}</button>`
        : html`<button class="button">${t('voting-admin.clone_form.make_copy')}</button>`
    }
<a class="button button-quiet" href="${adminElectionPath(election.id)}">${repeats ? t('voting-admin.clone_form.back_without_change') : t('voting-admin.clone_form.back_without_copy')}</a></div></form>`,
  });
}
