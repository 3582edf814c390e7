import { ANNOUNCEMENT, PRIORITIES } from '#content/kinds/announcement.ts';
import { readAnnouncementPage } from '#content/workspace/announcement.ts';
import { t } from '#kernel/language/message.ts';
import { formatShort } from '#kernel/language/times.ts';
import type { Words } from '#kernel/language/words.ts';
import { clubReader } from '#kernel/locale.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { RECORDS, readFiles } from '#kernel/workspace/records.ts';
import { leaveOut, type Planned, planRecord, shorten } from './planned.ts';
import { fromField, untilField } from './walls.ts';

/** Plans the import of an announcement page. */
export function planAnnouncement(page: WorkspacePage, { now, zone }: { now: number; zone: string }): Planned {
  const read = readAnnouncementPage(page, zone);
  if ('leftOut' in read) return leaveOut(ANNOUNCEMENT, page, read.leftOut);
  const { item } = read;
  if (item.until !== null && item.until <= now)
    return leaveOut(
      ANNOUNCEMENT,
      page,
      t('content-admin.import_note.shown_until', { when: formatShort(item.until, zone) }),
    );
  const notes: Words[] = [];
  const title = shorten(item.title, 200, 'title', notes) || t('calendar.untitled').for(clubReader());
  const input = {
    title,
    text: shorten(item.content, 2_000, 'text', notes),
    priority: priorityOf(item.priority, notes),
    seconds: item.duration === null ? null : Math.round(item.duration),
    from: fromField(item.from, zone, notes),
    until: untilField(item.until, zone, notes),
  };
  const [picture] = readFiles(page, RECORDS.announcement.image);
  return planRecord(ANNOUNCEMENT, page, input, { title, notes, picture: picture?.url });
}

/** Maps an unknown priority to low: the screens show it after all others. */
function priorityOf(priority: string, notes: Words[]): (typeof PRIORITIES)[number] {
  const known = PRIORITIES.find((one) => one === priority);
  if (!known) notes.push(t('content-admin.import_note.priority', { priority }));
  return known ?? 'low';
}
