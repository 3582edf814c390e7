import type { FastifyRequest, onRequestAsyncHookHandler, onRouteHookHandler } from 'fastify';
import type { Context } from '#kernel/context.ts';
import { recordAudit } from '#kernel/db/audit.ts';
import { actorOf } from '#kernel/http/client.ts';
import { AppError } from '#kernel/http/errors.ts';
import { ensureOwnWrite, findGranted, leadsToSignIn, signInFirst } from './guards.ts';
import { findIdentity, sentTokens } from './identity.ts';
import { PERMISSIONS, type Permission, ROLES } from './roles.ts';
import { countWrongKey } from './wrong-keys.ts';

/** Whoever is at the admin pages, and what they may do there. */
export interface Identity {
  /** An e-mail address, `token:pub_admin`, or `an officer` whom nothing names. */
  who: string;
  /** By their roles. */
  permissions: ReadonlySet<Permission>;
  /** Whether the elections are open to them too. */
  officer: boolean;
  /** What they may do in elections, whichever way they came: a key and the edge open them without roles. */
  granted?: ReadonlySet<Permission> | undefined;
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
  return async (request, reply) => {
    const needed = request.routeOptions.config.permission;
    const identity = await findIdentity(ctx, request);
    if (!identity) {
      await countWrongToken(ctx, request);
      if (leadsToSignIn(request)) return signInFirst(request, reply);
      throw new AppError(401, 'Authentication required', {
        extra: { message: 'Sign in through the access edge, or send PUB_ADMIN_TOKEN as a bearer token.' },
      });
    }
    if (identity.session) {
      ensureOwnWrite(ctx, request);
      request.session = identity.session;
    }
    const granted = await findGranted(ctx, request);
    request.identity = { ...identity, officer: granted?.has('elections:read') ?? false, granted };
    request.actor = identity.actor;
    request.actorPerson = identity.person;
    // A path that no route has: those who may come in learn that it is not there.
    if (needed === undefined) return undefined;
    const { permissions } = identity;
    if (needed === 'any' ? permissions.size > 0 : permissions.has(needed)) return undefined;
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
    request.actor = known?.actor;
    request.actorPerson = known?.person;
    const { granted } = request;
    request.viewer = { who: 'an officer', permissions: new Set(), ...known, officer: true, granted, apiKey };
  };
}

/** Whether this person may do that; for pages, which show only what one may do. */
export function may(request: FastifyRequest, permission: Permission): boolean {
  return request.identity?.permissions.has(permission) ?? false;
}

/** Whether this person is an owner: nobody else may do everything. */
export const isOwner = (request: FastifyRequest): boolean =>
  ROLES.owner.every((permission) => may(request, permission));

/** For a refused request: a token that it carried is a wrong one. */
async function countWrongToken(ctx: Context, request: FastifyRequest): Promise<void> {
  if (!ctx.config.PUB_ADMIN_TOKEN || sentTokens(request).length === 0) return;
  await countWrongKey(ctx, request, 'PUB_ADMIN_TOKEN');
}
