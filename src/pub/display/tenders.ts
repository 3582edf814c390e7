import { z } from 'zod';
import { TENDER, type TenderBody } from '#content/kinds/tender.ts';
import type { Published } from '#content/records/published.ts';
import { DAY, HOUR } from '#kernel/clock.ts';
import type { Context } from '#kernel/context.ts';
import { compareNames } from '#kernel/settings/locale.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import type { ContentSource } from '#kernel/workspace/content-cache.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import {
  firstUrl,
  RECORDS,
  readDate,
  readFiles,
  readFlag,
  readText,
  readUrl,
  startOf,
} from '#kernel/workspace/records.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import { readUnion } from './own-content.ts';
import { imageUrl, normalizeId, originalId } from './page-ids.ts';
import { findPage, readTenders } from './shifts.ts';

/** A tender as stored. */
export type PubTender = z.output<typeof PubTender>;
const PubTender = z.object({
  id: z.string(),
  fullName: z.string(),
  active: z.boolean(),
  meet: z.boolean(),
  showProfile: z.boolean(),
  bio: z.string(),
  paymentA: z.string(),
  paymentB: z.string(),
  hasPhoto: z.boolean(),
  hasQr: z.boolean(),
  pageUrl: z.string(),
  /** The page's last edit; of an own record its picture, or what stands for it. */
  edited: z.string(),
  /** Of an own record: the id of its picture. */
  picture: z.string().optional(),
  /** Of an own picture: what it shows, and what matters in it, 1 to 9 from the top left. */
  imageAlt: z.string().optional(),
  imageFocus: z.int().optional(),
});

/** A tender in the directory. What is not known is empty. */
export interface TenderDirectoryEntry {
  id: string;
  notionPageId: string;
  firstName: string;
  fullName: string;
  payment_a: string;
  payment_b: string;
  bio: string;
  imageUrl: string;
  /** Of a picture of the club's own: what it shows, and what matters in it, 1 to 9 from the top left. */
  imageAlt?: string;
  imageFocus?: number;
  pageUrl: string;
  profileUrl: string;
}

/** How far back shifts are followed to find the tenders. */
const RECENT_DAYS = 90;
const SHIFTS_FOLLOWED = 10;

/** All tenders of the workspace, also those who are not active: they may be on duty. */
export const TENDERS: ContentSource<PubTender[]> = {
  name: 'tenders',
  databaseId: (config) => config.WORKSPACE_PUB_TENDERS_DATABASE_ID ?? config.WORKSPACE_SHIFTS_DATABASE_ID,
  async read(ctx) {
    const database = await findTenderDatabase(ctx);
    const pages = database ? await readPages(ctx, database) : [];
    return pages
      .map(toTender)
      .filter(({ fullName }) => fullName !== '')
      .sort(byName);
  },
  parse: (json) => z.array(PubTender).parse(json),
};

/** All tenders, of the workspace and the club's own. */
export const readTenderContent = (ctx: Context): Snapshot<PubTender[]> =>
  readUnion(ctx, TENDERS, TENDER, { toItem: ownTender, compare: byName });

/** The database of the tenders: the one configured, else the one that recent shifts lead to. @throws AppError 502 */
export async function findTenderDatabase(ctx: Context): Promise<string | undefined> {
  const { WORKSPACE_PUB_TENDERS_DATABASE_ID: tenders, WORKSPACE_SHIFTS_DATABASE_ID: shifts } = ctx.config;
  if (tenders || !shifts) return tenders;
  const found = await ctx.cache.remember(`tenders of ${shifts}`, HOUR, () => followShifts(ctx, shifts));
  // Only a database that was found is cached.
  if (!found) ctx.cache.forget(`tenders of ${shifts}`);
  return found;
}

/** The active ones, by first name, then full name. */
export function tenderDirectory(tenders: readonly PubTender[]): TenderDirectoryEntry[] {
  return tenders
    .filter(({ active }) => active)
    .map((tender) => ({
      id: normalizeId(tender.id),
      notionPageId: originalId(tender.id),
      firstName: firstName(tender),
      fullName: tender.fullName,
      payment_a: tender.paymentA,
      payment_b: tender.paymentB,
      bio: tender.bio,
      imageUrl: photoUrl(tender),
      ...imageWords(tender),
      pageUrl: tender.pageUrl,
      profileUrl: profileUrl(tender.id),
    }));
}

/** What is said of an own picture. */
export const imageWords = ({
  imageAlt,
  imageFocus,
}: PubTender): { imageAlt?: string; imageFocus?: number } => ({
  ...(imageAlt !== undefined && { imageAlt }),
  ...(imageFocus !== undefined && { imageFocus }),
});

export const firstName = ({ fullName }: PubTender): string => fullName.split(/\s+/)[0] ?? '';

/** Empty when there is no photo. */
export const photoUrl = ({ id, hasPhoto, edited }: PubTender): string =>
  hasPhoto ? imageUrl('tender', id, edited) : '';

/** The QR code that leads to the profile; empty for who has none in the directory. */
export const qrImageUrl = ({ id, active, edited }: PubTender): string =>
  active ? imageUrl('tender-qr', id, edited) : '';

/** The address of a tender in the directory; of the directory itself for an invalid id. */
export function profileUrl(id: string): string {
  const normalized = normalizeId(id);
  return normalized ? `/tenders/?tender=${normalized}` : '/tenders/';
}

/** A record of the club's own as a tender. */
export function ownTender({ id, body }: Pick<Published<TenderBody>, 'id' | 'body'>): PubTender {
  const { full_name: fullName, show_profile: showProfile, active, meet, bio, picture } = body;
  const { payment_a: paymentA, payment_b: paymentB, page_url: pageUrl } = body;
  return {
    ...{ id, fullName, active, meet, showProfile, bio, paymentA, paymentB, pageUrl },
    ...{ hasPhoto: picture !== null, hasQr: false, edited: picture ?? id, ...(picture && { picture }) },
  };
}

function byName(a: PubTender, b: PubTender): number {
  return compareNames(firstName(a), firstName(b)) || compareNames(a.fullName, b.fullName);
}

function toTender(page: WorkspacePage): PubTender {
  const { tender } = RECORDS;
  const payments = [tender.paymentA, tender.paymentB];
  return {
    id: page.id,
    fullName: readText(page, tender.name) || page.title,
    active: readFlag(page, tender.active),
    meet: readFlag(page, tender.meet),
    showProfile: readFlag(page, tender.showProfile),
    bio: readText(page, tender.bio),
    paymentA: readText(page, tender.paymentA),
    paymentB: readText(page, tender.paymentB),
    hasPhoto: readFiles(page, tender.photo).length > 0,
    hasQr: readFiles(page, tender.qr).length > 0,
    pageUrl: readUrl(page, tender.url) ?? firstUrl(page, [...payments, tender.photo, tender.qr]) ?? '',
    edited: page.lastEdited,
  };
}

/** The newest shifts that name a tender lead to the page of one, and that to its database. */
async function followShifts(ctx: Context, shifts: string): Promise<string | undefined> {
  const { TIME_ZONE: zone } = ctx.config;
  const now = ctx.now();
  const pages = await readPages(ctx, shifts, [
    { property: RECORDS.shift.shift, from: now - RECENT_DAYS * DAY, until: now + RECENT_DAYS * DAY },
  ]);
  const startOfShift = (page: WorkspacePage) =>
    startOf(readDate(page, RECORDS.shift.shift)?.start ?? '', zone) ?? 0;
  const recent = pages.toSorted((a, b) => Math.abs(startOfShift(a) - now) - Math.abs(startOfShift(b) - now));
  for (const shift of recent.slice(0, SHIFTS_FOLLOWED)) {
    for (const id of await readTenders(ctx, shift)) {
      const database = (await findPage(ctx, id))?.parentDatabaseId;
      if (database) return database;
    }
  }
  return undefined;
}
