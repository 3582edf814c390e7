import type { SignedIn } from '#kernel/access/sessions.ts';
import { SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { conflict, forbidden } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { mailOneNow } from '#kernel/mail/sender.ts';
import { listPasskeys } from '#people/passkeys/passkeys.ts';
import { offersPasskeys } from '#people/passkeys/relying-party.ts';
import { listAddresses } from '#people/persons.ts';
import { countRecoveryCodes } from '#people/recovery-codes.ts';
import { limitAsks } from '#people/sign-in-limits.ts';
import { FIRST_STEPS, firstStepsPage, type TestMail } from '#views/people/first-steps.ts';
import { requireSignedIn, requireWriter } from './signed-in.ts';

declare module '#kernel/mail/outbox.ts' {
  interface MailFacts {
    'first-test': object;
  }
}

/** How long an owner waits at most for the mail server's response. */
const WAIT = 20 * SECOND;

/** The page after the set-up, for owners: a test mail, a passkey, recovery codes. */
export function firstSteps(app: App, { ctx }: { ctx: Context }): void {
  app.get(FIRST_STEPS, async (request, reply) => {
    const signedIn = requireSignedIn(ctx, request, reply);
    if (!signedIn) return reply;
    ensureOwner(signedIn);
    return sendHtml(reply, stepsPage(signedIn));
  });

  act(app, ctx, {
    both: 'POST /me/first-steps/test-mail',
    run: async ({ request }) => {
      const signedIn = requireWriter(ctx, request);
      ensureOwner(signedIn);
      limitAsks(ctx, request.client);
      return { signedIn, tested: await sendTestMail(signedIn) };
    },
    json: ({ tested }) => tested,
    next: ({ signedIn, tested }) => stepsPage(signedIn, tested),
  });

  async function sendTestMail({ person }: SignedIn): Promise<TestMail> {
    const to = listAddresses(ctx.db, person.id)[0]?.email;
    if (to === undefined) throw conflict('no_own_address');
    const missing = ctx.mailer.needed();
    if (missing.length > 0) return { to, ok: false, error: `${missing.join(', ')}: not set` };
    if (ctx.mailer.isFolder)
      return { to, ok: false, error: 'MAILER_URL names a folder: no mail leaves this machine' };
    const mail = { kind: 'first-test', email: to, facts: {} } as const;
    const outcome = await mailOneNow(ctx, mail, { isFinal: true, within: WAIT });
    return 'error' in outcome ? { to, ok: false, error: outcome.error } : { to, ok: true };
  }

  function stepsPage({ person }: SignedIn, tested?: TestMail) {
    return firstStepsPage({
      name: person.name,
      tested,
      missing: ctx.mailer.needed(),
      inFolder: ctx.mailer.isFolder,
      email: listAddresses(ctx.db, person.id)[0]?.email,
      passkeys: { count: listPasskeys(ctx.db, person.id).length, offered: offersPasskeys(ctx) },
      recoveryCodes: countRecoveryCodes(ctx.db, person.id),
    });
  }
}

function ensureOwner({ roles }: SignedIn): void {
  if (!roles.includes('owner')) throw forbidden('owners_only');
}
