import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { formatNumber as count, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { notice } from '#views/components/notices.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { DeletedElection, Figures } from '#voting/elections/deletion.ts';

/** What stays of a deleted election that had ballots. Times are already formatted. */
export interface DeletedProps {
  deleted: DeletedElection;
  opens: Words | string;
  closes: Words | string;
  /** When it was deleted. */
  when: Words | string;
}

export function deletedPage({ deleted, opens, closes, when }: DeletedProps): Html {
  const { title, closed_at, deleted_by, reason, turnout, result } = deleted;
  const used =
    turnout.of === 'voters'
      ? t('voting.deleted.votes_cast', { used: turnout.used, issued: turnout.issued })
      : t('voting.deleted.voting_codes_used', { used: turnout.used, issued: turnout.issued });
  const body = html`${pageHeader({
    title,
    lede: t('voting.deleted.election_deleted_voting_codes_open'),
  })}
${notice(
  'attention',
  sentences([
    deleted_by === null
      ? t('voting.deleted.deleted_officer', { when })
      : t('voting.deleted.deleted', { when, deleted: deleted_by }),
    reason !== null && t('voting.deleted.reason_given', { reason }),
  ]),
)}
${definitionList([
  [t('voting.deleted.voting_opened'), opens],
  [closed_at === null ? t('voting.deleted.voting_close') : t('voting.deleted.voting_closed'), closes],
  [t('voting.deleted.turnout'), used],
  ...(result ? resultRows(result) : []),
])}
<p><a class="button button-quiet" href="/">${t('voting.deleted.front_page')}</a></p>`;
  return page({ title: t('voting.deleted.document_title', { title }), body });
}

function resultRows(result: NonNullable<DeletedElection['result']>) {
  const { total_ballots, ballot_set_sha256, question_sha256, electors_sha256, counted: byService } = result;
  const hashes = [
    [t('voting.deleted.check_number_ballots'), ballot_set_sha256],
    [t('voting.deleted.sha_256_question'), question_sha256],
    [t('voting.deleted.sha_256_voting_codes'), electors_sha256],
  ] as const;
  return [
    [t('voting.deleted.ballots'), count(total_ballots)] as const,
    ...figureRows(
      result,
      byService
        ? [t('voting.deleted.certified_result'), t('voting.deleted.certified_votes')]
        : [t('voting.deleted.result'), t('voting.deleted.votes')],
    ),
    ...(byService
      ? figureRows(byService, [t('voting.deleted.counted_result'), t('voting.deleted.counted_votes')])
      : []),
    ...hashes.flatMap(([label, hash]) =>
      hash === undefined ? [] : [[label, html`<code>${hash}</code>`] as const],
    ),
  ];
}

function figureRows({ outcome, totals = [] }: Partial<Figures>, [result, votes]: [Words, Words]) {
  return [
    ...(outcome === undefined ? [] : [[result, outcome] as const]),
    ...(totals.length === 0 ? [] : [[votes, votesList(totals)] as const]),
  ];
}

const votesList = (totals: readonly { label: string; votes: number }[]): Html =>
  html`<ul>${totals.map(
    ({ label, votes }) => html`
  <li>${t('common.named', { name: html`<span translate="no">${label}</span>`, value: count(votes) })}</li>`,
  )}</ul>`;
