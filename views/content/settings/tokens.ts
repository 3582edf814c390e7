import type { Sender } from '#kernel/access/sender-tokens.ts';
import { type Html, html } from '#kernel/html.ts';
import { groupPath } from '#kernel/settings/setting.ts';
import { copyField } from '#views/components/codes.ts';
import type { SettingsPageProps } from './props.ts';

const WORDS: Record<Sender, { title: string; text: string }> = {
  player: {
    title: 'Music players',
    text: 'Programs that play music (Navidrome, Jellyfin, Music Assistant, multi-scrobbler) report their songs to this address. They call it a ListenBrainz server.',
  },
  device: { title: 'Capture device', text: 'The device in the bar that listens to the room.' },
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
      : html`<p class="hint">Its token is set by the server’s administrator: ${tokenVariable}.</p>`
  }`;
}

const ENTER_ADDRESS = html`<p>Enter <a href="${groupPath('address')}">the address of this service</a> first.</p>`;

const addressOf = (address: string): Html =>
  copyField({ id: 'players', value: address, label: 'the address for players' });

function ownToken(sender: Sender, isSet: boolean): Html {
  const action = `/admin/settings/tokens/${sender}`;
  return html`<p>${isSet ? 'It has a token. A new one ends it.' : 'It has no token yet.'}</p>
<div class="actions"><form method="post" action="${action}"><button class="button">New token</button></form>${
    isSet &&
    html`<form method="post" action="${action}/end"><button class="button button-quiet">End it</button></form>`
  }</div>`;
}
