import { formatWhen } from '#kernel/local-time.ts';
import type { Block } from '#meetings/minutes/versions.ts';
import type { ItemResult } from '#meetings/room/results.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { votesText } from '#views/voting/types/stv-why.ts';
import { type Base, type Share, shareOfWords } from '#voting/shared/share.ts';

/** The figures of a result as tables. */
export function figureBlocks(result: ItemResult): Block[] {
  if (result.results_mode === 'manual')
    return result.display.contests.map(({ label, items }) => ({
      is: 'table',
      caption: label,
      columns: [{ label: 'Name' }, { label: 'Votes', number: true }],
      rows: items.map((item) => [item.label, count(item.votes)]),
    }));
  if (result.results_mode !== 'computed') return [];
  return viewOf(result.ballot_type)
    .figureTables(result.results)
    .map((one) => ({ is: 'table', ...one }));
}

/** How many voted, and of a motion how: yes, no, abstentions, invalid. A ballot that is cast on a page is always valid. */
export function votesSentence(result: ItemResult): string | null {
  if (result.results_mode !== 'hands' && result.results_mode !== 'computed') return null;
  const { ballot_type, results, total_ballots } = result;
  const words = viewOf(ballot_type).votesInWords?.(results);
  const { invalid = 0 } = result;
  const counts = result.void ? ' This does not count.' : '';
  if (words) return capital(`${[...words, `invalid ${count(invalid)}`].join(', ')}.${counts}`);
  const blank = results.blank > 0 ? `, of which ${counted(results.blank, 'is', 'are')} blank` : '';
  return `${counted(total_ballots, 'ballot')}${blank}, invalid ${count(invalid)}.${counts}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What was needed: the share, the base as a number, and the votes. */
export function ruleSentence(result: ItemResult): string | null {
  if (result.results_mode !== 'hands' && result.results_mode !== 'computed') return null;
  const { majority, threshold, base, needed, seats, quota } = result.results as {
    majority?: { share: Share; of: Base };
    threshold?: { share: Share; of: Base };
    base?: number;
    needed?: number;
    seats?: number;
    quota?: number | null;
  };
  const share = majority ?? threshold;
  const numbers = base === undefined ? '' : `: ${count(needed ?? 0)} of ${count(base)}`;
  const rule = [
    ...(seats === undefined ? [] : [`${counted(seats, 'seat')}.`]),
    ...(share ? [`Needed: ${shareOfWords(share)}${numbers}.`] : []),
    ...(quota == null ? [] : [`Single transferable vote (Scottish rules), quota ${votesText(quota)}.`]),
  ];
  return rule.join(' ') || null;
}

/** Who withdrew, how equal votes were decided, and who drew lots. */
export function lotSentences(result: ItemResult, zone: string): string[] {
  if (result.results_mode !== 'computed') return [];
  const { ballot_type, results, lots = [], withdrawn = [] } = result;
  const { candidates, options = [] } = results as Partial<
    Record<'candidates' | 'options', { id: string; name: string }[]>
  >;
  const name = (id: string) => (candidates ?? options).find((one) => one.id === id)?.name ?? '';
  // Types differ in their ties; all say what decided.
  const { ties = [] } = results as { ties?: readonly { by: string }[] };
  const byHash = lots.length === 0 && ties.some(({ by }) => by === 'lot');
  return [
    ...(withdrawn.length > 0
      ? [`Withdrawn before the count: ${listed(withdrawn.map((one) => one.name))}.`]
      : []),
    ...(viewOf(ballot_type).tiesInWords?.(results) ?? []),
    ...(byHash ? ['The lot came from the check number of the ballots.'] : []),
    ...lots.map(({ drawn_by, witnesses, order, at }) => {
      const before = witnesses.length > 0 ? ` before ${listed(witnesses)}` : '';
      const when = formatWhen(Date.parse(at), zone);
      return `The lot was drawn by ${drawn_by}${before} (entered ${when}): ${order.map(name).join(', ')}.`;
    }),
  ];
}
