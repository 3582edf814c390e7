import { adminPath, type Named } from '#views/voting/words.ts';

/** Which invitations the list of an election or a ballot paper shows. */
export interface InvitesQuery {
  filter?: string | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  batch?: string | undefined;
  page?: number | undefined;
}

/** The address of the list of invitations; default values are left out. */
export function invitesPath(
  of: Pick<Named, 'id' | 'isPaper'>,
  { filter, q, sort, batch, page = 1 }: InvitesQuery = {},
): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(filter && filter !== 'all' && { filter }),
    ...(sort && sort !== 'address' && { sort }),
    ...(batch && { batch }),
    ...(page > 1 && { page: String(page) }),
  }).toString();
  return `${adminPath(of, 'invitations')}${query && `?${query}`}`;
}
