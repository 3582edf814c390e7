import type { EventBody } from '#content/events/body.ts';
import { toEventDate } from '#content/events/dates.ts';
import { EVENT } from '#content/events/kind.ts';
import { ANNOUNCEMENT, type AnnouncementBody } from '#content/kinds/announcement.ts';
import { TENDER, type TenderBody } from '#content/kinds/tender.ts';
import { listShownPictures } from '#content/pictures/shown.ts';
import type { Body } from '#content/records/kind.ts';
import type { Context } from '#kernel/context.ts';
import { localDate } from '#kernel/local-time.ts';
import { ownAnnouncement } from './announcements.ts';
import { eventToWire } from './events.ts';
import { announcedSlide, announcementSlide, eventSlide, listSlides, type Slide } from './slides.ts';
import { ownTender } from './tenders.ts';

/** Builds the slide of a record, published or not; undefined if it has none. */
export function previewSlide(ctx: Context, kind: string, id: string, body: Body): Slide | undefined {
  const { picture } = body;
  // The public image route serves published records only.
  const imageUrl =
    typeof picture === 'string' ? `/api/admin/pictures/${encodeURIComponent(picture)}/file` : '';
  const words = typeof picture === 'string' ? listShownPictures(ctx).get(picture) : undefined;
  const image = { imageUrl, imageAlt: words?.alt ?? '', ...(words && { imageFocus: words.focus }) };
  if (kind === ANNOUNCEMENT.name) {
    const announcement = ownAnnouncement({ id, body: body as AnnouncementBody }, ctx.config.TIME_ZONE);
    return { ...announcementSlide(announcement), ...image };
  }
  if (kind === EVENT.name) {
    const { TIME_ZONE: zone } = ctx.config;
    const own = body as EventBody;
    const { title, start, end, allDay } = toEventDate(own, own.date, zone);
    const event = { title, start, end, allDay, rcTag: null };
    if (own.announce_from !== null)
      return { ...announcedSlide({ event, from: 0 }, localDate(ctx.now(), zone), zone), ...image };
    return imageUrl === '' ? undefined : eventSlide({ ...eventToWire(event, zone), ...image });
  }
  if (kind !== TENDER.name) return undefined;
  const tender = { ...ownTender({ id, body: body as TenderBody }), active: true, meet: true };
  const [slide] = listSlides([], [], [tender], '');
  return slide?.type === 'tender' ? { ...slide, ...image, qrImageUrl: '' } : undefined;
}
