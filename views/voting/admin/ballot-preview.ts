import { type Html, html } from '#kernel/html.ts';
import { choice } from '#views/components/forms.ts';
import { plainText } from '#views/components/structure.ts';
import { EQUAL_LAST, rankingQuestion } from '#views/voting/ranked-ballot.ts';
import type { BallotType } from '#voting/elections/elections.ts';

/** The data of a ballot whose election does not exist yet. */
export interface BallotPreviewProps {
  title: string;
  description: string | null;
  ballot_type: BallotType;
  /** Labels of its options or candidates, in the order of the ballot. */
  names: readonly string[];
  /** Whether a poll takes several answers. */
  multiple: boolean;
  /** Whether voters may rank some candidates only. */
  partial?: boolean;
}

/** The ballot as voters will see it, disabled. */
export function ballotPreview({
  title,
  description,
  ballot_type,
  names,
  multiple,
  partial = false,
}: BallotPreviewProps): Html {
  return html`<h3 class="preview-title">${title || 'No title yet'}</h3>
${description && plainText(description)}
<fieldset disabled><legend>${question(ballot_type, names.length, multiple, partial)}</legend>
${ballot_type === 'RANKED_CONDORCET' && partial && html`<p class="hint">${EQUAL_LAST}</p>`}
${choicesOf(ballot_type, names, multiple)}</fieldset>`;
}

function question(type: BallotType, options: number, multiple: boolean, partial: boolean): string {
  if (type === 'SIMPLE_TRIPLE') return 'How do you vote?';
  if (type === 'RANKED_CONDORCET') return rankingQuestion(partial ? 'partial' : 'complete', options);
  return multiple ? 'Choose one or more' : 'Choose one';
}

function choicesOf(type: BallotType, names: readonly string[], multiple: boolean): Html {
  const labels = type === 'SIMPLE_TRIPLE' ? ['Yes', 'No', 'Abstain'] : names;
  if (labels.length === 0)
    return html`<p class="soft">Nothing to choose from yet: add one name on each line.</p>`;
  if (type === 'RANKED_CONDORCET') return html`<ul class="rank-list" role="list">${labels.map(rankRow)}</ul>`;
  const input = type === 'POLL' && multiple ? 'checkbox' : 'radio';
  return html`<div class="choices">${labels.map((label) => choice({ type: input, name: 'preview', value: '', label }))}</div>`;
}

function rankRow(name: string): Html {
  return html`<li class="rank-row"><span class="rank-name">${name}</span><span class="rank-tools"><select class="input" aria-label="Rank of ${name}"><option>–</option></select></span></li>`;
}
