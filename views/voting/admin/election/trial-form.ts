import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredLines, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { type MailState, mailNotice } from '#views/voting/admin/invitations/invite-fields.ts';

/** The data of the form for a trial. */
export interface TrialFormProps extends OfficerProps {
  entered: Entered;
  errors: readonly FieldError[];
  /** How many people can vote in a trial. */
  most: number;
  mail: MailState;
}

/** How the friends get their codes. */
export type TrialHandOut = 'mail' | 'paper';

const LABELS = {
  title: 'Question',
  hand_out: 'How do they vote?',
  emails: 'Addresses',
  count: 'How many codes',
};

/** A trial from an empty form: the question, who votes, and one button. */
export function trialFormPage({ entered, errors, most, mail, viewer }: TrialFormProps): Html {
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
  const at = (name: keyof typeof LABELS, otherwise?: string) => ({
    name,
    label: LABELS[name],
    value: enteredText(entered, name, otherwise),
    error: errorAt(errors, name),
  });
  const summary = namedErrors(errors, LABELS);
  const body = html`${errorSummary(summary, (path) => path.replace(/\.\d+$/, ''), 'The trial was not started')}
${pageHeader({
  title: 'Try it with five friends',
  lede: `A yes-or-no vote of up to ${most} people that decides nothing. It closes in 24 hours, or when you close it.`,
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: '/admin/elections/new', label: 'New election' },
  ],
})}
${!mailReady && mailNotice(mail, { viewer })}
<form class="card" method="post" action="/admin/elections/trial" data-election-form>
${field({ ...at('title'), maxlength: 500 })}
${
  mailReady
    ? choiceGroup({
        name: 'hand_out',
        label: LABELS.hand_out,
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
    hint: 'One on each line. With your own you vote, too.',
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
<a class="button button-quiet" href="/admin/elections/new">Make a real election</a></div>
<p class="small soft">After seven days it is deleted with all votes and addresses.</p></form>`;
  const title = `${errors.length > 0 ? 'Please check: ' : ''}Try it with five friends`;
  return officerPage({ title, body, nav: '/admin', viewer, scripts: ['admin/election-form.js'] });
}
