import { type Html, html } from '#kernel/html.ts';
import { withNames } from '#views/components/names.ts';
import { count, counted, listed } from '#views/components/numbers.ts';
import { badge } from '#views/components/status.ts';
import type { SeatsResult } from '#voting/shared/seats.ts';
import { BASE_WORDS, shareWords, type Threshold } from '#voting/shared/share.ts';

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
export function electedSentence(result: Seated, standings: readonly Standing[], final: boolean): string {
  const { tied_for_last, awaiting_lot } = result;
  const drawn = (result.ties ?? []).flatMap(({ taken }) => taken);
  const said = (id: string) => {
    const { name, votes } = standings.find((one) => one.id === id) ?? { name: '' };
    const facts = [votes !== undefined && count(votes), drawn.includes(id) && 'by lot'].filter(Boolean);
    return facts.length > 0 ? `${name} (${facts.join(', ')})` : name;
  };
  const leaders = result.winners.map(said).join(', ');
  const tie = tieSentence(result, standings);
  if (!final) {
    const lead = leaders && `${leaders} ${result.winners.length === 1 ? 'leads' : 'lead'}.`;
    return [lead, tie].filter(Boolean).join(' ') || 'nobody has the votes for a seat.';
  }
  const elected = leaders ? `Elected: ${leaders}.` : tie ? '' : 'Nobody is elected.';
  const open =
    tied_for_last.length === 0 && result.open_seats > 0 && result.seats > 1 && `${seatsAreOpen(result)}.`;
  const lot = awaiting_lot && 'The lot is not drawn yet.';
  return [elected, tie, open, lot].filter(Boolean).join(' ');
}

function tieSentence(result: Seated, standings: readonly Standing[]): string {
  const tied = standings.filter(({ id }) => result.tied_for_last.includes(id));
  const [first] = tied;
  if (first === undefined) return '';
  const names = listed(tied.map(({ name }) => name));
  const votes = first.votes === undefined ? '' : `, with ${counted(first.votes, 'vote')} each`;
  if (result.seats === 1) return `Tied between ${names}${votes}.`;
  const left = result.seats - result.winners.length;
  return `Tied for the last ${left === 1 ? 'seat' : `${count(left)} seats`}: ${names}${votes}.`;
}

const seatsAreOpen = ({ open_seats }: SeatsResult): string =>
  counted(open_seats, 'seat stays open', 'seats stay open');

/**
 * What can fill the seats that are open after a valid result; null where all are filled.
 * @param why says of the names of those who are tied why they are
 */
export function openSeatsText(
  result: Seated,
  standings: readonly Standing[],
  final: boolean,
  why = (names: readonly string[]) => `${listed(names)} are level`,
): Html | null {
  if (!final || result.open_seats === 0) return null;
  const { tied_for_last: tied, open_seats } = result;
  const names = standings.map(({ name }) => name);
  if (result.awaiting_lot)
    return html`<p>They are level, and a lot decides: an officer draws it and enters it.</p>`;
  if (tied.length === 0)
    return html`<p>${seatsAreOpen(result)}. A further vote can fill ${open_seats === 1 ? 'it' : 'them'}.</p>`;
  const level = standings.filter(({ id }) => tied.includes(id)).map(({ name }) => name);
  return html`<p>${withNames(why(level), names)}, so none of them has a seat. It takes a further vote between
them, or a lot where the club’s rules say so.</p>`;
}

/** Marks somebody as elected, tied or ahead; null for the others. */
export function seatBadge(result: Seated, id: string, final: boolean): Html | null {
  if (result.tied_for_last.includes(id)) return badge('Tied');
  if (!result.winners.includes(id)) return null;
  return final ? badge('Elected', 'open') : badge('Ahead');
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
}): string =>
  `A seat needs ${counted(needed, 'vote')}: ${shareWords(threshold.share)} of ${BASE_WORDS[threshold.of]} (${count(base)}).`;

/** What becomes of a tie, for the explanation of the count. */
export const LEVEL_WORDS =
  'Where several are level for the last seat, none of them is elected unless a lot decides.';

/** `3 are elected.` */
export const seatsRule = (seats: number): string =>
  seats === 1 ? 'One is elected.' : `${count(seats)} are elected.`;
