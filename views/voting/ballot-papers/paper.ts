import { type Child, type Html, html } from '#kernel/html.ts';
import { counted } from '#views/components/numbers.ts';
import { statusBadge } from '#views/components/status.ts';
import { definitionList, pageHeader, plainText } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import { askedOf } from '#views/voting/ballot-types.ts';
import { tokenAdvice, tokenHeading } from '#views/voting/token-state.ts';
import { codeForm } from '#views/voting/typed-code.ts';
import type { PaperCode, PublicPaperJson } from '#voting/ballot-papers/public-paper.ts';
import { paperBallotPath, paperPath } from './ballot.ts';

/** The data of the public page of a paper. Times are already formatted. */
export interface PaperPageProps {
  paper: PublicPaperJson;
  opens: string;
  closes: string;
  /** What is known of each question's result: a sentence, by id. */
  outcomes: ReadonlyMap<string, Child>;
  /** Set when the address carried a code. */
  code?: { value: string; found: PaperCode } | undefined;
}

/** The public page of a ballot paper: its questions, how to vote, and the results. */
export function paperPage({ paper, opens, closes, outcomes, code }: PaperPageProps): Html {
  const { status, questions } = paper;
  const body = html`${pageHeader({
    title: paper.title,
    eyebrow: statusBadge(status),
    lede: `A ballot paper with ${counted(questions.length, 'question')}`,
    crumbs: [{ href: '/', label: 'All elections' }],
  })}
${paper.description && plainText(paper.description)}
${definitionList([
  [status === 'scheduled' ? 'Voting opens' : 'Voting opened', opens],
  [status === 'closed' ? 'Voting closed' : 'Voting closes', closes],
])}
${status === 'open' && voteAction(paper, code)}
<h2>The questions</h2>
<ol class="board paper-list" role="list">${questions.map((question, index) =>
    questionCard(question, index, outcomes.get(question.id)),
  )}</ol>
${
  questions.some(({ settings }) => settings.receipts !== 'off') &&
  html`<p><a class="link-alone" href="${paperPath(paper)}/check">Is my ballot in the box?</a></p>`
}`;
  return page({ title: paper.title, body });
}

function voteAction(paper: PublicPaperJson, code: PaperPageProps['code']): Html {
  const found = code?.found;
  if (found?.used) return tokenAdvice('used', tokenHeading('used'));
  if (found?.end) return tokenAdvice(found.end, tokenHeading(found.end));
  if (code && found?.valid) {
    const { waiting, answered } = found;
    const words = answered.length === 0 ? 'Vote now' : 'Vote on the rest';
    return html`<div class="card vote-call"><h2>${counted(waiting.length, 'question waits', 'questions wait')} for you</h2>
<p><a class="button button-large" href="${paperBallotPath(paper, code.value)}">${words}</a></p></div>`;
  }
  return html`${code && tokenAdvice('invalid', tokenHeading('invalid'))}
<section class="card vote-call" aria-labelledby="vote-heading"><h2 id="vote-heading">Vote</h2>
<p>Open the link in your mail, scan your slip, or type its code here. One code is for all questions.</p>
${codeForm({ text: code?.value ?? '' })}
<p>No mail? <a href="/vote/my-elections">Have your link mailed again</a>.</p></section>`;
}

function questionCard(question: PublicPaperJson['questions'][number], index: number, outcome: Child): Html {
  const { id, title, status, number = index + 1 } = question;
  return html`<li class="card"><p class="eyebrow">${number} ${statusBadge(status)}</p>
<h3><a href="/e/${id}">${title}</a></h3>
<p>${outcome ?? (status === 'closed' ? 'Voting has closed.' : askedOf(question))}</p></li>`;
}
