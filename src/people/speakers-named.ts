import { build, type Reader } from '#kernel/db/queries.ts';
import { isSameName } from '#kernel/names.ts';

/**
 * Who asked to speak under the name of a person: only the name is known of them. Nobody where another person has the same
 * name, because it may be the other one.
 */
export function listSpeakersNamed(reader: Reader, personId: string) {
  const named = reader.all(build.selectFrom('persons').select(['id', 'name']).where('erased_at', 'is', null));
  const name = named.find(({ id }) => id === personId)?.name;
  if (name === undefined || named.some((one) => one.id !== personId && isSameName(one.name, name))) return [];
  return reader
    .all(
      build
        .selectFrom('speakers')
        .innerJoin('meetings', 'meetings.id', 'meeting_id')
        .select(['speakers.id', 'name', 'title', 'held_at', 'speakers.began_at']),
    )
    .filter((speaker) => isSameName(speaker.name, name));
}
