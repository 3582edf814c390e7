import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { enteredLines, enteredText } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { type MailState, mailNotice } from '#views/voting/admin/invitations/invite-fields.ts';

/** The data of the form for a trial. */
export interface TrialFormProps extends FormPageProps {
  /** How many people can vote in a trial. */
  most: number;
  mail: MailState;
}

/** How the friends get their codes. */
export type TrialHandOut = 'mail' | 'paper';

const WORDS = {
  title: { label: t('voting-admin.trial_form.question') },
  hand_out: { label: t('voting-admin.trial_form.how_vote') },
  emails: {
    label: t('voting-admin.trial_form.addresses'),
    hint: t('voting-admin.trial_form.each_line_own_vote_too'),
  },
  count: { label: t('voting-admin.trial_form.how_many_codes') },
};

/** A trial from an empty form: the question, who votes, and one button. */
export function trialFormPage(props: TrialFormProps): Html {
  const { entered, most, mail, viewer } = props;
  const { mailReady } = mail;
  const chosen = enteredText(entered, 'hand_out', mailReady ? 'mail' : 'paper');
  const way = (value: TrialHandOut, label: Words | string, note: Words | string) =>
    choice({
      type: 'radio',
      name: 'hand_out',
      value,
      label,
      note,
      id: `hand_out-${value}`,
      checked: value === chosen,
    });
  const { at } = inputsOf(WORDS, props);
  return formPage(props, {
    title: t('voting-admin.trial_form.try_five_friends'),
    lede: t('voting-admin.trial_form.yes_vote_up_people_decides', { most }),
    crumbs: [{ href: '/admin/elections/new', label: t('voting-admin.trial_form.new_election') }],
    words: WORDS,
    refused: t('voting-admin.trial_form.trial_started'),
    idOf: (path) => (path === 'hand_out' ? 'hand_out-group' : path.replace(/\.\d+$/, '')),
    scripts: ['admin/election-form.js'],
    body: html`${!mailReady && mailNotice(mail, { viewer })}
<form class="card" method="post" action="/admin/elections/trial" data-election-form>
${field({ ...at('title'), maxlength: 500 })}
${
  mailReady
    ? choiceGroup({
        name: 'hand_out',
        label: WORDS.hand_out.label,
        plain: true,
        rows: [
          way(
            'mail',
            t('voting-admin.trial_form.mail'),
            t('voting-admin.trial_form.each_gets_link_own_once'),
          ),
          way(
            'paper',
            t('voting-admin.trial_form.paper'),
            t('voting-admin.trial_form.next_page_shows_codes_prints'),
          ),
        ],
      })
    : hiddenInputs({ hand_out: 'paper' })
}
${
  mailReady &&
  html`<div data-for="mail" data-of="hand_out">${openField({
    ...at('emails'),
    value: enteredLines(entered, 'emails'),
    rows: 6,
  })}</div>`
}
<div data-for="paper" data-of="hand_out">${openField({
      ...at('count', '5'),
      hint: t('voting-admin.trial_form.slips_paper', { most }),
      type: 'number',
      min: 1,
      short: true,
    })}</div>
<div class="actions"><button class="button">${t('voting-admin.trial_form.start_trial')}</button>
<a class="button button-quiet" href="/admin/elections/new">${t('voting-admin.trial_form.new_real_election')}</a></div>
<p class="small soft">${t('voting-admin.trial_form.after_seven_days_deleted_all')}</p></form>`,
  });
}
