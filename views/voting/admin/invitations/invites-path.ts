import { adminElectionPath } from '#views/voting/words.ts';

/** Which invitations of an election its list shows. */
export interface InvitesQuery {
  filter?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  page?: number | undefined;
}

/** The address of the list of an election's invitations; default values are left out. */
export function invitesPath(electionId: string, { filter, q, sort, page = 1 }: InvitesQuery = {}): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(filter && filter !== 'all' && { filter }),
    ...(sort && sort !== 'address' && { sort }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return `${adminElectionPath(electionId, 'invitations')}${query && `?${query}`}`;
}
