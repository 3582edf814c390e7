import type { Identity } from '#kernel/access/permissions.ts';
import type { Sender } from '#kernel/access/sender-tokens.ts';
import { type Html, html } from '#kernel/html.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { copyField, type QrModules, qrCode } from '#views/components/codes.ts';
import { notice } from '#views/components/notices.ts';
import { pageHeader } from '#views/components/structure.ts';
import { staffPage } from '#views/pub/staff-frame.ts';
import { stylesheets } from '#views/stylesheets.ts';

/** A text, and its code. */
interface Scanned {
  text: string;
  qr: QrModules;
}

/** A token that was just made, which no page shows again. */
export interface TokenPageProps {
  sender: Sender;
  token: Scanned;
  /** What a player is given besides the token. */
  address: Scanned | undefined;
  identity: Identity | undefined;
}

const WORDS: Record<Sender, { title: string; lede: string }> = {
  player: {
    title: 'A new token for players',
    lede: 'Enter both in the settings of the player, where it asks for a ListenBrainz server.',
  },
  device: {
    title: 'A new token for the capture device',
    lede: 'Enter it in the settings of the device and start it again.',
  },
};

/** Shows a new token once, with codes to scan. */
export function tokenPage({ sender, token, address, identity }: TokenPageProps): Html {
  const { title, lede } = WORDS[sender];
  const body = html`${pageHeader({ title, lede })}
${notice('attention', 'This token is not shown again, and a former one has ended.', 'Copy it now')}
${address && scanned('address', 'Address', address)}${scanned('token', 'Token', token)}
<p class="actions"><a class="button" href="${groupPath('music')}">Done</a></p>`;
  return staffPage({
    title,
    body,
    nav: '/admin/settings',
    givesAddress: sender === 'player' || undefined,
    identity,
    scripts: ['base/copy.js'],
    head: stylesheets('content'),
  });
}

const scanned = (id: string, title: string, { text, qr }: Scanned): Html =>
  html`<section class="card settings" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${copyField({ id, value: text, label: title.toLowerCase() })}
<div class="settings-qr">${qrCode(qr, `QR code of the ${title.toLowerCase()}`)}</div></section>`;
