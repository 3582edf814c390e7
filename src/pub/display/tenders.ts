import { z } from 'zod';
import { TENDER, type TenderBody } from '#content/kinds/tender.ts';
import type { Published } from '#content/records/published.ts';
import { findTenderDatabase } from '#content/workspace/databases.ts';
import { readTenderPage } from '#content/workspace/tender.ts';
import type { Context } from '#kernel/context.ts';
import { compareNames } from '#kernel/locale.ts';
import { readPages } from '#kernel/workspace/reading.ts';
import type { Snapshot } from '#kernel/workspace/snapshot.ts';
import type { ContentSource } from '#kernel/workspace/stored-source.ts';
import { imageUrl, normalizeId, originalId } from '#pub/page-ids.ts';
import { readUnion } from './own-content.ts';

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
  /** The page's last edit; for the club's own record the id of its picture, else its own id. */
  edited: z.string(),
  /** The id of the picture, only for the club's own records. */
  picture: z.string().optional(),
  /** Only for own pictures: the alternative text, and the focus area, 1 to 9 from the top left. */
  imageAlt: z.string().optional(),
  imageFocus: z.int().optional(),
});

/** A tender in the directory. Unknown fields are empty. */
export interface TenderDirectoryEntry {
  id: string;
  notionPageId: string;
  firstName: string;
  fullName: string;
  payment_a: string;
  payment_b: string;
  bio: string;
  imageUrl: string;
  /** Only for the club's own pictures: the alternative text, and the focus area, 1 to 9 from the top left. */
  imageAlt?: string;
  imageFocus?: number;
  pageUrl: string;
  profileUrl: string;
}

/** All tenders of the workspace, also inactive ones: they may be on duty. */
export const TENDERS: ContentSource<PubTender[]> = {
  name: 'tenders',
  databaseId: (config) => config.WORKSPACE_PUB_TENDERS_DATABASE_ID ?? config.WORKSPACE_SHIFTS_DATABASE_ID,
  async read(ctx) {
    const database = await findTenderDatabase(ctx);
    const pages = database ? await readPages(ctx, database) : [];
    return pages.flatMap((page) => readTenderPage(page).item ?? []).sort(byName);
  },
  parse: (json) => z.array(PubTender).parse(json),
};

/** Reads all tenders: those of the workspace and the club's own. */
export const readTenderContent = (ctx: Context): Snapshot<PubTender[]> =>
  readUnion(ctx, TENDERS, TENDER, { toItem: ownTender, compare: byName });

/** Lists the active tenders, by first name, then full name. */
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

/** Alternative text and focus area of an own picture. */
export const imageWords = ({
  imageAlt,
  imageFocus,
}: Pick<PubTender, 'imageAlt' | 'imageFocus'>): { imageAlt?: string; imageFocus?: number } => ({
  ...(imageAlt !== undefined && { imageAlt }),
  ...(imageFocus !== undefined && { imageFocus }),
});

export const firstName = ({ fullName }: PubTender): string => fullName.split(/\s+/)[0] ?? '';

/** Whether there is a way to tip somebody. */
export const takesTips = ({ paymentA, paymentB }: Pick<PubTender, 'paymentA' | 'paymentB'>): boolean =>
  `${paymentA}${paymentB}`.trim() !== '';

/** Empty when there is no photo. */
export const photoUrl = ({ id, hasPhoto, edited }: PubTender): string =>
  hasPhoto ? imageUrl('tender', id, edited) : '';

/** The address of the QR code for the profile; empty for inactive tenders, who are not in the directory. */
export const qrImageUrl = ({ id, active, edited }: PubTender): string =>
  active ? imageUrl('tender-qr', id, edited) : '';

/** The address of a tender's profile; that of the directory for an invalid id. */
export function profileUrl(id: string): string {
  const normalized = normalizeId(id);
  return normalized ? `/tenders/?tender=${normalized}` : '/tenders/';
}

/** Converts one of the club's own records to a tender. */
export function ownTender({ id, body }: Pick<Published<TenderBody>, 'id' | 'body'>): PubTender {
  const { full_name: fullName, show_profile: showProfile, active, meet, bio, picture } = body;
  const { payment_a: paymentA, payment_b: paymentB, page_url: pageUrl } = body;
  return {
    id,
    fullName,
    active,
    meet,
    showProfile,
    bio,
    paymentA,
    paymentB,
    pageUrl,
    hasPhoto: picture !== null,
    hasQr: false,
    edited: picture ?? id,
    ...(picture && { picture }),
  };
}

function byName(a: PubTender, b: PubTender): number {
  return compareNames(firstName(a), firstName(b)) || compareNames(a.fullName, b.fullName);
}
