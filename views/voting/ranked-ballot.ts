import { type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import { notice } from '#views/components/notices.ts';
import { counted } from '#views/components/numbers.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { aboutOption } from './about-options.ts';
import { type BallotFrameProps, ballotFrame } from './ballot-frame.ts';

/** A ranked ballot; `ranks` holds what was entered before, by candidate id. */
export interface RankedBallotProps extends BallotFrameProps {
  candidates: readonly OptionJson[];
  ranks?: Readonly<Record<string, string>> | undefined;
  /** Whether candidates without a rank were just given one, at the voter's request. */
  filled?: boolean | undefined;
}

/** The page of a ranked ballot: a rank to pick for each candidate, and rows to move where script runs. */
export function rankedBallotPage(props: RankedBallotProps): Html {
  const { candidates, ranks = {}, errors = [], filled = false } = props;
  const { ranking = 'complete' } = props.election.settings;
  const messages = new Map(errors.map(({ path, message }) => [path, message]));
  const choices = html`<div class="ranking" id="ranking" role="group" aria-labelledby="ranking-heading">
${ranking === 'complete' && restOffer(props)}
<ul class="rank-list" role="list" data-rank-rows>${candidates.map((candidate) =>
    rankRow(candidate, candidates.length, ranks[candidate.id] ?? '', messages.get(`rank_${candidate.id}`)),
  )}</ul></div>`;
  return ballotFrame(props, {
    ask: html`${filled && notice('info', 'Whoever had no rank was given the next free one, in the order of this list. Look at it, and change what you like.', 'Your ballot is filled in')}${askOf(props)}`,
    choices,
    idOf: (path) =>
      messages.has(path) && path.startsWith('rank_') ? path : `rank_${candidates[0]?.id ?? ''}`,
    scripts: ['voting/ranking.js'],
    ranking,
    progress: html`<p class="rank-progress" data-with-script hidden><strong data-rank-count></strong> <span role="status" data-rank-status></span></p>`,
  });
}

/** The question of a ranked ballot, in a line. */
export function rankingQuestion(ranking: 'complete' | 'partial', candidates: number): string {
  if (ranking === 'partial') return `Rank one or more of ${counted(candidates, 'candidate')}`;
  return candidates === 1 ? 'Rank the candidate' : `Rank all ${candidates} candidates`;
}

/** The note about candidates without a rank, on a ballot that need not rank all. */
export const EQUAL_LAST = 'The candidates that you do not rank share the last place.';

function askOf({ candidates, election }: RankedBallotProps): Html {
  const { ranking = 'complete' } = election.settings;
  const partial = ranking === 'partial';
  const hasNone = candidates.some((candidate) => candidate.is_none_of_the_above);
  return html`<h2 class="ballot-ask" id="ranking-heading">${rankingQuestion(ranking, candidates.length)}</h2>
${partial && html`<p class="hint">${EQUAL_LAST}</p>`}
<p class="hint" data-without-script>Give ${partial ? 'each candidate that you rank' : 'every candidate'} a different
rank; 1 is your first choice.</p>
<p class="hint" data-with-script hidden>Add them one by one, your first choice first. Move them by the handle, the
arrows or the rank.</p>
${
  hasNone &&
  html`<p class="hint">“None of the above” marks a line: you would rather repeat the election than
have anyone below it${partial && ', or anyone you did not rank'}.</p>`
}`;
}

/** Offers to rank the others as listed, where only some have a rank. Script shows it when it is needed. */
function restOffer({ candidates, ranks = {}, errors = [] }: RankedBallotProps): Html {
  const missing = candidates.filter(({ id }) => !ranks[id]).length;
  const offered = errors.length > 0 && missing > 0 && missing < candidates.length;
  return html`<div class="rank-rest" data-rank-rest${!offered && html` hidden`}>
<p>In this election every candidate needs a rank. If the order of the rest does not matter to you, they can
follow as they are listed here. Nothing is cast by that.</p>
<button class="button button-quiet" name="rest" value="as_listed" data-rank-fill>Rank the other ${missing} as listed</button></div>`;
}

function rankRow(option: OptionJson, places: number, value: string, error: string | undefined): Html {
  const { id, name } = option;
  const field = `rank_${id}`;
  // The error summary has to name the candidate; here the label right above the error does.
  const lacks = error?.startsWith(`${name} has `) ? `Has ${error.slice(`${name} has `.length)}` : error;
  return html`<li class="rank-row" data-rank-row>
<div class="rank-name"><label for="${field}" translate="no">${name}</label>${
    error &&
    html`
<p class="error-text" id="${field}-error">${icon('warning')}${lacks}</p>`
  }</div>
<div class="rank-tools"><select class="input" id="${field}" name="${field}"${error && html` aria-invalid="true" aria-describedby="${field}-error"`}>
<option value="">–</option>${Array.from({ length: places }, (_, index) => rankOption(String(index + 1), value))}</select></div>${aboutOption(option)}</li>
`;
}

function rankOption(rank: string, value: string): Html {
  return html`<option value="${rank}"${rank === value && html` selected`}>${rank}</option>`;
}
