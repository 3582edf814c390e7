import { type Html, html } from '#kernel/html.ts';
import { icon } from '#views/components/icons.ts';
import type { OptionJson } from '#voting/elections/elections.ts';
import { type BallotFrameProps, ballotFrame } from './ballot-frame.ts';
import { aboutOption } from './options/about.ts';

/** A ranked ballot; `ranks` holds what was entered before, by candidate id. */
export interface RankedBallotProps extends BallotFrameProps {
  candidates: readonly OptionJson[];
  ranks?: Readonly<Record<string, string>> | undefined;
}

/** The page of a ranked ballot: a rank to pick for each candidate, and rows to move where script runs. */
export function rankedBallotPage(props: RankedBallotProps): Html {
  const { candidates, ranks = {}, errors = [] } = props;
  const messages = new Map(errors.map(({ path, message }) => [path, message]));
  const hasNone = candidates.some((candidate) => candidate.is_none_of_the_above);
  const ask = html`<h2 class="ballot-ask" id="ranking-heading">Put all ${candidates.length} in your order</h2>
<p class="hint" data-without-script>Give every candidate a different rank; 1 is your first choice.</p>
<p class="hint" data-with-script hidden>Add the candidates one by one, your first choice first. Then move them by the handle, the arrows or the rank until the order is yours.</p>
${hasNone && html`<p class="hint">Whoever you rank below “none of the above” is someone you would not accept.</p>`}`;
  const choices = html`<div class="ranking" id="ranking" role="group" aria-labelledby="ranking-heading">
<ul class="rank-list" role="list" data-rank-rows>${candidates.map((candidate) =>
    rankRow(candidate, candidates.length, ranks[candidate.id] ?? '', messages.get(`rank_${candidate.id}`)),
  )}</ul></div>
<p class="visually-hidden" role="status" data-rank-status></p>`;
  return ballotFrame(props, {
    ask,
    choices,
    idOf: (path) =>
      messages.has(path) && path.startsWith('rank_') ? path : `rank_${candidates[0]?.id ?? ''}`,
    scripts: ['voting/ranking.js'],
    ranking: true,
  });
}

function rankRow(option: OptionJson, places: number, value: string, error: string | undefined): Html {
  const { id, name } = option;
  const field = `rank_${id}`;
  return html`<li class="rank-row" data-rank-row>
<div class="rank-name"><label for="${field}">${name}</label>${error && html`<p class="error-text" id="${field}-error">${icon('warning')}${error}</p>`}</div>
<div class="rank-tools"><select class="input" id="${field}" name="${field}"${error && html` aria-invalid="true" aria-describedby="${field}-error"`}>
<option value="">–</option>${Array.from({ length: places }, (_, index) => rankOption(String(index + 1), value))}</select></div>${aboutOption(option)}</li>
`;
}

function rankOption(rank: string, value: string): Html {
  return html`<option value="${rank}"${rank === value && html` selected`}>${rank}</option>`;
}
