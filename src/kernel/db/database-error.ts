/** What an operator can mend, in one line. */
export class DatabaseError extends Error {}

/** Another process serves it. */
export class DatabaseInUse extends DatabaseError {}
