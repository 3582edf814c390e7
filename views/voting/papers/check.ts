import { type Html, html } from '#kernel/html.ts';
import type { FieldError } from '#kernel/http/errors.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { checkResult, codeField } from '#views/voting/check.ts';
import type { CheckedQuestion } from '#voting/papers/check.ts';
import { paperPath } from './ballot.ts';

/** The data of the page where a voter looks for the ballots of a paper by one code. */
export interface PaperCheckProps {
  paper: { id: string; title: string };
  /** When codes can be checked, already formatted; null once they can. */
  opens: string | null;
  /** The result of the check; absent before a code was sent. */
  checked?: readonly CheckedQuestion[];
  /** The ids of the questions whose ballots may rank only some candidates. */
  partial: ReadonlySet<string>;
  errors?: readonly FieldError[];
  entered?: string;
}

/** The field for the code, and what each question says about it. */
export function paperCheckPage(props: PaperCheckProps): Html {
  const { paper, opens, checked, partial, errors = [], entered = '' } = props;
  const found = checked?.some((question) => question.found) ?? false;
  const body = html`${pageHeader({
    title: 'Are my ballots in the boxes?',
    eyebrow: paper.title,
    lede: 'When you voted you were shown a code. With it you find your ballot on each question among those that were counted.',
    crumbs: [{ href: paperPath(paper), label: 'The ballot paper' }],
  })}
${
  opens === null
    ? html`<div role="status">${checked && (found ? checked.map((one) => questionResult(one, partial)) : checkResult({ found: false }, false))}</div>
<form method="post" action="${paperPath(paper)}/check" class="code-form">${codeField(errors, entered)}
<button class="button">Look for my ballots</button></form>
<p class="small soft">No codes are kept here, only what it takes to recognise one. What you type is forgotten at once.
Keep your code to yourself.</p>`
    : notice(
        'info',
        `Voting closes ${opens}. The lists of ballots are made then.`,
        'Codes can be checked after the close',
      )
}`;
  return page({ title: `Are my ballots in the boxes? ${paper.title}`, body });
}

function questionResult(
  { id, title, closed, ...checked }: CheckedQuestion,
  partial: ReadonlySet<string>,
): Html {
  const result = closed
    ? checked.found
      ? checkResult({ ...checked, found: true }, partial.has(id))
      : notice(
          'info',
          'There is no ballot with this code on this question. Did you leave it out, or vote on it later?',
        )
    : notice('info', 'Voting on this question is open. Codes can be checked after the close.');
  return html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${result}</section>`;
}
