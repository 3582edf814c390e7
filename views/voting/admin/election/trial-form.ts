import { type Html, html } from '#kernel/html.ts';
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
  title: { label: 'Question' },
  hand_out: { label: 'How do they vote?' },
  emails: { label: 'Addresses', hint: 'One on each line. With your own you vote, too.' },
  count: { label: 'How many codes' },
};

/** A trial from an empty form: the question, who votes, and one button. */
export function trialFormPage(props: TrialFormProps): Html {
  const { entered, most, mail, viewer } = props;
  const { mailReady } = mail;
  const chosen = enteredText(entered, 'hand_out', mailReady ? 'mail' : 'paper');
  const way = (value: TrialHandOut, label: string, note: string) =>
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
    title: 'Try it with five friends',
    lede: `A yes-or-no vote of up to ${most} people that decides nothing. It closes in 24 hours, or when you close it.`,
    crumbs: [{ href: '/admin/elections/new', label: 'New election' }],
    words: WORDS,
    refused: 'The trial was not started',
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
          way('mail', 'By mail', 'Each gets a link of their own at once.'),
          way('paper', 'On paper', 'The next page shows the codes and prints them as slips.'),
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
      hint: `For slips on paper: 1 to ${most}.`,
      type: 'number',
      min: 1,
      short: true,
    })}</div>
<div class="actions"><button class="button">Start the trial</button>
<a class="button button-quiet" href="/admin/elections/new">New real election</a></div>
<p class="small soft">After seven days it is deleted with all votes and addresses.</p></form>`,
  });
}
