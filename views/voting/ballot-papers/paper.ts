import { type Child, type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { asWritten } from '#views/components/language.ts';
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
  opens: Words | string;
  closes: Words | string;
  /** What is known of each question's result: a sentence, by id. */
  outcomes: ReadonlyMap<string, Child>;
  /** Set when the address carried a code. */
  code?: { value: string; found: PaperCode } | undefined;
}

/** The public page of a ballot paper: its questions, how to vote, and the results. */
export function paperPage({ paper, opens, closes, outcomes, code }: PaperPageProps): Html {
  const { status, questions } = paper;
  const body = html`${pageHeader({
    title: asWritten(paper.title),
    eyebrow: statusBadge(status),
    lede: t('voting.paper.ballot_paper_questions', { questions: questions.length }),
    crumbs: [{ href: '/', label: t('voting.paper.all_elections') }],
  })}
${paper.description && plainText(paper.description)}
${definitionList([
  [status === 'scheduled' ? t('voting.paper.voting_opens') : t('voting.paper.voting_opened'), opens],
  [status === 'closed' ? t('voting.paper.voting_closed') : t('voting.paper.voting_closes'), closes],
])}
${status === 'open' && voteAction(paper, code)}
<h2>${t('voting.paper.questions')}</h2>
<ol class="board paper-list" role="list">${questions.map((question, index) =>
    questionCard(question, index, outcomes.get(question.id)),
  )}</ol>
${
  questions.some(({ settings }) => settings.receipts !== 'off') &&
  html`<p><a class="link-alone" href="${paperPath(paper)}/check">${t('voting.paper.my_ballot_box')}</a></p>`
}`;
  return page({ title: paper.title, body });
}

function voteAction(paper: PublicPaperJson, code: PaperPageProps['code']): Html {
  const found = code?.found;
  if (found?.used) return tokenAdvice('used', tokenHeading('used'));
  if (found?.end) return tokenAdvice(found.end, tokenHeading(found.end));
  if (code && found?.valid) {
    const { waiting, answered } = found;
    const words = answered.length === 0 ? t('voting.paper.vote_now') : t('voting.paper.vote_rest');
    return html`<div class="card vote-call"><h2>${t('voting.paper.questions_wait', { waiting: waiting.length })}</h2>
<p><a class="button button-large" href="${paperBallotPath(paper, code.value)}">${words}</a></p></div>`;
  }
  return html`${code && tokenAdvice('invalid', tokenHeading('invalid'))}
<section class="card vote-call" aria-labelledby="vote-heading"><h2 id="vote-heading">${t('voting.paper.vote')}</h2>
<p>${t('voting.paper.open_link_mail_scan_slip')}</p>
${codeForm({ text: code?.value ?? '' })}
<p>${t('voting.paper.mail_link_mailed_again', { link: (inside) => html`<a href="/vote/my-elections">${inside}</a>` })}</p></section>`;
}

function questionCard(question: PublicPaperJson['questions'][number], index: number, outcome: Child): Html {
  const { id, title, status, number = index + 1 } = question;
  return html`<li class="card"><p class="eyebrow">${number} ${statusBadge(status)}</p>
<h3><a href="/e/${id}">${asWritten(title)}</a></h3>
<p>${outcome ?? (status === 'closed' ? t('voting.paper.voting_has_closed') : askedOf(question))}</p></li>`;
}
