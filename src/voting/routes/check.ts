import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { type App, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { sha256 } from '#kernel/secrets.ts';
import { checkPage } from '#views/voting/check.ts';
import { hasBallot } from '#voting/ballots/ballot-store.ts';
import { parseCode } from '#voting/ballots/receipts.ts';
import { type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { readSettings } from '#voting/elections/settings.ts';

const params = z.object({ id: Id });
const body = z.object({
  code: z
    .string(REQUIRED_TEXT)
    .max(200, 'must have at most 200 characters')
    .transform((text, issues) => {
      const code = parseCode(text);
      if (code !== undefined) return code;
      issues.addIssue({ code: 'custom', message: 'must be the 32 letters and digits that you were shown' });
      return z.NEVER;
    }),
});

/** Where a voter finds out with an inclusion code that a ballot was counted. The code is hashed and forgotten. */
export function check(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/e/:id/check',
    { schema: { params, summary: 'Check that a ballot is in the box' } },
    async (request, reply) => sendHtml(reply, pageOf(getChecked(ctx, request.params.id))),
  );

  app.post(
    '/e/:id/check',
    {
      config: {
        refused: (request, { errors, entered }) =>
          pageOf(getChecked(ctx, (request.params as { id: string }).id), {
            errors,
            entered: String(entered.code ?? ''),
          }),
      },
      bodyLimit: 4 * 1024,
      schema: { params, body, summary: 'Whether a ballot with this code is in the box' },
    },
    async (request, reply) => {
      const election = getChecked(ctx, request.params.id);
      if (electionStatus(election, ctx.now()) !== 'closed')
        throw forbidden('Codes can be checked after the close');
      const found = hasBallot(ctx.db, election.id, sha256(request.body.code));
      return wantsHtml(request) ? sendHtml(reply, pageOf(election, { found })) : { found };
    },
  );

  function pageOf(election: Election, state: Parameters<typeof checkPage>[0]['state'] = {}) {
    const closed = electionStatus(election, ctx.now()) === 'closed';
    const opens = closed ? null : formatWhen(election.close_at, ctx.config.TIME_ZONE);
    return checkPage({ election, opens, state });
  }
}

/** @throws 404 for an election that there is not, or that gives no codes */
function getChecked(ctx: Context, id: string): Election {
  const election = getElection(ctx.db, id);
  if (!readSettings(election.settings).inclusion_codes)
    throw notFound('This election gives no codes to check the count');
  return election;
}
