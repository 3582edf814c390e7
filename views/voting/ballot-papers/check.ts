import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { checkResult, codeField, foundTemplate } from '#views/voting/ballots/check.ts';
import type { CheckedQuestion } from '#voting/ballot-papers/check.ts';
import { paperPath } from './ballot.ts';

export interface CheckableQuestion {
  id: string;
  title: string;
  closed: boolean;
  /** Whether a code covers the choice too, and whether ballots may rank only some candidates. */
  covers: boolean;
  partial: boolean;
  isVoid: boolean;
  /** The address of the list with which a browser checks a code; undefined where the service has to. */
  source: string | undefined;
}

/** The data of the page where a voter looks for the ballots of a paper by one code. */
export interface PaperCheckProps {
  paper: { id: string; title: string };
  /** Whether it is the paper of a meeting: its questions are voted on one by one, each with a code of its own. */
  inMeeting: boolean;
  /** When codes can be checked, already formatted; null once they can. */
  opens: Words | string | null;
  /** The result of the check; absent before a code was sent. */
  checked?: readonly CheckedQuestion[];
  /** The questions that give codes, in their order. */
  questions: readonly CheckableQuestion[];
  errors?: readonly FieldError[];
  entered?: string;
}

/** The field for the code, and what each question says. With script the browser checks the code, if it has each list. */
export function paperCheckPage(props: PaperCheckProps): Html {
  const { paper, inMeeting, opens, checked, questions, errors = [], entered = '' } = props;
  const known = new Map(questions.map((one) => [one.id, one]));
  const shown = checked?.filter((one) => one.found || !inMeeting);
  const inBrowser = questions.every(({ closed, source }) => !closed || source !== undefined);
  const found = checked?.some((question) => question.found) ?? false;
  const body = html`${pageHeader({
    title: t('voting.check.my_ballots_boxes'),
    eyebrow: asWritten(paper.title),
    lede: t('voting.check.find_ballots_by_code'),
    crumbs: [{ href: paperPath(paper), label: t('voting.check.ballot_paper') }],
  })}
${
  opens === null
    ? html`<div role="status" data-check-result>${shown && (found ? html`${shown.map((one) => questionResult(one, known.get(one.id)))}${inMeeting && OTHERS}` : checkResult({ found: false }))}</div>
<form method="post" action="${paperPath(paper)}/check" class="code-form"${inBrowser && html` data-check=""`}>
${codeField(errors, entered)}
<button class="button">${t('voting.check.look_my_ballots')}</button></form>
${inBrowser && questions.map(questionTemplate)}<template data-check-missing>${checkResult({ found: false })}</template>${inMeeting && html`<template data-check-others>${OTHERS}</template>`}
<p class="small soft">${inBrowser ? t('voting.check.keep_code_checked_on_device') : t('voting.check.keep_code')}</p>`
    : notice(
        'info',
        t('voting.check.voting_closes_lists_ballots_made', { opens }),
        t('voting.check.codes_checked_after_close'),
      )
}`;
  return page({
    title: t('voting.check.my_ballots_boxes_title', { title: paper.title }),
    body,
    scripts: ['voting/check.js'],
  });
}

function questionResult({ closed, ...question }: CheckedQuestion, known?: CheckableQuestion): Html {
  const { found } = question;
  if (!closed) return questionPart(question, OPEN);
  return questionPart(question, found ? checkResult({ ...question, found }, known) : NO_BALLOT);
}

/** In a meeting: whoever has a code for each vote is not told of the others that this one misses. */
const OTHERS = html`<p class="small soft">${t('voting.check.code_belongs_vote_other_votes')}</p>`;

const OPEN = notice('info', t('voting.check.voting_question_open_codes_checked'));
const NO_BALLOT = notice('info', t('voting.check.ballot_code_question_leave_out'));

/** What a browser shows of a question. */
function questionTemplate({ closed, source, covers, ...question }: CheckableQuestion): Html {
  const results = html`${foundTemplate(covers, question)}<template data-check-missing>${NO_BALLOT}</template>`;
  return html`<template data-check-question="${question.id}"${source && html` data-check-list="${source}"`}>${questionPart(
    question,
    closed ? results : OPEN,
  )}</template>`;
}

const questionPart = ({ id, title }: { id: string; title: string }, result: Html): Html =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${asWritten(title)}</h2>${result}</section>`;
