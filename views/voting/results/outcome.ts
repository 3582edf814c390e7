import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, semicolons, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { withNames } from '#views/components/names.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import type { CertifiedBeside, ManualDisplay } from '#voting/counting/manual-results.ts';
import type { Outcome } from '#voting/counting/outcome.ts';
import type { ComputedResultsJson, ManualResultsJson, ResultsJson } from '#voting/counting/results.ts';
import type { BallotType } from '#voting/elections/elections.ts';
import type { VoidJson } from '#voting/elections/void.ts';
import type { TallyResult } from '#voting/shared/results.ts';
import { isDefaultMajority } from '#voting/shared/share.ts';

/**
 * The outcome in one sentence, the same words on every page and in every mail.
 * @param voted what was counted
 */
export function outcomeSentence(results: ResultsJson, voted: 'ballot' | 'vote' = 'ballot'): Words {
  if (results.results_mode === 'void' || results.void) return voidSentence(results.void as VoidJson);
  if (results.results_mode === 'manual') return manualOutcome(results);
  const { ballot_type, results: tally, total_ballots: ballots, status, quorate } = results;
  if (ballots === 0 && status !== 'closed') return t('voting.outcome.ballots_cast_yet');
  if (ballots === 0)
    return 'carried' in tally && !isDefaultMajority(tally.majority)
      ? t('voting.outcome.carried_ballots_cast')
      : t('voting.outcome.ballots_cast');
  if (tally.blank === ballots)
    return status === 'closed'
      ? t('voting.outcome.result_every_ballot_blank')
      : t('voting.outcome.far_every_ballot_blank');
  const decided = isDecided(results);
  const { door } = results;
  const said = viewOf(ballot_type).outcome(tally, ballots - tally.blank, decided);
  const isOver = status === 'closed';
  const outcome =
    sentences([said, door !== undefined && isOver && t('voting.outcome.door_counted_voters', { door })]) ??
    said;
  if (decided) return outcome;
  if (status !== 'closed') return t('voting.outcome.far', { outcome });
  if (quorate === false) return t('voting.outcome.valid_result_meeting_quorum_count', { outcome });
  const missed = { ballots, quorum: tally.quorum ?? 0, outcome };
  return voted === 'ballot'
    ? t('voting.outcome.too_few_ballots', missed)
    : t('voting.outcome.too_few_votes', missed);
}

/** In place of an outcome that does not count. */
export const voidSentence = ({ reason, by }: { reason: string; by?: Words | string | undefined }): Words =>
  by === undefined
    ? t('voting.outcome.void_result_counts', { reason })
    : t('voting.outcome.void_by', { reason, by });

/** The same sentence for a page: the names in it are not translated. */
export const outcomeText = (results: ResultsJson): Html =>
  withNames(outcomeSentence(results), namesIn(results));

/** The outcome as the head of a result: a sentence, and of several certified contests one outcome a line. */
export function outcomeHead(results: ResultsJson): Html {
  if (!isListed(results)) return html`<p class="said">${outcomeText(results)}</p>`;
  return html`<ul class="said rank-list" role="list">${results.display.contests.map(
    (contest) =>
      html`<li>${t('common.named', { name: contest.label, value: withNames(contestOutcome(contest), namesIn(results)) })}</li>`,
  )}</ul>`;
}

/** Whether a result is the most votes in each of several contests. */
const isListed = (results: ResultsJson): results is ManualResultsJson =>
  results.results_mode === 'manual' &&
  !results.void &&
  results.display.contests.length > 1 &&
  (!results.outcome || (results.outcome.valid && !isRuled(results.outcome)));

function namesIn(results: ResultsJson): (Words | string)[] {
  if (results.results_mode === 'void') return [];
  if (results.results_mode === 'manual')
    return results.display.contests.flatMap(({ items }) => items.map(({ label }) => label));
  return viewOf(results.ballot_type).namesIn(results.results);
}

/** Whether a result is valid: voting is over, and the quorum was met where there is one. */
export function isDecided({ status, results, void: isVoid }: ComputedResultsJson): boolean {
  return !isVoid && status === 'closed' && results.valid;
}

/** Whether something was decided for: a motion was carried, or somebody is elected or has won alone. */
export function isCarried(results: ResultsJson): boolean {
  if (results.results_mode === 'manual')
    return !results.void && results.display.contests.every(({ winner }) => winner !== null);
  if (results.results_mode !== 'computed') return false;
  if (!isDecided(results) || results.total_ballots === 0) return false;
  const { outcome, elected, winners, tied } = results.results as {
    outcome?: string;
    elected?: readonly unknown[];
    winners?: readonly unknown[];
    tied?: boolean;
  };
  if (outcome !== undefined) return outcome === 'passed';
  return elected ? elected.length > 0 : winners === undefined || (winners.length > 0 && tied !== true);
}

/** Says that all ballots are equal, so that the result shows each vote; null where they are not, or voting is open. */
export function unanimousSentence(computed: ComputedResultsJson): Words | null {
  const { ballot_type, status, results, total_ballots } = computed;
  if (status !== 'closed' || total_ballots === 0) return null;
  // Blank ballots, and names that were taken off, make different ballots look alike.
  const isPlain = results.blank === 0 || results.blank === total_ballots;
  if (!isPlain || (computed.withdrawn ?? []).length > 0) return null;
  const counts = viewOf(ballot_type).counts(results);
  return counts.every((votes) => votes === 0 || votes === total_ballots)
    ? t('voting.outcome.all_ballots_same_result_shows')
    : null;
}

/** How many ballots are blank; null without any. */
export function blankSentence({ results: { blank }, total_ballots }: ComputedResultsJson): Words | null {
  if (blank === 0 || blank === total_ballots) return null;
  return t('voting.outcome.ballots_blank', { blank });
}

/** Facts needed to read an outcome shown alone: who is last, and what it reveals. */
export function outcomeNotes(results: ResultsJson): Words[] {
  if (results.results_mode !== 'computed') return [];
  const note = viewOf(results.ballot_type).note?.(
    results.results,
    results.total_ballots - results.results.blank,
  );
  const notes = [withdrawnSentence(results), note, blankSentence(results), unanimousSentence(results)];
  return notes.filter((one) => one !== null && one !== undefined);
}

/** Names whose votes are not in the figures; null without any. */
function withdrawnSentence({ withdrawn = [] }: ComputedResultsJson): Words | null {
  if (withdrawn.length === 0) return null;
  return t('voting.outcome.withdrawn_before_count', {
    names: allOf(
      withdrawn.map(({ name, by }) => (by === undefined ? name : t('voting.outcome.name_by', { name, by }))),
    ),
  });
}

/** The certified figures that stand beside the count of a meeting. */
export const certifiedSentence = ({ display, reason, by }: CertifiedBeside): Words =>
  t('voting.outcome.certified_figures_beside_count_entered', {
    by,
    reason,
    contests:
      semicolons(
        display.contests.map(({ label, items }) =>
          t('common.named', {
            name: label,
            value: commas(items.map((item) => `${item.label} ${item.votes}`)) ?? '',
          }),
        ),
      ) ?? '',
  });

function manualOutcome({ display, outcome, ballot_type }: ManualResultsJson): Words {
  if (!outcome) return mostVotes(display);
  const counted =
    outcome.results && isRuled(outcome) ? ruledOutcome(ballot_type, outcome.results) : mostVotes(display);
  if (outcome.valid) return counted;
  return outcome.quorum === null || outcome.quorum_met !== false
    ? t('voting.outcome.valid_result_meeting_quorum_count', { outcome: counted })
    : t('voting.outcome.valid_result_fewer_ballots_needed', {
        quorum: outcome.quorum,
        outcome: counted,
      });
}

/** Whether more than the number of votes decides. */
const isRuled = ({ results }: Outcome): boolean =>
  results !== undefined &&
  ('carried' in results ? !isDefaultMajority(results.majority) : 'elected' in results);

function ruledOutcome(type: BallotType, results: TallyResult): Words {
  const ballots = viewOf(type)
    .counts(results)
    .reduce((sum, votes) => sum + votes, 0);
  return viewOf(type).outcome(results, ballots, true);
}

function mostVotes({ contests }: ManualDisplay): Words {
  const [only] = contests;
  if (only && contests.length === 1) return contestOutcome(only);
  const [told, more] = [contests.slice(0, CONTESTS_TOLD), contests.length - CONTESTS_TOLD];
  const outcomes = told.map((contest) =>
    t('voting.outcome.of_contest', { contest: contest.label, outcome: contestOutcome(contest) }),
  );
  const rest = t('voting.outcome.more_contests', { more });
  return sentences([...outcomes, more > 0 && rest]) ?? rest;
}

/** The contests whose outcomes fit into a line of a list. */
const CONTESTS_TOLD = 3;

/** The outcome of one certified contest. */
export function contestOutcome({ items, winner, total_votes }: ManualDisplay['contests'][number]): Words {
  const most = Math.max(0, ...items.map((item) => item.votes));
  const leading = items.filter((item) => item.votes === most);
  if (total_votes === 0) return t('voting.outcome.votes_recorded');
  if (winner === null)
    return t('voting.outcome.tied_between_votes_each', {
      names: allOf(leading.map((item) => item.label)),
      votes: most,
    });
  return t('voting.outcome.of', { winner, votes: most, total: total_votes });
}
