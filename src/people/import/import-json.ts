import { type Code, type Message, type Params, sentenceOf } from '#kernel/messages/messages.ts';
import { type StandingJson, standingJson } from '#people/roll/people.ts';
import type { Vocabulary } from '#people/roll/person-input.ts';
import type { RollPerson } from '#people/roll/records.ts';
import type { Part } from '#people/roll/write-person.ts';
import type { Reason } from './file-rows.ts';
import type { PlannedRow, RowState } from './plan.ts';

/** The parts of a person that an import changes. */
export interface PartsJson {
  name?: string;
  family_name?: string | null;
  called?: string | null;
  number?: string | null;
  note?: string | null;
  addresses?: string[];
  standings?: StandingJson[];
  groups?: string[];
}

/** A row of an import as JSON. `person`: id of the matched person; `line`: null for a person who is not in the file. */
export interface ImportRowJson {
  line: number | null;
  state: RowState;
  name: string;
  person?: string;
  /** In English; `code` and `params` say the same, and `problem` what is wrong with an address that it names. */
  reason?: string;
  code?: Code;
  params?: Params;
  problem?: Message;
  unknown_kind?: string;
  candidates?: { id: string; name: string; number: string | null }[];
  before?: PartsJson;
  after?: PartsJson;
}

export type ImportCounts = Record<RowState, number>;

const PARTS: readonly Part[] = ['name', 'called', 'number', 'note', 'addresses', 'standings', 'groups'];

export function countRows(rows: readonly PlannedRow[]): ImportCounts {
  const counts: ImportCounts = { new: 0, changed: 0, same: 0, unclear: 0, invalid: 0, missing: 0 };
  for (const { state } of rows) counts[state] += 1;
  return counts;
}

/** How many new and changed people of a list have no address after it, and how many share one. */
export interface AddressCounts {
  none: number;
  shared: number;
}

export function countAddresses(rows: readonly PlannedRow[]): AddressCounts {
  const people = rows
    .filter(({ state }) => state === 'new' || state === 'changed')
    .map(({ after, before }) => (after ?? before)?.addresses.map(({ email }) => email) ?? []);
  const times = new Map<string, number>();
  for (const address of people.flat()) times.set(address, (times.get(address) ?? 0) + 1);
  return {
    none: people.filter((addresses) => addresses.length === 0).length,
    shared: people.filter((addresses) => addresses.some((address) => times.get(address)! > 1)).length,
  };
}

/** Converts a row to JSON: all data of a new person, only the differences of a changed one. */
export function importRowJson(row: PlannedRow, vocabulary: Vocabulary): ImportRowJson {
  const { line, state, name, reason, unknown_kind, candidates, before, after, parts } = row;
  const shown = parts ?? (state === 'missing' ? (['number', 'standings'] as const) : PARTS);
  return {
    line,
    state,
    name,
    ...(before && { person: before.id }),
    ...(reason && { reason: englishOf(reason), ...reason }),
    ...(unknown_kind !== undefined && { unknown_kind }),
    ...(candidates && { candidates: candidates.map(({ id, name, number }) => ({ id, name, number })) }),
    ...(before && state !== 'same' && { before: partsJson(before, shown, vocabulary) }),
    ...(after && { after: partsJson(after, shown, vocabulary) }),
  };
}

const englishOf = ({ problem, ...message }: Reason): string =>
  sentenceOf(problem ? { ...message, params: { ...message.params, problem: sentenceOf(problem) } } : message);

function partsJson(person: RollPerson, parts: readonly Part[], { kinds, groups }: Vocabulary): PartsJson {
  const json: PartsJson = {};
  for (const part of parts) {
    if (part === 'addresses') json.addresses = person.addresses.map(({ email }) => email);
    else if (part === 'standings') json.standings = person.standings.map((one) => standingJson(one, kinds));
    else if (part === 'groups') json.groups = person.groups.map((id) => groups.ofId(id).name);
    else if (part === 'name') json.name = person.name;
    else json[part] = person[part];
  }
  return json;
}
