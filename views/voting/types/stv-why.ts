import { t } from '#kernel/language/message.ts';
import { allOf, anyOf, formatNumber, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { StvResult, StvStageJson, StvTieJson } from '#voting/shared/stv-tally.ts';

/** Votes of a stage as people read them: the table has all five decimals. */
export const votesText = (votes: number): Words =>
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
export function stageTitle(result: StvResult, { action, candidate }: StvStageJson): Words {
  if (candidate === null) return t('voting.stv_why.first_choices');
  const name = nameOf(result, candidate);
  return action === 'surplus'
    ? t('voting.stv_why.surplus', { name })
    : t('voting.stv_why.excluded', { name });
}

/** Why a stage came, and what it changed, in sentences. @param stage its number; the first is 1 */
export function stageSentences(result: StvResult, stage: number): Words[] {
  const { action, candidate } = result.stages[stage - 1]!;
  const tie = result.ties.find((one) => one.stage === stage);
  return [
    ...(action === 'first' ? [t('voting.stv_why.each_ballot_counts_first_choice')] : []),
    ...(action === 'surplus' ? surplus(result, stage, candidate!) : []),
    ...(action === 'exclude' ? exclusion(result, stage, candidate!) : []),
    ...(tie ? [tieSentence(result, tie)] : []),
    ...(action === 'first' ? [] : gains(result, stage)),
    ...electedSentences(result, stage),
  ];
}

function surplus(result: StvResult, stage: number, id: string): Words[] {
  const name = nameOf(result, id);
  const total = votesAt(result, stage - 1, id);
  const over = votesText(total - (result.quota ?? 0));
  return [
    t('voting.stv_why.votes_more_quota', {
      name,
      total: votesText(total),
      over,
      votes: votesText(result.quota ?? 0),
    }),
    t('voting.stv_why.each_ballot_gives_value_next', { name, over, total: votesText(total) }),
  ];
}

function exclusion(result: StvResult, stage: number, id: string): Words[] {
  const name = nameOf(result, id);
  const seated = result.stages.slice(0, stage - 1).flatMap(({ elected }) => elected).length;
  const open = result.seats - seated;
  const why = t('voting.stv_why.surplus_seats_open', { open });
  const votes = votesText(votesAt(result, stage - 1, id));
  const moved = result.stages.slice(0, stage - 1).some(({ action }) => action === 'surplus');
  const said = { name, votes };
  return votesAt(result, stage - 1, id) === 0
    ? [why, t('voting.stv_why.fewest_votes_excluded', said)]
    : [
        why,
        moved
          ? t('voting.stv_why.excluded_ballots_at_value', said)
          : t('voting.stv_why.excluded_ballots', said),
      ];
}

/** How equal votes were decided. */
export function tieSentence(
  result: StvResult,
  { candidates, by, taken, lot_among, ...tie }: StvTieJson,
): Words {
  const names = allOf(namesOf(result, candidates));
  const name = nameOf(result, taken);
  const isSurplus = result.stages[tie.stage - 1]?.action === 'surplus';
  if (by === 'stage') {
    const stage = decidingStage(result, { ...tie, candidates, taken });
    if (stage === undefined)
      return isSurplus
        ? t('voting.stv_why.most_at_last_stages', { names, name })
        : t('voting.stv_why.fewest_at_last_stages', { names, name });
    return isSurplus
      ? t('voting.stv_why.most_at_stage', { names, stage, name })
      : t('voting.stv_why.fewest_at_stage', { names, stage, name });
  }
  const equal = allOf(namesOf(result, lot_among ?? candidates));
  const drawn = isSurplus
    ? t('voting.stv_why.lot_took_first', { equal, name })
    : t('voting.stv_why.lot_excluded', { equal, name });
  const other =
    tie.same_elected === true
      ? t('voting.stv_why.other_order_gives_same')
      : tie.same_elected === false && t('voting.stv_why.other_order_gives_other');
  return sentences([drawn, other]) ?? drawn;
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
function gains(result: StvResult, stage: number): Words[] {
  const difference = (now: string | undefined, before: string | undefined) =>
    exact(Number(now) - Number(before));
  const [before, now] = [result.stages[stage - 2]!, result.stages[stage - 1]!];
  const gained = result.candidates
    .map(({ id, name }) => ({ name, votes: difference(now.votes[id], before.votes[id]) }))
    .filter(({ votes }) => votes > 0)
    .sort((a, b) => b.votes - a.votes);
  const lost = difference(now.non_transferable, before.non_transferable);
  const rest =
    lost > 0 ? [t('voting.stv_why.votes_passed', { votes: lessThanShown(lost), count: lost })] : [];
  const [first, ...others] = gained;
  if (first === undefined) return [t('voting.stv_why.gains_vote'), ...rest];
  const gains = allOf([
    t('voting.stv_why.name_gains', { name: first.name, votes: lessThanShown(first.votes) }),
    ...others.map(({ name, votes }) => t('voting.stv_why.name_too', { name, votes: lessThanShown(votes) })),
  ]);
  return [t('voting.stv_why.gains', { gains }), ...rest];
}

/** Cut-off fractions of a vote are said, too. */
const lessThanShown = (votes: number): Words =>
  votes < 0.01 ? t('voting.stv_why.less_than', { votes: 0.01 }) : votesText(votes);

function electedSentences(result: StvResult, stage: number): Words[] {
  const { elected } = result.stages[stage - 1]!;
  const reached = elected.filter((id) => hasQuota(result, stage, id));
  const last = elected.filter((id) => !hasQuota(result, stage, id));
  const said = (ids: string[]) => ({ names: allOf(namesOf(result, ids)), count: ids.length });
  // Without the quorum nobody is elected.
  return [
    ...(reached.length > 0
      ? [
          result.valid
            ? t('voting.stv_why.quota_elected', said(reached))
            : t('voting.stv_why.quota_would_be_elected', said(reached)),
        ]
      : []),
    ...(last.length > 0
      ? [
          result.valid
            ? t('voting.stv_why.elected_because_other_candidate_left', said(last))
            : t('voting.stv_why.would_be_elected_because_left', { names: allOf(namesOf(result, last)) }),
        ]
      : []),
  ];
}

const hasQuota = (result: StvResult, stage: number, id: string): boolean =>
  votesAt(result, stage, id) >= (result.quota ?? 0);

/** Whether the lot that a count waits for decides about surpluses, not about an exclusion. */
export const awaitsSurplus = ({ awaiting_lot: tied = [], stages, quota }: StvResult): boolean =>
  Number(stages.at(-1)?.votes[tied[0] ?? '']) > (quota ?? 0);

/** What the count waits for; undefined if it is complete. */
export function awaitedSentence(result: StvResult): Words | undefined {
  const { awaiting_lot: tied } = result;
  if (!tied) return undefined;
  const names = anyOf(namesOf(result, tied));
  return awaitsSurplus(result)
    ? t('voting.stv_why.lot_must_decide_surplus', { names })
    : t('voting.stv_why.lot_must_decide_exclusion', { names });
}
