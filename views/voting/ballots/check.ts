import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { ownValue } from '#kernel/own-value.ts';
import { errorAt } from '#views/components/entered.ts';
import { field } from '#views/components/forms.ts';
import { asWritten } from '#views/components/language.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { ANSWER_WORDS, CHOICE_WORDS } from '#views/voting/words.ts';
import type { CheckedCode } from '#voting/ballots/ballot-store.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import type { ReadableBallot } from '#voting/shared/ballot-file.ts';
import { BLANK } from '#voting/shared/choice.ts';
import { withdrawnNotice } from './about-options.ts';

/** The data of the page where a voter looks for a ballot by its code. */
export interface CheckPageProps {
  election: { id: string; title: string; paper_id?: string | null };
  /** When codes can be checked, already formatted; null once they can. */
  opens: Words | string | null;
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
    title: t('voting.check.my_ballot_box'),
    eyebrow: asWritten(election.title),
    lede: t('voting.check.find_ballot_by_code'),
    crumbs: [{ href: `/e/${election.id}`, label: t('voting.check.election') }],
  })}
${
  opens === null
    ? checkForm(props)
    : notice(
        'info',
        t('voting.check.voting_closes_list_ballots_made', { opens }),
        t('voting.check.codes_checked_after_close'),
      )
}`;
  return page({
    title: t('voting.check.my_ballot_box_title', { title: election.title }),
    body,
    scripts: ['voting/check.js'],
  });
}

function checkForm(props: CheckPageProps): Html {
  const { election, covers, partial = false, isVoid, source, state } = props;
  const shown = { partial, isVoid };
  const { id } = election;
  const { checked, errors = [], entered = '' } = state;
  const note = covers
    ? t('voting.check.code_show_somebody_else_how')
    : t('voting.check.code_says_nothing_about_choice');
  return html`<div role="status" data-check-result>${checked && checkResult(checked, shown)}</div>
${covers && withdrawnNotice(props.withdrawn ?? [])}<form method="post" action="/e/${id}/check" class="code-form"${source && html` data-check="${source}"`}${
    election.paper_id && html` data-check-of="${id}"`
  }>
${codeField(errors, entered)}
<button class="button">${t('voting.check.look_my_ballot')}</button></form>
${foundTemplate(covers, shown)}<template data-check-missing>${checkResult({ found: false })}</template>
<p class="small soft">${source ? t('voting.check.no_codes_kept_checked_on_device') : t('voting.check.no_codes_kept')} ${note}</p>`;
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
    label: t('voting.check.code'),
    hint: t('voting.check.code_form'),
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
      t('voting.check.compare_every_letter_digit_what'),
      t('voting.check.ballot_code'),
    );
  if (altered)
    return html`${notice(
      'danger',
      t('voting.check.choice_cast_code_show_code'),
      t('voting.check.ballot_changed'),
    )}${ballot !== undefined && countedAs(ballot, question)}`;
  return html`${
    question.isVoid
      ? notice('attention', t('voting.check.ballot_code_cast_counted_vote'), t('voting.check.ballot_box'))
      : notice('success', t('voting.check.ballot_code_counted'), t('voting.check.ballot_box'))
  }${ballot !== undefined && countedAs(ballot, question)}`;
}

function countedAs(ballot: ReadableBallot, { partial, isVoid }: Checked): Html {
  const lines =
    typeof ballot === 'string'
      ? [ownValue(CHOICE_WORDS, ballot) ?? ballot]
      : Array.isArray(ballot)
        ? ballot
        : Object.entries(ballot).map(
            ([name, answer]) => html`${name}: ${ownValue(ANSWER_WORDS, answer) ?? answer}`,
          );
  return html`<h2>${isVoid ? t('voting.check.cast') : t('voting.check.counted_like')}</h2>
  <ol data-check-ballot>${lines.map((line) => html`<li>${line}</li>`)}</ol>
  ${partial && ballot !== BLANK && html`<p data-check-unranked>${t('voting.check.candidates_list_share_last_place')}</p>`}`;
}
