import type { Html } from '#kernel/html.ts';
import { withNames } from '#views/components/names.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import type { ManualDisplay } from '#voting/counting/manual-results.ts';
import type { ComputedResultsJson, ResultsJson } from '#voting/counting/results.ts';
import type { PollResult, RankedResult, SimpleResult } from '#voting/shared/tally.ts';

/** The outcome in one sentence, the same words on every page and in every mail. */
export function outcomeSentence(results: ResultsJson): string {
  if (results.void) return `Void, no result counts: ${results.void.reason}`;
  if (results.results_mode === 'manual') return manualOutcome(results.display);
  const { results: tally, total_ballots: ballots, status } = results;
  if (ballots === 0) return status === 'closed' ? 'No ballots were cast.' : 'No ballots have been cast yet.';
  const decided = isDecided(results);
  const outcome = tallyOutcome(tally, ballots, decided);
  if (decided) return outcome;
  if (status !== 'closed') return `So far: ${outcome}`;
  return `No valid result: ${counted(ballots, 'ballot')} cast, ${count(tally.quorum ?? 0)} needed. The count was: ${outcome}`;
}

/** The same sentence for a page: the names in it are not translated. */
export const outcomeText = (results: ResultsJson): Html =>
  withNames(outcomeSentence(results), namesIn(results));

function namesIn(results: ResultsJson): string[] {
  if (results.results_mode === 'manual')
    return results.display.contests.flatMap(({ items }) => items.map(({ label }) => label));
  const { results: tally } = results;
  switch (tally.method) {
    case 'majority':
      return [];
    case 'plurality':
      return tally.options.map(({ name }) => name);
    case 'Schulze':
      return tally.candidates.map(({ name }) => name);
  }
}

/** Whether a result is valid: voting is over, and the quorum was met where there is one. */
export function isDecided({ status, results, void: isVoid }: ComputedResultsJson): boolean {
  return !isVoid && status === 'closed' && results.quorum_met !== false;
}

/** Says that all ballots are equal, so that the result shows each vote; null where they are not, or voting goes on. */
export function unanimousSentence({ status, results, total_ballots }: ComputedResultsJson): string | null {
  if (status !== 'closed' || total_ballots === 0) return null;
  const all = countsOf(results).every((votes) => votes === 0 || votes === total_ballots);
  return all ? 'All ballots are the same, so this result shows how everybody voted.' : null;
}

/** What one must know to read an outcome where it stands alone: who is on the last place, and what it gives away. */
export function outcomeNotes(results: ResultsJson): string[] {
  if (results.results_mode === 'manual') return [];
  const notes = [truncatedSentence(results.results, results.total_ballots), unanimousSentence(results)];
  return notes.filter((note) => note !== null);
}

/** Counts that are each 0 or the number of all ballots exactly if all ballots are equal. */
function countsOf(tally: SimpleResult | PollResult | RankedResult): number[] {
  switch (tally.method) {
    case 'majority':
      return [tally.yes, tally.no, tally.abstain];
    case 'plurality':
      return tally.options.map((option) => option.count);
    case 'Schulze':
      return [...tally.pairwise.flat(), ...tally.first_choices];
  }
}

/** Says how many ballots rank only some candidates, and how that counts; null where that is not allowed. */
export function truncatedSentence(
  tally: SimpleResult | PollResult | RankedResult,
  ballots: number,
): string | null {
  const truncated = tally.method === 'Schulze' ? tally.truncated_ballots : undefined;
  if (truncated === undefined || ballots === 0) return null;
  if (truncated === 0) return 'Ballots could rank some candidates only; all of them ranked every one.';
  return `${count(truncated)} of ${counted(ballots, 'ballot')} ranked some candidates only; the others share the last place of such a ballot.`;
}

function tallyOutcome(
  tally: SimpleResult | PollResult | RankedResult,
  ballots: number,
  final: boolean,
): string {
  switch (tally.method) {
    case 'majority':
      return simpleOutcome(tally, final);
    case 'plurality':
      return pollOutcome(tally, ballots, final);
    case 'Schulze':
      return rankedOutcome(tally, final);
  }
}

function simpleOutcome({ yes, no, outcome }: SimpleResult, final: boolean): string {
  if (outcome === 'tied')
    return `${final ? 'Not carried (tie)' : 'Tied'}: ${yes === 0 ? 'everyone abstained' : `${count(yes)} yes to ${count(no)} no`}.`;
  if (!final) return `${count(yes)} yes to ${count(no)} no.`;
  return outcome === 'passed'
    ? `Passed: ${count(yes)} yes to ${count(no)} no.`
    : `Not passed: ${count(no)} no to ${count(yes)} yes.`;
}

function pollOutcome({ options, winners, variant }: PollResult, ballots: number, final: boolean): string {
  const leading = options.filter((option) => winners.includes(option.id));
  const [first] = leading;
  if (first === undefined) return 'nothing was chosen.';
  if (leading.length > 1)
    return `Tied between ${listed(leading.map((option) => option.name))}, with ${counted(first.count, 'ballot')} each.`;
  const verb =
    variant === 'multiple choice' ? (final ? 'was chosen most' : 'is chosen most') : final ? 'wins' : 'leads';
  return `${first.name} ${verb}: ${count(first.count)} of ${counted(ballots, 'ballot')}.`;
}

function rankedOutcome(tally: RankedResult, final: boolean): string {
  const winners = tally.candidates.filter((candidate) => tally.winners.includes(candidate.id));
  const [first] = winners;
  if (first === undefined) return 'there is no winner.';
  if (winners.length > 1) return `Tied between ${listed(winners.map((candidate) => candidate.name))}.`;
  if (first.is_none_of_the_above)
    return `${first.name} ${final ? 'wins' : 'leads'}: no candidate is preferred to it.`;
  const why =
    tally.condorcet_winner === first.id
      ? 'preferred to every other candidate'
      : 'by the strongest chain of preferences';
  return `${first.name} ${final ? 'wins' : 'leads'}: ${why}.`;
}

function manualOutcome({ contests }: ManualDisplay): string {
  const [only] = contests;
  if (only && contests.length === 1) return contestOutcome(only);
  const [told, more] = [contests.slice(0, CONTESTS_TOLD), contests.length - CONTESTS_TOLD];
  const sentences = told.map((contest) => `${contest.label}: ${contestOutcome(contest)}`);
  return [...sentences, ...(more > 0 ? [`${counted(more, 'more contest')}.`] : [])].join(' ');
}

/** The contests whose outcomes fit into a line of a list. */
const CONTESTS_TOLD = 3;

/** The outcome of one certified contest. */
export function contestOutcome({ items, winner, total_votes }: ManualDisplay['contests'][number]): string {
  const most = Math.max(0, ...items.map((item) => item.votes));
  const leading = items.filter((item) => item.votes === most);
  if (total_votes === 0) return 'No votes were recorded.';
  if (winner === null)
    return `Tied between ${listed(leading.map((item) => item.label))}, with ${counted(most, 'vote')} each.`;
  return `${winner}: ${count(most)} of ${count(total_votes)}.`;
}
