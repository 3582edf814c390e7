import type { FastifyReply, FastifyRequest } from 'fastify';
import { getLinkOrigin } from '#kernel/access/link-origin.ts';
import type { Context } from '#kernel/context.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { formatWhen } from '#kernel/local-time.ts';
import { clubName } from '#kernel/mail/message.ts';
import { slipsPage } from '#views/voting/admin/slips.ts';
import { ballotPath } from '#voting/ballots/ballots.ts';
import { isShortCode } from '#voting/ballots/voting-code.ts';
import type { Election } from '#voting/elections/elections.ts';

/** Sends the page of voting slips to print. `kept`: whether they can be printed again. */
export async function sendSlips(
  ctx: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  { election, codes, kept }: { election: Election; codes: { name?: string; token: string }[]; kept: boolean },
): Promise<FastifyReply> {
  const origin = getLinkOrigin(ctx, request);
  const { default: QRCode } = await import('qrcode');
  const slips = codes.map((code) => {
    const url = `${origin}${ballotPath(election, code.token)}`;
    const qr = QRCode.create(url, { errorCorrectionLevel: 'M' }).modules;
    return { ...code, qr, url: isShortCode(code.token) ? undefined : url };
  });
  return sendHtml(
    reply,
    slipsPage({
      club: clubName(ctx.config),
      election,
      slips,
      kept,
      viewer: request.viewer,
      address: `${origin.replace(/^https?:\/\//, '')}/vote`,
      closes: formatWhen(election.close_at, ctx.config.TIME_ZONE),
    }),
  );
}
