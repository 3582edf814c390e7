import { formatNumber } from '#kernel/locale.ts';
import { listed } from '#views/components/numbers.ts';
import type { StvResult, StvStageJson, StvTieJson } from '#voting/shared/stv-tally.ts';

/** Votes of a stage as people read them: the table has all five decimals. */
export const votesText = (votes: number): string =>
  formatNumber(exact(votes), { maximumFractionDigits: 2, roundingMode: 'trunc' });

/** A sum of votes with its five decimals, without the errors of floating-point numbers. */
const exact = (votes: number): number => Math.round(votes * 100_000) / 100_000;

export const nameOf = ({ candidates }: StvResult, id: string): string =>
  candidates.find((candidate) => candidate.id === id)?.name ?? '';

export const namesOf = (result: StvResult, ids: readonly string[]): string[] =>
  ids.map((id) => nameOf(result, id));

export const votesAt = (result: StvResult, stage: number, id: string): number =>
  Number(result.stages[stage - 1]?.votes[id] ?? 0);

/** What happened in a stage, in a few words. */
export function stageTitle(result: StvResult, { action, candidate }: StvStageJson): string {
  if (candidate === null) return 'First choices';
  const name = nameOf(result, candidate);
  return action === 'surplus' ? `The surplus of ${name}` : `${name} is excluded`;
}

/** Why a stage came, and what it changed, in sentences. @param stage its number; the first is 1 */
export function stageSentences(result: StvResult, stage: number): string[] {
  const { action, candidate } = result.stages[stage - 1]!;
  const tie = result.ties.find((one) => one.stage === stage);
  return [
    ...(action === 'first' ? ['Each ballot counts for its first choice.'] : []),
    ...(action === 'surplus' ? surplus(result, stage, candidate!) : []),
    ...(action === 'exclude' ? exclusion(result, stage, candidate!) : []),
    ...(tie ? [tieSentence(result, tie)] : []),
    ...(action === 'first' ? [] : [gains(result, stage)]),
    ...electedSentences(result, stage),
  ];
}

function surplus(result: StvResult, stage: number, id: string): string[] {
  const name = nameOf(result, id);
  const total = votesAt(result, stage - 1, id);
  const over = votesText(total - (result.quota ?? 0));
  return [
    `${name} has ${votesText(total)} votes, ${over} more than the quota of ${votesText(result.quota ?? 0)}.`,
    `Each ballot of ${name} gives ${over}/${votesText(total)} of its value to the next candidate on it, and ${name} keeps the rest.`,
  ];
}

function exclusion(result: StvResult, stage: number, id: string): string[] {
  const name = nameOf(result, id);
  const seated = result.stages.slice(0, stage - 1).flatMap(({ elected }) => elected).length;
  const open = result.seats - seated;
  const why = `Nobody has a surplus, and ${open === 1 ? 'a seat is' : `${open} seats are`} open.`;
  const votes = votesText(votesAt(result, stage - 1, id));
  const moved = result.stages.slice(0, stage - 1).some(({ action }) => action === 'surplus');
  const fewest = `${name} has the fewest votes (${votes}) and is excluded`;
  return votesAt(result, stage - 1, id) === 0
    ? [why, `${fewest}.`]
    : [why, `${fewest}: each ballot goes to its next candidate${moved ? ', at the value it had' : ''}.`];
}

/** How equal votes were decided. */
export function tieSentence(
  result: StvResult,
  { candidates, by, taken, lot_among, ...tie }: StvTieJson,
): string {
  const names = listed(namesOf(result, candidates));
  const name = nameOf(result, taken);
  const isSurplus = result.stages[tie.stage - 1]?.action === 'surplus';
  if (by === 'stage') {
    const stage = decidingStage(result, { ...tie, candidates, taken });
    const lead = isSurplus ? 'most' : 'fewest';
    return stage === undefined
      ? `${names} had the same votes. The last stages at which they differed decide between them: ${name} had the ${lead} there.`
      : `${names} had the same votes. At stage ${stage}, the last at which they differed, ${name} had the ${lead}.`;
  }
  const equal = listed(namesOf(result, lot_among ?? candidates));
  const same =
    tie.same_elected === true
      ? ' The other order gives the same persons.'
      : tie.same_elected === false
        ? ' The other order gives other persons.'
        : '';
  return `${equal} had the same votes at every stage, so a lot decided: ${name} ${
    isSurplus ? 'was taken first' : 'is excluded'
  }.${same}`;
}

/** The last stage at which the tied differed; undefined if it left some of them equal, so that an earlier one decided. */
function decidingStage(
  result: StvResult,
  { stage, candidates, taken }: Pick<StvTieJson, 'stage' | 'candidates' | 'taken'>,
): number | undefined {
  for (let at = stage - 2; at >= 1; at--) {
    const votes = candidates.map((id) => votesAt(result, at, id));
    if (new Set(votes).size === 1) continue;
    const most = votesAt(result, at, taken);
    return votes.filter((each) => each === most).length === 1 ? at : undefined;
  }
  return undefined;
}

/** Who gained how much in a stage, and what was left over. */
function gains(result: StvResult, stage: number): string {
  const difference = (now: string | undefined, before: string | undefined) =>
    exact(Number(now) - Number(before));
  const [before, now] = [result.stages[stage - 2]!, result.stages[stage - 1]!];
  const gained = result.candidates
    .map(({ id, name }) => ({ name, votes: difference(now.votes[id], before.votes[id]) }))
    .filter(({ votes }) => votes > 0)
    .sort((a, b) => b.votes - a.votes);
  const lost = difference(now.non_transferable, before.non_transferable);
  const rest =
    lost > 0 ? ` ${lessThanShown(lost)} ${lost === 1 ? 'vote' : 'votes'} could not be passed on.` : '';
  if (gained.length === 0) return `Nobody gains a vote.${rest}`;
  const words = gained.map(
    ({ name, votes }, at) => `${name} ${at === 0 ? 'gains ' : ''}${lessThanShown(votes)}`,
  );
  return `${listed(words)}.${rest}`;
}

/** Cut-off fractions of a vote are said, too. */
const lessThanShown = (votes: number): string => (votes < 0.01 ? 'less than 0.01' : votesText(votes));

function electedSentences(result: StvResult, stage: number): string[] {
  const { elected } = result.stages[stage - 1]!;
  const reached = elected.filter((id) => hasQuota(result, stage, id));
  const last = elected.filter((id) => !hasQuota(result, stage, id));
  // Without the quorum nobody is elected.
  const are = (ids: string[]) => (!result.valid ? 'would be' : ids.length === 1 ? 'is' : 'are');
  return [
    ...(reached.length > 0
      ? [
          `${listed(namesOf(result, reached))} ${reached.length === 1 ? 'has' : 'have'} the quota and ${are(reached)} elected.`,
        ]
      : []),
    ...(last.length > 0
      ? [`${listed(namesOf(result, last))} ${are(last)} elected because no other candidate was left.`]
      : []),
  ];
}

const hasQuota = (result: StvResult, stage: number, id: string): boolean =>
  votesAt(result, stage, id) >= (result.quota ?? 0);

/** Whether the lot that a count waits for decides about surpluses, not about an exclusion. */
export const awaitsSurplus = ({ awaiting_lot: tied = [], stages, quota }: StvResult): boolean =>
  Number(stages.at(-1)?.votes[tied[0] ?? '']) > (quota ?? 0);

/** What the count waits for; undefined if it is complete. */
export function awaitedSentence(result: StvResult): string | undefined {
  const { awaiting_lot: tied } = result;
  if (!tied) return undefined;
  const decides = awaitsSurplus(result) ? 'whose surplus is passed on first' : 'who is excluded';
  const names = namesOf(result, tied);
  return `A lot must decide ${decides}: ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`;
}
