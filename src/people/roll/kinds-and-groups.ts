import type { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, ONE, type Reader, type Tx } from '#kernel/db/queries.ts';
import { type AppError, badField, conflict, notFound } from '#kernel/http/errors.ts';
import { nameField, record, tickField } from '#kernel/http/record.ts';
import { newId } from '#kernel/ids.ts';
import { compareNames } from '#kernel/locale.ts';
import { coded } from '#kernel/messages/messages.ts';
import { nameKey } from '#kernel/names.ts';

const name = nameField(80, { autocomplete: 'off' });
const NameInput = name.input.transform((text) => text.replace(/\s+/g, ' '));

/** A kind of membership. The words of its form are `KIND_WORDS`. */
export const KIND = record({
  name: { ...name, input: NameInput },
  votes: { ...tickField(true), form: { is: 'choice' } },
});

/** A group. In an import file, semicolons and vertical bars separate the groups of a person. */
export const GROUP = record({
  name: { ...name, input: NameInput.refine((text) => !/[;|]/.test(text), coded('separator_in_name')) },
});

/** A kind of membership. `people` is the number of people who have or had a standing of this kind. */
export interface KindJson {
  id: string;
  name: string;
  votes: boolean;
  people: number;
}

export interface GroupJson {
  id: string;
  name: string;
  people: number;
}

/** Returns all kinds, sorted by name. */
export function listKinds(reader: Reader): KindJson[] {
  const rows = reader.all(allKinds);
  return byName(rows.map(({ votes, ...kind }) => ({ ...kind, votes: votes === 1 })));
}

const allKinds = build
  .selectFrom('kinds')
  .leftJoin('standings', 'kind_id', 'kinds.id')
  .select(['kinds.id', 'name', 'votes'])
  .select((of) => of.fn.count<number>('person_id').distinct().as('people'))
  .groupBy('kinds.id')
  .compile();

/** Returns all groups, sorted by name. */
export function listGroups(reader: Reader): GroupJson[] {
  return byName(
    reader.all(
      build
        .selectFrom('groups')
        .leftJoin('group_members', 'group_id', 'groups.id')
        .select(['groups.id', 'name'])
        .select((of) => of.fn.count<number>('person_id').as('people'))
        .groupBy('groups.id'),
    ),
  );
}

/** Finds kinds or groups by their name, as names are compared, or by their id. */
export class Names<Named extends { id: string; name: string }> {
  readonly #byName: Map<string, Named>;
  readonly #byId: Map<string, Named>;

  constructor(all: readonly Named[]) {
    this.#byName = new Map(all.map((one) => [nameKey(one.name), one]));
    this.#byId = new Map(all.map((one) => [one.id, one]));
  }

  find(nameOrId: string): Named | undefined {
    return this.#byId.get(nameOrId) ?? this.#byName.get(nameKey(nameOrId));
  }

  /** Returns the entry with an id that is known to exist. */
  ofId(id: string): Named {
    return this.#byId.get(id)!;
  }
}

/** @returns the new kind. @throws 400 when the name is taken */
export function createKind(
  ctx: Context,
  input: z.output<typeof KIND.input>,
  actor: Actor,
): Promise<KindJson> {
  return ctx.write((tx) => {
    ensureFree(listKinds(tx), input.name);
    const id = newId(actor.at);
    insertKind(tx, { id, ...input }, actor);
    return getOf(listKinds(tx), id);
  });
}

/** Stores a new kind whose name is free. */
export function insertKind(tx: Tx, { id, name, votes }: Omit<KindJson, 'people'>, actor: Actor): void {
  tx.run(build.insertInto('kinds').values({ id, name, votes: votes ? 1 : 0 }));
  recordAudit(tx, actor, { action: 'kind.created', metadata: { kind: id, name, votes } });
}

/**
 * @throws 404, 400 when the name is taken, 409 when it would get a vote and overlaps another standing with a vote
 */
export function updateKind(
  ctx: Context,
  id: string,
  patch: z.output<typeof KIND.patch>,
  actor: Actor,
): Promise<KindJson> {
  return ctx.write((tx) => {
    const before = getOf(listKinds(tx), id);
    const { name = before.name, votes = before.votes } = patch;
    if (name === before.name && votes === before.votes) return before;
    ensureFree(listKinds(tx), name, id);
    if (votes && !before.votes && liesOverVotes(tx, id))
      throw conflict('two_votes_on_a_day', { kind: before.name });
    tx.run(
      build
        .updateTable('kinds')
        .set({ name, votes: votes ? 1 : 0 })
        .where('id', '=', id),
    );
    recordAudit(tx, actor, { action: 'kind.changed', metadata: { kind: id, name, votes } });
    return { ...before, name, votes };
  });
}

/** @throws 404, 409 while somebody has or had a standing of this kind */
export function deleteKind(ctx: Context, id: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const { name, people } = getOf(listKinds(tx), id);
    if (people > 0) throw inUse(name, people);
    tx.run(build.deleteFrom('kinds').where('id', '=', id));
    recordAudit(tx, actor, { action: 'kind.deleted', metadata: { kind: id, name } });
  });
}

/** @returns the new group. @throws 400 when the name is taken */
export function createGroup(
  ctx: Context,
  { name }: z.output<typeof GROUP.input>,
  actor: Actor,
): Promise<GroupJson> {
  return ctx.write((tx) => {
    ensureFree(listGroups(tx), name);
    const id = newId(actor.at);
    tx.run(build.insertInto('groups').values({ id, name }));
    recordAudit(tx, actor, { action: 'group.created', metadata: { group: id, name } });
    return { id, name, people: 0 };
  });
}

/** @throws 404, 400 when the name is taken */
export function updateGroup(
  ctx: Context,
  id: string,
  { name }: z.output<typeof GROUP.input>,
  actor: Actor,
): Promise<GroupJson> {
  return ctx.write((tx) => {
    const before = getOf(listGroups(tx), id);
    if (name === before.name) return before;
    ensureFree(listGroups(tx), name, id);
    tx.run(build.updateTable('groups').set({ name }).where('id', '=', id));
    recordAudit(tx, actor, { action: 'group.changed', metadata: { group: id, name } });
    return { ...before, name };
  });
}

/** @throws 404, 409 while the group has members */
export function deleteGroup(ctx: Context, id: string, actor: Actor): Promise<void> {
  return ctx.write((tx) => {
    const { name, people } = getOf(listGroups(tx), id);
    if (people > 0) throw inUse(name, people);
    tx.run(build.deleteFrom('groups').where('id', '=', id));
    recordAudit(tx, actor, { action: 'group.deleted', metadata: { group: id, name } });
  });
}

function getOf<Named extends { id: string }>(all: readonly Named[], id: string): Named {
  const found = all.find((one) => one.id === id);
  if (!found) throw notFound('not_found');
  return found;
}

function ensureFree(all: readonly { id: string; name: string }[], name: string, own?: string): void {
  const other = new Names(all.filter(({ id }) => id !== own)).find(name);
  if (other) throw badField('name', 'name_taken');
}

function inUse(name: string, people: number): AppError {
  return conflict('used_by_people', { name, people }, { extra: { people } });
}

/** Whether a standing of this kind overlaps another standing with a vote of the same person. */
function liesOverVotes(tx: Tx, id: string): boolean {
  const found = tx.first(
    build
      .selectFrom('standings as own')
      .innerJoin('standings as other', 'other.person_id', 'own.person_id')
      .innerJoin('kinds', 'kinds.id', 'other.kind_id')
      .select('own.id')
      .where('own.kind_id', '=', id)
      .where('other.kind_id', '!=', id)
      .where('kinds.votes', '=', 1)
      .where((is) =>
        is.or([is('other.last_day', 'is', null), is('own.first_day', '<=', is.ref('other.last_day'))]),
      )
      .where((is) =>
        is.or([is('own.last_day', 'is', null), is('other.first_day', '<=', is.ref('own.last_day'))]),
      )
      .limit(ONE),
  );
  return found !== undefined;
}

const byName = <Named extends { name: string }>(all: Named[]): Named[] =>
  all.sort((a, b) => compareNames(a.name, b.name));
