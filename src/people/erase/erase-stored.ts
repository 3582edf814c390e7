import { type Actor, recordAudit } from '#kernel/db/audit.ts';
import { countFixedEntries } from '#kernel/db/audit-personal.ts';
import { listOwners } from '#kernel/db/owners.ts';
import { build, type Reader, type Tx } from '#kernel/db/queries.ts';
import { conflict, notFound } from '#kernel/http/errors.ts';
import { t } from '#kernel/language/message.ts';
import { commas } from '#kernel/language/times.ts';
import { listOwnEmails } from '#people/persons.ts';
import { votedOn } from '#people/voted-on.ts';
import { type ErasedPerson, eraseRows } from './tables.ts';

export interface Erased {
  erased_at: number;
  /** Number of audit log entries that name the person and cannot be erased, because an earlier version made them. */
  entries_kept: number;
}

/**
 * Erases a person's data in a transaction; their row stays, with the time of the erasure. Audited.
 * @throws 404; 409 for the last owner, and while an unfinished election has the person as an elector or invitee
 */
export function eraseStored(tx: Tx, id: string, actor: Actor): Erased {
  const stored = tx.first(build.selectFrom('persons').select('erased_at').where('id', '=', id));
  if (!stored || stored.erased_at !== null) throw notFound('person_not_found');
  const owners = listOwners(tx, actor.at);
  if (owners.length === 1 && owners[0] === id) throw conflict('last_owner_not_erased');
  const person = { id, emails: listOwnEmails(tx, id), at: actor.at };
  const elections = listElectionsOf(tx, person);
  if (elections.length > 0) {
    const titles = commas(elections.map(({ title }) => t('common.quoted', { text: title }))) ?? '';
    throw conflict('in_open_election', { titles }, { extra: { elections } });
  }
  const entries_kept = countFixedEntries(tx, person);
  // The entry comes first, so that the erasure also covers it when people erase themselves.
  recordAudit(tx, actor, { action: 'person.erased', metadata: { person: id, entries_kept } });
  eraseRows(tx, person);
  return { erased_at: actor.at, entries_kept };
}

/**
 * Elections and ballot papers that are not over and have a person as an elector or have invited one of their addresses, unless the voting
 * code was deleted. Used codes count too: otherwise the answer would reveal during voting who has voted.
 */
function listElectionsOf(reader: Reader, { id, emails, at }: ErasedPerson): { id: string; title: string }[] {
  const unfinished = build
    .selectFrom(votedOn.as('voted_on'))
    .select(['voted_on.id', 'title'])
    .where('closed_at', 'is', null)
    .where('close_at', '>', at);
  const invited = unfinished
    .innerJoin('invites', 'invites.election_id', 'voted_on.id')
    .leftJoin('tokens', (join) =>
      join
        .onRef('tokens.election_id', '=', 'invites.election_id')
        .onRef('tokens.token_hash', '=', 'invites.token_hash'),
    )
    .where((is) =>
      is.or([is('person_id', '=', id), is.and([is('person_id', 'is', null), is('email', 'in', emails)])]),
    )
    .where((is) => is.or([is('tokens.token_hash', 'is not', null), is('status', '=', 'QUEUED')]));
  const withoutInvite = unfinished
    .innerJoin('electors', 'electors.election_id', 'voted_on.id')
    .where('electors.person_id', '=', id)
    .where((is) =>
      is.not(
        is.exists(
          is
            .selectFrom('invites')
            .select('invites.id')
            .whereRef('invites.election_id', '=', 'electors.election_id')
            .whereRef('invites.person_id', '=', 'electors.person_id'),
        ),
      ),
    );
  return reader.all(invited.union(withoutInvite).orderBy('title'));
}
