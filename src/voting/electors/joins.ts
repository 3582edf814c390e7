import type { JoinBuilder } from 'kysely';
import type { Database } from '#kernel/db/schema.ts';

type Join<Table extends keyof Database> = JoinBuilder<Database, Table>;

/** Joins an invite and the elector who got it. */
export const electorOfInvite = (join: Join<'electors' | 'invites'>) =>
  join
    .onRef('electors.election_id', '=', 'invites.election_id')
    .onRef('electors.person_id', '=', 'invites.person_id');

/** Joins an invite and the voting code that was sent with it. */
export const codeOfInvite = (join: Join<'tokens' | 'invites'>) =>
  join
    .onRef('tokens.election_id', '=', 'invites.election_id')
    .onRef('tokens.token_hash', '=', 'invites.token_hash');
