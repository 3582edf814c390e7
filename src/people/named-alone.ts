import { build, type Reader } from '#kernel/db/queries.ts';
import { isSameName } from '#kernel/names.ts';

/**
 * Whether a name is that of a person, and of nobody else on the roll: of a speaker or a proposer only the name is known,
 * and it may be another person of that name.
 */
function nameTest(reader: Reader, personId: string): (name: string) => boolean {
  const named = reader.all(build.selectFrom('persons').select(['id', 'name']).where('erased_at', 'is', null));
  const name = named.find(({ id }) => id === personId)?.name;
  if (name === undefined || named.some((one) => one.id !== personId && isSameName(one.name, name)))
    return () => false;
  return (other) => isSameName(other, name);
}

/** Who asked to speak under the name of a person. */
export function listSpeakersNamed(reader: Reader, personId: string) {
  const isTheirs = nameTest(reader, personId);
  return reader
    .all(
      build
        .selectFrom('speakers')
        .innerJoin('meetings', 'meetings.id', 'meeting_id')
        .select(['speakers.id', 'name', 'title', 'held_at', 'speakers.began_at']),
    )
    .filter((speaker) => isTheirs(speaker.name));
}

/** The nominations of others that were proposed under the name of a person. */
export function listProposalsOf(reader: Reader, personId: string) {
  const isTheirs = nameTest(reader, personId);
  return reader
    .all(
      build
        .selectFrom('nominations')
        .innerJoin('meeting_items', 'meeting_items.id', 'item_id')
        .select(['nominations.id', 'nominations.name', 'proposer', 'title', 'nominations.created_at']),
    )
    .filter(({ proposer }) => proposer !== null && isTheirs(proposer));
}
