import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { demand } from '#kernel/access/guards.ts';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import { otherReader } from '#kernel/access/readers.ts';
import type { Context } from '#kernel/context.ts';
import { actorOf } from '#kernel/http/client.ts';
import type { App } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { Id } from '#kernel/ids.ts';
import { formatWhen } from '#kernel/language/times.ts';
import { clubName } from '#kernel/mail/message.ts';
import { issuerOf, placed } from '#routes/voting/officers-page/address.ts';
import { slipsPage } from '#views/voting/admin/invitations/slips.ts';
import { votingPath } from '#voting/ballots/ballots.ts';
import { isShortCode } from '#voting/ballots/voting-code.ts';
import { agendaNumbers, type Issuer, listQuestions } from '#voting/elections/issuers.ts';
import { type Titled, translatedTitle } from '#voting/elections/translations.ts';
import { mailedTrial } from '#voting/invitations/invitation-mails.ts';
import { openSlips } from '#voting/invitations/slips.ts';

/** Printed voting slips for electors without an address. */
export function slips(app: App, { ctx }: { ctx: Context }): void {
  const route = {
    config: { permission: 'elections:run', sudo: true },
    schema: { params: z.object({ id: Id }), summary: 'Voting slips for electors without an address' },
  } as const;
  for (const url of ['/admin/elections/:id/invites/slips', '/admin/papers/:id/invites/slips'])
    app.post(url, route, async (request, reply) => {
      // The slips contain names from the roll.
      await demand(ctx, request, 'people:read');
      const election = issuerOf(ctx, request);
      const opened = await openSlips(ctx, election, actorOf(request, ctx.now));
      return sendSlips(ctx, request, reply, { election, codes: opened, kept: true });
    });
}

/** Sends the page of voting slips to print. `kept`: whether they can be printed again. */
export async function sendSlips(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { election, codes, kept }: { election: Issuer; codes: { name?: string; token: string }[]; kept: boolean },
): Promise<FastifyReply> {
  const origin = getLinkOrigin(ctx, request);
  const numbers = agendaNumbers(ctx.db, election.id);
  const second = otherReader(ctx);
  const named = <Of extends Titled>(of: Of) => ({
    ...of,
    translated: second && translatedTitle(of, second.language),
  });
  const { default: QRCode } = await import('qrcode');
  const slips = codes.map((code) => {
    const url = `${origin}${votingPath(ctx.db, election, code.token)}`;
    const qr = QRCode.create(url, { errorCorrectionLevel: 'M' }).modules;
    return { ...code, qr, url: isShortCode(code.token) ? undefined : url };
  });
  return sendHtml(
    reply,
    slipsPage({
      club: clubName(ctx.config),
      second,
      election: named(placed(ctx, request, election)),
      slips,
      questions: election.isPaper
        ? listQuestions(ctx.db, election.id).map(({ id, title, translations }) =>
            named({ number: numbers.get(id), title, translations }),
          )
        : [],
      trial: mailedTrial(ctx, election),
      kept,
      viewer: request.viewer,
      address: `${origin.replace(/^https?:\/\//, '')}/vote`,
      closes: formatWhen(election.close_at, ctx.config.TIME_ZONE),
    }),
  );
}
