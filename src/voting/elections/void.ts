import type { Selectable } from 'kysely';
import { isoTime } from '#kernel/clock.ts';
import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import type { InvitesTable } from '#kernel/db/schema.ts';
import { flag, requiredText } from '#kernel/http/validation.ts';
import { newId } from '#kernel/ids.ts';
import type { Note } from '#kernel/language/words.ts';
import { CloneInput } from './clone.ts';
import { type Election, electionStatus } from './elections.ts';
import { findTwo, listHistory } from './history.ts';
import { endVoting } from './lifecycle.ts';

export const VoidInput = CloneInput.extend({
  reason: requiredText(300),
  /** Whether a copy is made with the same electors. */
  repeat: flag.default(true),
});

/** The void state of an election, as it is published. */
export interface VoidJson {
  at: string;
  reason: string;
  /** The id of the election that repeats it. */
  repeated_by: string | null;
  /** The two people who declared it void together; absent where one was enough. */
  by?: Note;
}

/** Returns why an election is void and what repeats it; undefined for valid ones. */
export function findVoid(reader: Reader, election: Election): VoidJson | undefined {
  const { id, voided_at, void_reason } = election;
  if (voided_at === null) return undefined;
  const copy = reader.first(build.selectFrom('elections').select('id').where('repeat_of', '=', id));
  const by = findTwo(reader, id, 'election.voided');
  return {
    at: isoTime(voided_at),
    reason: void_reason ?? '',
    repeated_by: copy?.id ?? null,
    ...(by !== undefined && { by }),
  };
}

/** Makes a question of a meeting void. The figures of a closed one are published. @param by the two who do it */
export function voidByChair(
  tx: Tx,
  election: Election,
  reason: string,
  actor: Actor,
  by?: { by_two: readonly string[] },
): void {
  const isClosed = endAsVoid(tx, election, reason, actor);
  recordVoid(tx, election.id, { reason, isClosed, copy: null, by }, actor);
}

/** Ends voting on what is declared void. @returns whether it was closed before */
export function endAsVoid(tx: Tx, election: Election, reason: string, actor: Actor): boolean {
  const { id } = election;
  const isClosed = electionStatus(election, actor.at) === 'closed';
  if (!isClosed) {
    endVoting(tx, id, actor.at);
    recordAudit(tx, actor, { action: 'election.closed', election_id: id });
  }
  const set = {
    voided_at: actor.at,
    void_reason: reason,
    ...(isClosed && { announced_at: election.announced_at ?? actor.at }),
  };
  tx.run(build.updateTable('elections').set(set).where('id', '=', id));
  return isClosed;
}

/** Records that an election is void. @param seen the figures that were public before */
export function recordVoid(
  tx: Tx,
  id: string,
  {
    reason,
    isClosed,
    copy,
    by,
    seen,
  }: {
    reason: string;
    isClosed: boolean;
    copy: string | null;
    by?: object | undefined;
    seen?: string | undefined;
  },
  actor: Actor,
): void {
  const metadata = {
    ...(copy !== null && { repeated_by: copy }),
    while: isClosed ? 'closed' : 'open',
    ...by,
    ...(seen !== undefined && { figures_before: seen }),
  };
  recordAudit(tx, actor, { action: 'election.voided', election_id: id, metadata, personal: { reason } });
}

/** The figures of the close before a re-opening, if everybody had seen them. */
export function figuresBeforeReopening(tx: Tx, id: string): string | undefined {
  const [reopened] = listHistory(tx, id, ['election.reopened']).slice(-1);
  const { set_aside } = (reopened?.metadata ?? {}) as { set_aside?: { figures?: string } | null };
  return set_aside?.figures;
}

type Copied = Pick<Election, 'id' | 'paper_id'>;

/** What has the electors of an election: a question of a paper has those of the paper. */
const issuerOf = ({ id, paper_id }: Copied): string => paper_id ?? id;

/** An invitation that says whose code it has: unnamed slips are only counted, see `countUnnamed`. */
const isNamed = ({
  email,
  person_id,
  recipient_name,
}: Pick<Selectable<InvitesTable>, 'email' | 'person_id' | 'recipient_name'>) =>
  email !== '' || person_id !== null || recipient_name !== null;

/** How many had codes of which nobody knows whose they are: printed ones, or on slips without a name. */
export function countUnnamed(reader: Reader, election: Copied): number {
  const of = issuerOf(election);
  const named = build
    .selectFrom('invites')
    .select('token_hash')
    .where('election_id', '=', of)
    .where('token_hash', 'is not', null)
    .where((is) =>
      is.or([is('email', '!=', ''), is('person_id', 'is not', null), is('recipient_name', 'is not', null)]),
    );
  const { n } = reader.first(
    build
      .selectFrom('tokens')
      .select((count) => count.fn.countAll<number>().as('n'))
      .where('election_id', '=', of)
      .where('token_hash', 'not in', named.$castTo<{ token_hash: string }>()),
  )!;
  return n;
}

/** How many electors of a copy get their code by mail, and how many on a slip. */
export function countCopied(reader: Reader, election: Copied): { mails: number; slips: number } {
  const copied = listCopied(reader, election);
  const mails = copied.filter(({ email }) => email !== '').length;
  return { mails, slips: copied.length - mails + countUnnamed(reader, election) };
}

/** The invitations that a copy takes over. Withdrawn and erased ones stay behind. */
const listCopied = (reader: Reader, election: Copied) =>
  reader
    .all(
      build
        .selectFrom('invites')
        .select(['person_id', 'email', 'mode', 'recipient_name', 'status'])
        .where('election_id', '=', issuerOf(election))
        .where('withdrawn_at', 'is', null)
        .where('email', 'not like', 'erased:%'),
    )
    // An empty address is a slip, or a person who was erased.
    .filter((invite) => isNamed(invite) && (invite.email !== '' || invite.status === 'SLIP'));

/** Copies the electors and the invitations, which wait without a code. */
export function copyElectors(tx: Tx, election: Copied, to: string, actor: Actor): void {
  const { at } = actor;
  const from = issuerOf(election);
  const electors = tx.all(build.selectFrom('electors').selectAll().where('election_id', '=', from));
  for (const elector of electors)
    tx.run(build.insertInto('electors').values({ ...elector, election_id: to, added_at: at }));
  if (electors.length > 0) {
    const metadata = { count: electors.length, late: false };
    recordAudit(tx, actor, { action: 'electors.added', election_id: to, metadata });
  }
  for (const { status: _, ...invite } of listCopied(tx, election)) {
    const waiting = { status: 'PREPARED', token_hash: null, token_plaintext: null } as const;
    const times = { created_at: at, sent_at: null, error: null };
    tx.run(
      build.insertInto('invites').values({ ...invite, ...waiting, ...times, id: newId(at), election_id: to }),
    );
  }
}
