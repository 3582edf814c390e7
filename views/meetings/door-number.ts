import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { asWritten } from '#views/components/language.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The data of the page that a person shows at the door; the time is already formatted. */
export interface DoorNumberProps {
  meeting: { id: string; title: string; place: string | null };
  when: Words;
  number: string;
  qr: QrModules;
}

/** The square and the number of an invitation, to be shown at the door. It names nobody. */
export function doorNumberPage({ meeting, when, number, qr }: DoorNumberProps): Html {
  const body = html`${pageHeader({
    title: t('meetings.door_number.title'),
    lede: meeting.place
      ? t('meetings.door_number.lede_with_place', {
          meeting: asWritten(meeting.title),
          when,
          place: asWritten(meeting.place),
        })
      : t('meetings.door_number.lede', { meeting: asWritten(meeting.title), when }),
  })}
<div class="card door-number">${qrCode(qr, t('meetings.door_number.qr'))}<p class="slip-code">${number}</p></div>
<p>${t('meetings.door_number.what_it_does')}</p>
<p class="screen-only"><a class="link-alone" href="/m/${meeting.id}">${t('meetings.door_number.agenda')}</a></p>`;
  return page({ title: t('meetings.door_number.title'), body, styles: 'meeting', givesAddress: true });
}
