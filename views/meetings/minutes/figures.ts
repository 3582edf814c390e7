import { t } from '#kernel/language/message.ts';
import { allOf, atLineStart, commas, formatNumber, formatWhen, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import type { ItemResult } from '#meetings/room/results.ts';
import { viewOf } from '#views/voting/ballot-types.ts';
import { votesText } from '#views/voting/types/stv-why.ts';
import { shareOfWords } from '#voting/share-words.ts';
import type { Base, Share } from '#voting/shared/share.ts';
import type { Draft } from './draft.ts';

/** The figures of a result as tables. */
export function figureBlocks(result: ItemResult): Draft[] {
  if (result.results_mode === 'manual')
    return result.display.contests.map(({ label, items }) => ({
      is: 'table',
      caption: label,
      columns: [{ label: t('meetings.minutes.name') }, { label: t('meetings.minutes.votes'), number: true }],
      rows: items.map((item) => [item.label, formatNumber(item.votes)]),
    }));
  if (result.results_mode !== 'computed') return [];
  return viewOf(result.ballot_type)
    .figureTables(result.results)
    .map((one) => ({ is: 'table', ...one }));
}

/** How many voted, and of a motion how: yes, no, abstentions, invalid. A ballot that is cast on a page is always valid. */
export function votesSentence(result: ItemResult): Words | undefined {
  if (result.results_mode !== 'hands' && result.results_mode !== 'computed') return undefined;
  const { ballot_type, results, total_ballots } = result;
  const words = viewOf(ballot_type).votesInWords?.(results);
  const { invalid = 0 } = result;
  const votes = words
    ? atLineStart(t('meetings.minutes.votes_in_words', { votes: commas(words) ?? '', invalid }))
    : results.blank > 0
      ? t('meetings.minutes.votes_counted_blank', { n: total_ballots, blank: results.blank, invalid })
      : t('meetings.minutes.votes_counted', { n: total_ballots, invalid });
  return sentences([votes, result.void && t('meetings.minutes.does_not_count')]);
}

/** What was needed: the share, the base as a number, and the votes. */
export function ruleSentence(result: ItemResult): Words | undefined {
  if (result.results_mode !== 'hands' && result.results_mode !== 'computed') return undefined;
  const { majority, threshold, base, needed, seats, quota } = result.results as {
    majority?: { share: Share; of: Base };
    threshold?: { share: Share; of: Base };
    base?: number;
    needed?: number;
    seats?: number;
    quota?: number | null;
  };
  const share = majority ?? threshold;
  return sentences([
    seats !== undefined && t('meetings.outcome.seats', { n: seats }),
    share &&
      (base === undefined
        ? t('meetings.minutes.rule_needed', { share: shareOfWords(share) })
        : t('meetings.minutes.rule_needed_numbers', { share: shareOfWords(share), n: needed ?? 0, base })),
    quota != null && t('meetings.minutes.rule_stv', { quota: votesText(quota) }),
  ]);
}

/** Who withdrew, how equal votes were decided, and who drew lots. */
export function lotSentences(result: ItemResult, zone: string): (Words | string)[] {
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
      ? [t('meetings.minutes.lots_withdrawn', { names: allOf(withdrawn.map((one) => one.name)) })]
      : []),
    ...(viewOf(ballot_type).tiesInWords?.(results) ?? []),
    ...(byHash ? [t('meetings.minutes.lot_by_hash')] : []),
    ...lots.map(({ drawn_by, witnesses, order, at }) => {
      const lot = {
        people: drawn_by,
        when: formatWhen(Date.parse(at), zone),
        order: commas(order.map(name)) ?? '',
      };
      return witnesses.length > 0
        ? t('meetings.minutes.lot_drawn_before', { ...lot, witnesses: allOf(witnesses) })
        : t('meetings.minutes.lot_drawn', lot);
    }),
  ];
}
