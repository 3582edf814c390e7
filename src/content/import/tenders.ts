import { TENDER } from '#content/kinds/tender.ts';
import { readTenderPage } from '#content/workspace/tender.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { RECORDS, readFiles } from '#kernel/workspace/records.ts';
import { leaveOut, type Planned, planRecord, shortAddress, shorten } from './planned.ts';

/** Plans the import of a tender page. */
export function planTender(page: WorkspacePage): Planned {
  const read = readTenderPage(page);
  if ('leftOut' in read) return leaveOut(TENDER, page, read.leftOut);
  const { fullName, active, meet, showProfile, bio, paymentA, paymentB, pageUrl, hasQr } = read.item;
  const notes: Words[] = [];
  const full_name = shorten(fullName, 200, 'name', notes);
  const input = {
    full_name,
    active,
    meet,
    show_profile: showProfile,
    bio: shorten(bio, 4_000, 'bio', notes),
    payment_a: shorten(paymentA, 300, 'payment_a', notes),
    payment_b: shorten(paymentB, 300, 'other', notes),
    page_url: shortAddress(pageUrl, notes),
  };
  if (hasQr) notes.push(t('content-admin.import_note.qr'));
  const [picture] = readFiles(page, RECORDS.tender.photo);
  return planRecord(TENDER, page, input, { title: full_name, notes, picture: picture?.url });
}
