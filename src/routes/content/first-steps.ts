import { z } from 'zod';
import { dismissSteps, isDismissed, listSteps, STEPS, skipStep } from '#content/first-steps.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { flag } from '#kernel/http/validation.ts';
import { localDate } from '#kernel/local-time.ts';
import { listPasskeys } from '#people/passkeys/passkeys.ts';
import { offersPasskeys } from '#people/passkeys/relying-party.ts';
import { countRecoveryCodes } from '#people/recovery-codes.ts';
import { FIRST_STEPS, firstStepsPage } from '#views/content/first-steps.ts';

const params = z.object({ name: z.string().max(40) });

/** The page of the first evening: what a founder does first, read from what the club has. */
export function firstSteps(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    FIRST_STEPS,
    {
      config: { permission: 'settings:write' },
      schema: { summary: 'The first things of a new club' },
    },
    async (request, reply) => {
      reply.header('vary', 'Accept');
      const steps = listSteps(ctx);
      if (!wantsHtml(request)) return { steps: steps.map(({ name, state }) => ({ name, state })) };
      const person = request.session?.person_id ?? request.actorPerson;
      return sendHtml(
        reply,
        firstStepsPage({
          steps,
          isDismissed: isDismissed(ctx),
          today: localDate(ctx.now(), ctx.config.TIME_ZONE),
          address: ctx.config.BASE_URL ?? `${request.protocol}://${request.headers.host ?? ''}`,
          own: person === undefined ? undefined : ownOf(person),
          identity: request.identity,
        }),
      );
    },
  );

  const ownOf = (person: string) => ({
    passkeys: listPasskeys(ctx.db, person).length,
    offersPasskeys: offersPasskeys(ctx),
    recoveryCodes: countRecoveryCodes(ctx.db, person),
  });

  act(app, ctx, {
    both: 'POST /admin/first-steps/:name',
    summary: 'Skip a step of the first evening, or take it up again',
    permission: 'settings:write',
    params,
    body: z.object({ skip: flag }),
    run: async ({ params: { name }, body: { skip } }) => {
      const step = STEPS.find((one) => one === name);
      if (step === undefined) throw notFound('not_found');
      await skipStep(ctx, step, skip);
    },
    next: (_, { params: { name } }) => `${FIRST_STEPS}#${name}`,
  });

  act(app, ctx, {
    both: 'POST /admin/first-steps',
    summary: 'Put the page of the first evening away, or bring it back',
    permission: 'settings:write',
    body: z.object({ dismiss: flag }),
    run: ({ body: { dismiss } }) => dismissSteps(ctx, dismiss),
    next: (_, { body: { dismiss } }) => (dismiss ? '/admin' : FIRST_STEPS),
  });
}
