/** A membership of one kind, from the first to the last day inclusive; both are days in TIME_ZONE. */
export interface Standing {
  kind_id: string;
  /** Whether its kind has a vote. */
  votes: boolean;
  first_day: string;
  /** Null if no end is known. */
  last_day: string | null;
}

/** Whether a standing includes a day. ISO dates with four-digit years can be compared as strings. */
export function covers(
  { first_day, last_day }: Pick<Standing, 'first_day' | 'last_day'>,
  day: string,
): boolean {
  return first_day <= day && (last_day === null || day <= last_day);
}

/** The effective standing on a day: a kind without a vote takes precedence; of several the one that began later. */
export function standingOn<S extends Standing>(standings: readonly S[], day: string): S | undefined {
  return standings
    .filter((standing) => covers(standing, day))
    .sort(
      (a, b) =>
        Number(a.votes) - Number(b.votes) ||
        compare(b.first_day, a.first_day) ||
        compare(b.kind_id, a.kind_id),
    )[0];
}

/** Finds two overlapping standings of the same kind, or both with a vote, which is not allowed. Undefined if none. */
export function findOverlap<S extends Standing>(standings: readonly S[]): [S, S] | undefined {
  for (const [index, one] of standings.entries())
    for (const other of standings.slice(index + 1)) if (collide(one, other)) return [one, other];
  return undefined;
}

/**
 * Adds a standing, and ends those that include its first day on the day before. A kind without a vote and with a last
 * day, such as a temporary suspension, overlaps the others: it neither ends them nor is ended by an added one.
 */
export function addStanding<S extends Standing>(standings: readonly S[], added: S): S[] {
  if (isPassing(added)) return [...standings, added];
  const before = standings.flatMap((standing) => {
    if (isPassing(standing) || !covers(standing, added.first_day)) return [standing];
    return standing.first_day === added.first_day
      ? []
      : [{ ...standing, last_day: dayBefore(added.first_day) }];
  });
  return [...before, added];
}

/** Ends the standings that include a day on that day; later ones are unchanged. */
export function endOn<S extends Standing>(standings: readonly S[], day: string): S[] {
  return standings.map((standing) =>
    covers(standing, day) && standing.last_day !== day ? { ...standing, last_day: day } : standing,
  );
}

/** The previous day: `2026-02-28` for `2026-03-01`. */
export function dayBefore(day: string): string {
  return Temporal.PlainDate.from(day).subtract({ days: 1 }).toString();
}

/** Whether a text is an ISO 8601 date of the years 1000 to 9999. */
export function isDay(text: string): boolean {
  if (!/^[1-9]\d{3}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text;
  } catch {
    return false;
  }
}

const isPassing = ({ votes, last_day }: Standing): boolean => !votes && last_day !== null;

function collide(one: Standing, other: Standing): boolean {
  const meet =
    (other.last_day === null || one.first_day <= other.last_day) &&
    (one.last_day === null || other.first_day <= one.last_day);
  return meet && ((one.votes && other.votes) || one.kind_id === other.kind_id);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
