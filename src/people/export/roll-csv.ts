import type { Context } from '#kernel/context.ts';
import { csvText } from '#kernel/csv.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { readVocabulary, todayOf } from '#people/roll/people.ts';
import type { Vocabulary } from '#people/roll/person-input.ts';
import { loadPeople, type RollPerson } from '#people/roll/records.ts';
import { findPeople, type PeopleFilter } from '#people/roll/search.ts';
import { standingOn } from '#people/roll/standings.ts';

const HEAD = [
  'person_id',
  'number',
  'name',
  'called',
  'email',
  'kind',
  'first_day',
  'last_day',
  'groups',
  'note',
];
const PAGE = 250;

/**
 * Exports the matching people with their standing on the day, as a CSV file that can be imported again. Audited.
 * @throws 400 when a kind or group is unknown
 */
export async function exportRoll(ctx: Context, filter: PeopleFilter, actor: Actor): Promise<string> {
  const today = todayOf(ctx);
  const everybody = { today, limit: Number.MAX_SAFE_INTEGER, offset: 0 };
  const { ids } = findPeople(ctx.db, filter, everybody);
  const vocabulary = readVocabulary(ctx.db);
  let text = csvText([HEAD]);
  for (let at = 0; at < ids.length; at += PAGE) {
    await ctx.queue.turn();
    const people = loadPeople(ctx.db, ids.slice(at, at + PAGE));
    text += csvText(people.map((person) => cells(person, vocabulary, filter.on ?? today)));
  }
  await ctx.write((tx) =>
    recordAudit(tx, actor, { action: 'people.exported', metadata: { people: ids.length } }),
  );
  return text;
}

function cells(person: RollPerson, { kinds, groups }: Vocabulary, on: string): string[] {
  const standing = standingOn(person.standings, on);
  return [
    person.id,
    person.number ?? '',
    person.name,
    person.called ?? '',
    person.addresses.map(({ email }) => email).join('; '),
    standing ? kinds.ofId(standing.kind_id).name : '',
    standing?.first_day ?? '',
    standing?.last_day ?? '',
    person.groups.map((id) => groups.ofId(id).name).join('; '),
    person.note ?? '',
  ];
}
