import type { Sender } from '#kernel/access/sender-tokens.ts';
import { type Html, html } from '#kernel/html.ts';
import { t } from '#kernel/language/message.ts';
import type { Words } from '#kernel/language/words.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { copyField } from '#views/components/codes.ts';
import type { SettingsPageProps } from './props.ts';

const WORDS: Record<Sender, { title: Words | string; text: Words | string }> = {
  player: {
    title: t('settings.tokens.music_players'),
    text: t('settings.tokens.programs_play_music_navidrome_jellyfin'),
  },
  device: { title: t('settings.tokens.capture_device'), text: t('settings.tokens.device_bar_listens_room') },
};

/** For players and for the device: whether there is a token, and the forms that make and end it. */
export function tokenForms(props: SettingsPageProps): Html {
  return html`${(['player', 'device'] as const).map((sender) => tokenForm(sender, props))}`;
}

function tokenForm(sender: Sender, { tokens, tokenVariable, players }: SettingsPageProps): Html {
  const { title, text } = WORDS[sender];
  const address = sender === 'player' && (players === undefined ? ENTER_ADDRESS : addressOf(players));
  return html`<h2>${title}</h2><p>${text}</p>${address}${
    tokenVariable === undefined
      ? ownToken(sender, tokens[sender])
      : html`<p class="hint">${t('settings.tokens.token_set_servers_administrator', { variable: tokenVariable })}</p>`
  }`;
}

const ENTER_ADDRESS = html`<p>${t('settings.tokens.enter_address_service_first', { link: (inside) => html`<a href="${groupPath('address')}">${inside}</a>` })}</p>`;

const addressOf = (address: string): Html =>
  copyField({ id: 'players', value: address, label: t('settings.tokens.address_players') });

function ownToken(sender: Sender, isSet: boolean): Html {
  const action = `/admin/settings/tokens/${sender}`;
  return html`<p>${isSet ? t('settings.tokens.token_new_ends') : t('settings.tokens.token_yet')}</p>
<div class="actions"><form method="post" action="${action}"><button class="button">${t('settings.tokens.new_token')}</button></form>${
    isSet &&
    html`<form method="post" action="${action}/end"><button class="button button-quiet">${t('settings.tokens.end')}</button></form>`
  }</div>`;
}
