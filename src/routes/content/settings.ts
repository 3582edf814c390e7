import { readSettings } from '#content/settings/settings.ts';
import type { Context } from '#kernel/context.ts';
import type { App } from '#kernel/http/http.ts';
import { SettingsInput } from '#kernel/settings/settings.ts';
import { changeSettingsFor } from './service-address.ts';

/** The settings of the club, as JSON. */
export function settings(app: App, { ctx }: { ctx: Context }): void {
  const config = { permission: 'settings:write' } as const;

  app.get('/api/admin/settings', { config, schema: { summary: 'The settings of the club' } }, async () =>
    readSettings(ctx),
  );

  app.put(
    '/api/admin/settings',
    { config, schema: { summary: 'Change some settings of the club', body: SettingsInput } },
    async (request) => {
      await changeSettingsFor(ctx, request, request.body);
      return { ok: true, ...readSettings(ctx) };
    },
  );
}
