import { demandPermission, permissionGuard } from '#kernel/access/permissions.ts';
import { sudoGuard } from '#kernel/access/sudo.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import type { OpenIdProvider } from './oidc/provider.ts';
import type { ListOwnElections } from './own-elections.ts';
import { logForeignPasskeys } from './passkeys/relying-party.ts';
import { devices } from './routes/devices.ts';
import { erase } from './routes/erase.ts';
import { ownData, rollExport } from './routes/export.ts';
import { firstSteps } from './routes/first-steps.ts';
import { groups } from './routes/groups.ts';
import { rollImport } from './routes/import.ts';
import { importPages } from './routes/import-pages.ts';
import { kinds } from './routes/kinds.ts';
import { kindsPages } from './routes/kinds-pages.ts';
import { me } from './routes/me.ts';
import { meOidc } from './routes/oidc/me-oidc.ts';
import { oidc } from './routes/oidc/oidc.ts';
import { sudoOidc } from './routes/oidc/sudo-oidc.ts';
import { passkeys } from './routes/passkeys/own.ts';
import { passkeySignIn } from './routes/passkeys/sign-in.ts';
import { people as roll } from './routes/people.ts';
import { peoplePages } from './routes/people-pages.ts';
import { setUpRoutes } from './routes/set-up.ts';
import { signIn } from './routes/sign-in.ts';
import { sudo } from './routes/sudo.ts';
import type { SetUpCode } from './set-up.ts';

/** The people domain: sign-in, roles and sessions, and the roll of members. */
export async function people(
  app: App,
  {
    ctx,
    setUpCode,
    provider,
    listOwnElections,
  }: {
    ctx: Context;
    setUpCode: SetUpCode;
    provider: OpenIdProvider | undefined;
    listOwnElections: ListOwnElections;
  },
): Promise<void> {
  logForeignPasskeys(ctx);
  await app.register(async (pages: App) => {
    const { RATE_LIMIT_GENERAL } = ctx.config;
    pages.addHook('onRequest', rateLimit(ctx.limiter, ctx.now, 'general', RATE_LIMIT_GENERAL));
    pages.addHook('onRequest', noStore);
    signIn(pages, { ctx });
    setUpRoutes(pages, { ctx, code: setUpCode });
    me(pages, { ctx, listOwnElections });
    passkeySignIn(pages, { ctx });
    passkeys(pages, { ctx });
    sudo(pages, { ctx });
    firstSteps(pages, { ctx });
    ownData(pages, { ctx });
    if (provider) {
      oidc(pages, { ctx, provider });
      sudoOidc(pages, { ctx, provider });
    }
    meOidc(pages, { ctx, ...(provider && { provider }) });
  });
  await app.register(async (staff: App) => {
    staff.addHook('onRoute', demandPermission);
    staff.addHook('onRequest', permissionGuard(ctx));
    staff.addHook('onRequest', noStore);
    staff.addHook('preValidation', sudoGuard(ctx));
    kinds(staff, { ctx });
    groups(staff, { ctx });
    roll(staff, { ctx });
    peoplePages(staff, { ctx });
    devices(staff, { ctx });
    kindsPages(staff, { ctx });
    await staff.register(rollImport, { ctx });
    await staff.register(importPages, { ctx });
    rollExport(staff, { ctx });
    erase(staff, { ctx });
  });
}
