import { type Html, html } from '#kernel/html.ts';
import { notice } from '#views/components/notices.ts';
import { count, counted } from '#views/components/numbers.ts';
import { definitionList, pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';
import type { DeletedElection, Figures } from '#voting/elections/deletion.ts';

/** What stays of a deleted election that had ballots. Times are already formatted. */
export interface DeletedProps {
  deleted: DeletedElection;
  opens: string;
  closes: string;
  /** When it was deleted. */
  when: string;
}

export function deletedPage({ deleted, opens, closes, when }: DeletedProps): Html {
  const { title, closed_at, deleted_by, reason, turnout, result } = deleted;
  const used =
    turnout.of === 'voters'
      ? `${count(turnout.used)} of ${counted(turnout.issued, 'vote')} cast`
      : `${count(turnout.used)} of ${counted(turnout.issued, 'voting code')} used`;
  const body = html`${pageHeader({
    title,
    lede: 'This election was deleted. Its voting codes open no ballot any more.',
  })}
${notice(
  'attention',
  html`Deleted ${when}, by ${deleted_by ?? 'an officer'}.${
    reason !== null &&
    html` The reason
given: “${reason}”.`
  }`,
)}
${definitionList([
  ['Voting opened', opens],
  [closed_at === null ? 'Voting was to close' : 'Voting closed', closes],
  ['Turnout', used],
  ...(result ? resultRows(result) : []),
])}
<p><a class="button button-quiet" href="/">To the front page</a></p>`;
  return page({ title: `Deleted: ${title}`, body });
}

function resultRows(result: NonNullable<DeletedElection['result']>) {
  const { total_ballots, ballot_set_sha256, question_sha256, electors_sha256, counted: byService } = result;
  const hashes = [
    ['Check number of the ballots', ballot_set_sha256],
    ['SHA-256 of the question', question_sha256],
    ['SHA-256 of the voting codes', electors_sha256],
  ] as const;
  return [
    ['Ballots', count(total_ballots)] as const,
    ...figureRows(result, byService ? ['Certified result', 'Certified votes'] : ['Result', 'Votes']),
    ...(byService ? figureRows(byService, ['Counted result', 'Counted votes']) : []),
    ...hashes.flatMap(([label, hash]) =>
      hash === undefined ? [] : [[label, html`<code>${hash}</code>`] as const],
    ),
  ];
}

function figureRows({ outcome, totals = [] }: Partial<Figures>, [result, votes]: [string, string]) {
  return [
    ...(outcome === undefined ? [] : [[result, outcome] as const]),
    ...(totals.length === 0 ? [] : [[votes, votesList(totals)] as const]),
  ];
}

const votesList = (totals: readonly { label: string; votes: number }[]): Html =>
  html`<ul>${totals.map(
    ({ label, votes }) => html`
  <li><span translate="no">${label}</span>: ${count(votes)}</li>`,
  )}</ul>`;
