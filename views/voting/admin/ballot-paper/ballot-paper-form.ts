import { type Html, html } from '#kernel/html.ts';
import { type Entered, enteredText } from '#views/components/entered.ts';
import { choice, choiceGroup, hiddenInputs } from '#views/components/forms.ts';
import { recordFields } from '#views/components/record-fields.ts';
import {
  CHECKS_LATER,
  FORM_WORDS,
  idOf,
  questionFields,
  windowFields,
} from '#views/voting/admin/election/election-form.ts';
import { type FormPageProps, formPage } from '#views/voting/admin/form-page.ts';
import { pageSection } from '#views/voting/admin/frame.ts';
import { settingsFields } from '#views/voting/admin/sections/settings-fields.ts';
import { BOARD_ELECTION, PRESETS, type PresetName } from '#views/voting/types/presets.ts';
import { adminPath, type Named } from '#views/voting/words.ts';
import { TEXTS } from '#voting/elections/texts-and-period.ts';

/** The data of the form for a new ballot paper. Without an entered title, it shows default values. */
export interface PaperFormProps extends FormPageProps {
  /** The dates that a new form proposes, in the format of its fields. */
  proposed?: { open_at: string; close_at: string } | undefined;
  /** The time zone of all times, in words. */
  zone: string;
}

/** The page to create a ballot paper: what its questions share. They are added afterwards, one by one. */
export function paperFormPage(props: PaperFormProps): Html {
  const { entered: given, errors, zone, proposed } = props;
  const fresh = !('title' in given);
  const entered = fresh ? { start: 'board', 'settings.allow_blank': 'true', ...proposed, ...given } : given;
  return formPage(props, {
    title: 'New ballot paper',
    lede: 'Several questions that share one code, one mail and one slip. Nothing is sent to anyone yet.',
    words: FORM_WORDS,
    refused: 'The ballot paper was not made yet',
    idOf,
    scripts: ['admin/election-form.js'],
    body: html`<form method="post" action="/admin/papers" data-election-form>
${pageSection({
  id: 'question',
  title: 'What it is',
  work: html`${recordFields(TEXTS, PAPER_WORDS, { entered, errors })}
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
  about: `A question can have its own settings afterwards. ${CHECKS_LATER}`,
  work: settingsFields({ entered, errors, rarely: 'if entered', part: 'shared' }),
})}
<div class="actions"><button class="button">Next: the questions</button></div>
</form>`,
  });
}

const PAPER_WORDS = {
  title: { label: 'Title', hint: 'As members would say it: “Annual general meeting”.' },
  description: {
    label: 'Description',
    hint: 'Shown above the questions. An empty line starts a paragraph.',
  },
};

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
export interface QuestionFormProps extends FormPageProps {
  paper: Named;
  /** The place that the question will have, from 1. */
  place: number;
  /** The questions that are proposed: this one, and those of the next pages. */
  steps: readonly PresetName[];
}

/** The page that adds a question to a ballot paper. */
export function questionFormPage(props: QuestionFormProps): Html {
  const { paper, place, steps, errors } = props;
  const [preset, ...rest] = steps;
  const fresh = !('title' in props.entered);
  const entered: Entered = fresh && preset ? { ...PRESETS[preset].entered } : props.entered;
  const [next] = rest;
  const newQuestion = (left: readonly PresetName[]) =>
    adminPath(paper, `questions/new${left.length > 0 ? `?steps=${left.join(',')}` : ''}`);
  const heading = preset ? `Question ${place}: ${PRESETS[preset].label.toLowerCase()}` : `Question ${place}`;
  return formPage(props, {
    title: heading,
    documentTitle: `${heading}: ${paper.title}`,
    lede: paper.title,
    crumbs: [{ href: adminPath(paper), label: 'This ballot paper' }],
    words: FORM_WORDS,
    refused: 'The question was not added yet',
    idOf,
    scripts: ['admin/election-form.js'],
    body: html`<form method="post" action="${adminPath(paper, 'questions')}" data-election-form>${hiddenInputs({ steps: steps.join(',') })}
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
</form>`,
  });
}
