import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Context } from '#kernel/context.ts';
import { forbidden, notFound } from '#kernel/http/errors.ts';
import { type App, sendFile, wantsHtml } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { REQUIRED_TEXT } from '#kernel/http/validation.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { coded } from '#kernel/messages/messages.ts';
import { checkPage } from '#views/voting/ballots/check.ts';
import { recountPage } from '#views/voting/results/recount.ts';
import { checkCode } from '#voting/ballots/ballot-store.ts';
import {
  ballotsCsv,
  ballotsJson,
  getPublicBallots,
  publishesBallots,
} from '#voting/counting/public-ballots.ts';
import { computedJson, loadResult } from '#voting/counting/results.ts';
import { coversChoice, readSettings } from '#voting/election-settings.ts';
import { ballotJson, type Election, electionStatus, getElection } from '#voting/elections/elections.ts';
import { areResultsHidden } from '#voting/elections/visibility.ts';
import { rulesOf } from '#voting/shared/ballot-types.ts';
import { parseCode } from '#voting/shared/receipts.ts';

const params = z.object({ id: Id });
/** The inclusion code of a ballot, or of a paper, in any spelling. */
export const CodeBody = z.object({
  code: z
    .string(REQUIRED_TEXT)
    .max(200, coded('too_long', { max: 200 }))
    .transform((text, issues) => {
      const code = parseCode(text);
      if (code !== undefined) return code;
      issues.addIssue({ code: 'custom', message: coded('not_check_code') });
      return z.NEVER;
    }),
});

/** Lets everybody check a result: look up a ballot by its code, download all ballots, and count them on a page. */
export function verification(app: App, { ctx }: { ctx: Context }): void {
  app.get(
    '/e/:id/check',
    { schema: { params, summary: 'Check that a ballot is in the box' } },
    async (request, reply) => sendHtml(reply, await codePage(getChecked(ctx, request.params.id))),
  );

  app.post(
    '/e/:id/check',
    {
      config: {
        refused: (request, { errors, entered }) =>
          codePage(getChecked(ctx, (request.params as { id: string }).id), {
            errors,
            entered: String(entered.code ?? ''),
          }),
      },
      bodyLimit: 4 * 1024,
      schema: { params, body: CodeBody, summary: 'Whether a ballot with this code is in the box' },
    },
    async (request, reply) => {
      const election = getChecked(ctx, request.params.id);
      if (electionStatus(election, ctx.now()) !== 'closed') throw forbidden('checks_after_close');
      // The code is hashed and not stored.
      const checked = checkCode(ctx.db, election, request.body.code);
      return wantsHtml(request) ? sendHtml(reply, await codePage(election, { checked })) : checked;
    },
  );

  app.get(
    '/e/:id/ballots.json',
    { config: { json: true }, schema: { params, summary: 'All ballots of a closed election' } },
    async (request, reply) => {
      const ballots = await getPublicBallots(ctx, getElection(ctx.db, request.params.id));
      return reply.type('application/json').send(Readable.from(ballotsJson(ctx, ballots)));
    },
  );

  app.get(
    '/e/:id/ballots.csv',
    { config: { json: true }, schema: { params, summary: 'The same, a ballot a line' } },
    async (request, reply) => {
      const ballots = await getPublicBallots(ctx, getElection(ctx.db, request.params.id));
      const name = `ballots-${ballots.election.id.slice(-8)}.csv`;
      return sendFile(reply, name, 'text/csv; charset=utf-8', ballotsCsv(ctx, ballots));
    },
  );

  app.get('/e/:id/recount', { schema: { params } }, async (request, reply) => {
    const { election, published } = await getPublicBallots(ctx, getElection(ctx.db, request.params.id));
    const partial = rulesOf(election.ballot_type).partial(readSettings(election.settings));
    return sendHtml(reply, recountPage({ election, published, partial }));
  });

  async function codePage(election: Election, state: Parameters<typeof checkPage>[0]['state'] = {}) {
    const closed = electionStatus(election, ctx.now()) === 'closed';
    const opens = closed ? null : formatWhen(election.close_at, ctx.config.TIME_ZONE);
    const settings = readSettings(election.settings);
    const partial = rulesOf(election.ballot_type).partial(settings);
    const { withdrawn } = ballotJson(ctx, election);
    const covers = coversChoice(settings);
    const source = await checkSource(ctx, election);
    const isVoid = election.voided_at !== null;
    return checkPage({ election, opens, state, covers, partial, isVoid, source, withdrawn });
  }
}

/** The address of the list with which a browser checks a code itself; undefined where it is not published. */
export async function checkSource(ctx: Context, election: Election): Promise<string | undefined> {
  if (electionStatus(election, ctx.now()) !== 'closed' || areResultsHidden(election, ctx.now()))
    return undefined;
  if (!coversChoice(readSettings(election.settings))) return `/e/${election.id}/results`;
  // For a code that covers the choice a browser needs the list of ballots.
  const listed = publishesBallots(election, computedJson(await loadResult(ctx, election)));
  return listed ? `/e/${election.id}/ballots.json` : undefined;
}

/** @throws 404 for an unknown election, or one without inclusion codes */
function getChecked(ctx: Context, id: string): Election {
  const election = getElection(ctx.db, id);
  if (readSettings(election.settings).receipts === 'off') throw notFound('no_check_codes');
  return election;
}
