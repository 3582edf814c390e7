import { DAY, isoTime } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { notFound } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { contactAddress } from '#kernel/settings/inputs.ts';

const FILE = '/.well-known/security.txt';
/** RFC 9116 recommends less than a year. */
const VALID_FOR = 180 * DAY;

/** Where a weakness of this service is reported (RFC 9116). 404 while the club has entered no address for it. */
export function securityTxt(app: App, { ctx }: { ctx: Context }): void {
  app.get(FILE, { schema: { summary: 'Where a weakness is reported' } }, async (_request, reply) => {
    const { security_contact: own, contact } = ctx.config.settings;
    const address = contactAddress(own ?? contact ?? '');
    if (address === undefined) throw notFound('not_found');
    const expires = isoTime(Math.floor(ctx.now() / DAY) * DAY + VALID_FOR);
    const lines = [`Contact: ${address}`, `Expires: ${expires}`];
    if (ctx.config.BASE_URL) lines.push(`Canonical: ${ctx.config.BASE_URL}${FILE}`);
    return reply
      .headers({ 'cache-control': 'no-cache', 'content-type': 'text/plain; charset=utf-8' })
      .send(`${lines.join('\n')}\n`);
  });
}
