import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
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
import { PRESETS, type PresetName } from '#views/voting/types/presets.ts';
import { adminPath, type Named } from '#views/voting/words.ts';
import { TEXTS } from '#voting/elections/texts-and-period.ts';

/** The data of the form for a new ballot paper. Without an entered title, it shows default values. */
export interface PaperFormProps extends FormPageProps {
  /** The dates that a new form proposes, in the format of its fields. */
  proposed?: { open_at: string; close_at: string } | undefined;
  /** The time zone of all times, in words. */
  zone: Words | string;
}

/** The page to create a ballot paper: what its questions share. They are added afterwards, one by one. */
export function paperFormPage(props: PaperFormProps): Html {
  const { entered: given, errors, zone, proposed } = props;
  const fresh = !('title' in given);
  const entered = fresh ? { start: 'board', 'settings.allow_blank': 'true', ...proposed, ...given } : given;
  return formPage(props, {
    title: t('voting-admin.ballot_paper_form.new_ballot_paper'),
    lede: t('voting-admin.ballot_paper_form.several_questions_share_code_mail'),
    words: FORM_WORDS,
    refused: t('voting-admin.ballot_paper_form.ballot_paper_made_yet'),
    idOf,
    scripts: ['admin/election-form.js'],
    body: html`<form method="post" action="/admin/papers" data-election-form>
${pageSection({
  id: 'question',
  title: t('voting-admin.ballot_paper_form.what'),
  work: html`${recordFields(TEXTS, PAPER_WORDS, { entered, errors })}
${startChoice(enteredText(entered, 'start'))}`,
})}
${pageSection({
  id: 'window',
  title: t('voting-admin.ballot_paper_form.when'),
  about: t('voting-admin.ballot_paper_form.all_times_hold_every_question', { zone }),
  work: windowFields(entered, errors),
})}
${pageSection({
  id: 'handling',
  title: t('voting-admin.ballot_paper_form.what_all_questions_share'),
  about: sentences([t('voting-admin.ballot_paper_form.question_own_settings_afterwards'), CHECKS_LATER]),
  work: settingsFields({ entered, errors, rarely: 'if entered', part: 'shared' }),
})}
<div class="actions"><button class="button">${t('voting-admin.ballot_paper_form.next_questions')}</button></div>
</form>`,
  });
}

const PAPER_WORDS = {
  title: {
    label: t('voting-admin.ballot_paper_form.title'),
    hint: t('voting-admin.ballot_paper_form.members_say_annual_general_meeting'),
  },
  description: {
    label: t('voting-admin.ballot_paper_form.description'),
    hint: t('voting-admin.ballot_paper_form.shown_above_questions_empty_line'),
  },
};

/** Which questions the next pages propose. */
function startChoice(chosen: string): Html {
  const row = (value: string, label: Words | string, note: Words | string) =>
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
    label: t('voting-admin.ballot_paper_form.begin'),
    rows: [
      row(
        'board',
        t('voting-admin.ballot_paper_form.board_election'),
        t('voting-admin.ballot_paper_form.page_each_fill_skip'),
      ),
      row(
        'empty',
        t('voting-admin.ballot_paper_form.my_own_questions'),
        t('voting-admin.ballot_paper_form.add_after_other'),
      ),
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

/** A preset, for a text that names it. */
const presetCode = (preset: PresetName) => (preset === 'motion' ? 'other' : preset);

/** The page that adds a question to a ballot paper. */
export function questionFormPage(props: QuestionFormProps): Html {
  const { paper, place, steps, errors } = props;
  const [preset, ...rest] = steps;
  const fresh = !('title' in props.entered);
  const entered: Entered = fresh && preset ? { ...PRESETS[preset].entered } : props.entered;
  const [next] = rest;
  const newQuestion = (left: readonly PresetName[]) =>
    adminPath(paper, `questions/new${left.length > 0 ? `?steps=${left.join(',')}` : ''}`);
  const at = { place, title: paper.title };
  return formPage(props, {
    title: preset
      ? t('voting-admin.ballot_paper_form.question_of_preset', { place, preset: presetCode(preset) })
      : t('voting-admin.ballot_paper_form.question', { place }),
    documentTitle: preset
      ? t('voting-admin.ballot_paper_form.question_of', { ...at, preset: presetCode(preset) })
      : t('voting-admin.ballot_paper_form.question_of_title', at),
    lede: paper.title,
    crumbs: [{ href: adminPath(paper), label: t('voting-admin.ballot_paper_form.this_ballot_paper') }],
    words: FORM_WORDS,
    refused: t('voting-admin.ballot_paper_form.question_added_yet'),
    idOf,
    scripts: ['admin/election-form.js'],
    body: html`<form method="post" action="${adminPath(paper, 'questions')}" data-election-form>${hiddenInputs({ steps: steps.join(',') })}
${pageSection({ id: 'question', title: t('voting-admin.ballot_paper_form.what_asked'), work: questionFields(entered, errors) })}
${pageSection({
  id: 'handling',
  title: t('voting-admin.ballot_paper_form.how_counted'),
  work: settingsFields({ entered, errors, part: 'own' }),
})}
<div class="actions"><button class="button">${next ? t('voting-admin.ballot_paper_form.add', { preset: presetCode(next) }) : t('voting-admin.ballot_paper_form.add_question')}</button>
${!next && html`<button class="button button-quiet" name="more" value="true">${t('voting-admin.ballot_paper_form.add_another')}</button>`}
${
  preset &&
  html`<a class="button button-quiet" href="${next ? newQuestion(rest) : adminPath(paper)}">${t('voting-admin.ballot_paper_form.leave_out')}</a>`
}
<a class="button button-quiet" href="${adminPath(paper)}">${t('voting-admin.ballot_paper_form.to_ballot_paper')}</a></div>
</form>`,
  });
}
