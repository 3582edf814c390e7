import { randomBytes } from 'node:crypto';
import { DAY } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build, prepare, type Reader } from '#kernel/db/queries.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { Words } from '#kernel/language/words.ts';
import { normalizeAddress, spellingsOf } from '#kernel/mail-addresses.ts';
import { sha256 } from '#kernel/secrets.ts';
import { hashOfLinkToken } from '#kernel/typed-codes.ts';
import { votingPath, withList } from '#voting/ballots/ballots.ts';
import { type ElectionStatus, electionStatus, endTime } from '#voting/elections/elections.ts';
import { type Issuer, issuers, listWaitingQuestions, toIssuer, waits } from '#voting/elections/issuers.ts';
import { findElector } from '#voting/electors/electors.ts';
import { invitesWithTokens, openToken } from './invites.ts';
import { ensureToken } from './renewed-links.ts';

/** How long a link stays valid after the last of its elections has closed. */
const OPENS_AFTER_CLOSE_MS = 7 * DAY;

/**
 * Creates a link to /vote/my-elections for one person. Only the SHA-256 of its token is stored.
 * @param electionIds of elections and ballot papers
 * @returns the path with its query; undefined if all of them were deleted
 */
export async function createMagicLink(
  ctx: Context,
  { email: stored, person_id }: { email: string; person_id: string | null },
  electionIds: string[],
): Promise<string | undefined> {
  const email = normalized(stored);
  const token = randomBytes(32).toString('base64url');
  const token_hash = sha256(token);
  const made = await ctx.write((tx) => {
    // Elections may have been deleted while the mails before this one were sent.
    const found = tx.all(build.selectFrom(issuers.as('issuer')).select('id').where('id', 'in', electionIds));
    if (found.length === 0) return false;
    tx.run(build.insertInto('magic_links').values({ token_hash, email, person_id, created_at: ctx.now() }));
    const rows = found.map(({ id }) => ({ token_hash, election_id: id }));
    tx.run(build.insertInto('magic_link_elections').values(rows));
    return true;
  });
  if (!made) return undefined;
  return `/vote/my-elections?email=${encodeURIComponent(email)}&token=${token}`;
}

/** The spelling of an address that links are stored under; empty if it is none. */
function normalized(email: string): string {
  const address = normalizeAddress(email);
  return address.ok ? address.email : '';
}

const magicLink = prepare((p: { token_hash: string }) =>
  build.selectFrom('magic_links').select('token_hash').where('token_hash', '=', p.token_hash),
);

/** Returns the hash of a link's token; undefined if there is no such link. */
export function findMagicLink(reader: Reader, token: string): string | undefined {
  return reader.first(magicLink({ token_hash: hashOfLinkToken(token) }))?.token_hash;
}

export interface MyElection {
  election: Issuer;
  status: ElectionStatus;
  /** Of a ballot paper: the titles of its questions that this code has not answered, of those that are not closed. */
  waiting?: (Words | string)[];
  /** The name of the voter whom the link is for, as the mail with the link says it; null if it names nobody. */
  forName: string | null;
  inviteId?: string | undefined;
  /**
   * `voted` once the token was used; `gone` when its batch was deleted. Without a path a new voting link has to be
   * created, see `openMyBallot`.
   */
  ballot: { state: 'ready' | 'waiting'; path: string | null } | { state: 'voted' | 'closed' | 'gone' };
}

/**
 * Returns the elections of a link, each with its own voting link; an election to which the mailbox was invited twice,
 * under two spellings of its domain, is listed twice. @throws 404, the same for every reason
 */
export function openMagicLink(ctx: Context, email: string, token: string): MyElection[] {
  const address = normalized(email);
  const rows = ctx.db.all(
    build
      .selectFrom('magic_links')
      .innerJoin('magic_link_elections', 'magic_link_elections.token_hash', 'magic_links.token_hash')
      .innerJoin(issuers.as('issuer'), 'issuer.id', 'magic_link_elections.election_id')
      .selectAll('issuer')
      .select('person_id')
      .where('magic_links.token_hash', '=', hashOfLinkToken(token))
      .where('magic_links.email', '=', address)
      .orderBy('close_at'),
  );
  const elections = rows.map(({ person_id: _, ...row }) => toIssuer(row));
  const last = Math.max(...elections.map(endTime));
  if (elections.length === 0 || ctx.now() > last + OPENS_AFTER_CLOSE_MS) throw notFound('link_invalid');

  const invites = ctx.db.all(
    invitesWithTokens
      .select([
        'invites.id',
        'invites.election_id',
        'invites.person_id',
        'token_plaintext',
        waits().as('waits'),
        'tokens.token_hash as live',
      ])
      .where('email', 'in', spellingsOf(address)),
  );
  const person = rows[0]!.person_id;
  return elections.flatMap((election): MyElection[] => {
    const status = electionStatus(election, ctx.now());
    // Several people may share an address: each can open their own invites, and those that name no person.
    const [own, unnamed] = [person, null].map((id) =>
      invites.filter(({ election_id, person_id }) => election_id === election.id && person_id === id),
    );
    const forName = (person !== null && findElector(ctx.db, election.id, person)?.name) || null;
    const row = { election, status, forName };
    const found = own?.length ? own : unnamed?.length ? unnamed : [undefined];
    return found.map((invite) => {
      const plain = invite && openToken(ctx, invite);
      if (invite?.live && !invite.waits) return { ...row, ballot: { state: 'voted' } };
      if (status === 'closed') return { ...row, ballot: { state: 'closed' } };
      if (!invite?.live) return { ...row, ballot: { state: 'gone' } };
      const path = plain === undefined ? null : votingPath(ctx.db, election, plain);
      const state = status === 'open' ? 'ready' : 'waiting';
      const waiting = election.isPaper && { waiting: listWaitingQuestions(ctx.db, election.id, invite.live) };
      return { ...row, ...waiting, inviteId: invite.id, ballot: { state, path } };
    });
  });
}

/**
 * Returns the path of one ballot of a link. Creates a new voting link if the stored one is gone.
 * @returns undefined if there is no ballot to fill in now @throws 404 as `openMagicLink`
 */
export async function openMyBallot(
  ctx: Context,
  email: string,
  token: string,
  electionId: string,
): Promise<string | undefined> {
  const all = openMagicLink(ctx, email, token);
  const ready = all.filter(({ election, ballot }) => election.id === electionId && ballot.state === 'ready');
  const found = ready.find(({ ballot }) => 'path' in ballot && ballot.path === null) ?? ready[0];
  if (found?.inviteId === undefined) return undefined;
  const voting = await ensureToken(ctx, found.inviteId);
  const path = voting && votingPath(ctx.db, found.election, voting);
  return path && withList(path, all.length > 1 ? token : '');
}

/** Deletes expired links. */
export async function deleteOldMagicLinks(ctx: Context): Promise<void> {
  const before = ctx.now() - OPENS_AFTER_CLOSE_MS;
  await ctx.write((tx) => {
    const alive = build
      .selectFrom('magic_link_elections')
      .innerJoin(issuers.as('issuer'), 'issuer.id', 'magic_link_elections.election_id')
      .select('magic_link_elections.token_hash')
      .where('close_at', '>', before)
      .where((where) => where.or([where('closed_at', 'is', null), where('closed_at', '>', before)]));
    tx.run(build.deleteFrom('magic_links').where('token_hash', 'not in', alive));
  });
}
