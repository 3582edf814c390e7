import { type Html, html } from '#kernel/html.ts';
import { type QrModules, qrCode } from '#views/components/codes.ts';
import { pageHeader } from '#views/components/structure.ts';
import { page } from '#views/layout.ts';

/** The data of the page that a person shows at the door; the time is already formatted. */
export interface DoorNumberProps {
  meeting: { id: string; title: string; place: string | null };
  when: string;
  number: string;
  qr: QrModules;
}

/** The square and the number of an invitation, to be shown at the door. It names nobody. */
export function doorNumberPage({ meeting, when, number, qr }: DoorNumberProps): Html {
  const body = html`${pageHeader({
    title: 'Show this at the door',
    lede: `${meeting.title}, ${when}${meeting.place ? `, ${meeting.place}` : ''}`,
  })}
<div class="card door-number">${qrCode(qr, 'QR code of this number')}<p class="slip-code">${number}</p></div>
<p>The door finds you on the list with it, and gives you a voting card. It is not a voting code.</p>
<p class="screen-only"><a class="link-alone" href="/m/${meeting.id}">Agenda and documents</a></p>`;
  return page({ title: 'Show this at the door', body, styles: 'meeting', givesAddress: true });
}
