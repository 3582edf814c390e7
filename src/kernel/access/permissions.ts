import type { FastifyRequest, onRequestAsyncHookHandler, onRouteHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError, forbidden } from '#kernel/http/errors.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { TOKEN_ACTOR, UNKNOWN_OFFICER } from './actors.ts';
import { ensureOwnWrite, findGranted, leadsToSignIn, signInFirst } from './guards.ts';
import { findIdentity, sentTokens } from './identity.ts';
import {
  holds,
  lacksPermission,
  type Needed,
  namedOf,
  type Permission,
  PUB_ROLES,
  permissionsOf,
  ROLES,
} from './roles.ts';
import { sudoGuard } from './sudo.ts';
import { countWrongKey, refuseOtherKey } from './wrong-keys.ts';

/** The authenticated user of the admin pages and their permissions. */
export interface Identity {
  /** An e-mail address, a name, `token:pub_admin`, or `UNKNOWN_OFFICER` if nothing else is known. */
  who: string;
  /** By their roles. */
  permissions: ReadonlySet<Permission>;
  /** Whether they may see the elections too. */
  officer: boolean;
  /** Their permissions in elections, by any authentication: a key and the edge grant them without roles. */
  granted?: ReadonlySet<Permission> | undefined;
}

/** The reader of an officers' page, and the API key of the request, which the page's script uses too. */
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
    /** The permission that this admin route needs; `any` accepts any (pages that show only permitted actions). */
    permission?: Needed | 'any';
  }
}

/** Refuses to register a route that does not say which permission it needs. */
export const demandPermission: onRouteHookHandler = ({ method, url, config }) => {
  if (!config?.permission) throw new Error(`${method} ${url} declares no permission`);
};

/** Guards a scope of routes for staff, which declare their permissions. No cache may keep what they answer. */
export function guardStaff(ctx: Context, staff: App): void {
  staff.addHook('onRoute', demandPermission);
  staff.addHook('onRequest', permissionGuard(ctx));
  staff.addHook('onRequest', noStore);
  staff.addHook('preValidation', sudoGuard(ctx));
}

/**
 * The guard of /api/admin and of the pub's and the calendar's admin pages: PUB_ADMIN_TOKEN, else an edge identity or a
 * session with a role that has the route's permission. 401 without any; 403 without the permission, audited.
 */
export function permissionGuard(ctx: Context): onRequestAsyncHookHandler {
  return async (request, reply) => {
    const needed = request.routeOptions.config.permission;
    const identity = await findIdentity(ctx, request);
    if (!identity) {
      await countWrongToken(ctx, request);
      if (leadsToSignIn(request)) return signInFirst(ctx, request, reply);
      throw new AppError(401, 'staff_key_required');
    }
    if (identity.session) {
      ensureOwnWrite(ctx, request);
      request.session = identity.session;
    }
    const granted = await findGranted(ctx, request);
    request.identity = { ...identity, officer: granted?.has('elections:read') ?? false, granted };
    request.actor = identity.actor;
    request.actorPerson = identity.person;
    // An unknown path: authenticated users get the 404.
    if (needed === undefined) return undefined;
    const { permissions } = identity;
    if (needed === 'any' ? permissions.size > 0 : holds(permissions, needed)) return undefined;
    // A valid token that does not open this route is not a wrong key.
    if (identity.actor !== TOKEN_ACTOR) await countWrongToken(ctx, request);
    const permission = needed === 'any' ? needed : namedOf(needed);
    const denied = { permission, route: `${request.method} ${request.routeOptions.url}` };
    await ctx.write((tx) =>
      recordAudit(tx, actorOf(request, ctx.now), { action: 'access.denied', metadata: denied }),
    );
    throw needed === 'any'
      ? forbidden('role_required', {}, { extra: { permission: needed } })
      : lacksPermission(needed);
  };
}

/**
 * An onRequest hook after the officers' guard: sets the viewer, so that pages link only to what they may open, and the
 * actor for the audit log (`request.actor`; undefined for an API key and for an officer without a known identity).
 */
export function attachViewer(ctx: Context): onRequestAsyncHookHandler {
  return async (request) => {
    const { apiKey } = request;
    // An API key does not open the pages of the pub and the calendar.
    const known = apiKey ? undefined : await findIdentity(ctx, request).catch(() => undefined);
    request.actor = known?.actor;
    request.actorPerson = known?.person;
    const { granted } = request;
    const officer = granted?.has('elections:read') ?? true;
    request.viewer = { who: UNKNOWN_OFFICER, permissions: new Set(), ...known, officer, granted, apiKey };
  };
}

/** Whether the user has this permission; for pages, which show only permitted actions. */
export function may(request: FastifyRequest, permission: Permission): boolean {
  return request.identity?.permissions.has(permission) ?? false;
}

/**
 * Whether the user may grant a role, or take it away: nobody gives more than they hold. PUB_ADMIN_TOKEN holds single
 * permissions and no role; it deals with the roles of the pub.
 */
export const mayGrant = (request: FastifyRequest, role: string): boolean =>
  request.actor === TOKEN_ACTOR
    ? PUB_ROLES.includes(role)
    : permissionsOf([role]).isSubsetOf(request.identity?.permissions ?? new Set());

/** Whether the user is an owner: only owners have every permission. */
export const isOwner = (request: FastifyRequest): boolean =>
  ROLES.owner.every((permission) => may(request, permission));

/** Counts the token of a refused request as a wrong one. */
async function countWrongToken(ctx: Context, request: FastifyRequest): Promise<void> {
  refuseOtherKey(ctx, request, 'PUB_ADMIN_TOKEN');
  if (!ctx.config.PUB_ADMIN_TOKEN || sentTokens(request).length === 0) return;
  await countWrongKey(ctx, request, 'PUB_ADMIN_TOKEN');
}
