import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import { allOf, commas, sentences } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { withNames } from '#views/components/names.ts';
import { badge } from '#views/components/status.ts';
import { shareOfWords } from '#voting/share-words.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import type { Threshold } from '#voting/shared/share.ts';

/** Somebody who could have a seat. */
interface Standing {
  id: string;
  name: string;
  /** What is counted for a seat; undefined where that is not a number. */
  votes?: number;
}

/** The part of a result that says who is elected. `winners` are these by the votes alone, whatever the quorum. */
type Seated = SeatsResult & { winners: readonly string[] };

/** `Elected: Ivy Cole (60), Hugh Birch (59).` @param final whether the result is valid, so that somebody is elected */
export function electedSentence(result: Seated, standings: readonly Standing[], final: boolean): Words {
  const { tied_for_last, awaiting_lot } = result;
  const drawn = (result.ties ?? []).flatMap(({ taken }) => taken);
  const leaders = commas(
    result.winners.map((id) =>
      said(
        standings.find((one) => one.id === id),
        drawn.includes(id),
      ),
    ),
  );
  const tie = tieSentence(result, standings);
  if (!final) {
    const lead = leaders && t('voting.seats.lead', { leaders, winners: result.winners.length });
    return sentences([lead, tie]) ?? t('voting.seats.votes_seat');
  }
  const open = tied_for_last.length === 0 && result.open_seats > 0 && result.seats > 1;
  const lot = awaiting_lot && t('voting.seats.lot_drawn_yet');
  const elected = leaders && t('voting.seats.elected_leaders', { leaders });
  const nobody = t('voting.seats.nobody_elected');
  const stay = open && t('voting.seats.seats_stay_open', { seats: result.open_seats });
  return sentences([elected ?? (tie ? null : nobody), tie, stay, lot]) ?? nobody;
}

/** A name with what is counted for it. @param isDrawn whether a lot took it */
function said({ name, votes }: Partial<Standing> = {}, isDrawn: boolean): Words | string {
  if (name === undefined) return '';
  if (votes === undefined) return isDrawn ? t('voting.seats.name_by_lot', { name }) : name;
  return isDrawn
    ? t('voting.seats.name_with_votes_by_lot', { name, votes })
    : t('voting.seats.name_with_votes', { name, votes });
}

function tieSentence(result: Seated, standings: readonly Standing[]): Words | null {
  const tied = standings.filter(({ id }) => result.tied_for_last.includes(id));
  const [first] = tied;
  if (first === undefined) return null;
  const names = allOf(tied.map(({ name }) => name));
  const { votes } = first;
  if (result.seats === 1)
    return votes === undefined
      ? t('voting.seats.tied_between', { names })
      : t('voting.seats.tied_between_with_votes', { names, votes });
  const left = result.seats - result.winners.length;
  return votes === undefined
    ? t('voting.seats.tied_last_seats', { left, names })
    : t('voting.seats.tied_last_seats_with_votes', { left, names, votes });
}

/**
 * What can fill the seats that are open after a valid result; null where all are filled.
 * @param why says of the names of those who are tied that none of them has a seat, and why
 */
export function openSeatsText(
  result: Seated,
  standings: readonly Standing[],
  final: boolean,
  why: (names: readonly string[]) => Words = (names) => t('voting.seats.level', { names: allOf(names) }),
): Html | null {
  if (!final || result.open_seats === 0) return null;
  const { tied_for_last: tied, open_seats } = result;
  const names = standings.map(({ name }) => name);
  if (result.awaiting_lot) return html`<p>${t('voting.seats.level_lot_decides_officer_draws')}</p>`;
  if (tied.length === 0) return html`<p>${t('voting.seats.further_vote_fill', { seats: open_seats })}</p>`;
  const level = standings.filter(({ id }) => tied.includes(id)).map(({ name }) => name);
  return html`<p>${withNames(why(level), names)} ${t('voting.seats.takes_further_vote')}</p>`;
}

/** Marks somebody as elected, tied or ahead; null for the others. */
export function seatBadge(result: Seated, id: string, final: boolean): Html | null {
  if (result.tied_for_last.includes(id)) return badge(t('voting.seats.tied'));
  if (!result.winners.includes(id)) return null;
  return final ? badge(t('voting.seats.elected'), 'open') : badge(t('voting.seats.ahead'));
}

/** `A seat needs 32 votes: more than half of the valid ballots (63).` */
export const thresholdSentence = ({
  threshold,
  base,
  needed,
}: {
  threshold: Threshold;
  base: number;
  needed: number;
}): Words => t('voting.seats.seat_needs_votes', { needed, share: shareOfWords(threshold), base });

/** What becomes of a tie, for the explanation of the count. */
export const LEVEL_WORDS = t('voting.seats.where_several_level_last_seat');

/** `3 are elected.` */
export const seatsRule = (seats: number): Words => t('voting.seats.how_many_elected', { seats });
