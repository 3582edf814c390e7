import type { FastifyRequest } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { bearerToken, header, textHeader } from '#kernel/http/http.ts';
import { normalizeAddress } from '#kernel/mail-addresses.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { TOKEN_ACTOR, UNKNOWN_OFFICER } from './actors.ts';
import { findPersonOf, findRoles } from './person-roles.ts';
import { type Permission, PUB_PERMISSIONS, permissionsOf } from './roles.ts';
import { findSignedIn, type Session } from './sessions.ts';
import { namesPeople, trustsEdgeOf } from './trust.ts';

/** An identified user or key, with the permissions of their roles. */
export interface Known {
  /** An e-mail address, a name, or `token:pub_admin`. */
  who: string;
  /** The actor as named in the audit log. */
  actor: string;
  /** The id of the person whose address `actor` is. */
  person?: string | undefined;
  permissions: ReadonlySet<Permission>;
  /** Set if a session is the proof: browsers send its cookie by themselves, see `ensureOwnWrite`. */
  session?: Session;
}

const TOKEN_IDENTITY: Known = {
  who: TOKEN_ACTOR,
  actor: TOKEN_ACTOR,
  permissions: new Set<Permission>(PUB_PERMISSIONS),
};

/** Identifies the sender of a request: PUB_ADMIN_TOKEN, an edge identity with an e-mail, or the signed-in person. */
export async function findIdentity(ctx: Context, request: FastifyRequest): Promise<Known | undefined> {
  if (hasToken(ctx, request)) return TOKEN_IDENTITY;
  return (await edgeIdentity(ctx, request)) ?? sessionIdentity(ctx, request);
}

/** The header of a request that the service makes to itself, see `runApproved`. */
export const APPROVED_HEADER = 'x-approved-act';

/** The person of the request's session, or the one whose approved act the request runs. */
export function sessionIdentity(ctx: Context, request: FastifyRequest): Known | undefined {
  const approved = ctx.approved.get(header(request, APPROVED_HEADER) ?? '');
  if (approved) {
    const { asker, decider } = approved;
    request.approvedBy = decider;
    const permissions = permissionsOf(findRoles(ctx.db, asker, ctx.now()));
    const person = ctx.db.first(build.selectFrom('persons').select('name').where('id', '=', asker));
    return { who: person?.name ?? UNKNOWN_OFFICER, actor: `person:${asker}`, permissions };
  }
  const signedIn = findSignedIn(ctx, request);
  if (!signedIn) return undefined;
  const { person, roles, session } = signedIn;
  const permissions = permissionsOf(roles);
  return { who: person.name, actor: `person:${person.id}`, permissions, session };
}

/** The tokens for the pub and the calendar that a request carries. */
export function sentTokens(request: FastifyRequest): string[] {
  return [bearerToken(request), header(request, 'x-admin-token')].filter((given) => given !== undefined);
}

function hasToken(ctx: Context, request: FastifyRequest): boolean {
  const expected = ctx.config.PUB_ADMIN_TOKEN;
  if (!expected) return false;
  return sentTokens(request).some((given) => sameSecret(given, expected));
}

/** The identity that the access edge names by e-mail, with the roles of the person who has that address. */
export async function edgeIdentity(ctx: Context, request: FastifyRequest): Promise<Known | undefined> {
  const email = await edgeEmail(ctx, request);
  if (!email) return undefined;
  const person = findPersonOf(ctx.db, email, ctx.now());
  const roles = person === undefined ? [] : findRoles(ctx.db, person, ctx.now());
  return { who: email, actor: email, person, permissions: permissionsOf(roles) };
}

/** The e-mail of the verified token; while no keys are configured, that of the header. */
async function edgeEmail(ctx: Context, request: FastifyRequest): Promise<string | undefined> {
  if (!trustsEdgeOf(ctx, request)) return undefined;
  if (ctx.verifyEdge) {
    const token = header(request, ctx.config.EDGE_ACCESS_JWT_HEADER);
    const claims = token === undefined ? undefined : await ctx.verifyEdge(token);
    return typeof claims?.email === 'string' ? normalized(claims.email) : undefined;
  }
  const email = textHeader(request, ctx.config.EDGE_ACCESS_EMAIL_HEADER);
  return email !== undefined && namesPeople(ctx) ? normalized(email) : undefined;
}

function normalized(email: string): string | undefined {
  const address = normalizeAddress(email);
  return address.ok ? address.email : undefined;
}
