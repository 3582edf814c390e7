import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import type { CachedResponse } from '#kernel/http/cached-response.ts';
import { badField, notFound } from '#kernel/http/errors.ts';
import { drawQr } from '#pub/display/images.ts';

/** Parameters with voting codes or sign-in tokens: everybody who scans such an address could use them. */
const SECRETS = /[?&](t|token|v)=/;

/**
 * Returns the path of a page of this service, with its query.
 * @param text a path, or a whole address
 * @throws AppError 400 for another host, for an address that is not a page, and for one with a personal code
 */
export function readQrPath({ config }: Pick<Context, 'config'>, text: string): string {
  const base = config.BASE_URL ?? 'http://localhost';
  const url = /^(\/(?![/\\])|https?:\/\/)/i.test(text) ? URL.parse(text, base) : null;
  if (!url || url.origin !== new URL(base).origin) throw badField('qr', 'not_own_page');
  const path = url.pathname + url.search;
  if (/^\/(api|assets)\//.test(path)) throw badField('qr', 'not_own_page');
  if (SECRETS.test(path)) throw badField('qr', 'personal_code');
  return path;
}

/** The QR code of a notice as a PNG. @throws AppError 404 */
export async function drawTakeoverQr(ctx: Context, id: string, origin: string): Promise<CachedResponse> {
  const row = ctx.db.first(build.selectFrom('takeovers').select('qr').where('id', '=', id));
  if (!row?.qr) throw notFound('image_not_found');
  return drawQr(ctx, origin + row.qr);
}
