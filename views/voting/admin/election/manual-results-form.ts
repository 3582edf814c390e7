import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { type AllWords, type FieldWords, inputsOf } from '#views/components/record-fields.ts';
import { formPage } from '#views/voting/admin/form-page.ts';
import { type MeetingPlace, type OfficerProps, pageSection } from '#views/voting/admin/frame.ts';
import { adminElectionPath, sectionPath } from '#views/voting/words.ts';

/** The values of the form for certified results, as they were typed. */
export interface ManualResultsEntry {
  certified_at: string;
  certified_by: string;
  notes: string;
  reason: string;
  contests: readonly ContestEntry[];
}

interface ContestEntry {
  label: string;
  items: readonly { label: string; votes: string }[];
}

/** The data of the editor of certified results. */
export interface ManualResultsFormProps extends OfficerProps {
  election: { id: string; title: string };
  /** The stored or the entered values. Blank rows are added here: one at the end of each contest. */
  entry: ManualResultsEntry;
  errors: readonly FieldError[];
  zone: string;
  /** Whether they stand beside the count of a meeting, with a reason, and not in its place. */
  beside?: boolean;
  /** The meeting that votes on it. */
  meeting?: MeetingPlace | undefined;
  /** Whether certified results are stored already. */
  stored: boolean;
  /** The rules of the election in sentences, where the figures alone do not say what they decide. */
  rules?: readonly string[] | undefined;
}

/** The page to enter figures that were counted elsewhere. */
export function manualResultsFormPage(props: ManualResultsFormProps): Html {
  const { election, entry, errors, stored, beside = false, rules = [] } = props;
  const contests = entry.contests.length === 0 ? [{ label: '', items: [] }] : entry.contests;
  const edit = (hash: string) => `${adminElectionPath(election.id, 'manual-results/edit')}#${hash}`;
  return formPage(props, {
    title: 'Certified results',
    documentTitle: `Certified results: ${election.title}`,
    lede: election.title,
    crumbs: [{ href: adminElectionPath(election.id), label: 'This election' }],
    words: wordsOf(contests),
    refused: 'The certified results were not saved',
    idOf,
    body: html`${notice(
      'info',
      beside
        ? 'Two people enter them. They stand beside the count of the meeting, with the reason and both names, and never in its place.'
        : 'Once saved, these figures are the result of this election, on the voters’ page and everywhere else. ' +
            'Ballots that were cast here stay, and you can go back to them.',
    )}
${
  rules.length > 0 &&
  html`<p>${rules.join(' ')} The figures do not show whether that is reached: write it in the notes.</p>`
}
<form method="post" action="${adminElectionPath(election.id, 'manual-results?_method=PUT')}">
${
  /* The Enter key presses the first button of a form: it should save. */ html`<button hidden>Save the certified results</button>`
}
${
  beside &&
  openField({
    name: 'reason',
    label: 'Why there are other figures than those that were counted, which is published',
    value: entry.reason,
    error: errorAt(errors, 'reason'),
  })
}
${contests.map((contest, index) => contestSection(contest, index, errors, edit))}
<p class="toolbar"><button class="button button-quiet" name="more" value="contest" formnovalidate formaction="${edit(
      `results.contests.${contests.length}.label`,
    )}">Something else that was voted on</button></p>
${pageSection({
  id: 'certification',
  title: 'Who certified it',
  about: 'Shown with the result.',
  work: certificationFields(props),
})}
<div class="actions"><button class="button">Save the certified results</button>
<a class="button button-quiet" href="${sectionPath(election, 'results')}">${
      stored ? 'Leave them as they are' : 'Back without saving'
    }</a></div>
</form>`,
  });
}

function contestSection(
  { label, items }: ContestEntry,
  index: number,
  errors: readonly FieldError[],
  edit: (hash: string) => string,
): Html {
  const name = `results.contests.${index}`;
  const last = items.at(-1);
  const rows =
    last === undefined || last.label !== '' || last.votes !== ''
      ? [...items, { label: '', votes: '' }]
      : items;
  return pageSection({
    id: `contest-${index + 1}`,
    title: headingOf(label, index),
    about:
      index === 0 &&
      'What was voted on, and how many votes each answer or person had. Rows that stay empty are left out.',
    work: html`${openField({
      name: `${name}.label`,
      label: 'What was voted on',
      value: label,
      error: errorAt(errors, `${name}.label`),
    })}
${
  errors.some(({ path }) => path === `${name}.items`) &&
  html`
<p class="error-text">${errorAt(errors, `${name}.items`)}</p>`
}
${rows.map((item, row) => itemRow(item, `${name}.items.${row}`, row, errors))}
<p><button class="button button-quiet button-small" name="more" value="item.${index}" formnovalidate formaction="${edit(
      `${name}.items.${rows.length}.label`,
    )}">Another row<span class="visually-hidden"> of ${headingOf(label, index)}</span></button></p>`,
  });
}

function itemRow(
  { label, votes }: { label: string; votes: string },
  name: string,
  row: number,
  errors: readonly FieldError[],
): Html {
  return html`<div class="item-row">
${openField({
  name: `${name}.label`,
  label: html`Answer or name<span class="visually-hidden"> ${row + 1}</span>`,
  value: label,
  error: errorAt(errors, `${name}.label`),
})}
${openField({
  name: `${name}.votes`,
  label: html`Votes<span class="visually-hidden"> for ${label === '' ? `row ${row + 1}` : label}</span>`,
  value: votes,
  error: errorAt(errors, `${name}.votes`),
  type: 'number',
  min: 0,
})}
</div>
`;
}

const WORDS = {
  certified_by: { label: 'Certified by', hint: 'The names of those who counted.' },
  certified_at: { label: 'Certified on' },
  notes: { label: 'Notes' },
};

function certificationFields({ entry, errors, zone }: ManualResultsFormProps): Html {
  const { at } = inputsOf(WORDS, { entered: { ...entry }, errors });
  const when = at('certified_at');
  return html`${field({ ...at('certified_by'), optional: true, maxlength: 300 })}
${field({ ...when, label: `${when.label} (${zone})`, optional: true, type: 'datetime-local' })}
${field({ ...at('notes'), optional: true, rows: 4, maxlength: 5_000 })}`;
}

/** The heading of a contest: its label, once it has one. */
function headingOf(label: string, index: number): string {
  if (label !== '') return label;
  return index === 0 ? 'What was voted on' : `What else was voted on (${index + 1})`;
}

function wordsOf(contests: readonly ContestEntry[]): AllWords {
  const words: Record<string, FieldWords> = { ...WORDS };
  contests.forEach(({ label, items }, index) => {
    const contest = `results.contests.${index}`;
    words[`${contest}.label`] = { label: 'What was voted on' };
    items.forEach((item, row) => {
      const what = `${headingOf(label, index)}, ${item.label || `row ${row + 1}`}`;
      words[`${contest}.items.${row}.label`] = { label: what };
      words[`${contest}.items.${row}.votes`] = { label: `${what}: votes` };
    });
  });
  return words;
}

/** The id of the field that a problem belongs to; for a list, that of its first field. */
function idOf(path: string): string {
  if (path === 'results' || path === 'results.contests') return 'results.contests.0.label';
  return /\.items$/.test(path) ? `${path}.0.label` : path;
}
