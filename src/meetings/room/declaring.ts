import type { Reader } from '#kernel/db/queries.ts';
import { AppError, conflict } from '#kernel/http/errors.ts';
import type { Message } from '#kernel/messages/messages.ts';
import type { Item } from '#meetings/items.ts';
import { findAwaited, findNoMore } from '#meetings/paper-count/awaited.ts';
import { findPaperAlarm } from '#meetings/paper-count/sheet.ts';
import { outcomeOf } from '#voting/counting/outcome.ts';
import { isLotAwaited } from '#voting/elections/drawn-lots.ts';
import { getElection, listOptions } from '#voting/elections/elections.ts';
import { findSettledResult } from '#voting/elections/stored-result.ts';
import { countBallots } from '#voting/elections/turnout.ts';
import { votersOf } from '#voting/elections/ways-to-vote.ts';
import { countedByHand, handOutcome } from './hand-count.ts';

/** More votes than there can be: declaring waits until it is noted why that does not change the result. */
export interface Alarm {
  votes: number;
  voters: number;
}

/**
 * Compares the ballots of an item with its votes, from the opening on, or hands with the votes in the room. Hands are
 * counted at meetings without a door too.
 */
export function findAlarm(reader: Reader, item: Item): Alarm | undefined {
  const hand = countedByHand(item);
  const isCounted = item.state === 'open' || item.voters !== null;
  if (item.election_id === null || !isCounted || hand?.way === 'unopposed') return undefined;
  const { total, elsewhere } = votersOf(reader, item);
  const inRoom = total - elsewhere;
  if (hand && inRoom === 0) return undefined;
  const votes = hand
    ? hand.yes + hand.no + hand.abstain + hand.invalid
    : countBallots(reader, item.election_id);
  const voters = hand ? inRoom : total;
  return votes > voters ? { votes, voters } : undefined;
}

/** What has to be noted before a result counts: one note for all of it. */
export interface Alarmed {
  need: 'votes' | 'papers';
  message: Message;
}

/** Papers that are not counted, more papers than were handed out, and more votes than there can be. */
function listAlarms(reader: Reader, item: Item): Alarmed[] {
  const awaited = findAwaited(reader, item);
  const papers = findPaperAlarm(reader, item);
  const alarm = findAlarm(reader, item);
  return [
    ...(awaited
      ? [
          {
            need: 'papers' as const,
            message: { code: 'papers_not_counted', params: { ...awaited } } as Message,
          },
        ]
      : []),
    ...(papers
      ? [
          {
            need: 'papers' as const,
            message: { code: 'more_papers_than_handed_out', params: { ...papers } } as Message,
          },
        ]
      : []),
    ...(alarm ? [{ need: 'votes' as const, message: moreVotes(item, alarm) }] : []),
  ];
}

const moreVotes = ({ counted }: Item, { votes, voters }: Alarm): Message =>
  counted === null
    ? { code: 'more_ballots_than_cards', params: { ballots: votes, voters } }
    : { code: 'more_hands_than_people', params: { hands: votes, voters } };

/** @throws 409 with everything that needs a note, while there is none */
export function ensureNoted(alarms: readonly Alarmed[], note: string | null): void {
  const [first] = alarms;
  if (note !== null || !first) return;
  const needs = [...new Set(alarms.map(({ need }) => need))].sort().reverse();
  throw AppError.of(409, first.message, { extra: { needs } });
}

/** The same of an item. @throws as `ensureNoted` */
export const ensureAlarmsNoted = (reader: Reader, item: Item, note: string | null): void =>
  ensureNoted(listAlarms(reader, item), note);

/**
 * @returns the note with which the result can be announced; `shown`: that no more papers come is noted by it, and the
 * figures are shown before they are announced
 * @throws 409 while a lot is awaited, or something has to be noted
 */
export function ensureDeclarable(
  reader: Reader,
  item: Item,
  given: string | null,
): { note: string | null; shown: boolean } {
  if (item.election_id === null) return { note: given, shown: false };
  const note = given ?? findNoMore(reader, item);
  ensureAlarmsNoted(reader, item, note);
  if (note !== null && findAwaited(reader, item)) return { note, shown: true };
  if (item.counted === null && isLotAwaited(reader, item.election_id)) throw conflict('lot_before_declaring');
  return { note, shown: false };
}

/** Those who are elected by a closed vote; nobody without a valid result, or once it is void. */
export function listElected(reader: Reader, item: Item): { id: string; name: string }[] {
  if (item.election_id === null || item.state === 'void') return [];
  const hand = countedByHand(item);
  const election = getElection(reader, item.election_id);
  const settled = findSettledResult(reader, election.id);
  const outcome = hand
    ? handOutcome(election, hand)
    : settled && outcomeOf(election, settled, { way: 'ballots', results: settled.results });
  const ids = outcome?.elected ?? [];
  const names = new Map(listOptions(reader, item.election_id).map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? '' }));
}
