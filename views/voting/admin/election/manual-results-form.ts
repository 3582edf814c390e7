import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { errorAt } from '#views/components/entered.ts';
import { openField } from '#views/components/fields.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { type AllWords, type FieldWords, inputsOf } from '#views/components/record-fields.ts';
import { hidden } from '#views/components/slots.ts';
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
  zone: Words | string;
  /** Whether they stand beside the count of a meeting, with a reason, and not in its place. */
  beside?: boolean;
  /** The meeting that votes on it. */
  meeting?: MeetingPlace | undefined;
  /** Whether certified results are stored already. */
  stored: boolean;
  /** The rules of the election in sentences, where the figures alone do not say what they decide. */
  rules?: readonly (Words | string)[] | undefined;
}

/** The page to enter figures that were counted elsewhere. */
export function manualResultsFormPage(props: ManualResultsFormProps): Html {
  const { election, entry, errors, stored, beside = false, rules = [] } = props;
  const contests = entry.contests.length === 0 ? [{ label: '', items: [] }] : entry.contests;
  const edit = (hash: string) => `${adminElectionPath(election.id, 'manual-results/edit')}#${hash}`;
  return formPage(props, {
    title: t('voting-admin.manual_results_form.certified_results'),
    documentTitle: t('voting-admin.manual_results_form.document_title', { title: election.title }),
    lede: election.title,
    crumbs: [{ href: adminElectionPath(election.id), label: t('voting-admin.manual_results_form.election') }],
    words: wordsOf(contests),
    refused: t('voting-admin.manual_results_form.certified_results_saved'),
    idOf,
    body: html`${notice(
      'info',
      beside
        ? t('voting-admin.manual_results_form.two_people_enter_stand_beside')
        : t('voting-admin.manual_results_form.once_saved_these_figures_result'),
    )}
${
  rules.length > 0 &&
  html`<p>${sentences([...rules, t('voting-admin.manual_results_form.figures_show_whether_reached_write')])}</p>`
}
<form method="post" action="${adminElectionPath(election.id, 'manual-results?_method=PUT')}">
${
  /* The Enter key presses the first button of a form: it should save. */ html`<button hidden>${t('voting-admin.manual_results_form.save_certified_results')}</button>`
}
${
  beside &&
  openField({
    name: 'reason',
    label: t('voting-admin.manual_results_form.why_other_figures_those_counted'),
    value: entry.reason,
    error: errorAt(errors, 'reason'),
  })
}
${contests.map((contest, index) => contestSection(contest, index, errors, edit))}
<p class="toolbar"><button class="button button-quiet" name="more" value="contest" formnovalidate formaction="${edit(
      `results.contests.${contests.length}.label`,
    )}">${t('voting-admin.manual_results_form.something_else_voted')}</button></p>
${pageSection({
  id: 'certification',
  title: t('voting-admin.manual_results_form.who_certified'),
  about: t('voting-admin.manual_results_form.shown_result'),
  work: certificationFields(props),
})}
<div class="actions"><button class="button">${t('voting-admin.manual_results_form.save_certified_results')}</button>
<a class="button button-quiet" href="${sectionPath(election, 'results')}">${
      stored
        ? t('voting-admin.manual_results_form.leave')
        : t('voting-admin.manual_results_form.back_without_saving')
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
    about: index === 0 && t('voting-admin.manual_results_form.what_voted_how_many_votes'),
    work: html`${openField({
      name: `${name}.label`,
      label: t('voting-admin.manual_results_form.what_voted'),
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
    )}">${t('voting-admin.manual_results_form.another_row', { hidden, label: headingOf(label, index) })}</button></p>`,
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
  label: html`${t('voting-admin.manual_results_form.answer_name', { hidden, row: row + 1 })}`,
  value: label,
  error: errorAt(errors, `${name}.label`),
})}
${openField({
  name: `${name}.votes`,
  label: html`${label === '' ? t('voting-admin.manual_results_form.votes_row', { hidden, row: row + 1 }) : t('voting-admin.manual_results_form.votes', { hidden, label })}`,
  value: votes,
  error: errorAt(errors, `${name}.votes`),
  type: 'number',
  min: 0,
})}
</div>
`;
}

const WORDS = {
  certified_by: {
    label: t('voting-admin.manual_results_form.certified_by'),
    hint: t('voting-admin.manual_results_form.names_those_who_counted'),
  },
  certified_at: { label: t('voting-admin.manual_results_form.certified_on') },
  notes: { label: t('voting-admin.manual_results_form.notes') },
};

function certificationFields({ entry, errors, zone }: ManualResultsFormProps): Html {
  const { at } = inputsOf(WORDS, { entered: { ...entry }, errors });
  const when = at('certified_at');
  return html`${field({ ...at('certified_by'), optional: true, maxlength: 300 })}
${field({ ...when, label: t('voting-admin.manual_results_form.certified_in_zone', { zone }), optional: true, type: 'datetime-local' })}
${field({ ...at('notes'), optional: true, rows: 4, maxlength: 5_000 })}`;
}

/** The heading of a contest: its label, once it has one. */
function headingOf(label: string, index: number): Words | string {
  if (label !== '') return label;
  return index === 0
    ? t('voting-admin.manual_results_form.what_voted')
    : t('voting-admin.manual_results_form.what_else_voted', { index: index + 1 });
}

function wordsOf(contests: readonly ContestEntry[]): AllWords {
  const words: Record<string, FieldWords> = { ...WORDS };
  contests.forEach(({ label, items }, index) => {
    const contest = `results.contests.${index}`;
    words[`${contest}.label`] = { label: t('voting-admin.manual_results_form.what_voted') };
    items.forEach((item, row) => {
      const at = { contest: headingOf(label, index), item: item.label, row: row + 1 };
      const said = item.label === '' ? 'other' : 'label';
      words[`${contest}.items.${row}.label`] = {
        label: t('voting-admin.manual_results_form.row_of', { ...at, said }),
      };
      words[`${contest}.items.${row}.votes`] = {
        label: t('voting-admin.manual_results_form.votes_of', { ...at, said }),
      };
    });
  });
  return words;
}

/** The id of the field that a problem belongs to; for a list, that of its first field. */
function idOf(path: string): string {
  if (path === 'results' || path === 'results.contests') return 'results.contests.0.label';
  return /\.items$/.test(path) ? `${path}.0.label` : path;
}
