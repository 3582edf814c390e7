import type { FastifyRequest, onRequestAsyncHookHandler, onRouteHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf, peerOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { bearerToken, header } from '#kernel/http/http.ts';
import { normalizeAddress } from '#kernel/mail/addresses.ts';
import { sameSecret } from '#kernel/secrets.ts';
import { isOfficer } from './guards.ts';
import { findPersonOf, findRoles } from './person-roles.ts';
import { PERMISSIONS, type Permission, PUB_PERMISSIONS, permissionsOf } from './roles.ts';
import { countWrongKey } from './wrong-keys.ts';

/** Whoever is at the admin pages, and what they may do there. */
export interface Identity {
  /** An e-mail address, `token:pub_admin`, or `an officer` whom nothing names. */
  who: string;
  /** For the pub and the calendar. */
  permissions: ReadonlySet<Permission>;
  /** Whether the elections are open to them too. */
  officer: boolean;
}

/** Who reads an officers' page, and the key they came with: the page's script goes on with it. */
export interface Viewer extends Identity {
  apiKey?: string | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard of the pub and the calendar. */
    identity?: Identity;
    /** Set by `attachViewer` for the officers' pages. It grants nothing. */
    viewer?: Viewer;
  }
  interface FastifyContextConfig {
    /** What this admin route needs; `any` takes everyone who has some permission (pages that show what one may do). */
    permission?: Permission | 'any';
  }
}

/** Refuses to register a route that does not say which permission it needs. */
export const demandPermission: onRouteHookHandler = ({ method, url, config }) => {
  if (!config?.permission) throw new Error(`${method} ${url} declares no permission`);
};

/**
 * The guard of /api/admin and of the pub's and the calendar's admin pages: PUB_ADMIN_TOKEN, else a verified edge
 * identity with a role that has the route's permission. 401 without either; 403 without the permission, audited.
 */
export function permissionGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request) => {
    const needed = request.routeOptions.config.permission;
    const identity = await findIdentity(ctx, request);
    if (!identity) {
      await countWrongToken(ctx, request);
      throw new AppError(401, 'Authentication required', {
        extra: { message: 'Sign in through the access edge, or send PUB_ADMIN_TOKEN as a bearer token.' },
      });
    }
    request.identity = { ...identity, officer: await isOfficer(ctx, request) };
    request.actor = identity.who;
    // A path that no route has: those who may come in learn that it is not there.
    if (needed === undefined) return;
    const { permissions } = identity;
    if (needed === 'any' ? permissions.size > 0 : permissions.has(needed)) return;
    await countWrongToken(ctx, request);
    const denied = { permission: needed, route: `${request.method} ${request.routeOptions.url}` };
    await ctx.write((tx) =>
      recordAudit(tx, actorOf(request, ctx.now), { action: 'access.denied', metadata: denied }),
    );
    throw new AppError(403, 'Forbidden', {
      extra: {
        message:
          needed === 'any'
            ? 'You have no role here yet. Ask an owner of the house for one.'
            : `This needs the permission ${needed} (${PERMISSIONS[needed]}). Ask an owner of the house for it.`,
        permission: needed,
      },
    });
  };
}

/**
 * An onRequest hook after the officers' guard: who reads a page, so that it links to what they may open, and who the
 * audit log names (`request.actor`; undefined for an API key and for an officer whom nothing names).
 */
export function attachViewer(ctx: Context): onRequestAsyncHookHandler {
  return async (request) => {
    const { apiKey } = request;
    // Whoever came by key has no sign-in that would open the pages of the pub and the calendar.
    const known = apiKey ? undefined : await findIdentity(ctx, request).catch(() => undefined);
    request.actor = known?.who;
    request.viewer = { who: 'an officer', permissions: new Set(), ...known, officer: true, apiKey };
  };
}

/** Whether this person may do that; for pages, which show only what one may do. */
export function may(request: FastifyRequest, permission: Permission): boolean {
  return request.identity?.permissions.has(permission) ?? false;
}

type Known = Omit<Identity, 'officer'>;

const TOKEN_IDENTITY: Known = { who: 'token:pub_admin', permissions: new Set<Permission>(PUB_PERMISSIONS) };

async function findIdentity(ctx: Context, request: FastifyRequest): Promise<Known | undefined> {
  return hasToken(ctx, request) ? TOKEN_IDENTITY : edgeIdentity(ctx, request);
}

function hasToken(ctx: Context, request: FastifyRequest): boolean {
  const expected = ctx.config.PUB_ADMIN_TOKEN;
  if (!expected) return false;
  return sentTokens(request).some((given) => sameSecret(given, expected));
}

/** For a refused request: a token that it carried is a wrong one. */
async function countWrongToken(ctx: Context, request: FastifyRequest): Promise<void> {
  if (!ctx.config.PUB_ADMIN_TOKEN || sentTokens(request).length === 0) return;
  await countWrongKey(ctx, request, 'PUB_ADMIN_TOKEN');
}

function sentTokens(request: FastifyRequest): string[] {
  return [bearerToken(request), header(request, 'x-admin-token')].filter((given) => given !== undefined);
}

async function edgeIdentity(ctx: Context, request: FastifyRequest): Promise<Known | undefined> {
  const email = await edgeEmail(ctx, request);
  if (!email) return undefined;
  const person = findPersonOf(ctx.db, email, ctx.now());
  const roles = person === undefined ? [] : findRoles(ctx.db, person, ctx.now());
  return { who: email, permissions: permissionsOf(roles) };
}

/** The e-mail of the verified token; while no keys are configured, that of the header. */
async function edgeEmail(ctx: Context, request: FastifyRequest): Promise<string | undefined> {
  if (!ctx.trustedEdge(peerOf(request))) return undefined;
  if (ctx.verifyEdge) {
    const token = header(request, 'edge-access-jwt-assertion');
    const claims = token === undefined ? undefined : await ctx.verifyEdge(token);
    return typeof claims?.email === 'string' ? normalized(claims.email) : undefined;
  }
  return normalized(header(request, 'edge-access-authenticated-user-email') ?? '');
}

function normalized(email: string): string | undefined {
  const address = normalizeAddress(email);
  return address.ok ? address.email : undefined;
}
