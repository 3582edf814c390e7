import { TENDER } from '#content/kinds/tender.ts';
import { readTenderPage } from '#content/workspace/tender.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { RECORDS, readFiles } from '#kernel/workspace/records.ts';
import { leaveOut, type Planned, planRecord, shortAddress, shorten } from './planned.ts';

/** Plans the import of a tender page. */
export function planTender(page: WorkspacePage): Planned {
  const read = readTenderPage(page);
  if ('leftOut' in read) return leaveOut(TENDER, page, read.leftOut);
  const { fullName, active, meet, showProfile, bio, paymentA, paymentB, pageUrl, hasQr } = read.item;
  const notes: string[] = [];
  const full_name = shorten(fullName, 200, 'the name', notes);
  const input = {
    full_name,
    active,
    meet,
    show_profile: showProfile,
    bio: shorten(bio, 4_000, 'the text', notes),
    payment_a: shorten(paymentA, 300, 'the first way of tips', notes),
    payment_b: shorten(paymentB, 300, 'the second way of tips', notes),
    page_url: shortAddress(pageUrl, notes),
  };
  if (hasQr) notes.push('the QR code is drawn here from now on and leads to the profile');
  const [picture] = readFiles(page, RECORDS.tender.photo);
  return planRecord(TENDER, page, input, { title: full_name, notes, picture: picture?.url });
}
