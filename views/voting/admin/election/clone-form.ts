import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, choiceGroup, field } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { adminElectionPath } from '#views/voting/words.ts';

/** The data of the form that copies an election. */
export interface CloneFormProps extends OfficerProps {
  /** The election to copy. */
  election: { id: string; title: string };
  /** What was entered, or is proposed. */
  entered: Entered;
  errors: readonly FieldError[];
  zone: string;
  /** Closed as void and repeated with its electors: how many get a mail, and how many codes are on slips. */
  repeats?: { mails: number; slips: number } | undefined;
}

const LABELS = { reason: 'Reason', title: 'Title', open_at: 'Opens', close_at: 'Closes' };

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
export function cloneFormPage({ election, entered, errors, zone, repeats, viewer }: CloneFormProps): Html {
  const at = (name: keyof typeof LABELS) => ({
    name,
    label: LABELS[name],
    value: enteredText(entered, name),
    error: errorAt(errors, name),
  });
  const body = html`${errorSummary(namedErrors(errors, LABELS), (path) => path, repeats ? 'Nothing was changed' : 'The election was not copied')}
${pageHeader({
  title: repeats ? 'Declare it void' : 'Copy an election',
  lede: repeats
    ? 'Voting ends at once and no result counts; the reason stays public, and after the close the figures ' +
      'too. A repetition has the same electors: nobody is mailed before you send its invitations.'
    : 'Settings, candidates or options come along; voting codes, invitations, ballots and results do not.',
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: adminElectionPath(election.id), label: election.title },
  ],
})}
<form class="card" method="post" action="${adminElectionPath(election.id, repeats ? 'void' : 'clone')}">
${repeats && field({ ...at('reason'), hint: 'Everybody can read it.', maxlength: 300 })}
${repeats && repeatChoice(enteredText(entered, 'repeat'), repeats)}
${field({ ...at('title'), hint: 'Members see it. Is it still right for the new election?', maxlength: 500 })}
<p class="hint">All times are ${zone}.</p>
<div class="field-row">${field({ ...at('open_at'), type: 'datetime-local' })}${field({
    ...at('close_at'),
    type: 'datetime-local',
  })}</div>
<div class="actions">${
    repeats
      ? html`<button class="button button-danger">Declare it void</button>`
      : html`<button class="button">Make the copy</button>`
  }
<a class="button button-quiet" href="${adminElectionPath(election.id)}">${repeats ? 'Back without a change' : 'Back without a copy'}</a></div></form>`;
  const title = `${errors.length > 0 ? 'Please check: ' : ''}${repeats ? 'Declare it void' : 'Copy an election'}`;
  return officerPage({ title, body, nav: '/admin', viewer });
}
