import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { addPicture } from '#content/pictures/pictures.ts';
import { FILE_FIELD } from '#content/pictures/uploads.ts';
import { changedSettings, changeSettings, readSettings } from '#content/settings/settings.ts';
import type { Context } from '#kernel/context.ts';
import type { Html } from '#kernel/html.ts';
import { actorOf } from '#kernel/http/client.ts';
import { badField } from '#kernel/http/errors.ts';
import { nestFormBody } from '#kernel/http/form.ts';
import type { App, RefusedForm } from '#kernel/http/http.ts';
import { sendHtml } from '#kernel/http/pages.ts';
import { refusedOn } from '#kernel/http/refused-form.ts';
import { formatLocal, formatTime } from '#kernel/local-time.ts';
import { ownValue } from '#kernel/own-value.ts';
import { PARTS, type Part, type Parts } from '#kernel/settings/parts.ts';
import { SettingsInput, VARIABLE } from '#kernel/settings/settings.ts';
import { settingsPage } from '#views/content/settings/page.ts';
import { needsWords } from '#views/content/settings/parts.ts';
import { changeSettingsFor } from './service-address.ts';

const PAGE = '/admin/settings';
const DONE = {
  saved: 'The settings were saved.',
  unchanged: 'Nothing was changed.',
  logo: 'The logo was changed.',
};

/** The page of the club's settings. */
export function settingsPages(app: App, { ctx }: { ctx: Context }): void {
  const render = (
    { identity }: FastifyRequest,
    { done, refused }: { done?: string | undefined; refused?: RefusedForm },
  ): Html => {
    const { settings, overruled } = readSettings(ctx);
    const { TIME_ZONE: zone } = ctx.config;
    const broken = new Set(PARTS.filter((part) => ctx.configured[part]?.works() === false));
    return settingsPage({
      settings,
      identity,
      refused,
      done: done === 'saved' ? savedWords(settings.parts, broken) : ownValue<string>(DONE, done),
      overruled: Object.fromEntries(overruled.map((name) => [name, VARIABLE[name as keyof typeof VARIABLE]])),
      broken,
      sample: `${formatLocal(ctx.now(), zone, { dateStyle: 'full' })}, ${formatTime(ctx.now(), zone)}`,
      missing: ctx.mailer.needed(),
    });
  };
  const config = {
    permission: 'settings:write',
    ...refusedOn((request, refused) => render(request, { refused })),
  } as const;
  const query = z.object({ done: z.string().max(10).optional().catch(undefined) });

  app.get(
    PAGE,
    {
      config: { permission: 'settings:write' },
      schema: { summary: 'The settings of the club', querystring: query },
    },
    async (request, reply) => sendHtml(reply, render(request, { done: request.query.done })),
  );

  app.post(
    PAGE,
    { config, preValidation: nestFormBody, schema: { hide: true, body: SettingsInput } },
    async (request, reply) => {
      const changed = changedSettings(ctx, request.body);
      await changeSettingsFor(ctx, request, changed);
      const isChanged = Object.keys(changed).length > 1 || Object.keys(changed.parts ?? {}).length > 0;
      return reply.redirect(`${PAGE}?done=${isChanged ? 'saved' : 'unchanged'}`, 303);
    },
  );

  app.post(
    `${PAGE}/logo`,
    { config: { ...config, takesPicture: true }, schema: { hide: true } },
    async (request, reply) => {
      const { upload: bytes } = request;
      if (!bytes) throw badField(FILE_FIELD, 'is missing: choose a file');
      const actor = actorOf(request, ctx.now);
      // Not decorative, though the logo needs no description: the same picture may be shown elsewhere with one.
      const { id } = await addPicture(ctx, { bytes, alt: '', decorative: false, focus: 5 }, actor);
      await changeSettings(ctx, { logo: id }, actor);
      return reply.redirect(`${PAGE}?done=logo`, 303);
    },
  );

  app.post(`${PAGE}/logo/remove`, { config, schema: { hide: true } }, async (request, reply) => {
    await changeSettings(ctx, { logo: null }, actorOf(request, ctx.now));
    return reply.redirect(`${PAGE}?done=logo`, 303);
  });
}

/** That the settings were saved, with the parts that are ticked but do not work yet. */
function savedWords(parts: Readonly<Parts>, broken: ReadonlySet<Part>): string {
  const waiting = PARTS.filter((part) => parts[part] && broken.has(part)).map(needsWords);
  return [DONE.saved, ...waiting].join(' ');
}
