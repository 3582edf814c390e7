import type { Identity } from '#kernel/access/permissions.ts';
import type { Sender } from '#kernel/access/sender-tokens.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
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

const WORDS: Record<Sender, { title: Words | string; lede: Words | string }> = {
  player: {
    title: t('settings.token.new_token_players'),
    lede: t('settings.token.enter_both_settings_player_where'),
  },
  device: {
    title: t('settings.token.new_token_capture_device'),
    lede: t('settings.token.enter_settings_device_start_again'),
  },
};

/** Shows a new token once, with codes to scan. */
export function tokenPage({ sender, token, address, identity }: TokenPageProps): Html {
  const { title, lede } = WORDS[sender];
  const body = html`${pageHeader({ title, lede })}
${notice('attention', t('settings.token.token_shown_again_former_ended'), t('settings.token.copy_now'))}
${address && scanned('address', address)}${scanned('token', token)}
<p class="actions"><a class="button" href="${groupPath('music')}">${t('settings.token.done')}</a></p>`;
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

const PARTS = {
  address: {
    title: t('settings.token.address'),
    label: t('settings.token.address_to_copy'),
    code: t('settings.token.address_code'),
  },
  token: {
    title: t('settings.token.token'),
    label: t('settings.token.token_to_copy'),
    code: t('settings.token.token_code'),
  },
};

function scanned(id: keyof typeof PARTS, { text, qr }: Scanned): Html {
  const { title, label, code } = PARTS[id];
  return html`<section class="card settings" aria-labelledby="${id}-title"><h2 id="${id}-title">${title}</h2>
${copyField({ id, value: text, label })}
<div class="settings-qr">${qrCode(qr, code)}</div></section>`;
}
