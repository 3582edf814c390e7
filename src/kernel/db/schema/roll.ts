/** The tables of the roll of members. Days are ISO dates in TIME_ZONE. */
export interface RollTables {
  kinds: KindsTable;
  standings: StandingsTable;
  groups: GroupsTable;
  group_members: GroupMembersTable;
}

/** A kind of membership, as the club calls it. */
export interface KindsTable {
  id: string;
  name: string;
  votes: 0 | 1;
}

/** That a person is a member of one kind. */
export interface StandingsTable {
  id: string;
  person_id: string;
  kind_id: string;
  first_day: string;
  /** Inclusive; null: no end is known. */
  last_day: string | null;
}

export interface GroupsTable {
  id: string;
  name: string;
}

export interface GroupMembersTable {
  person_id: string;
  group_id: string;
}
