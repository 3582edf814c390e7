import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { errorAt } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { CHOICE_WORDS } from '#views/voting/words.ts';
import type { CheckedCode } from '#voting/ballots/ballot-store.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { ballotLines, type ReadableBallot } from '#voting/shared/ballot-file.ts';
import { BLANK } from '#voting/shared/choice.ts';
import { withdrawnNotice } from './about-options.ts';

/** The data of the page where a voter looks for a ballot by its code. */
export interface CheckPageProps {
  election: { id: string; title: string; paper_id?: string | null };
  /** When codes can be checked, already formatted; null once they can. */
  opens: string | null;
  /** Whether a code covers the choice too. */
  covers: boolean;
  /** Whether ballots may rank only some candidates. */
  partial?: boolean;
  /** Whether the vote is void. */
  isVoid: boolean;
  /** The address of the list with which a browser checks a code; undefined where the service has to. */
  source: string | undefined;
  /** The candidates or options that were withdrawn after the opening. */
  withdrawn?: readonly OptionJson[];
  state: {
    /** The result of the check; absent before a code was sent. */
    checked?: CheckedCode;
    errors?: readonly FieldError[];
    /** The input that was refused. A code that was looked up is not shown again. */
    entered?: string;
  };
}

/** The field for the code, and the result. With script the browser checks the code itself, where it has the data. */
export function checkPage(props: CheckPageProps): Html {
  const { election, opens } = props;
  const body = html`${pageHeader({
    title: 'Is my ballot in the box?',
    eyebrow: election.title,
    lede: 'When you voted you were shown a code. With it you find your ballot among those that were counted.',
    crumbs: [{ href: `/e/${election.id}`, label: 'The election' }],
  })}
${
  opens === null
    ? checkForm(props)
    : notice(
        'info',
        `Voting closes ${opens}. The list of ballots is made then.`,
        'Codes can be checked after the close',
      )
}`;
  return page({ title: `Is my ballot in the box? ${election.title}`, body, scripts: ['voting/check.js'] });
}

function checkForm(props: CheckPageProps): Html {
  const { election, covers, partial = false, isVoid, source, state } = props;
  const shown = { partial, isVoid };
  const { id } = election;
  const { checked, errors = [], entered = '' } = state;
  const note = covers
    ? 'With a code you can show somebody else how you voted: keep it to yourself.'
    : 'A code says nothing about the choice.';
  return html`<div role="status" data-check-result>${checked && checkResult(checked, shown)}</div>
${covers && withdrawnNotice(props.withdrawn ?? [])}<form method="post" action="/e/${id}/check" class="code-form"${source && html` data-check="${source}"`}${
    election.paper_id && html` data-check-of="${id}"`
  }>
${codeField(errors, entered)}
<button class="button">Look for my ballot</button></form>
${foundTemplate(covers, shown)}<template data-check-missing>${checkResult({ found: false })}</template>
<p class="small soft">No codes are kept here, only what it takes to recognise one. What you type is forgotten
at once${source && '; usually it does not even leave your device'}. ${note}</p>`;
}

/** What a browser shows of a ballot that it has found. */
export const foundTemplate = (covers: boolean, question: Checked): Html =>
  html`<template data-check-found>${checkResult(
    covers ? { found: true, ballot: [] } : { found: true },
    question,
  )}</template>`;

/** A question as the result of a check needs it: whether ballots may rank only some candidates, and whether it is void. */
interface Checked {
  partial: boolean;
  isVoid: boolean;
}

/** The field for an inclusion code. */
export const codeField = (errors: readonly FieldError[], entered: string): Html =>
  field({
    name: 'code',
    label: 'Your code',
    hint: '32 letters and digits. Spaces and capital letters do not matter.',
    value: entered,
    autocomplete: 'off',
    spellcheck: false,
    maxlength: 200,
    error: errorAt(errors, 'code'),
  });

export function checkResult(
  { found, ballot, altered = false }: CheckedCode,
  question: Checked = { partial: false, isVoid: false },
): Html {
  if (!found)
    return notice(
      'attention',
      'Compare every letter and digit with what you kept. If it is right, show it to somebody who watches ' +
        'over the election: your ballot may be missing, or it may have been changed.',
      'There is no ballot with this code',
    );
  if (altered)
    return html`${notice(
      'danger',
      'This is not the choice that was cast with your code. Show your code to somebody who watches over the election.',
      'Your ballot was changed',
    )}${ballot !== undefined && countedAs(ballot, question)}`;
  return html`${
    question.isVoid
      ? notice(
          'attention',
          'A ballot with this code was cast, and not counted: the vote is void.',
          'Your ballot is in the box',
        )
      : notice('success', 'A ballot with this code was counted.', 'Your ballot is in the box')
  }${ballot !== undefined && countedAs(ballot, question)}`;
}

function countedAs(ballot: ReadableBallot, { partial, isVoid }: Checked): Html {
  const lines =
    typeof ballot === 'string'
      ? [CHOICE_WORDS[ballot as keyof typeof CHOICE_WORDS] ?? ballot]
      : ballotLines(ballot);
  return html`<h2>${isVoid ? 'This was cast' : 'It was counted like this'}</h2>
  <ol data-check-ballot>${lines.map((line) => html`<li>${line}</li>`)}</ol>
  ${partial && ballot !== BLANK && html`<p data-check-unranked>The candidates that are not in this list share the last place.</p>`}`;
}
