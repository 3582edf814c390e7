import { isoTime } from '#kernel/clock.ts';
import { build, type Reader } from '#kernel/db/queries.ts';
import { listProposalsOf, listSpeakersNamed } from '#people/named-alone.ts';
import { votedOn } from '#people/voted-on.ts';

const time = (at: number | null): string | null => (at === null ? null : isoTime(at));

/** The person whose data are read. */
export interface Owner {
  id: string;
  /** The addresses that no other person has: data under a shared address may belong to the other person. */
  emails: readonly string[];
  now: number;
}

/**
 * What each table with a `person_id` or an address holds about a person. A test compares it with the schema: every such
 * table must have an entry here, or in `NOT_EXPORTED` the reason why not.
 */
export const OWN_TABLES = {
  addresses: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('addresses').selectAll().where('person_id', '=', id).orderBy('email'))
      .map(({ email, is_primary, verified_at, added_at }) => ({
        email,
        primary: is_primary === 1,
        verified_at: time(verified_at),
        added_at: time(added_at),
      })),
  former_addresses: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('former_addresses').selectAll().where('person_id', '=', id).orderBy('email'))
      .map(({ email, ended_at }) => ({ email, ended_at: time(ended_at) })),
  standings: (reader: Reader, { id }: Owner) =>
    reader.all(
      build
        .selectFrom('standings')
        .innerJoin('kinds', 'kinds.id', 'kind_id')
        .select(['name as kind', 'votes', 'first_day', 'last_day'])
        .where('person_id', '=', id)
        .orderBy('first_day'),
    ),
  group_members: (reader: Reader, { id }: Owner) =>
    reader.all(
      build
        .selectFrom('group_members')
        .innerJoin('groups', 'groups.id', 'group_id')
        .select('name as group')
        .where('person_id', '=', id)
        .orderBy('name'),
    ),
  person_roles: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('person_roles').selectAll().where('person_id', '=', id).orderBy('role'))
      .map(({ role, granted_at, until }) => ({ role, granted_at: time(granted_at), until: time(until) })),
  sessions: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('sessions').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ method, created_at, seen_at, browser, network }) => ({
        method,
        browser,
        network,
        created_at: time(created_at),
        seen_at: time(seen_at),
      })),
  recovery_codes: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('recovery_codes').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ created_at, used_at }) => ({ created_at: time(created_at), used_at: time(used_at) })),
  passkeys: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('passkeys').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ name, rp_id, backed_up, created_at, used_at }) => ({
        name,
        made_for: rp_id,
        synced: backed_up === 1,
        created_at: time(created_at),
        used_at: time(used_at),
      })),
  oidc_links: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('oidc_links').selectAll().where('person_id', '=', id).orderBy('created_at'))
      .map(({ issuer, subject, created_at }) => ({ issuer, subject, created_at: time(created_at) })),
  club_setup: (reader: Reader, { id }: Owner) =>
    reader
      .all(build.selectFrom('club_setup').select('at').where('person_id', '=', id))
      .map(({ at }) => ({ set_up_the_club_at: time(at) })),
  import_changes: (reader: Reader, { id }: Owner) =>
    reader
      .all(
        build
          .selectFrom('import_changes')
          .innerJoin('import_batches', 'import_batches.id', 'batch_id')
          .select(['batch_id', 'at', 'before'])
          .where('person_id', '=', id)
          .orderBy('batch_id'),
      )
      .map(({ batch_id, at, before }) => ({
        batch: batch_id,
        at: time(at),
        before: before === null ? null : JSON.parse(before),
      })),
  electors: (reader: Reader, { id }: Owner) =>
    reader
      .all(
        build
          .selectFrom('electors')
          .innerJoin(votedOn.as('voted_on'), 'voted_on.id', 'election_id')
          .select(['title', 'name', 'email', 'standing', 'as_of', 'added_at'])
          .where('person_id', '=', id)
          .orderBy('added_at'),
      )
      .map(({ title, added_at, ...elector }) => ({ election: title, ...elector, added_at: time(added_at) })),
  invites: (reader: Reader, { id, emails, now }: Owner) =>
    reader
      .all(
        build
          .selectFrom('invites')
          .innerJoin(votedOn.as('voted_on'), 'voted_on.id', 'invites.election_id')
          .leftJoin('tokens', (join) =>
            join
              .onRef('tokens.election_id', '=', 'invites.election_id')
              .onRef('tokens.token_hash', '=', 'invites.token_hash'),
          )
          .select(['title', 'email', 'recipient_name', 'mailed_at', 'used_at', 'closed_at', 'close_at'])
          .where((is) =>
            is.or([
              is('person_id', '=', id),
              is.and([is('person_id', 'is', null), is('email', 'in', emails)]),
            ]),
          )
          .orderBy('invites.created_at'),
      )
      .map(({ title, email, recipient_name: name, mailed_at, used_at, closed_at, close_at }) => ({
        election: title,
        email,
        ...(name !== null && { name }),
        mailed_at: time(mailed_at),
        // Only whether, never when. Null until voting is over: people who keep the roll may not see the elections.
        voted: closed_at !== null || close_at <= now ? used_at !== null : null,
      })),
  /** Mails with results, under the name that they always had here. */
  mailing_mails: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('outbox')
          .innerJoin(votedOn.as('voted_on'), 'voted_on.id', 'outbox.ref')
          .select(['title', 'email', 'state', 'ended_at'])
          .where('email', 'in', emails)
          .where('kind', '=', 'results')
          .orderBy('outbox.created_at'),
      )
      .map(({ title, email, state, ended_at }) => ({
        result_of: title,
        email,
        mailed_at: state === 'SENT' ? time(ended_at) : null,
      })),
  outbox: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('outbox')
          .select(['kind', 'email', 'created_at', 'ended_at', 'state'])
          .where('email', 'in', emails)
          .where('kind', '!=', 'results')
          .orderBy('created_at'),
      )
      .map(({ kind, email, created_at, ended_at, state }) => ({
        mail: kind,
        email,
        created_at: time(created_at),
        mailed_at: state === 'SENT' ? time(ended_at) : null,
      })),
  magic_links: (reader: Reader, { emails }: Owner) =>
    reader
      .all(build.selectFrom('magic_links').select(['email', 'created_at']).where('email', 'in', emails))
      .map(({ email, created_at }) => ({ email, mailed_at: time(created_at) })),
  distribution_list_emails: (reader: Reader, { emails }: Owner) =>
    reader.all(
      build
        .selectFrom('distribution_list_emails')
        .innerJoin('distribution_lists', 'distribution_lists.id', 'list_id')
        .select(['email', 'distribution_list_emails.name', 'distribution_lists.name as list'])
        .where('email', 'in', emails)
        .orderBy('list'),
    ),
  attendance: (reader: Reader, { id }: Owner) =>
    reader
      .all(
        build
          .selectFrom('attendance')
          .innerJoin('meetings', 'meetings.id', 'meeting_id')
          .select(['title', 'held_at', 'attendance.state'])
          .where('person_id', '=', id)
          .orderBy('held_at'),
      )
      .map(({ title, held_at, state }) => ({
        meeting: title,
        held_at: time(held_at),
        left: state === 'out',
      })),
  door_numbers: (reader: Reader, { id }: Owner) =>
    reader.all(
      build
        .selectFrom('door_numbers')
        .innerJoin('meetings', 'meetings.id', 'meeting_id')
        .select(['title as meeting', 'door_numbers.number'])
        .where('person_id', '=', id)
        .orderBy('held_at'),
    ),
  item_holders: (reader: Reader, { id }: Owner) =>
    reader.all(
      build
        .selectFrom('item_holders')
        .innerJoin('meeting_items', 'meeting_items.id', 'item_id')
        .select('title as open_item')
        .where('person_id', '=', id)
        .orderBy('title'),
    ),
  proxies: (reader: Reader, { id }: Owner) =>
    reader.all(
      build
        .selectFrom('proxies')
        .innerJoin('meetings', 'meetings.id', 'meeting_id')
        .select(['title as meeting', 'document', 'proxies.state'])
        .select((of) => of('giver_id', '=', id).as('gave'))
        .where((is) => is.or([is('giver_id', '=', id), is('holder_id', '=', id)]))
        .orderBy('held_at'),
    ),
  /** Meetings whose minutes they sign. */
  meetings: (reader: Reader, { id }: Owner) =>
    reader
      .all(
        build
          .selectFrom('meetings')
          .select(['title', 'held_at'])
          .select((of) => of('chair_id', '=', id).as('chairs'))
          .where((is) => is.or([is('chair_id', '=', id), is('secretary_id', '=', id)]))
          .orderBy('held_at'),
      )
      .map(({ title, held_at, chairs }) => ({
        meeting: title,
        held_at: time(held_at),
        named_as: chairs ? 'chair' : 'minute taker',
      })),
  minutes_signatures: (reader: Reader, { id }: Owner) =>
    reader
      .all(
        build
          .selectFrom('minutes_signatures')
          .innerJoin('meetings', 'meetings.id', 'meeting_id')
          .select(['title', 'version', 'role', 'name', 'signed_at'])
          .where('person_id', '=', id)
          .orderBy('signed_at'),
      )
      .map(({ title, version, role, name, signed_at }) => ({
        meeting: title,
        version,
        signed_as: role,
        name,
        signed_at: time(signed_at),
      })),
  /** Only a name: see `listSpeakersNamed`. */
  speakers: (reader: Reader, { id }: Owner) =>
    listSpeakersNamed(reader, id).map(({ title, name, held_at }) => ({
      meeting: title,
      held_at: time(held_at),
      asked_to_speak_as: name,
    })),
  nominations: (reader: Reader, { id, emails }: Owner) => [
    ...listProposalsOf(reader, id).map(({ title, name, created_at }) => ({
      office: title,
      name,
      proposed_by_them: true,
      nominated_at: time(created_at),
    })),
    ...reader
      .all(
        build
          .selectFrom('nominations')
          .innerJoin('meeting_items', 'meeting_items.id', 'item_id')
          .selectAll('nominations')
          .select('title')
          .where('email', 'in', emails)
          .orderBy('created_at'),
      )
      .map(({ title, name, email, text, proposer, picture, reason, decision, ...times }) => ({
        office: title,
        name,
        email,
        text,
        proposer,
        picture: picture !== null,
        decision,
        reason,
        nominated_at: time(times.created_at),
        confirmed_at: time(times.consented_at),
        withdrawn_at: time(times.withdrawn_at),
        decided_at: time(times.decided_at),
      })),
  ],
  nomination_seconders: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('nomination_seconders')
          .innerJoin('nominations', 'nominations.id', 'nomination_id')
          .innerJoin('meeting_items', 'meeting_items.id', 'item_id')
          .select(['title', 'nominations.name', 'nomination_seconders.email', 'seconded_at'])
          .where('nomination_seconders.email', 'in', emails),
      )
      .map(({ title, name, email, seconded_at }) => ({
        office: title,
        nominee: name,
        email,
        seconded_at: time(seconded_at),
      })),
  motions: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('motions')
          .innerJoin('meetings', 'meetings.id', 'meeting_id')
          .selectAll('motions')
          .select('meetings.title as meeting')
          .where('email', 'in', emails)
          .orderBy('created_at'),
      )
      .map(({ meeting, name, email, title, text, reason, decision, decision_reason, ...times }) => ({
        meeting,
        name,
        email,
        title,
        text,
        reason,
        decision,
        decision_reason,
        handed_in_at: time(times.created_at),
        confirmed_at: time(times.consented_at),
        withdrawn_at: time(times.withdrawn_at),
        decided_at: time(times.decided_at),
      })),
  motion_seconders: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('motion_seconders')
          .innerJoin('motions', 'motions.id', 'motion_id')
          .innerJoin('meetings', 'meetings.id', 'meeting_id')
          .select(['meetings.title as meeting', 'motions.title as motion', 'motion_seconders.email'])
          .select(['motion_seconders.name', 'seconded_at'])
          .where('motion_seconders.email', 'in', emails),
      )
      .map(({ seconded_at, ...row }) => ({ ...row, seconded_at: time(seconded_at) })),
  sign_ins: (reader: Reader, { emails }: Owner) =>
    reader
      .all(build.selectFrom('sign_ins').select(['email', 'created_at']).where('email', 'in', emails))
      .map(({ email, created_at }) => ({ email, asked_at: time(created_at) })),
  subscribers: (reader: Reader, { emails }: Owner) =>
    reader
      .all(build.selectFrom('subscribers').selectAll().where('email', 'in', emails))
      .map(({ id, calendar_id: calendar, email, name, client, ...times }) => ({
        calendar,
        email,
        name,
        client,
        links: listFeedLinks(reader, id),
        created_at: time(times.created_at),
        verified_at: time(times.verified_at),
        last_access_at: time(times.last_access_at),
        left_at: time(times.left_at),
        disabled_at: time(times.disabled_at),
      })),
  verifications: (reader: Reader, { emails }: Owner) =>
    reader
      .all(build.selectFrom('verifications').selectAll().where('email', 'in', emails))
      .map(({ calendar_id: calendar, email, name, created_at, consumed_at }) => ({
        calendar,
        email,
        name,
        asked_at: time(created_at),
        confirmed_at: time(consumed_at),
      })),
  feedback: (reader: Reader, { emails }: Owner) =>
    reader
      .all(
        build
          .selectFrom('feedback')
          .select(['created_at', 'message', 'rating', 'name', 'contact'])
          .where((is) => is.fn<string>('lower', ['contact']), 'in', emails),
      )
      .map(({ created_at, ...row }) => ({ ...row, written_at: time(created_at) })),
} as const;

export const EXPORTED_TABLES = Object.keys(OWN_TABLES);

/** Tables with a `person_id` or an address that are not exported, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  passkey_challenges: 'random numbers, for five minutes',
  oidc_flows: 'ways to the provider and back, for ten minutes',
};

/** The personal links to a feed, without their secret, with the networks that read them. */
function listFeedLinks(reader: Reader, subscriberId: string): object[] {
  const links = reader.all(
    build
      .selectFrom('feed_tokens')
      .selectAll()
      .where('subscriber_id', '=', subscriberId)
      .orderBy('created_at'),
  );
  return links.map(({ id, last_four, created_at, expires_at, revoked_at }) => ({
    last_four,
    created_at: time(created_at),
    expires_at: time(expires_at),
    revoked_at: time(revoked_at),
    reads: reader
      .all(
        build
          .selectFrom('feed_accesses')
          .select(['at', 'client', 'address as network'])
          .where('token_id', '=', id)
          .orderBy('at'),
      )
      .map(({ at, ...read }) => ({ ...read, at: time(at) })),
  }));
}
