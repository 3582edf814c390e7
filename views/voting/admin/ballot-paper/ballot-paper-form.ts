import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { type Entered, enteredText, errorAt, namedErrors } from '#views/components/entered.ts';
import { choice, choiceGroup, field, hiddenInputs } from '#views/components/forms.ts';
import { errorSummary } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import {
  FORM_LABELS,
  idOf,
  questionFields,
  windowFields,
} from '#views/voting/admin/election/election-form.ts';
import { type OfficerProps, officerPage, pageSection } from '#views/voting/admin/frame.ts';
import { settingsFields } from '#views/voting/admin/sections/settings-fields.ts';
import { BOARD_ELECTION, PRESETS, type PresetName } from '#views/voting/types/presets.ts';
import { adminPath, type Named } from '#views/voting/words.ts';

/** The data of the form for a new ballot paper. */
export interface PaperFormProps extends OfficerProps {
  /** The entered values, by field name. Without a title, the form is a new one and shows default values. */
  entered: Entered;
  /** The dates that a new form proposes, in the format of its fields. */
  proposed?: { open_at: string; close_at: string } | undefined;
  errors: readonly FieldError[];
  /** The time zone of all times, in words. */
  zone: string;
}

/** The page to create a ballot paper: what its questions share. They are added afterwards, one by one. */
export function paperFormPage({ entered: given, errors, zone, proposed, viewer }: PaperFormProps): Html {
  const fresh = !('title' in given);
  const entered = fresh ? { start: 'board', 'settings.allow_blank': 'true', ...proposed, ...given } : given;
  const at = (name: string) => ({ name, value: enteredText(entered, name), error: errorAt(errors, name) });
  const body = html`${errorSummary(namedErrors(errors, FORM_LABELS), idOf, 'The ballot paper was not made yet')}
${pageHeader({
  title: 'New ballot paper',
  lede: 'Several questions that share one code, one mail and one slip. Nothing is sent to anyone yet.',
  crumbs: [{ href: '/admin', label: 'Elections' }],
})}
<form method="post" action="/admin/papers" data-election-form>
${pageSection({
  id: 'question',
  title: 'What it is',
  work: html`${field({ ...at('title'), label: 'Title', hint: 'As members would say it: “Annual general meeting”.', maxlength: 500 })}
${field({
  ...at('description'),
  label: 'Description',
  hint: 'Shown above the questions. An empty line starts a paragraph.',
  optional: true,
  rows: 3,
  maxlength: 5_000,
})}
${startChoice(enteredText(entered, 'start'))}`,
})}
${pageSection({
  id: 'window',
  title: 'When',
  about: `All times are ${zone}. They hold for every question.`,
  work: windowFields(entered, errors),
})}
${pageSection({
  id: 'handling',
  title: 'What all questions share',
  about: 'A question can have its own settings afterwards.',
  work: settingsFields({ entered, errors, folds: true, part: 'shared' }),
})}
<div class="actions"><button class="button">Next: the questions</button></div>
</form>`;
  const title = errors.length > 0 ? 'Please check: New ballot paper' : 'New ballot paper';
  return officerPage({ title, body, nav: '/admin', viewer, scripts: ['admin/election-form.js'] });
}

/** Which questions the next pages propose. */
function startChoice(chosen: string): Html {
  const row = (value: string, label: string, note: string) =>
    choice({
      type: 'radio',
      name: 'start',
      value,
      id: value === 'board' ? 'start' : undefined,
      label,
      note,
      checked: value === chosen,
    });
  return choiceGroup({
    name: 'start',
    label: 'Begin with',
    rows: [
      row(
        'board',
        'Board election',
        `One page each, to fill in or skip: ${BOARD_ELECTION.map((name) => PRESETS[name].label.toLowerCase()).join(', ')}.`,
      ),
      row('empty', 'My own questions', 'You add them one after the other.'),
    ],
  });
}

/** The data of the form for a question of a ballot paper. */
export interface QuestionFormProps extends OfficerProps {
  paper: Named;
  /** The place that the question will have, from 1. */
  place: number;
  /** The questions that are proposed: this one, and those of the next pages. */
  steps: readonly PresetName[];
  entered: Entered;
  errors: readonly FieldError[];
  /** Why it was refused, where the reason belongs to no field. */
  message?: string | undefined;
}

/** The page that adds a question to a ballot paper. */
export function questionFormPage(props: QuestionFormProps): Html {
  const { paper, place, steps, errors, message, viewer } = props;
  const [preset, ...rest] = steps;
  const fresh = !('title' in props.entered);
  const entered: Entered = fresh && preset ? { ...PRESETS[preset].entered } : props.entered;
  const [next] = rest;
  const newQuestion = (left: readonly PresetName[]) =>
    adminPath(paper, `questions/new${left.length > 0 ? `?steps=${left.join(',')}` : ''}`);
  const listed =
    errors.length === 0 && message ? [{ path: 'title', message }] : namedErrors(errors, FORM_LABELS);
  const heading = preset ? `Question ${place}: ${PRESETS[preset].label.toLowerCase()}` : `Question ${place}`;
  const body = html`${errorSummary(listed, idOf, 'The question was not added yet')}
${pageHeader({
  title: heading,
  lede: paper.title,
  crumbs: [
    { href: '/admin', label: 'Elections' },
    { href: adminPath(paper), label: 'This ballot paper' },
  ],
})}
<form method="post" action="${adminPath(paper, 'questions')}" data-election-form>${hiddenInputs({ steps: steps.join(',') })}
${pageSection({ id: 'question', title: 'What is asked', work: questionFields(entered, errors) })}
${pageSection({
  id: 'handling',
  title: 'How it is counted',
  work: settingsFields({ entered, errors, part: 'own' }),
})}
<div class="actions"><button class="button">${next ? `Add it, then: ${PRESETS[next].label.toLowerCase()}` : 'Add the question'}</button>
${!next && html`<button class="button button-quiet" name="more" value="true">Add it, and another one</button>`}
${
  preset &&
  html`<a class="button button-quiet" href="${next ? newQuestion(rest) : adminPath(paper)}">Leave it out</a>`
}
<a class="button button-quiet" href="${adminPath(paper)}">To the ballot paper</a></div>
</form>`;
  const title = `${errors.length > 0 ? 'Please check: ' : ''}${heading}`;
  return officerPage({
    title: `${title}: ${paper.title}`,
    body,
    nav: '/admin',
    viewer,
    scripts: ['admin/election-form.js'],
  });
}
