import { DAY, isoTime } from '#kernel/clock.ts';
import { badField, conflict } from '#kernel/http/errors.ts';
import { choiceField, momentField, numberField } from '#kernel/http/record.ts';
import { addDays } from '#kernel/local-time.ts';

/** What members bring to a meeting beforehand; each kind counts once its author has confirmed it by mail. */
export type ProposalKind = 'nomination' | 'motion';

const SECONDERS_AT_MOST = 5;

/** The rules of a call that each kind has. */
export const CALL_FIELDS = {
  opens_at: momentField(),
  closes_at: momentField(),
  who: choiceField(['members', 'anybody'], { is: 'radios' }),
  seconders: numberField(0, SECONDERS_AT_MOST),
};

/** When proposals are taken. */
export interface Period {
  opens_at: number;
  closes_at: number;
}

export type CallState = 'before' | 'open' | 'over';

/** Where a call stands by the clock. */
export function periodState({ opens_at, closes_at }: Period, now: number): CallState {
  if (now >= closes_at) return 'over';
  return now < opens_at ? 'before' : 'open';
}

/** @throws 409 outside the period */
export function ensureInPeriod(kind: ProposalKind, period: Period, now: number): void {
  const state = periodState(period, now);
  if (state !== 'open') throw conflict(state === 'before' ? `${kind}s_not_open` : `${kind}s_over`);
}

/**
 * Reads a new period of a call. Until a call opens, nothing was promised; from then on a later close extends it.
 * @throws 400
 */
export function planPeriod(
  fields: Period,
  before: (Period & { first_closes_at: number }) | undefined,
  now: number,
): { isExtended: boolean; first_closes_at: number } {
  if (fields.closes_at <= fields.opens_at) throw badField('closes_at', 'after_opening');
  const isExtended = before !== undefined && now >= before.opens_at && fields.closes_at > before.closes_at;
  return { isExtended, first_closes_at: isExtended ? before.first_closes_at : fields.closes_at };
}

/** Officers decide on what came in, and members read it, before the meeting. */
const DAYS_BEFORE = 7;

/**
 * The period that the form of a new call proposes: from now until a week before the meeting, at its hour. Where that leaves
 * less than a day it ends with the beginning of the meeting, and never in the past.
 */
export function proposePeriod(heldAt: number, now: number, zone: string): Period {
  const before = addDays(heldAt, -DAYS_BEFORE, zone);
  return { opens_at: now, closes_at: before - now >= DAY ? before : Math.max(heldAt, now) };
}

/** A period for the log. */
export const periodOf = ({ opens_at, closes_at }: Period) => ({
  opens_at: isoTime(opens_at),
  closes_at: isoTime(closes_at),
});
