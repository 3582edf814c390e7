import { build, prepare, type Reader } from './queries.ts';

const owners = prepare((p: { now: number }) =>
  build
    .selectFrom('person_roles')
    .select('person_id')
    .where('role', '=', 'owner')
    .where((is) => is.or([is('until', 'is', null), is('until', '>', p.now)])),
);

/** Whether nobody is an owner: then the first one can be created with the code that the service prints. */
export const isWithoutOwner = (reader: Reader, now: number): boolean => listOwners(reader, now).length === 0;

/** The ids of the current owners. */
export function listOwners(reader: Reader, now: number): string[] {
  return reader.all(owners({ now })).map(({ person_id }) => person_id);
}
