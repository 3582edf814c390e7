import { type Html, html } from '#kernel/html.ts';
import { enteredText } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { counted } from '#views/components/numbers.ts';
import { inputsOf } from '#views/components/record-fields.ts';
import { type FormPageProps, formPage, periodFields } from '#views/voting/admin/form-page.ts';
import { PERIOD_WORDS } from '#views/voting/admin/sections/forms.ts';
import { adminElectionPath } from '#views/voting/words.ts';

/** The data of the form that copies an election. */
export interface CloneFormProps extends FormPageProps {
  /** The election to copy. */
  election: { id: string; title: string };
  zone: string;
  /** Closed as void and repeated with its electors: how many get a mail, and how many codes are on slips. */
  repeats?: { mails: number; slips: number } | undefined;
}

const WORDS = {
  reason: { label: 'Reason', hint: 'Everybody can read it.' },
  title: { label: 'Title', hint: 'Members see it. Is it still right for the new election?' },
  ...PERIOD_WORDS,
};

/** Whether a void election is repeated. */
const repeatChoice = (entered: string, { mails, slips }: { mails: number; slips: number }): Html =>
  choiceGroup({
    name: 'repeat',
    label: 'What comes then?',
    plain: true,
    rows: [
      {
        value: 'true',
        label: 'Repeat it with the same electors',
        note: `With the title and dates below. ${counted(mails, 'person gets', 'people get')} a new code by mail; ${counted(slips, 'code is on a slip', 'codes are on slips')} to print.`,
      },
      { value: 'false', label: 'Nothing' },
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
    title: repeats ? 'Declare it void' : 'Copy an election',
    lede: repeats
      ? 'Voting ends at once and no result counts; the reason stays public, and after the close the figures ' +
        'too. A repetition has the same electors: nobody is mailed before you send its invitations.'
      : 'Settings, candidates or options come along; voting codes, invitations, ballots and results do not.',
    crumbs: [{ href: adminElectionPath(election.id), label: election.title }],
    words: WORDS,
    refused: repeats ? 'Nothing was changed' : 'The election was not copied',
    body: html`<form class="card" method="post" action="${adminElectionPath(election.id, repeats ? 'void' : 'clone')}">
${repeats && field({ ...at('reason'), maxlength: 300 })}
${repeats && repeatChoice(enteredText(entered, 'repeat'), repeats)}
${field({ ...at('title'), maxlength: 500 })}
${periodFields(props)}
<div class="actions">${
      repeats
        ? html`<button class="button button-danger">Declare it void</button>`
        : html`<button class="button">Make the copy</button>`
    }
<a class="button button-quiet" href="${adminElectionPath(election.id)}">${repeats ? 'Back without a change' : 'Back without a copy'}</a></div></form>`,
  });
}
