import { t } from '#kernel/language/message.ts';
import type { WorkspacePage } from '#kernel/workspace/client.ts';
import { leftOut, type PageRead } from '#kernel/workspace/page-read.ts';
import { firstUrl, RECORDS, readFiles, readFlag, readText, readUrl } from '#kernel/workspace/records.ts';

/** A tender read from their workspace page. Unknown values are empty. */
export interface TenderPage {
  id: string;
  fullName: string;
  active: boolean;
  meet: boolean;
  showProfile: boolean;
  bio: string;
  paymentA: string;
  paymentB: string;
  hasPhoto: boolean;
  hasQr: boolean;
  pageUrl: string;
  /** Time of the page's last edit. */
  edited: string;
}

export function readTenderPage(page: WorkspacePage): PageRead<TenderPage> {
  const { tender } = RECORDS;
  const fullName = readText(page, tender.name) || page.title;
  if (fullName === '') return leftOut(t('content-admin.import_note.no_name'));
  const payments = [tender.paymentA, tender.paymentB];
  return {
    item: {
      id: page.id,
      fullName,
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
    },
  };
}
