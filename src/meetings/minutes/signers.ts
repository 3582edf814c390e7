import type { Reader } from '#kernel/db/queries.ts';
import { badField } from '#kernel/http/errors.ts';
import { isSameName } from '#kernel/names.ts';
import { searchPeople } from '#meetings/door/people.ts';
import type { Meeting, StoredSigners } from '#meetings/meetings.ts';
import { findSigner } from './facts.ts';

/** Looks the two persons up. @throws 400 where nobody or several match, or both are one person */
export function readSigners(
  reader: Reader,
  meeting: Pick<Meeting, 'chair_id' | 'secretary_id'>,
  { chair, secretary }: { chair?: string | null | undefined; secretary?: string | null | undefined },
): StoredSigners {
  const signers: StoredSigners = {
    ...(chair !== undefined && { chair_id: findPersonBy(reader, 'chair', chair) }),
    ...(secretary !== undefined && { secretary_id: findPersonBy(reader, 'secretary', secretary) }),
  };
  const { chair_id, secretary_id } = { ...meeting, ...signers };
  if (chair_id !== null && chair_id === secretary_id)
    throw badField(secretary === undefined ? 'chair' : 'secretary', 'same_signer');
  return signers;
}

const FOUND_AT_MOST = 100;

/** The id of a person by id, name or number. @throws 400 naming the field where nobody or several match */
export function findPersonBy(reader: Reader, field: string, text: string | null): string | null {
  if (text === null) return null;
  if (findSigner(reader, text)) return text;
  const { people } = searchPeople(reader, { q: text, from: null, to: null }, new Map(), FOUND_AT_MOST);
  const exact = people.filter(({ name, number }) => isSameName(name, text) || number === text);
  const [found, ...others] = exact.length > 0 ? exact : people;
  if (!found) throw badField(field, 'no_such_person');
  if (others.length > 0) throw badField(field, 'several_people');
  return found.id;
}
