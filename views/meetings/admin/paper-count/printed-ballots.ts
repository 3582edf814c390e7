import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { nameText } from '#views/components/names.ts';
import { inClubLanguage } from '#views/components/slots.ts';
import { pageHeader, plainText } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { askedOf, ruleSentences } from '#views/voting/ballot-types.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import { handlingOf, type PaperMarks } from '#voting/ballots/ballot-types.ts';
import type { ElectionJson, OptionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES } from '#voting/shared/choice.ts';
import { itemPath } from './papers.ts';

type NumberedQuestion = ElectionJson & { number: string };

/** The data of the page with ballots to print. */
export interface PrintedProps extends OfficerProps {
  club: string;
  meeting: { id: string; title: string };
  item: { id: string; title: string };
  /** `number`: on the agenda. */
  questions: readonly NumberedQuestion[];
  copies: number;
  size: 'a4' | 'a5';
  /** On each sheet. */
  each: 1 | 2 | 4;
}

/** Ballots to print, without a name or a number: all are equal, so that no paper can be told from another. */
export function printedBallotsPage(props: PrintedProps): Html {
  const { meeting, item, copies, size, each, viewer } = props;
  const sheets = Math.ceil(copies / each);
  const ballot = inClubLanguage((lang) => ballotPaper(props, lang));
  const body = html`${pageHeader({
    title: t('meetings-admin.printed_ballots.ballots_print'),
    lede: t('meetings-admin.printed_ballots.papers_sheets_paper_name_number', {
      copies,
      sheets,
      paper: size.toUpperCase(),
    }),
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      { href: `${itemPath(meeting.id, item.id)}/papers`, label: t('meetings-admin.shared.ballots_paper') },
    ],
    actions: html`<button class="button" type="button" data-print hidden>${t('meetings-admin.shared.print')}</button>`,
  })}
${Array.from(
  { length: sheets },
  (_, sheet) =>
    html`<div class="printed-sheet printed-by-${each}">${Array.from(
      { length: Math.min(each, copies - sheet * each) },
      () => ballot,
    )}</div>`,
)}`;
  return officerPage({
    title: t('meetings-admin.printed_ballots.document_title', { title: item.title }),
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets(
      'meetings/meetings.css',
      'meetings/printed.css',
      ...(size === 'a5' ? (['meetings/printed-a5.css'] as const) : []),
    ),
  });
}

function ballotPaper({ club, meeting, questions }: PrintedProps, lang: Html): Html {
  return html`<article class="printed-ballot"${lang}><p class="slip-club">${club} · ${meeting.title}</p>${questions.map(printedQuestion)}<p class="printed-foot">${t('meetings.printed_ballots.fold_put_into_box_sign')}</p></article>`;
}

function printedQuestion(question: NumberedQuestion): Html {
  const { number, title, description, ballot_type, settings, candidates, options } = question;
  const names = candidates ?? options ?? [];
  const { onPaper } = handlingOf(ballot_type);
  return html`<section class="printed-question"><h2>${number}. ${title}</h2>
${description && html`<div class="printed-wording">${plainText(description)}</div>`}<p class="printed-rule">${sentences(
    [
      askedOf(question),
      HOW[onPaper],
      ...ruleSentences(question),
      settings.allow_blank && t('meetings.printed_ballots.abstains'),
    ],
  )}</p>${MARKS[onPaper](names)}</section>`;
}

const HOW: { readonly [Marks in PaperMarks]: Words } = {
  answer: t('meetings.printed_ballots.put_cross'),
  crosses: t('meetings.printed_ballots.put_cross_beside_each_choice'),
  ranks: t('meetings.printed_ballots.write_1_beside_first_choice'),
  answers: t('meetings.printed_ballots.put_cross_each_row'),
};

const box = html`<span class="printed-box"></span>`;

const MARKS: { readonly [Marks in PaperMarks]: (names: readonly OptionJson[]) => Html } = {
  answer: () =>
    html`<ul class="printed-choices printed-answers" role="list">${SIMPLE_CHOICES.map(
      (value) => html`<li>${box} ${CHOICE_WORDS[value]}</li>`,
    )}</ul>`,
  crosses: (names) => listOf(names, true),
  // A printed number would look like a rank.
  ranks: (names) => listOf(names, false),
  answers: (names) =>
    html`<table class="printed-rows"><thead><tr><th></th>${SIMPLE_CHOICES.map(
      (value) => html`<th>${CHOICE_WORDS[value]}</th>`,
    )}</tr></thead><tbody>${names.map(
      (option) =>
        html`<tr><th scope="row">${nameOf(option)}</th>${SIMPLE_CHOICES.map(
          () => html`<td>${!option.withdrawn && box}</td>`,
        )}</tr>`,
    )}</tbody></table>`,
};

/** @param numbered tellers type the numbers */
const listOf = (names: readonly OptionJson[], numbered: boolean): Html =>
  html`<ul class="printed-choices" role="list">${names.map(
    (option, at) =>
      html`<li>${!option.withdrawn && box} ${numbered && html`<span class="printed-number">${at + 1}</span>`} ${nameOf(option)}</li>`,
  )}</ul>`;

/** A name that was withdrawn keeps its place: papers that were printed before have it too. */
const nameOf = ({ name, withdrawn }: OptionJson): Html =>
  withdrawn
    ? html`${t('meetings.printed_ballots.withdrawn', { name: html`<s>${nameText(name)}</s>` })}`
    : nameText(name);
