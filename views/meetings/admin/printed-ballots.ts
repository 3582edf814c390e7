import { type Html, html } from '#kernel/html.ts';
import { nameText } from '#views/components/names.ts';
import { counted } from '#views/components/numbers.ts';
import { pageHeader } from '#views/components/structure.ts';
import { stylesheets } from '#views/stylesheets.ts';
import { type OfficerProps, officerPage } from '#views/voting/admin/frame.ts';
import { askedOf, ruleSentences } from '#views/voting/ballot-types.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import { handlingOf, type PaperMarks } from '#voting/ballots/ballot-types.ts';
import type { ElectionJson } from '#voting/elections/elections.ts';
import { SIMPLE_CHOICES } from '#voting/shared/choice.ts';
import { itemPath } from './papers.ts';

/** The data of the page with ballots to print. */
export interface PrintedProps extends OfficerProps {
  club: string;
  meeting: { id: string; title: string };
  item: { id: string; title: string };
  questions: readonly ElectionJson[];
  copies: number;
  size: 'a4' | 'a5';
  /** On each sheet. */
  each: 1 | 2 | 4;
}

/** Ballots to print, without a name or a number: all are equal, so that no paper can be told from another. */
export function printedBallotsPage(props: PrintedProps): Html {
  const { meeting, item, copies, size, each, viewer } = props;
  const sheets = Math.ceil(copies / each);
  const ballot = ballotPaper(props);
  const body = html`${pageHeader({
    title: 'Ballots to print',
    lede: `${counted(copies, 'paper')} on ${counted(sheets, 'sheet')} of ${size.toUpperCase()}. No paper has a name or a number: tellers write the numbers once the box is mixed.`,
    crumbs: [
      { href: `/admin/meetings/${meeting.id}`, label: meeting.title },
      { href: `${itemPath(meeting.id, item.id)}/papers`, label: 'Ballots on paper' },
    ],
    actions: html`<button class="button" type="button" data-print hidden>Print</button>`,
  })}
${Array.from(
  { length: sheets },
  (_, sheet) =>
    html`<div class="paper-sheet paper-${size} paper-by-${each}">${Array.from(
      { length: Math.min(each, copies - sheet * each) },
      () => ballot,
    )}</div>`,
)}`;
  return officerPage({
    title: `Ballots to print: ${item.title}`,
    body,
    nav: '/admin/meetings',
    viewer,
    head: stylesheets(
      'meetings/meetings.css',
      size === 'a5' ? 'meetings/papers-a5.css' : 'meetings/papers-a4.css',
    ),
  });
}

function ballotPaper({ club, meeting, questions }: PrintedProps): Html {
  return html`<article class="paper-ballot"><p class="slip-club">${club} · ${meeting.title}</p>${questions.map(
    (question, at) => printedQuestion(question, questions.length > 1 ? at + 1 : undefined),
  )}<p class="paper-foot">Fold it, and put it into the box. Do not sign it.</p></article>`;
}

function printedQuestion(question: ElectionJson, number: number | undefined): Html {
  const { title, ballot_type, settings, candidates, options } = question;
  const names = (candidates ?? options ?? []).map(({ name }) => name);
  const { onPaper } = handlingOf(ballot_type);
  return html`<section class="paper-question"><h2>${number !== undefined && `${number}. `}${title}</h2>
<p class="paper-rule">${askedOf(question)} ${HOW[onPaper]} ${ruleSentences(question).join(' ')}${
    settings.allow_blank && ' A paper without a mark abstains.'
  }</p>${MARKS[onPaper](names)}</section>`;
}

const HOW: { readonly [Marks in PaperMarks]: string } = {
  answer: 'Put a cross.',
  crosses: 'Put a cross beside each choice.',
  ranks: 'Write 1 beside your first choice, 2 beside the second, and so on.',
  answers: 'Put one cross in each row.',
};

const box = html`<span class="paper-box"></span>`;

const MARKS: { readonly [Marks in PaperMarks]: (names: readonly string[]) => Html } = {
  answer: () =>
    html`<ul class="paper-choices paper-answers" role="list">${SIMPLE_CHOICES.map(
      (value) => html`<li>${box} ${CHOICE_WORDS[value]}</li>`,
    )}</ul>`,
  crosses: (names) => listOf(names),
  ranks: (names) => listOf(names),
  answers: (names) =>
    html`<table class="paper-rows"><thead><tr><th></th>${SIMPLE_CHOICES.map(
      (value) => html`<th>${CHOICE_WORDS[value]}</th>`,
    )}</tr></thead><tbody>${names.map(
      (name, at) =>
        html`<tr><th scope="row">${at + 1}. ${nameText(name)}</th>${SIMPLE_CHOICES.map(() => html`<td>${box}</td>`)}</tr>`,
    )}</tbody></table>`,
};

/** Numbered names: tellers type the numbers. */
const listOf = (names: readonly string[]): Html =>
  html`<ul class="paper-choices" role="list">${names.map(
    (name, at) => html`<li>${box} <span class="paper-number">${at + 1}</span> ${nameText(name)}</li>`,
  )}</ul>`;
