import { EVENT } from '#content/events/kind.ts';
import { getPictureFile } from '#content/pictures/pictures.ts';
import { isOnScreen } from '#content/pictures/uses.ts';
import { listPublished, type Published } from '#content/records/published.ts';
import { findPage } from '#content/workspace/shift.ts';
import { kept } from '#kernel/cache.ts';
import { DAY, HOUR, SECOND } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { build } from '#kernel/db/queries.ts';
import { type CachedResponse, cachedResponse } from '#kernel/http/cached-response.ts';
import { AppError, notFound } from '#kernel/http/errors.ts';
import {
  IMAGE_TYPE,
  type ShownSize,
  STORED_SIZES,
  scaledPicture,
  smallerImage,
} from '#kernel/images/image.ts';
import { ENGLISH } from '#kernel/language/words.ts';
import { fetchImage } from '#kernel/workspace/file.ts';
import { RECORDS, type RecordProperty, readFiles } from '#kernel/workspace/records.ts';
import { readContent } from '#kernel/workspace/stored-source.ts';
import { readMenu } from '#pub/menu/facts.ts';
import { IMAGE_KINDS, type ImageKind, normalizeId } from '#pub/page-ids.ts';
import { ANNOUNCEMENTS, readAnnouncementContent } from './announcements.ts';
import { linkPath } from './links.ts';
import { profileUrl, readTenderContent, TENDERS } from './tenders.ts';

const [LONGEST_SIDE, SMALLER_SIDE] = STORED_SIZES;
/** The longest wait for an image that was never loaded. */
const FIRST_WAIT = 15 * SECOND;
/** Images that are loaded, by kind, page and edit: no second attempt within half a minute after a failure. */
const LOADS = kept<ReturnType<typeof loadImage>>({ age: 30 * SECOND });
const UNUSED_DAYS = 30;
/** Pixels per side: on the largest screens a QR code takes a third of the height. */
const QR_SIDE = 960;
/** By address. */
const QR_CODES = kept<Promise<CachedResponse>>({ age: HOUR, atMost: 200 });
/** The image kind of QR codes that lead to our own pages. */
const LINK_QR = 'link-qr';

/** An image that the stored content refers to; only these are requested from the workspace. */
interface Wanted {
  kind: Exclude<ImageKind, 'event' | 'menu' | 'screen'>;
  page: string;
  edited: string;
  property: RecordProperty;
}

/**
 * Returns the image of a page, which is fetched, scaled and stored once per edit of the page. While the image of a new
 * edit is loading, the previous one is returned. A tender without a QR code gets a generated one for their profile; the
 * addresses in generated codes begin with what `origin` returns, which is called for these alone. QR codes have one size.
 * @throws AppError 404 for a kind, page or file that does not exist, 502 when it cannot be loaded and none is stored
 */
export async function getImage(
  ctx: Context,
  kind: string,
  pageId: string,
  origin: () => string,
  size: ShownSize = LONGEST_SIDE,
): Promise<CachedResponse> {
  const path = kind === LINK_QR ? linkPath(pageId) : undefined;
  if (path !== undefined) return drawQr(ctx, origin() + path);
  const wanted = findWanted(ctx, kind, normalizeId(pageId));
  if (!wanted) throw notFound('image_not_found');
  if (wanted === 'drawn') return drawQr(ctx, origin() + profileUrl(pageId));
  const image =
    'picture' in wanted
      ? getPictureFile(ctx.db, wanted.picture, size <= SMALLER_SIDE ? SMALLER_SIDE : LONGEST_SIDE)
      : await getFetched(ctx, wanted);
  const isFitting = size === SMALLER_SIDE && 'picture' in wanted && image.type === IMAGE_TYPE;
  return size === LONGEST_SIDE || kind === 'tender-qr' || isFitting ? image : smallerImage(ctx, image, size);
}

async function getFetched(ctx: Context, wanted: Wanted): Promise<CachedResponse> {
  const stored = findStored(ctx, wanted);
  if (stored?.edited === wanted.edited) return stored.image;

  const key = `${wanted.kind} ${wanted.page} ${wanted.edited}`;
  const load = ctx.cache.get(LOADS, key, () => loadImage(ctx, wanted));
  if (stored) return stored.image;
  const outcome = await Promise.race([load, wait(FIRST_WAIT)]);
  if (outcome === 'missing') throw notFound('image_not_found');
  const found = outcome === 'stored' ? findStored(ctx, wanted) : undefined;
  if (!found) throw new AppError(502, 'image_upstream_failed');
  return found.image;
}

/** Deletes images whose pages are gone, a month after they were fetched; for a job. */
export async function deleteUnusedImages(ctx: Context): Promise<void> {
  const announcements = readContent(ctx, ANNOUNCEMENTS);
  const tenders = readContent(ctx, TENDERS);
  const known = [...(announcements.content ?? []), ...(tenders.content ?? [])].map(({ id }) => id);
  if (known.length === 0) return;
  const unused = build
    .deleteFrom('display_images')
    .where('page_id', 'not in', known)
    .where('fetched_at', '<', ctx.now() - UNUSED_DAYS * DAY);
  await ctx.write((tx) => tx.run(unused));
}

function findWanted(
  ctx: Context,
  kind: string,
  page: string,
): Wanted | { picture: string } | 'drawn' | undefined {
  const known = IMAGE_KINDS.find((one) => one === kind);
  if (known === 'announcement') {
    const { content = [] } = readAnnouncementContent(ctx);
    const found = content.find(({ id, hasImage }) => id === page && hasImage);
    if (found?.picture !== undefined) return { picture: found.picture };
    return found && { kind: known, page, edited: found.edited, property: RECORDS.announcement.image };
  }
  if (known === 'event' || known === 'menu') {
    const own: readonly Published[] = known === 'event' ? listPublished(ctx, EVENT) : readMenu(ctx).items;
    const { picture } = own.find(({ id }) => id === page)?.body ?? {};
    return typeof picture === 'string' ? { picture } : undefined;
  }
  if (known === 'screen') return isOnScreen(ctx.db, page) ? { picture: page } : undefined;
  const tender = known && readTenderContent(ctx).content?.find(({ id }) => id === page);
  if (!tender) return undefined;
  if (known === 'tender-qr' && !tender.hasQr) return tender.active ? 'drawn' : undefined;
  if (known === 'tender' && !tender.hasPhoto) return undefined;
  if (tender.picture !== undefined) return { picture: tender.picture };
  const { photo, qr } = RECORDS.tender;
  return { kind: known, page, edited: tender.edited, property: known === 'tender' ? photo : qr };
}

function findStored(
  ctx: Context,
  { kind, page }: Wanted,
): { edited: string; image: CachedResponse } | undefined {
  const row = ctx.db.first(
    build.selectFrom('display_images').selectAll().where('kind', '=', kind).where('page_id', '=', page),
  );
  if (!row) return undefined;
  const { edited, etag, type, bytes } = row;
  return { edited, image: { body: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), etag, type } };
}

/** Fetches, checks and stores an image. Never throws: failures are logged. */
async function loadImage(ctx: Context, wanted: Wanted): Promise<'stored' | 'missing' | 'failed'> {
  const { kind, page: page_id, edited, property } = wanted;
  try {
    // Addresses of uploaded files expire after an hour, so the page is read again for a new one.
    const page = await findPage(ctx, page_id);
    const [file] = page ? readFiles(page, property) : [];
    if (!file) {
      await ctx.write((tx) => tx.run(deletion(wanted)));
      return 'missing';
    }
    const bytes = await fetchImage(ctx, file.url);
    if (!Buffer.isBuffer(bytes)) throw new Error(bytes.reason.for(ENGLISH));
    const picture = await scaledPicture(bytes, LONGEST_SIDE);
    if (!picture) throw new Error('it is not a supported image');
    const { etag } = cachedResponse(picture.bytes, picture.type);
    const row = { edited, type: picture.type, etag, bytes: picture.bytes, fetched_at: ctx.now() };
    const insert = build.insertInto('display_images').values({ kind, page_id, ...row });
    const upsert = insert.onConflict((conflict) => conflict.columns(['kind', 'page_id']).doUpdateSet(row));
    await ctx.write((tx) => tx.run(upsert));
    return 'stored';
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    ctx.log.warn({ kind, page: page_id, reason }, 'an image cannot be loaded');
    return 'failed';
  }
}

const deletion = ({ kind, page }: Wanted) =>
  build.deleteFrom('display_images').where('kind', '=', kind).where('page_id', '=', page);

/** Draws a QR code as a square PNG with sides of `QR_SIDE` pixels. */
export function drawQr(ctx: Context, address: string): Promise<CachedResponse> {
  const draw = async () => {
    const { default: QRCode } = await import('qrcode');
    const options = { errorCorrectionLevel: 'M', margin: 2, width: QR_SIDE } as const;
    return cachedResponse(await QRCode.toBuffer(address, options), 'image/png');
  };
  // Without BASE_URL the address comes from the Host header, so clients could fill the cache.
  return ctx.config.BASE_URL === undefined ? draw() : ctx.cache.get(QR_CODES, address, draw);
}

const wait = (ms: number) => new Promise<'late'>((resolve) => void setTimeout(resolve, ms, 'late').unref());
