import type { FastifyReply, FastifyRequest, onRequestAsyncHookHandler, onRequestHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { isWithoutOwner } from '#kernel/db/owners.ts';
import { build, prepare } from '#kernel/db/queries.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, forbidden } from '#kernel/http/errors.ts';
import { accepts, bearerToken, header } from '#kernel/http/http.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { edgeIdentity, findIdentity, sessionIdentity } from './identity.ts';
import {
  ELECTION_PERMISSIONS,
  holds,
  lacksPermission,
  type Needed,
  namedOf,
  type Permission,
} from './roles.ts';
import { isToken, SENDERS, senderToken } from './sender-tokens.ts';
import { isLocalRequest, passesLocally, trustsEdgeOf } from './trust.ts';
import { countWrongKey, refuseOtherKey } from './wrong-keys.ts';

/**
 * The officers' guard. Checks in the specified order: access edge, API key, local bypass; then a session with a role.
 * Edge headers are trusted only from the peers of `edgePeers`; if a key set is configured, their token must
 * verify and an e-mail header is not enough. 403 without the route's permission, audited.
 */
export function adminGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    // While no keys are available no edge token can be verified; API key, bypass and session do not need them.
    const byEdge = await edgePermissions(ctx, request).catch((error: unknown) => ({ error }));
    const judged = byEdge && 'error' in byEdge ? undefined : byEdge;
    const granted = judged ?? keyPermissions(ctx, request) ?? sessionPermissions(ctx, request);
    if (granted) {
      request.granted = granted;
      if (isFirstPage(request) && !granted.has('elections:read') && granted.size > 0)
        return reply.redirect(holds(granted, AT_A_MEETING) ? '/admin/meetings' : '/admin/pub', 303);
      return demand(ctx, request, request.routeOptions.config.permission ?? 'elections:read');
    }
    refuseOtherKey(ctx, request, 'ADMIN_API_KEY');
    if (ctx.config.ADMIN_API_KEY && header(request, 'authorization'))
      await countWrongKey(ctx, request, 'ADMIN_API_KEY');
    if (byEdge && 'error' in byEdge) throw byEdge.error;
    if (leadsToSignIn(request)) return signInFirst(ctx, request, reply);
    throw new AppError(401, 'officer_key_required');
  };
}

/** The permissions that the officers' guard would grant this request, for pages that link only to permitted pages. */
export async function findGranted(
  ctx: Context,
  request: FastifyRequest,
): Promise<ReadonlySet<Permission> | undefined> {
  const byEdge = await edgePermissions(ctx, request).catch(() => undefined);
  return byEdge ?? keyPermissions(ctx, request) ?? sessionIdentity(ctx, request)?.permissions;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The permissions that the officers' guard granted this request. */
    granted?: ReadonlySet<Permission>;
  }
}

/** Demands another permission on a route behind the officers' guard. @throws 403 without it, audited */
export async function demand(
  ctx: Context,
  request: FastifyRequest,
  needed: Needed | 'any',
): Promise<undefined> {
  if (needed === 'any' || holds(request.granted, needed)) return undefined;
  const denied = { permission: namedOf(needed), route: `${request.method} ${request.routeOptions.url}` };
  const known = await findIdentity(ctx, request).catch(() => undefined);
  request.actor = known?.actor;
  request.actorPerson = known?.person;
  const actor = actorOf(request, ctx.now);
  await ctx.write((tx) => recordAudit(tx, actor, { action: 'access.denied', metadata: denied }));
  throw lacksPermission(needed);
}

/** What is granted without roles: all election permissions, and the log of the elections. */
const ELECTIONS: ReadonlySet<Permission> = new Set([...ELECTION_PERMISSIONS, 'audit:read']);

/** The election permissions of an edge identity: all of them, unless the club requires roles. */
async function edgePermissions(
  ctx: Context,
  request: FastifyRequest,
): Promise<ReadonlySet<Permission> | undefined> {
  if (!(await passesEdge(ctx, request))) return undefined;
  if (!electionsNeedRole(ctx)) return ELECTIONS;
  return (await edgeIdentity(ctx, request))?.permissions ?? new Set();
}

function keyPermissions(ctx: Context, request: FastifyRequest): ReadonlySet<Permission> | undefined {
  return passesApiKey(ctx, request) || passesLocally(ctx, request) ? ELECTIONS : undefined;
}

function sessionPermissions(ctx: Context, request: FastifyRequest): ReadonlySet<Permission> | undefined {
  const identity = sessionIdentity(ctx, request);
  if (!identity) return undefined;
  if (identity.session) ensureOwnWrite(ctx, request);
  if (identity.session) request.session = identity.session;
  return identity.permissions;
}

/** Whether an edge identity needs roles for elections: by default once an owner was made in the browser. */
function electionsNeedRole({ config, db }: Context): boolean {
  return config.ELECTIONS_NEED_ROLE ?? db.first(clubSetup({})) !== undefined;
}

const clubSetup = prepare((_: object) => build.selectFrom('club_setup').select('id'));

/** Whether a request without authentication is redirected to the sign-in page: a browser opens a page. */
export function leadsToSignIn(request: FastifyRequest): boolean {
  const { method, url } = request;
  const asks = method === 'GET' || method === 'HEAD';
  return asks && !url.startsWith('/api/') && accepts(request, 'text/html');
}

/** Enough for the list of meetings, from which those who work at one go on. */
export const AT_A_MEETING = ['elections:read', 'meetings:door', 'meetings:count'] as const satisfies Needed;

/** Whether a browser opens /admin: staff without election permissions are redirected to another page. */
const isFirstPage = (request: FastifyRequest): boolean =>
  leadsToSignIn(request) && /^\/admin\/?$/.test(request.routeOptions.url ?? '');

/**
 * Redirects a browser to the sign-in page, which leads back to this address. While nobody is an owner, nobody can sign
 * in: a visitor on the machine itself is redirected to the set-up.
 */
export function signInFirst(ctx: Context, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isLocalRequest(ctx, request) && isWithoutOwner(ctx.db, ctx.now()))
    return reply.header('cache-control', 'no-store').redirect('/set-up', 303);
  const next = new URLSearchParams({ next: request.url });
  return reply.header('cache-control', 'no-store').redirect(`/sign-in?${next}`, 303);
}

/**
 * Refuses state-changing requests that another site made a browser send (CSRF), with the cookie of the edge.
 * Requests without Sec-Fetch-Site and Origin (scripts, devices) pass, and those of devices and players with a right
 * token: a browser sends none by itself.
 */
export function crossSiteGuard(ctx: Context): onRequestHookHandler {
  const { BASE_URL } = ctx.config;
  const ownOrigin = BASE_URL && new URL(BASE_URL).origin;
  return (request, _reply, done) => {
    if (SAFE_METHODS.has(request.method) || isOwn(request, ownOrigin) || isOfSender(ctx, request)) done();
    else done(forbidden('cross_site_request'));
  };
}

function isOfSender(ctx: Context, request: FastifyRequest): boolean {
  if (request.routeOptions.config.guard !== 'device') return false;
  const token = senderToken(request);
  return token !== undefined && SENDERS.some((sender) => isToken(ctx, sender, token));
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

function isOwn(request: FastifyRequest, ownOrigin: string | undefined): boolean {
  const site = header(request, 'sec-fetch-site');
  const origin = header(request, 'origin');
  if (site === 'cross-site' || site === 'same-site') return false;
  if (origin === undefined) return true;
  // A page with a secret address posts with `Origin: null`; then Sec-Fetch-Site decides, or, if that is missing,
  // whether the proof is in the body and not in a cookie.
  if (origin === 'null') return site !== undefined || request.routeOptions.config.proofInBody === true;
  return origin === ownOrigin || hostOf(origin) === request.headers.host;
}

/**
 * Ensures that a write with a session cookie comes from one of our pages, by Sec-Fetch-Site or Origin.
 * @throws 403 if these headers are missing or name another site
 */
export function ensureOwnWrite(ctx: Context, request: FastifyRequest): void {
  if (SAFE_METHODS.has(request.method)) return;
  if (header(request, 'sec-fetch-site') === 'same-origin') return;
  const origin = header(request, 'origin');
  const { BASE_URL, given } = ctx.config;
  const isOwn =
    origin !== undefined &&
    // An address from the settings is not enforced here: a mistake in it must not close the page that corrects it.
    (given.has('BASE_URL') && BASE_URL
      ? origin === new URL(BASE_URL).origin
      : hostOf(origin) === request.headers.host);
  if (!isOwn) throw forbidden('cross_site_request');
}

async function passesEdge(ctx: Context, request: FastifyRequest): Promise<boolean> {
  if (!trustsEdgeOf(ctx, request)) return false;
  const token = header(request, ctx.config.EDGE_ACCESS_JWT_HEADER);
  if (ctx.verifyEdge) return token !== undefined && (await ctx.verifyEdge(token)) !== undefined;
  return token !== undefined || header(request, ctx.config.EDGE_ACCESS_EMAIL_HEADER) !== undefined;
}

function passesApiKey(ctx: Context, request: FastifyRequest): boolean {
  const key = ctx.config.ADMIN_API_KEY;
  const given = bearerToken(request) ?? header(request, 'authorization');
  if (!key || !given || !sameSecret(given, key)) return false;
  request.apiKey = key;
  return true;
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
