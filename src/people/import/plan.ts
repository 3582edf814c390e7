import { type Message, say } from '#kernel/messages/messages.ts';
import { familyIn, NOBODY, type Vocabulary } from '#people/roll/person-input.ts';
import type { RollAddress, RollPerson } from '#people/roll/records.ts';
import {
  addStanding,
  covers,
  endOn,
  findOverlap,
  type Standing,
  standingOn,
} from '#people/roll/standings.ts';
import { differences, type Part } from '#people/roll/write-person.ts';
import type { FileRow, Reason } from './file-rows.ts';
import { type Decisions, type Match, matchRows } from './matching.ts';
import type { RollIndex } from './roll-index.ts';

export type RowState = 'new' | 'changed' | 'same' | 'unclear' | 'invalid' | 'missing';

/** What an import does with a row of the file, or with a person who is missing in it (without a line). */
export interface PlannedRow {
  line: number | null;
  state: RowState;
  name: string;
  /** Why the row is unclear or invalid, or a warning. */
  reason?: Reason | undefined;
  /** A kind of membership that the club does not have. */
  unknown_kind?: string | undefined;
  /** The people to whom an unclear row may belong. */
  candidates?: readonly RollPerson[] | undefined;
  before?: RollPerson | undefined;
  after?: RollPerson | undefined;
  /** The parts in which `before` and `after` differ. */
  parts?: readonly Part[] | undefined;
}

export interface PlanOptions {
  vocabulary: Vocabulary;
  decisions: Decisions;
  today: string;
  /** The last day for people who are missing in the file; null to leave them unchanged. */
  end_missing: string | null;
  /** The reason why the editor cannot change the addresses of this person, if they are staff. */
  /** The kind of people of a list that names none, who have no current standing; undefined to give them none. */
  kind: string | undefined;
  keepsAddresses: (id: string) => Message | undefined;
  newId: () => string;
}

/** Plans the changes of each row, then of the people missing in the file. */
export function planImport(rows: readonly FileRow[], roll: RollIndex, options: PlanOptions): PlannedRow[] {
  const matches = matchRows(rows, roll, options.decisions);
  const planned = rows.map((row) => planRow(row, matches.get(row)!, roll, options));
  const present = new Set<string>();
  for (const match of matches.values()) {
    if (match.is === 'known') present.add(match.person.id);
    if (match.is === 'unclear') for (const { id } of match.candidates) present.add(id);
  }
  for (const person of roll.everybody()) {
    if (present.has(person.id)) continue;
    const missing = planMissing(person, options);
    if (missing) planned.push(missing);
  }
  return planned;
}

function planRow(row: FileRow, match: Match, roll: RollIndex, options: PlanOptions): PlannedRow {
  const { line, name } = row;
  if (match.is === 'invalid') return { line, name, state: 'invalid', reason: match.reason };
  if (match.is === 'unclear')
    return { line, name, state: 'unclear', reason: match.reason, candidates: match.candidates };
  const before = match.is === 'known' ? match.person : undefined;
  const after = applyRow(row, before ?? { ...NOBODY, id: options.newId(), name }, options);
  if ('code' in after) {
    const isUnknown = row.kind !== undefined && !options.vocabulary.kinds.find(row.kind);
    return { line, name, state: 'invalid', reason: after, ...(isUnknown && { unknown_kind: row.kind }) };
  }
  if (!before) return { line, name, state: 'new', after, reason: sharing(after, roll) };
  const parts = differences(before, after);
  if (parts.length === 0) return { line, name, state: 'same', before };
  const kept = parts.includes('addresses') && roll.isStaff(before.id) && options.keepsAddresses(before.id);
  if (kept) return { line, name, state: 'invalid', reason: kept };
  const reason = parts.includes('addresses') ? sharing(after, roll) : undefined;
  return { line, name, state: 'changed', before, after, parts, reason };
}

/** @returns the person after the change, or the reason why it is not possible */
function applyRow(row: FileRow, before: RollPerson, options: PlanOptions): RollPerson | Message {
  const { vocabulary, today } = options;
  const named = row.kind ?? kindOfRow(row, before, options);
  const kind = named === undefined ? undefined : vocabulary.kinds.find(named);
  if (row.kind !== undefined && !kind) return say('import_no_kind', { name: row.kind });
  const unknown = row.groups?.find((group) => !vocabulary.groups.find(group));
  if (unknown !== undefined) return say('import_no_group', { name: unknown });
  const standings = kind
    ? mergeStanding(before.standings, { kind_id: kind.id, votes: kind.votes }, row, today)
    : before.standings;
  if ('code' in standings) return standings;
  const groups = row.groups?.map((group) => vocabulary.groups.find(group)!.id) ?? before.groups;
  return {
    ...before,
    name: row.name,
    family_name: row.family_name ?? familyIn(row.name, before),
    called: row.called ?? before.called,
    number: row.number ?? before.number,
    note: row.note ?? before.note,
    addresses: mergeAddresses(before.addresses, row.emails),
    standings,
    groups: [...new Set(groups)].sort(),
  };
}

/** The kind that a row without one is about: the current one if the row has days, else that of the list. */
function kindOfRow(
  row: FileRow,
  { standings }: RollPerson,
  { kind, today }: PlanOptions,
): string | undefined {
  const [current, ...others] = standings.filter((standing) => covers(standing, today));
  const hasDays = row.first_day !== undefined || row.last_day !== undefined;
  if (!current) return kind;
  // Of several the list does not say which one its days are about.
  return hasDays && others.length === 0 ? current.kind_id : undefined;
}

/** A single address replaces the primary one, unless the person has it already; several addresses replace all. */
function mergeAddresses(before: readonly RollAddress[], emails: readonly string[]): readonly RollAddress[] {
  const [first] = emails;
  if (first === undefined) return before;
  const stored = new Map(before.map((address) => [address.email, address]));
  if (emails.length === 1) {
    if (stored.has(first)) return before;
    return [{ email: first, primary: true, verified_at: null }, ...before.filter(({ primary }) => !primary)];
  }
  return emails.map((email, index) => ({
    email,
    primary: index === 0,
    verified_at: stored.get(email)?.verified_at ?? null,
  }));
}

/** Corrects the days of a standing of this kind, or adds one. @returns the standings, or the reason for a refusal */
function mergeStanding(
  before: readonly Standing[],
  kind: Pick<Standing, 'kind_id' | 'votes'>,
  row: FileRow,
  today: string,
): readonly Standing[] | Message {
  const own = before.filter(({ kind_id }) => kind_id === kind.kind_id);
  const meant =
    own.find(({ first_day }) => first_day === row.first_day) ??
    own.find((standing) => covers(standing, today));
  const first_day = row.first_day ?? meant?.first_day ?? today;
  const last_day = row.last_day === undefined ? (meant?.last_day ?? null) : row.last_day;
  if (last_day !== null && last_day < first_day) return say('import_last_before_first');
  const standing: Standing = { ...kind, first_day, last_day };
  const after = meant ? before.map((one) => (one === meant ? standing : one)) : addStanding(before, standing);
  return findOverlap(after) ? say('import_days_overlap') : after;
}

/** A person who is not in the file and whose standing continues after the end day (or today, if none is given). */
function planMissing(person: RollPerson, { today, end_missing }: PlanOptions): PlannedRow | undefined {
  const { name, standings } = person;
  const missing = { line: null, state: 'missing', name, before: person } as const;
  if (end_missing === null) return standingOn(standings, today) && missing;
  const after = { ...person, standings: endOn(standings, end_missing) };
  const parts = differences(person, after);
  return parts.length === 0 ? undefined : { ...missing, after, parts };
}

function sharing({ id, addresses }: RollPerson, roll: RollIndex): Message | undefined {
  const others = roll.byEmail(addresses.map(({ email }) => email)).filter((other) => other.id !== id);
  return others.length === 0
    ? undefined
    : say('import_shares_address', { names: others.map(({ name }) => name) });
}
