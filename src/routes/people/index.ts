import { guardStaff } from '#kernel/access/permissions.ts';
import type { Context } from '#kernel/context.ts';
import { type App, noStore } from '#kernel/http/http.ts';
import { rateLimit } from '#kernel/http/rate-limit.ts';
import type { OpenIdProvider } from '#people/oidc/provider.ts';
import type { ListOwnElections } from '#people/own-elections.ts';
import { logForeignPasskeys } from '#people/passkeys/relying-party.ts';
import type { SetUpCode } from '#people/set-up.ts';
import { devices } from './devices.ts';
import { ownData, rollExport } from './export.ts';
import { rollImport } from './import.ts';
import { kindsAndGroups } from './kinds-and-groups.ts';
import { languages } from './language.ts';
import { me } from './me.ts';
import { ensureSetUp, meOidc, oidc, sudoOidc } from './oidc.ts';
import { passkeySignIn, passkeys } from './passkeys.ts';
import { erase, people as roll } from './people.ts';
import { setUpRoutes } from './set-up.ts';
import { signIn } from './sign-in.ts';
import { sudo } from './sudo.ts';

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
    provider: OpenIdProvider;
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
    languages(pages, { ctx });
    passkeySignIn(pages, { ctx });
    passkeys(pages, { ctx });
    sudo(pages, { ctx });
    ownData(pages, { ctx });
    await pages.register(async (atProvider: App) => {
      atProvider.addHook('onRequest', async () => ensureSetUp(provider));
      oidc(atProvider, { ctx, provider });
      sudoOidc(atProvider, { ctx, provider });
    });
    meOidc(pages, { ctx, provider });
  });
  await app.register(async (staff: App) => {
    guardStaff(ctx, staff);
    kindsAndGroups(staff, { ctx });
    roll(staff, { ctx });
    devices(staff, { ctx });
    await staff.register(rollImport, { ctx });
    rollExport(staff, { ctx });
    erase(staff, { ctx });
  });
}
