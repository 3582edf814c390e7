import type { SqlBool } from 'kysely';
import type { Session, SignedIn } from '#kernel/access/sessions.ts';
import { isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { displayAddress } from '#kernel/mail-addresses.ts';
import type { OwnElection } from '#people/own-elections.ts';
import { votingPath, withList } from '#voting/ballots/ballots.ts';
import { electionStatus, endTime } from '#voting/elections/elections.ts';
import { type IssuerRow, issuers, listWaitingTitles, toIssuer, waits } from '#voting/elections/issuers.ts';
import { codeOfInvite, electorOfInvite } from '#voting/electors/joins.ts';
import { openToken } from '#voting/invitations/invites.ts';
import { ensureToken } from '#voting/invitations/renewed-links.ts';

/** The elections and ballot papers in which a person is an elector and has a code, by close_at, latest first. */
const elections = prepare((p: { person_id: string }) =>
  build
    .selectFrom('electors')
    .innerJoin(issuers.as('issuer'), 'issuer.id', 'electors.election_id')
    .innerJoin('invites', electorOfInvite)
    .innerJoin('tokens', codeOfInvite)
    .selectAll('issuer')
    .select(['added_at', 'tokens.token_hash', 'token_plaintext', 'invites.id as invite_id', 'invites.email'])
    .select(waits().as('waits'))
    .where('electors.person_id', '=', p.person_id)
    .orderBy('issuer.close_at', 'desc'),
);

type OwnRow = IssuerRow & {
  added_at: number;
  token_hash: string;
  waits: SqlBool;
  token_plaintext: string | null;
  invite_id: string;
  email: string;
};

/** Lists a signed-in person's elections with the state of their ballot: the next to close first, closed ones last. */
export function listOwnElections(ctx: Context, { person, session }: SignedIn): OwnElection[] {
  const rows: OwnRow[] = ctx.db.all(elections({ person_id: person.id }));
  const own = rows.map((row) => ownElection(ctx, row, session));
  return [
    ...own.filter(({ status }) => status !== 'closed').reverse(),
    ...own.filter(({ status }) => status === 'closed'),
  ];
}

function ownElection(ctx: Context, row: OwnRow, session: Session): OwnElection {
  const status = electionStatus(row, ctx.now());
  const mayOpen = opensBallots(session, row);
  const state = !row.waits ? 'voted' : status === 'closed' ? 'closed' : 'waiting';
  const token = state === 'waiting' && mayOpen ? openToken(ctx, row) : undefined;
  return {
    id: row.id,
    title: row.title,
    status,
    opens_at: isoTime(row.open_at),
    closes_at: isoTime(endTime(row)),
    state,
    mayOpen,
    mailedTo: row.email === '' ? null : masked(row.email),
    ...(row.trial === 1 && { trial: true }),
    ...(row.is_paper === 1 && { waiting: listWaitingTitles(ctx.db, row.id, row.token_hash) }),
    ...(token !== undefined && { link: withList(votingPath(ctx.db, toIssuer(row), token), 'me') }),
  };
}

/**
 * Whether a session may open ballots: only if its credential is older than the snapshot of the electors, and was not
 * made by an officer or on the server's shell. Otherwise an officer who edits the roll could add their own address to
 * a member, sign in with it and vote.
 */
function opensBallots({ credential_at, method }: Session, { added_at }: { added_at: number }): boolean {
  return credential_at < added_at && method !== 'shell' && method !== 'officer';
}

/**
 * Returns the path of a signed-in person's ballot. Creates a new voting code if the stored one is gone.
 * @throws 404 if they have no ballot to cast, 403 if the session may not open ballots
 */
export async function openOwnBallot(
  ctx: Context,
  { person, session }: SignedIn,
  electionId: string,
): Promise<string> {
  const row = ctx.db.all(elections({ person_id: person.id })).find(({ id }) => id === electionId);
  if (!row) throw notFound('own_ballot_not_open');
  if (!opensBallots(session, row)) throw forbidden('sign_in_too_new');
  const token = electionStatus(row, ctx.now()) === 'open' ? await ensureToken(ctx, row.invite_id) : undefined;
  if (token === undefined) throw notFound('own_ballot_not_open');
  return withList(votingPath(ctx.db, toIssuer(row), token), 'me');
}

/** `ann@club.example` as `a…@c…`: enough to recognise one's own address. */
function masked(email: string): string {
  const [local = '', domain = ''] = displayAddress(email).split('@');
  return `${local.slice(0, 1)}…@${domain.slice(0, 1)}…`;
}
