import { type Message, say } from '#kernel/messages/messages.ts';
import { isSameName, nameKey } from '#kernel/names.ts';
import type { RollPerson } from '#people/roll/records.ts';
import type { FileRow, Reason } from './file-rows.ts';
import type { RollIndex } from './roll-index.ts';

/** The person to whom a row of a file belongs. */
export type Match =
  | { is: 'known'; person: RollPerson }
  | { is: 'new' }
  | { is: 'unclear'; reason: Message; candidates: readonly RollPerson[] }
  | { is: 'invalid'; reason: Reason };

/** An officer's decisions by line: the id of a person, or `new`. */
export type Decisions = ReadonlyMap<number, string>;

/**
 * Finds the person of each row: by the person's id, by number, or by address and name together. An address or a name
 * alone may be somebody else's, so the officer decides, unless that person is matched by another row of the file.
 */
export function matchRows(
  rows: readonly FileRow[],
  roll: RollIndex,
  decisions: Decisions,
): Map<FileRow, Match> {
  const matches = new Map<FileRow, Match>();
  const claims = new Map<string, number>();
  const open: FileRow[] = [];
  for (const row of rows) {
    const match = row.invalid === undefined ? certainMatch(row, roll, decisions) : invalid(row.invalid);
    if (match?.is === 'known') matches.set(row, claim(row, match, claims));
    else if (match) matches.set(row, match);
    else open.push(row);
  }
  for (const row of open) matches.set(row, looseMatch(row, roll, claims));
  refuseRepeats(rows, matches, decisions);
  return matches;
}

function certainMatch(row: FileRow, roll: RollIndex, decisions: Decisions): Match | undefined {
  const { number, name, emails, person_id } = row;
  const decided = decisions.get(row.line);
  const owner = number === undefined ? undefined : roll.byNumber(number);
  if (decided === 'new')
    return owner
      ? invalid(say('import_number_of', { number: number ?? '', name: owner.name }))
      : { is: 'new' };
  const id = decided ?? person_id;
  const named = id === undefined ? undefined : roll.byId(id);
  if (named && owner && owner !== named)
    return invalid(say('import_number_of', { number: number ?? '', name: owner.name }));
  if (decided !== undefined && !named) return invalid(say('import_no_such_id'));
  const sure = named ?? owner;
  if (sure) return { is: 'known', person: sure };
  const both = roll.byEmail(emails).filter((person) => isSameName(person.name, name));
  const [person, ...others] = both;
  if (!person) return undefined;
  if (others.length > 0) return { is: 'unclear', reason: say('import_several_people'), candidates: both };
  if (number !== undefined && person.number !== null)
    return {
      is: 'unclear',
      reason: say('import_has_number', { name: person.name, number: person.number }),
      candidates: both,
    };
  return { is: 'known', person };
}

function looseMatch({ name, emails }: FileRow, roll: RollIndex, claims: ReadonlyMap<string, number>): Match {
  const free = (people: readonly RollPerson[]) => people.filter(({ id }) => !claims.has(id));
  const [named, alike, addressed] = [roll.byName(name), roll.byLikeName(name), roll.byEmail(emails)].map(
    free,
  );
  const candidates = [...new Set([...named!, ...alike!, ...addressed!])];
  if (candidates.length === 0) return { is: 'new' };
  const reason =
    named!.length > 0
      ? say('import_same_name')
      : alike!.length > 0
        ? say('import_like_name')
        : say('import_same_address');
  return { is: 'unclear', reason, candidates };
}

/** Accepts the first row of each person, and refuses further ones. */
function claim(row: FileRow, match: Match & { is: 'known' }, claims: Map<string, number>): Match {
  const { id } = match.person;
  const line = claims.get(id);
  if (line !== undefined) return invalid(say('import_same_person', { line: String(line) }));
  claims.set(id, row.line);
  return match;
}

/** Refuses a repeated number, and a repeated name with the same addresses among new people. */
function refuseRepeats(rows: readonly FileRow[], matches: Map<FileRow, Match>, decisions: Decisions): void {
  const numbers = new Map<string, number>();
  const names = new Map<string, FileRow>();
  for (const row of rows) {
    const { number, name, emails, line } = row;
    const match = matches.get(row);
    if (match?.is !== 'new' && match?.is !== 'known') continue;
    const taken = number === undefined ? undefined : numbers.get(number);
    if (taken !== undefined) {
      matches.set(row, invalid(say('import_number_twice', { number: number ?? '', line: String(taken) })));
      continue;
    }
    if (number !== undefined) numbers.set(number, line);
    if (match.is === 'known' || decisions.has(line)) continue;
    const key = `${nameKey(name)} ${emails.toSorted().join(' ')}`;
    const twin = names.get(key);
    if (twin && (number === undefined || twin.number === undefined))
      matches.set(row, invalid(say('import_same_person', { line: String(twin.line) })));
    else names.set(key, row);
  }
}

const invalid = (reason: Reason): Match => ({ is: 'invalid', reason });
