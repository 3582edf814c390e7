import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { findPersonOf } from '#kernel/access/person-roles.ts';
import { ensureSudo } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField, conflict, forbidden, notFound } from '#kernel/http/errors.ts';
import { newId } from '#kernel/ids.ts';
import { localDate } from '#kernel/local-time.ts';
import { compareNames } from '#kernel/locale.ts';
import { insertRollPeople } from './insert-rows.ts';
import { listGroups, listKinds, Names } from './kinds-and-groups.ts';
import { applyInput, NOBODY, type PersonInput, type PersonPatch, type Vocabulary } from './person-input.ts';
import { loadPeople, loadRoles, type RollPerson } from './records.ts';
import { findPeople, type PeopleFilter } from './search.ts';
import { type Standing, standingOn } from './standings.ts';
import { differences, updateRollPerson } from './write-person.ts';

/** A standing as JSON. */
export interface StandingJson {
  kind: string;
  first_day: string;
  last_day: string | null;
}

/** A person in a list. `standing` is the standing on the day of the list. */
export interface PersonJson {
  id: string;
  name: string;
  called: string | null;
  number: string | null;
  addresses: { email: string; primary: boolean; verified: boolean }[];
  standing: StandingJson | null;
  groups: string[];
  roles: string[];
  version: number;
}

export interface FullPersonJson extends PersonJson {
  note: string | null;
  standings: StandingJson[];
}

/** The user who changes a person, and their permissions. Staff addresses need `mayChangeRoles`, except one's own. */
export interface Editor {
  actor: Actor;
  /** The editor's own id, if they are on the roll. */
  person: string | undefined;
  mayChangeRoles: boolean;
  /** @throws 403 when the session needs a fresh proof (sudo) first */
  ensureSudo: () => void;
}

/** Returns the editor of a request: the signed-in person, or the one named by the access edge. */
export function editorOf(ctx: Context, request: FastifyRequest): Editor {
  const { identity, session } = request;
  const actor = actorOf(request, ctx.now);
  return {
    actor,
    person: session?.person_id ?? (identity && findPersonOf(ctx.db, identity.who, actor.at)),
    mayChangeRoles: identity?.permissions.has('roles:write') ?? false,
    ensureSudo: () => ensureSudo(ctx, request),
  };
}

/** Today in TIME_ZONE, as an ISO date. */
export const todayOf = ({ config, now }: Pick<Context, 'config' | 'now'>): string =>
  localDate(now(), config.TIME_ZONE);

export const readVocabulary = (reader: Reader): Vocabulary => ({
  kinds: new Names(listKinds(reader)),
  groups: new Names(listGroups(reader)),
});

/** Returns a page of the roll, and the number of matches. @throws 400 when a kind or group is unknown */
export function listPeople(
  ctx: Context,
  filter: PeopleFilter,
  { limit, offset }: { limit: number; offset: number },
): { people: PersonJson[]; total: number } {
  const today = todayOf(ctx);
  const { ids, total } = findPeople(ctx.db, filter, { today, limit, offset });
  const [vocabulary, roles] = [readVocabulary(ctx.db), loadRoles(ctx.db, ids, ctx.now())];
  const people = loadPeople(ctx.db, ids).map((person) =>
    personJson(person, vocabulary, roles.get(person.id), filter.on ?? today),
  );
  return { people, total };
}

/** @throws 404 for unknown and erased people */
export function getPerson(ctx: Context, id: string): FullPersonJson {
  return fullPerson(ctx, ctx.db, id);
}

/** @throws 400, see `applyInput`, and when the number belongs to somebody else */
export function createRollPerson(
  ctx: Context,
  input: z.output<typeof PersonInput>,
  { actor }: Editor,
): Promise<FullPersonJson> {
  return ctx.write((tx) => {
    const id = newId(actor.at);
    const person = applyInput({ ...NOBODY, id, name: input.name }, input, readVocabulary(tx));
    ensureOwnNumber(tx, person);
    insertRollPeople(tx, [person], actor);
    recordAudit(tx, actor, { action: 'person.created', metadata: { person: id } });
    return fullPerson(ctx, tx, id);
  });
}

/**
 * @throws 404; 409 with the stored person when `version` is not the current one; 403 for the addresses of staff; 400
 * as `createRollPerson`
 */
export function updatePerson(
  ctx: Context,
  id: string,
  { version, ...patch }: z.output<typeof PersonPatch>,
  editor: Editor,
): Promise<FullPersonJson> {
  const { actor } = editor;
  return ctx.write((tx) => {
    const before = getStored(tx, id);
    if (before.version !== version)
      throw conflict('person_changed_meanwhile', {}, { extra: { person: fullPerson(ctx, tx, id) } });
    const after = applyInput(before, patch, readVocabulary(tx));
    ensureOwnNumber(tx, after);
    if (differences(before, after).includes('addresses')) ensureMayChangeAddresses(tx, after, editor);
    const fields = updateRollPerson(tx, before, after, actor);
    if (fields.length > 0)
      recordAudit(tx, actor, { action: 'person.changed', metadata: { person: id, fields } });
    return fullPerson(ctx, tx, id);
  });
}

function getStored(reader: Reader, id: string): RollPerson {
  const [person] = loadPeople(reader, [id]);
  if (!person) throw notFound('person_not_found');
  return person;
}

function fullPerson(ctx: Context, reader: Reader, id: string): FullPersonJson {
  const person = getStored(reader, id);
  const vocabulary = readVocabulary(reader);
  const roles = loadRoles(reader, [id], ctx.now()).get(id);
  return {
    ...personJson(person, vocabulary, roles, todayOf(ctx)),
    note: person.note,
    standings: person.standings.map((standing) => standingJson(standing, vocabulary.kinds)),
  };
}

function personJson(
  { id, name, called, number, addresses, standings, groups, version }: RollPerson,
  vocabulary: Vocabulary,
  roles: string[] = [],
  on: string,
): PersonJson {
  const standing = standingOn(standings, on);
  return {
    id,
    name,
    called,
    number,
    addresses: addresses.map(({ email, primary, verified_at }) => ({
      email,
      primary,
      verified: verified_at !== null,
    })),
    standing: standing ? standingJson(standing, vocabulary.kinds) : null,
    groups: groups.map((group) => vocabulary.groups.ofId(group).name).sort(compareNames),
    roles,
    version,
  };
}

/** Converts a stored standing to JSON. */
export function standingJson(
  { kind_id, first_day, last_day }: Standing,
  kinds: Vocabulary['kinds'],
): StandingJson {
  return { kind: kinds.ofId(kind_id).name, first_day, last_day };
}

function ensureOwnNumber(tx: Tx, { id, number }: RollPerson): void {
  if (number === null) return;
  const other = tx.first(
    build.selectFrom('persons').select('id').where('number', '=', number).where('id', '!=', id),
  );
  if (other) throw badField('number', 'number_taken');
}

/**
 * A new address allows a sign-in by its mail, so for staff it would give away their roles.
 * @throws 403, also when a fresh proof (sudo) is needed first; 409 when staff would have no address left
 */
function ensureMayChangeAddresses(tx: Tx, { id, addresses }: RollPerson, editor: Editor): void {
  editor.ensureSudo();
  if (!loadRoles(tx, [id], editor.actor.at).has(id)) return;
  if (editor.person !== id && !editor.mayChangeRoles) throw forbidden('staff_keep_addresses');
  if (addresses.length === 0) throw conflict('role_needs_address');
}
