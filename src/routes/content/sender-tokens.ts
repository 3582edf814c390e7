import { z } from 'zod';
import { linkOrigin } from '#kernel/access/link-origin.ts';
import { createToken, endToken, SENDERS } from '#kernel/access/sender-tokens.ts';
import type { Context } from '#kernel/context.ts';
import { act } from '#kernel/http/act.ts';
import { conflict } from '#kernel/http/errors.ts';
import type { App } from '#kernel/http/http.ts';
import { t } from '#kernel/language/message.ts';
import { tokenPage } from '#views/content/settings/token.ts';
import { onSettingsPage, PLAYERS } from './settings.ts';

const params = z.object({ sender: z.enum(SENDERS) });

/** The tokens with which music players and the capture device report what is heard. Each is shown once. */
export function senderTokens(app: App, { ctx }: { ctx: Context }): void {
  const change = { ...onSettingsPage(ctx, 'music'), sudo: true, params } as const;

  act(app, ctx, {
    ...change,
    api: 'POST /api/admin/settings/tokens/:sender',
    form: 'POST /admin/settings/tokens/:sender',
    summary: 'Make a new token for players or for the device: the former one ends',
    run: async ({ params: { sender }, actor, request }) => {
      ensureOurs(ctx);
      const token = await createToken(ctx, sender, actor);
      const origin = sender === 'player' ? linkOrigin(ctx, request) : undefined;
      return { sender, token, address: origin && `${origin}${PLAYERS}` };
    },
    made: ({ sender }) => ({
      what: t('settings.sender_tokens.token_made'),
      page: '/admin/settings/music',
      remove: {
        action: `/admin/settings/tokens/${sender}/end`,
        fields: {},
        label: t('settings.sender_tokens.end_token'),
      },
    }),
    json: ({ token }) => ({ token }),
    next: async ({ address, token, ...shown }, { request: { identity } }) =>
      tokenPage({
        ...shown,
        identity,
        token: await withQr(token),
        address: address === undefined ? undefined : await withQr(address),
      }),
  });

  act(app, ctx, {
    ...change,
    api: 'DELETE /api/admin/settings/tokens/:sender',
    form: 'POST /admin/settings/tokens/:sender/end',
    summary: 'End the token of players or of the device',
    run: ({ params: { sender }, actor }) => {
      ensureOurs(ctx);
      return endToken(ctx, sender, actor);
    },
    json: (ended) => ({ ended }),
    next: '/admin/settings/music?done=token_ended',
  });
}

async function withQr(text: string) {
  const { default: QRCode } = await import('qrcode');
  return { text, qr: QRCode.create(text, { errorCorrectionLevel: 'M' }).modules };
}

/** @throws 409 while the token of the environment is the only one */
function ensureOurs({ config }: Context): void {
  if (config.NOW_PLAYING_INGEST_TOKEN !== undefined)
    throw conflict('token_of_environment', { variable: 'NOW_PLAYING_INGEST_TOKEN' });
}
