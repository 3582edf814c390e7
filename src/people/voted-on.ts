import { build } from '#kernel/db/queries.ts';

const FIELDS = ['id', 'title', 'close_at', 'closed_at'] as const;

/** Elections and ballot papers: what the tables of electors and invitations mean by `election_id`. */
export const votedOn = build
  .selectFrom('elections')
  .select(FIELDS)
  .unionAll(build.selectFrom('papers').select(FIELDS));
