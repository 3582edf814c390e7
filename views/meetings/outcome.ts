import { t } from '#kernel/language/message.ts';
import { allOf, semicolons, sentences } from '#kernel/language/times.ts';
import type { Note, Words } from '#kernel/language/words.ts';
import type { LateCards } from '#meetings/door/late-cards.ts';
import type { ItemWithResult } from '#meetings/room/results.ts';
import {
  certifiedSentence,
  isCarried,
  outcomeNotes,
  outcomeSentence,
  voidSentence,
} from '#views/voting/results/outcome.ts';
import { wallBars } from '#views/voting/wall.ts';
import { channelsSentence, invalidSentence } from '#views/voting/words.ts';
import type { ComputedResultsJson } from '#voting/counting/results.ts';
import { shareOfWords } from '#voting/share-words.ts';
import { isDefaultMajority, type Majority } from '#voting/shared/share.ts';
import { ruleSentence } from './minutes/figures.ts';

type Shown = Pick<ItemWithResult, 'result' | 'elected' | 'quorate'>;

/** The outcome of an item in one sentence; undefined while it is not shown. */
export function itemOutcome({ result, elected = [], quorate }: Shown): Words | undefined {
  if (!result) return undefined;
  if (result.void) return voidSentence(result.void);
  if (result.results_mode === 'unopposed') {
    if (!result.valid)
      return quorate === false ? t('meetings.outcome.no_quorum') : t('meetings.outcome.too_few');
    return elected.length > 0
      ? t('meetings.outcome.unopposed_elected', { names: allOf(elected.map(({ name }) => name)) })
      : t('meetings.outcome.unopposed_carried');
  }
  if (result.results_mode !== 'hands') return outcomeSentence(result);
  return outcomeSentence(asBallots(result, quorate), 'vote');
}

/** Hands in the shape of a result of ballots, for its words and bars. */
function asBallots(
  result: Extract<NonNullable<Shown['result']>, { results_mode: 'hands' }>,
  quorate: boolean | null,
): ComputedResultsJson {
  const { election_id, ballot_type, results, total_ballots, door } = result;
  return {
    election_id,
    ballot_type,
    status: 'closed',
    turnout: { issued: 0, used: total_ballots },
    results_mode: 'computed',
    total_ballots,
    results,
    ...(quorate !== null && { quorate }),
    ...(door !== undefined && { door }),
  };
}

/** Whether an item was decided for: see `isCarried`. */
export function isItemCarried({ result, elected = [], quorate }: Shown): boolean {
  if (!result || result.void) return false;
  if (result.results_mode === 'unopposed') return result.valid;
  return (
    elected.length > 0 || isCarried(result.results_mode === 'hands' ? asBallots(result, quorate) : result)
  );
}

/** The bars of an item's result; null without votes. */
export function itemBars({ result, quorate }: Shown) {
  if (!result || result.results_mode === 'unopposed' || result.void) return null;
  return wallBars(result.results_mode === 'hands' ? asBallots(result, quorate) : result);
}

/** That a vote is void, and by which two people where it was counted before. */
export function voidOf(isVoid: ItemWithResult['void']): Words {
  return t('meetings.item.vote_void', { reason: isVoid ? reasonBy(isVoid) : '' });
}

/** Cards that were made valid after the opening, and how many of them people hold. */
export const lateCardsSentence = ({ made_valid, handed_out }: LateCards): Words =>
  t('meetings.outcome.late_cards', { n: made_valid, out: handed_out });

/** How it was voted, and the rule: `By show of hands. It needed two thirds of yes and no.`; undefined without either. */
export function itemRule({
  result,
  way,
  corrections = [],
  late_cards: late,
}: Pick<ItemWithResult, 'result' | 'way' | 'corrections' | 'late_cards'>): Words | undefined {
  if (result?.void) return t('meetings.outcome.does_not_count');
  const said: (Words | string | null | undefined)[] = [
    way === 'hands' ? t('meetings.outcome.by_hands') : null,
  ];
  if (result?.results_mode === 'computed' || result?.results_mode === 'hands') {
    const {
      majority,
      needed = 0,
      seats,
      quota,
    } = (result.results ?? {}) as { majority?: Majority; needed?: number; seats?: number; quota?: unknown };
    // The note of a transferable vote says its quota.
    if (seats !== undefined)
      said.push(quota === undefined ? ruleSentence(result) : t('meetings.outcome.seats', { n: seats }));
    // The sentence of a motion says any other rule itself.
    else if (majority && isDefaultMajority(majority))
      said.push(t('meetings.outcome.needed', { n: needed, share: shareOfWords(majority) }));
  }
  if (result?.results_mode === 'computed') said.push(...outcomeNotes(result));
  if (result && 'channels' in result && result.channels) said.push(channelsSentence(result.channels));
  if (result && 'invalid' in result && result.invalid)
    said.push(
      way === 'hands'
        ? t('meetings.outcome.invalid_hands', { n: result.invalid })
        : invalidSentence(result.invalid),
    );
  if (result && late) said.push(lateCardsSentence(late));
  if (result && 'certified' in result && result.certified) said.push(certifiedSentence(result.certified));
  if (corrections.length > 0)
    said.push(t('meetings.outcome.corrected', { reasons: semicolons(corrections.map(reasonBy)) ?? '' }));
  return sentences(said);
}

/** A reason, with the two who gave it where it is known. */
export const reasonBy = ({ reason, by }: { reason: string; by?: Note | undefined }): Words | string =>
  by === undefined ? reason : t('meetings.outcome.reason_by', { reason, people: by });
