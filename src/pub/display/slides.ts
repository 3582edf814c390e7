import { createHash } from 'node:crypto';
import { announcementImageUrl, type PubAnnouncement } from './announcements.ts';
import { type PubTender, photoUrl, profileUrl, qrImageUrl } from './tenders.ts';

/** An announcement with a text, an image, or both: `body` and `imageUrl` may be empty. */
export interface AnnouncementSlide {
  id: string;
  type: 'announcement';
  title: string;
  body: string;
  priority: string;
  durationMs: number | null;
  imageUrl: string;
}

export interface TenderSlide {
  id: string;
  type: 'tender';
  title: 'Meet your Tender';
  name: string;
  /** Empty when there is no photo. */
  imageUrl: string;
  qrImageUrl: string;
  /** Where the QR code leads. */
  qrUrl: string;
}

export type Slide = AnnouncementSlide | TenderSlide;

/**
 * The announcements in their order, then every active tender with `meet`, on duty or not.
 * @param origin prefix of the addresses in QR codes, empty for relative ones
 */
export function listSlides(
  announcements: readonly PubAnnouncement[],
  tenders: readonly PubTender[],
  origin: string,
): Slide[] {
  return [
    ...announcements.map((announcement): AnnouncementSlide => {
      const { id, title, content, priority, duration } = announcement;
      return {
        id: `announcement-${stableNumber(id)}`,
        type: 'announcement',
        title,
        body: content,
        priority,
        durationMs: duration === null ? null : duration * 1_000,
        imageUrl: announcementImageUrl(announcement),
      };
    }),
    ...tenders
      .filter(({ active, meet }) => active && meet)
      .map((tender): TenderSlide => {
        const { id, fullName } = tender;
        return {
          id: `tender-${stableNumber(id)}`,
          type: 'tender',
          title: 'Meet your Tender',
          name: fullName,
          imageUrl: photoUrl(tender),
          qrImageUrl: qrImageUrl(tender),
          qrUrl: origin + profileUrl(id),
        };
      }),
  ];
}

/** The same number for a page whatever other pages there are. */
const stableNumber = (pageId: string): number =>
  createHash('sha256').update(pageId).digest().readUIntBE(0, 6);
